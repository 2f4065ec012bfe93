import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isTrouble } from "../../compiler/io/login/types.ts";
import { readServeKey, type ServeKey } from "../../compiler/io/serve/serve-key.ts";

/** What doors of one project share: how it is written, and what it proves. */

const bytes = randomBytes(32);
const keyOf = (text: string | undefined, project = "harbor"): ServeKey =>
  readServeKey("ROLECALL_KEY", project, { ROLECALL_KEY: text });

function refusal(text: string | undefined): string {
  try {
    keyOf(text);
    return "taken";
  } catch (problem) {
    if (!isTrouble(problem)) throw problem;
    expect(problem.next).toContain("openssl rand -hex 32");
    if (text) expect(`${problem.says} ${problem.next}`).not.toContain(text.slice(0, 20));
    return problem.says;
  }
}

test("64 hexadecimal digits and 44 characters of base64 are the same key", () => {
  const sealed = keyOf(bytes.toString("hex")).seal("here", { yes: true });
  for (const spelling of [bytes.toString("hex").toUpperCase(), bytes.toString("base64")])
    expect(keyOf(spelling).open("here", sealed)).toEqual({ yes: true });
});

test.each([
  ["nothing", undefined],
  ["an empty text", ""],
])("%s isn't a key", (_, text) => expect(refusal(text)).toContain("isn't set"));

test.each([
  ["fewer bytes in hexadecimal", bytes.toString("hex").slice(2)],
  ["more bytes in hexadecimal", `${bytes.toString("hex")}00`],
  ["a line end behind it, as files have one", `${bytes.toString("hex")}\n`],
  ["base64 without its end", bytes.toString("base64").slice(0, -1)],
  ["base64 of addresses", Buffer.alloc(32, 0xfb).toString("base64url")],
  ["16 bytes in base64", bytes.subarray(0, 16).toString("base64")],
  ["48 bytes in base64", randomBytes(48).toString("base64")],
  ["32 characters of any kind", "correct horse battery staple 32!"],
])("%s isn't a key", (_, text) => expect(refusal(text)).toContain("64 hexadecimal digits or 44 characters of base64"));

test.each([
  ["zeros", "0".repeat(64)],
  ["a word again and again", "c0ffee42".repeat(8)],
])("%s is no random key", (_, text) => expect(refusal(text)).toContain("isn't random"));

describe("what is sealed", () => {
  const key = keyOf(bytes.toString("hex"));
  const sealed = key.seal("here", { yes: true });

  test("opens at another door, and nowhere else", () => {
    expect(keyOf(bytes.toString("hex")).open("here", sealed)).toEqual({ yes: true });
    expect(key.open("there", sealed)).toBeUndefined();
    expect(keyOf(bytes.toString("hex"), "another").open("here", sealed)).toBeUndefined();
    expect(keyOf(randomBytes(32).toString("hex")).open("here", sealed)).toBeUndefined();
  });

  test("is nobody's to change, and shows nothing", () => {
    const whole = Buffer.from(sealed, "base64");
    expect(whole.toString("latin1")).not.toContain("yes");
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 1;
      expect(key.open("here", changed.toString("base64"))).toBeUndefined();
    }
    for (const text of ["", "AAAA", '{"yes":true}', whole.subarray(0, 28).toString("base64")])
      expect(key.open("here", text)).toBeUndefined();
  });

  test("is never the same twice, as a name always is", () => {
    expect(key.seal("here", { yes: true })).not.toBe(sealed);
    expect(key.nameOf("a")).toBe(keyOf(bytes.toString("base64")).nameOf("a"));
    expect(new Set([key.nameOf("a"), key.nameOf("b"), keyOf(bytes.toString("hex"), "another").nameOf("a")]).size).toBe(
      3,
    );
  });
});
