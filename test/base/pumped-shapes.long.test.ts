import { expect, test } from "vitest";
import { SHAPES } from "../../compiler/base/secret-shapes.ts";
import { INTRODUCED, issuedToken } from "../../compiler/base/secret-patterns.ts";
import { slowTexts } from "../support/pumped.ts";

const PATTERNS = [
  ...SHAPES.flatMap(([issuer, { source }]) => [
    [issuer, new RegExp(source)] as const,
    [`${issuer}, shouted`, new RegExp(source, "i")] as const,
  ]),
  ...INTRODUCED.map((one) => ["what is introduced", one] as const),
];

test.each(PATTERNS)("the shape of %s is looked for in linear time, whichever of its repeats is long", (_, pattern) => {
  expect(slowTexts(pattern)).toEqual([]);
});

const body = "Ab1/".repeat(20);
const [begin, putty] = [
  ["-----BEGIN PGP", "PRIVATE", "KEY BLOCK-----"].join(" "),
  ["PuTTY-User", "Key-File-3: rsa"].join("-"),
];

test.each([
  `${begin}\nVersion: GnuPG v1.4: "new"\nComment: https://example.org\n\n${body}`,
  `${begin} Version: GnuPG v1.4 Comment: https://example.org ${body}`,
  `${begin}\\nProc-Type: 4,ENCRYPTED\\nDEK-Info: AES-128-CBC,0A1B\\n\\n${body}`,
  `"${begin}" + "Proc-Type: 4,ENCRYPTED" + "${body}"`,
  `${putty}\r\nEncryption: none\r\nComment: a b: c\r\nPublic-Lines: 2\r\n${body}`,
  `${putty} Encryption: none Comment: a b Public-Lines: 2 ${body}`,
])("a key is found behind its headers: %j", (text) => {
  expect(issuedToken(`see ${text} end`)).toContain(body);
});
