import { expect, test } from "vitest";
import { memoryFiles } from "../../../compiler/1-source/memory-files.ts";
import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import { DEFAULTS } from "../../../compiler/base/project-layout.ts";
import { lazyLibraries } from "../../../compiler/io/libraries.ts";
import { translate } from "../../../compiler/translate.ts";
import { compiled, decision, manifest } from "../../support/compiled.ts";

/** A page's header is read whatever its lines end with, and a page of which nothing is read is never passed over. */

const POLICY = "---\npolicies:\n  tools:\n    tracker.drop: deny\n---\nText.\n";
const built = (page: string) =>
  compiled({
    "pol/policy.md": page,
    "rolecall.yaml": `version: 1
project: p
imports: [{ file: pol/policy.md, as: magsag-governance }]
servers: { tracker: { connect: [{ stdio: [serve] }] } }
roles: { dev: { tools: { tracker: all } } }
`,
    "mcp/manifests/tracker.json": manifest("list", "drop"),
  });
const crlf = (text: string) => text.replaceAll("\n", "\r\n");

test.each([
  ["LF", POLICY],
  ["CRLF", crlf(POLICY)],
  ["CRLF in its header alone", POLICY.replace(/^[^]*---\n/, crlf)],
  ["a byte order mark", `\uFEFF${POLICY}`],
  ["a byte order mark and CRLF", `\uFEFF${crlf(POLICY)}`],
  ["no text below", crlf(POLICY.replace(/\nText\.\n/, ""))],
])("a page with %s denies", (_, page) => {
  const found = built(page);
  expect(found.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(decision(found, "dev", "tracker", "drop")?.effect).toBe("deny");
});

test.each([
  ["no header", "Text.\n"],
  ["an empty line above", `\n${POLICY}`],
  ["a heading above", `# Rules\n${POLICY}`],
  ["an end that is none", POLICY.replace("\n---\nText", "\n----\nText")],
  ["no end", POLICY.replace(/---\nText\.\n/, "")],
  ["lone carriage returns", POLICY.replaceAll("\n", "\r")],
])("a page with %s is an error", (_, page) => {
  expect(built(page).diagnostics.map(({ code }) => code)).toContain("import/unknown-format");
});

test("a lone carriage return in a header is an error, as in any YAML", () => {
  expect(built(POLICY.replace("tools:\n", "tools:\r")).diagnostics.map(({ code }) => code)).toContain(
    "source/character",
  );
});

test.each(["\n", "\r\n"])("places are those of the file, with lines that end in %j", (eol) => {
  const page = POLICY.replace("tracker.drop", "tracker.drpo").replaceAll("\n", eol);
  const places = (text: string) => built(text).diagnostics.map(({ code, at }) => [code, at?.line, at?.column]);
  expect(places(page)).toContainEqual(["manifest/unknown-tool", 4, 19]);
  expect(places(page.replace("deny", "deny # \x07"))).toContainEqual(["source/character", 4, 26]);
});

test("pages are recognised by their keys, whatever their lines end with", () => {
  const agent = "---\nname: x\ndescription: d\nmcp-servers:\n  tracker:\n    command: serve\n---\nhi\n";
  const skill = "---\nid: skill.deploy\npermissions: [mcp:tracker]\n---\nhi\n";
  for (const [file, page] of [
    [".github/agents/x.md", agent],
    ["skills/deploy/SKILL.md", skill],
  ] as const) {
    const options = (text: string) => ({
      files: memoryFiles({ [file]: text }),
      project: DEFAULTS,
      hosts: allHosts([]),
    });
    const [one, other] = [page, crlf(page)].map((text) => translate({ file }, options(text), lazyLibraries()));
    expect(one!.translated?.blocks).toBeDefined();
    expect(other!.translated?.blocks).toEqual(one!.translated?.blocks);
  }
});
