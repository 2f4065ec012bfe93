import { expect, test } from "vitest";
import { lastWords } from "../../runtime/last-words.ts";

/** What is told of a process that ended: the cause, in whole lines. */
const npm = (...lines: string[]): string => lines.map((line) => `npm error ${line}\n`).join("");
const WARNS =
  'npm warn Unknown user config "nodedir". This will stop working\nnpm WARN old lockfile\nnpm notice new version\n';
const LOG = "A complete log of this run can be found in: /var/cache/npm/_logs/debug-0.log";

test.each([
  ["npm's warnings are never told", `${WARNS}the token isn't there\n`, "the token isn't there"],
  [
    "a package that isn't there comes first",
    WARNS +
      npm(
        "code E404",
        "404 Not Found - GET https://registry.example/foo - Not found",
        "404",
        "404  'foo@1' is not in this registry.",
        "404",
        "404 Note that you can also install from a",
        "404 tarball, folder, http url, or git url.",
        LOG,
      ),
    "npm error 404 Not Found - GET https://registry.example/foo - Not found\nnpm error 404  'foo@1' is not in this registry.\nnpm error code E404\nnpm error 404 Note that you can also install from a\nnpm error 404 tarball, folder, http url, or git url.",
  ],
  [
    "so does one without a command",
    `${WARNS}${npm("could not determine executable to run", LOG)}`,
    "npm error could not determine executable to run",
  ],
  [
    "of a crash the error, without the stack",
    "file:///srv/index.js:3\nthrow new Error('TOKEN is missing');\n      ^\n\nError: TOKEN is missing\n    at file:///srv/index.js:3:7\n    at ModuleJob.run (node:internal/modules/esm/module_job:343:25)\n\nNode.js v20.20.2\n",
    "file:///srv/index.js:3\nthrow new Error('TOKEN is missing');\nError: TOKEN is missing",
  ],
  ["a stack is better than nothing", "    at a.js:1\n", "    at a.js:1"],
  ["colours go", "\u001b[31mred\u001b[0m\r\n", "red"],
  ["nothing", "\n \n", ""],
])("%s", (_, stderr, told) => expect(lastWords(stderr, 400)).toBe(told));

test("lines are told whole, from the end, in their order", () => {
  expect(lastWords("a first line\nsecond\nthird\n", 12)).toBe("second\nthird");
  expect(lastWords("a first line\nsecond\nthird\n", 11)).toBe("third");
  expect(lastWords(`${"x".repeat(50)}\nlast\n`, 20)).toBe("last");
  expect(lastWords(`first\n${"x".repeat(50)}\n`, 20)).toBe(`${"x".repeat(19)}…`);
});
