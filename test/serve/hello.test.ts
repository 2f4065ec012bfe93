import { expect, test } from "vitest";
import { helloLine, readHello } from "../../compiler/serve/hello.ts";

/** Who comes says what it is to be kept from: what can't be read of that is never left out. */
const HELLO = {
  role: "tester",
  version: "0.1.0",
  server: "files",
  member: "kit",
  host: "claude-code",
  project: "harbor",
};

test("a hello is read as it was written, with what it leaves out", () => {
  expect(readHello(helloLine(HELLO))).toEqual(HELLO);
  const few = { ...HELLO, server: undefined, member: undefined, host: undefined, project: undefined };
  expect(readHello(helloLine(few))).toEqual(few);
});

test.each(Object.keys(HELLO))("one whose `%s` is no text is no hello", (key) => {
  for (const value of [5, null, true, ["claude-code"], { a: 1 }])
    expect(readHello(JSON.stringify({ rolecall: 1, ...HELLO, [key]: value }))).toBeUndefined();
});

test("nor is one with a word that nobody knows: it could restrict", () => {
  for (const more of [{ hosts: ["codex"] }, { hots: "codex" }, { Host: "codex" }])
    expect(readHello(JSON.stringify({ rolecall: 1, ...HELLO, ...more }))).toBeUndefined();
  expect(readHello(`{"rolecall":1,"role":"tester","version":"0.1.0","__proto__":{"host":"codex"}}`)).toBeUndefined();
});

test("nor is what isn't of its format, an object, or JSON", () => {
  for (const line of ["", "[]", "5", "null", "{", JSON.stringify(HELLO), JSON.stringify({ rolecall: 2, ...HELLO })])
    expect(readHello(line)).toBeUndefined();
});
