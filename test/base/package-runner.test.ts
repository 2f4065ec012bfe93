import { expect, test } from "vitest";
import { downloadedBy, withoutVersion } from "../../compiler/base/package-runner.ts";

test.each([
  ["npx -y @acme/files@1.2.0 --root .", { name: "@acme/files@1.2.0", index: 2, isOption: false, end: 2, more: [] }],
  ["npx -p a@1.0 --package=b@2.0 run", { name: "a@1.0", index: 2, isOption: true, end: 4, more: ["b@2.0"] }],
  ["npx --package a@1.0", { name: "a@1.0", index: 2, isOption: true, end: 3, more: [] }],
  ["npx -y ${NAME}", undefined],
  ["uvx --from=a==1.0 run", { name: "a==1.0", index: 1, isOption: true, end: 2, more: [] }],
  // `-p` is the interpreter there.
  ["uvx -p 3.12 --with b==2.0 a==1.0 x", { name: "a==1.0", index: 5, isOption: false, end: 5, more: ["b==2.0"] }],
  ["uvx --python=3.12 a", { name: "a", index: 2, isOption: false, end: 2, more: [] }],
  ["node server.js", undefined],
])("%s", (line, expected) => {
  expect(downloadedBy(line.split(" "))).toEqual(expected);
});

test.each([
  ["@acme/files@1.2.0", "@acme/files"],
  ["files==1.2.0", "files"],
  ["mine@npm:@acme/files@1.2.0", "@acme/files"],
  ["git+https://github.com/acme/files@v1", "git+https://github.com/acme/files"],
  ["git+ssh://git@github.com/acme/files", "git+ssh://git@github.com/acme/files"],
  ["git+ssh://git@github.com/acme/files@v1", "git+ssh://git@github.com/acme/files"],
  ["git@github.com:acme/files.git", "git@github.com:acme/files.git"],
])("%s without its version", (written, expected) => {
  expect(withoutVersion(written)).toBe(expected);
});
