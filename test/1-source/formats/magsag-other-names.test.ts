import { describe, expect, test } from "vitest";
import { memoryFiles } from "../../../compiler/1-source/memory-files.ts";
import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import { DEFAULTS } from "../../../compiler/base/project-layout.ts";
import { lazyLibraries } from "../../../compiler/io/libraries.ts";
import { asInProject, translate } from "../../../compiler/translate.ts";
import { compiled, decision, errors, heldBy, manifest } from "../../support/compiled.ts";

/** Lines about servers that are called otherwise here: no line is lost, and none is about another server. */

const reads = (name: string) => ({ name, annotations: { readOnlyHint: true } });
const PIN = manifest(reads("list"), "drop", "tracker.drop");

/** `servers`: theirs, and ours. */
function files(servers: Readonly<Record<string, string>>, document: object): Record<string, string> {
  const ours = Object.values(servers);
  const entries = Object.entries(servers).map(([theirs, name], i) => ({
    file: `s/${i}.json`,
    servers: { [theirs]: name },
  }));
  return {
    "rolecall.yaml": JSON.stringify({
      version: 1,
      project: "p",
      imports: [...entries, "line.json"],
      roles: { dev: { tools: Object.fromEntries(ours.map((one) => [one, "all"])) } },
    }),
    ...Object.fromEntries(
      Object.keys(servers).map((id, i) => [
        `s/${i}.json`,
        JSON.stringify({ server_id: id, type: "mcp", command: `serve-${i}` }),
      ]),
    ),
    ...Object.fromEntries(ours.map((one) => [`mcp/manifests/${one}.json`, PIN])),
    "line.json": JSON.stringify(document),
  };
}

const line = (text: string, effect = "deny") => ({ policies: { tools: { [text]: effect } } });

function denied(servers: Readonly<Record<string, string>>, all: Readonly<Record<string, string>>) {
  const found = compiled(all);
  if (errors(found).length > 0) return errors(found).join(" ");
  return Object.values(servers)
    .flatMap((server) => ["list", "drop", "tracker.drop"].map((tool) => [server, tool] as const))
    .filter(([server, tool]) => decision(found, "dev", server, tool)?.effect !== "allow")
    .map(([server, tool]) => `${server}.${tool}`)
    .join(" ");
}

const ROWS: readonly (readonly [servers: Readonly<Record<string, string>>, text: string, expected: string])[] = [
  [{ Tracker: "ours" }, "Tracker.drop", "ours.drop"],
  [{ Tracker: "ours", tracker: "tracker" }, "Tracker.drop", "ours.drop tracker.drop"],
  [{ "acme.tracker": "acme-tracker" }, "acme.tracker.drop", "acme-tracker.drop"],
  [{ "acme.tracker": "acme-tracker", acme: "acme" }, "acme.tracker.drop", "acme-tracker.drop acme.tracker.drop"],
  [{ "Acme Corp.tracker": "corp" }, "Acme Corp.tracker.drop", "corp.drop"],
  [{ "acme.tracker": "acme-tracker", acme: "acme" }, "acme.dro*", "acme.drop"],
  [{ "Team Tracker": "ours", tracker: "tracker" }, "team*.drop", "ours.drop"],
  [
    { "acme.tracker": "acme-tracker", acme: "acme" },
    "*.tracker.drop",
    "acme-tracker.drop acme-tracker.tracker.drop acme.tracker.drop",
  ],
  [{ "acme.tracker": "acme-tracker" }, "*me.tra*.drop", "acme-tracker.drop"],
  [{ "acme.tracker": "acme-tracker" }, "acme.tracker.dropp", "manifest/unknown-tool"],
  [{ Tracker: "ours" }, "Tracker.dropp", "manifest/unknown-tool"],
];

describe("a line that takes away", () => {
  test.each(ROWS)("%j: %s", (servers, text, expected) => {
    expect(denied(servers, files(servers, line(text)))).toBe(expected);
  });

  test.each(ROWS.filter(([, , expected]) => !expected.includes("/")))(
    "taken over as a source: %j: %s",
    (servers, text, expected) => {
      const all = files(servers, line(text));
      const options = { files: memoryFiles(all), project: DEFAULTS, hosts: allHosts([]) };
      const { translated } = translate({ file: "line.json" }, options, lazyLibraries());
      const { blocks } = asInProject(translated!, "line.json", options, lazyLibraries());
      const { "line.json": _, ...others } = all;
      const text_ = others["rolecall.yaml"]!.replace(',"line.json"', "");
      expect(denied(servers, { ...others, "rolecall.yaml": text_, "mcp/line.json": JSON.stringify(blocks) })).toBe(
        expected,
      );
    },
  );
});

describe("a server that is given", () => {
  const agent = { slug: "agent", requires: { mcp: ["Tracker"] } };
  const two = { Tracker: "ours", tracker: "tracker" };

  test("is never another one", () => {
    const found = compiled(files(two, agent));
    expect(errors(found)).toEqual(["import/same-name"]);
    expect(heldBy(found, "agent")).toEqual([]);
  });

  test("is the one that is called just so", () => {
    expect(heldBy(compiled(files(two, { ...agent, requires: { mcp: ["tracker"] } })), "agent")).toEqual([
      "tracker.list",
    ]);
  });

  test("has no more by a line about another one", () => {
    const document = { slug: "agent", requires: { mcp: ["tracker"] }, ...line("Tracker.drop", "allow") };
    expect(heldBy(compiled(files(two, document)), "agent")).toEqual(["tracker.list"]);
  });
});
