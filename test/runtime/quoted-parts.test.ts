import { expect, test } from "vitest";
import { leakFailure } from "../../compiler/capture/leaks.ts";
import { createSecrets } from "../../runtime/secrets.ts";

/** Secrets in a value that was quoted on its way, as files of variables and command lines do, and pairs in quotes. */

function shownBy(value: string, said: string): string {
  const secrets = createSecrets();
  secrets.add(value);
  return secrets.text(said);
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

test.each([
  ["in the quotes of its file", '"tk_hunter2H"', "no key tk_hunter2H of db.example", "no key *** of db.example"],
  ["in single quotes", "'tk_hunter2H'", "no key tk_hunter2H", "no key ***"],
  [
    "JSON with its escapes",
    inJson('{"host":"db.example","password":"hunter2H"}'),
    "hunter2H db.example",
    "*** db.example",
  ],
  ["JSON as a text of JSON", JSON.stringify('{"host":"db.example","password":"hunter2H"}'), "bad hunter2H", "bad ***"],
  ["an address in quotes", '"postgres://ada:hunter2H@db.example/x"', "ada hunter2H db.example", "ada *** db.example"],
  [
    "lines of YAML in quotes",
    "env:\n  - \"DB_PASSWORD=hunter2H\"\n  - 'MODE=readonly'",
    "hunter2H readonly",
    "*** readonly",
  ],
  [
    "an option in quotes",
    "run -e \"DB_PASSWORD=hunter 2H, x\" -e 'MODE=readonly'",
    "hunter 2H, x readonly",
    "*** readonly",
  ],
  [
    "a header in quotes",
    "curl -H 'Authorization: Bearer tk_hunter2H' https://h.example",
    "tk_hunter2H h.example",
    "*** h.example",
  ],
])("are masked alone: %s", (_, value, said, shown) => {
  expect(shownBy(value, said)).toBe(shown);
});

test.each([
  ['"production-mode-one"', "in production-mode-one"],
  ["'MODE=readonly-mode1' 'token_type=bearer'", "readonly-mode1 bearer"],
])("and a server may be captured that says what no secret of %s is", (value, said) => {
  expect(leakFailure(said, [{ name: "MODE", value, hidden: false, secret: false }])).toBeUndefined();
});
