import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { leakFailure } from "../../compiler/capture/leaks.ts";
import { textDifference } from "../../compiler/cli/capture/words.ts";
import { cutRedactorOf, redactorOf } from "../../compiler/live-server/redact.ts";
import { valuesRead } from "../../compiler/live-server/reference-values.ts";
import { cleanText } from "../../runtime/connect/secrets.ts";
import { withoutColour } from "../../runtime/last-words.ts";
import { createSecrets } from "../../runtime/secrets.ts";
import type { TemplateData, TransportData } from "../../runtime/server-data.ts";
import { captureProject, NOTES, tool, type CaptureProject } from "../support/capture-project.ts";

/** The one masker of known values: what it knows of a value, and that capture writes none of it. */

const VALUE = 'an-invented/token+of "40" characters: 0042';

describe("a value that was cut where it was read", () => {
  const rest = /invented|token|characters|0042/;

  test.each(Array.from({ length: 40 }, (_, i) => i + 1))("leaves no more than a few letters of it after %i", (kept) => {
    const head = `it said: ${VALUE.slice(0, kept)}`;
    const tail = `${VALUE.slice(-kept)} was said`;
    const secrets = createSecrets();
    secrets.add(VALUE);
    for (const clean of [(text: string) => cleanText(text, secrets), cutRedactorOf([VALUE])])
      for (const cut of [clean(head), clean(tail)]) {
        const shown = cut.replace("it said: ", "").replace(" was said", "");
        expect(shown === "***" || shown.length <= VALUE.length / 4).toBe(true);
        if (shown === "***") expect(cut).not.toMatch(rest);
      }
  });

  test("ordinary text that isn't cut stays", () => {
    const secrets = createSecrets();
    secrets.add(VALUE);
    expect(secrets.text(`an-in ${VALUE.slice(0, 30)}`)).toBe(`an-in ${VALUE.slice(0, 30)}`);
    expect(secrets.cutText("an answer of the server")).toBe("an answer of the server");
    expect(secrets.cutText("")).toBe("");
  });
});

const FORMS: readonly (readonly [string, (value: string) => string])[] = [
  ["as it is", (value) => value],
  ["in an address", encodeURIComponent],
  ["in a form", (value) => new URLSearchParams({ v: value }).toString()],
  ["in JSON", (value) => JSON.stringify(value)],
  ["in JSON within JSON", (value) => JSON.stringify(JSON.stringify(value))],
  ["in base64", (value) => Buffer.from(value).toString("base64")],
  ["in base64 behind a name", (value) => `Basic ${Buffer.from(`ada:${value}`).toString("base64")}`],
  ["in base64 of addresses", (value) => Buffer.from(`${value}, and more`).toString("base64url")],
];

describe.each(FORMS)("a value %s", (_, spell) => {
  test("is masked by what capture and doctor show", () => {
    const shown = redactorOf([VALUE])(`so: ${spell(VALUE)}`);
    expect(shown).toContain("***");
    for (const [, other] of FORMS) expect(shown).not.toContain(other(VALUE));
  });

  test("is found in an answer", () => {
    const text = JSON.stringify({ tools: [{ description: `so: ${spell(VALUE)}` }] });
    expect(leakFailure(text, [{ name: "TOKEN", value: VALUE, hidden: true, secret: true }])?.says).toContain("`TOKEN`");
  });
});

describe("what may not stand in a manifest", () => {
  const stdio = (words: readonly string[], names: readonly string[]): TransportData => ({
    kind: "stdio",
    command: [["node"], ...words.map(reference)],
    env: names.map((name) => [name, reference(name)] as const),
  });
  const reference = (name: string): TemplateData => [{ name, form: "plain", word: [] }];
  const leaked = (entry: TransportData, name: string, value: string, said: string = value) => {
    const values = valuesRead(entry, new Map([[name, value]]), (file) => file.endsWith("/there.json"));
    const text = JSON.stringify({ description: `Calls it with ${said} of yours.` });
    return leakFailure(text, values) !== undefined;
  };

  test.each([
    ["API_TOKEN", "s3cr3tV4lueXyzzy0123", true],
    ["API_TOKEN", "/9aK3jf9dkLsm2Pq8sj2mdKs0aXyz77=", true],
    ["API_TOKEN", "~/aK3jf9dkLsm2Pq8sj2mdKs0a", true],
    ["API_TOKEN", "C:/aK3jf9dkLsm2Pq8sj2mdKs0a", true],
    ["API_TOKEN", "hunter22", true],
    ["API_TOKEN", "true", false],
    ["API_TOKEN", "/srv/harbor/there.json", false],
    ["GOOGLE_APPLICATION_CREDENTIALS", "/srv/harbor/elsewhere.json", false],
    ["STAGE", "production", false],
    ["NEO4J_PASSWORD", "password", false],
    ["STAGE", "production-of-west", true],
    ["MEMORY_FILE", "/data/memory.json", false],
  ])("%s=%s in the environment: %s", (name, value, is) => {
    expect(leaked(stdio([], [name]), name, value)).toBe(is);
  });

  test.each([
    ["DATABASE_URL", "postgres://app:hunt3r2Xyzzy77@db.example.com/x", "hunt3r2Xyzzy77", true],
    ["DATABASE_URL", "postgres://app:hunt3r2Xyzzy77@db.example.com/x", undefined, true],
    ["DATABASE_URL", "postgres://app:hunt3r2Xyzzy77@db.example.com/x", "db.example.com", false],
    ["DATABASE_URL", "postgresql://postgres:postgres@localhost:5432/app", "postgres", false],
    ["DATABASE_URL", "postgresql://postgres:postgres@localhost:5432/app", undefined, true],
    ["FOLDERS", "/srv/one/project-1,/srv/one/project-2", "/srv/one/project-1", false],
    ["SETS", "code-scanning,secret-scanning", "code-scanning", false],
    ["MODELS", "gpt-4o,claude-3-5-sonnet", undefined, false],
    ["ORIGINS", '["https://api.example.com"]', "https://api.example.com", false],
    ["KEYS", "aK3jf9dkLsm2Pq8sj2,bR7mdKs0aXyz7733", "bR7mdKs0aXyz7733", true],
    ["DB", "Server=db.example.com;Uid=sa;Password=hunter22xx", "hunter22xx", true],
    ["DB", "Server=db.example.com;Uid=sa;Password=hunter22xx;Database=d", undefined, true],
    ["DB", "Server=db.example.com;Uid=sa;Password=hunter22xx", "db.example.com", false],
    ["DB", "redis://:hunter22xx@one.example,redis://:hunter33xx@two.example", "hunter33xx", true],
    ["DB", "mongodb://ada:hunter22xx@one.example:27017,two.example:27017/db", "hunter22xx", true],
    ["DB", "host=db.example.com,password=hunter22xx", "hunter22xx", true],
    ["STORE", "AccountName=harbor;AccountKey=ab+cd/ef12==;EndpointSuffix=x", "ab+cd/ef12==", true],
    ["COOKIE", "session=hunter22xx;x=1", "hunter22xx", true],
    ["HOSTS", '[{"token":"hunter22xx"}]', "hunter22xx", true],
    ["HOSTS", '[{"url":"postgres://ada:hunter22xx@db.example.com/d"}]', "hunter22xx", true],
    ["HOSTS", '[{"url":"postgres://ada:hunter22xx@db.example.com/d"}]', "db.example.com", false],
    ["TRACE", "connect.sid=hunter22xx;theme=dark", "hunter22xx", true],
    ["TRACE", "csrftoken=hunter22xx;theme=dark", "hunter22xx", true],
    ["TRACE", "trace=aK3jf9dkLsm2Pq8sj2;theme=dark", "aK3jf9dkLsm2Pq8sj2", true],
    ["SITE_COOKIE", "remember=hunter22xx", "hunter22xx", true],
    ["OPTIONS", "max=3;password=hunter22xx", "hunter22xx", true],
    ["DEFAULTS", "model=gpt-4o;temperature=0", "gpt-4o", false],
    ["DEFAULTS", "timezone=Europe/Berlin", "Europe/Berlin", false],
    ["DEFAULTS", "user=me;timezone=Europe/Berlin", "Europe/Berlin", false],
    ["DEFAULTS", "KEY=value,other=value", "value,other=value", false],
    ["DEFAULTS", "LOG_LEVEL=debug;json", "LOG_LEVEL=debug;json", false],
    ["DEFAULTS", "auth=basic;session=repository", "auth=basic;session=repository", false],
    ["ACCEPT", "application/json; charset=utf-8", "application/json; charset=utf-8", false],
    ["ACCEPT", "text/html;q=0.9", "text/html;q=0.9", false],
    ["SORT", "sort=name;order=descending", "sort=name;order=descending", false],
    ["OPTIONS", "password=none", "password=none", false],
    ["OPTIONS", "password=*", "password=*", false],
    ["OPTIONS", "webhook_secret=${SECRET}", "${SECRET}", false],
    ["OPTIONS", "webhook_secret=${SECRET}", undefined, false],
    ["OPTIONS", "token=<your-token>", "<your-token>", false],
    ["MODELS", '["gpt-4o-mini-2024-07-18","claude-3-7-sonnet-20250219"]', "gpt-4o-mini-2024-07-18", false],
    ["MODELS", "gpt-4o|claude-3-5-sonnet;o3", "claude-3-5-sonnet", false],
    ["EXA", "aK3jf9dkLsm2Pq8sj2", undefined, true],
    ["PLACE", "somewhere-else-entirely", undefined, false],
    ["FOLDER", "/srv/harbor/there.json", undefined, false],
  ])("%s=%s as a word of its command, of which %s is said: %s", (name, value, said, is) => {
    expect(leaked(stdio([name], []), name, value, said)).toBe(is);
  });
});

test("a variable of the header Cookie is all secrets, whatever their names", () => {
  const reference: TemplateData = [{ name: "SITE", form: "plain", word: [] }];
  const entry: TransportData = { kind: "http", url: ["https://h.example"], headers: [["Cookie", reference]] };
  const values = valuesRead(entry, new Map([["SITE", "remember=hunter22xx"]]), () => false);
  expect(leakFailure('{"description":"as hunter22xx"}', values)?.says).toContain("`SITE`");
});

test.each(["\u200b", "\u0001", "\u007f"])("%j within a value puts it together for nobody", (sign) => {
  const secrets = createSecrets();
  secrets.add(VALUE);
  expect(cleanText(`${VALUE.slice(0, 10)}${sign}${VALUE.slice(10)}`, secrets)).toBe("***");
});

test("colours within colours put no value together after it was looked for", () => {
  const parted = `${VALUE.slice(0, 10)}\u001b[\u001b[0m0m${VALUE.slice(10)}`;
  const shown = withoutColour(redactorOf([VALUE])(withoutColour(parted)));
  expect(shown).not.toContain(VALUE);
  expect(withoutColour(`\u001b[31mred\u001b[0m`)).toBe("red");
});

test("two texts that differ are shown without half a secret at the cut", () => {
  const redact = redactorOf([VALUE]);
  for (let before = 150; before < 260; before++) {
    const shown = textDifference("", `${"word ".repeat(100).slice(0, before)}${VALUE} and more`, redact).join();
    expect(shown).not.toContain(VALUE.slice(0, 6));
  }
});

describe("capture", () => {
  let project: CaptureProject;
  beforeEach(() => void (project = captureProject()));
  afterEach(() => project.remove());

  test.each(FORMS)("writes no answer that holds a value %s", async (_, spell) => {
    const secret = "s3cr3t/of+mine 17, invented";
    const connect = project
      .fake("notes", { pages: [[tool("read", { description: `Reads with ${spell(secret)}.` })]] })
      .replace("] }]", '], env: { TOKEN: "${TOKEN}" } }]');
    project.declare({ notes: `{ connect: ${connect} }` });
    const { exit, out, err } = await project.run(["capture", "--accept"], { env: { TOKEN: secret } });
    expect({ exit, written: project.has(NOTES) }).toEqual({ exit: 1, written: false });
    expect(err).toContain("its answer holds the value of `TOKEN`");
    for (const [, other] of FORMS) expect(out + err).not.toContain(other(secret));
  });
});
