import { readdirSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isInvisible } from "../../compiler/base/visible.ts";
import { captureProject, type CaptureProject } from "../support/capture-project.ts";

/** Whatever a stranger's file says or is called, nothing of it steers a terminal, hides in it or begins a line of a source. */
let project: CaptureProject;
beforeEach(() => {
  project = captureProject();
});
afterEach(() => project.remove());

const ODD = "\u001b[31mx\r\n\u202ey\u0085z\u2028w\u0007";
const NAME = "odd\u001b[2J\u202e\n# servers\r";
const harmless = (text: string): boolean => text.split("\n").every((line) => !isInvisible(line));

/** Read as YAML or as JSON, no document has them otherwise. */
const escaped = (document: object): string =>
  JSON.stringify(document).replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);

const GEMINI = {
  mcpServers: {
    [`srv${ODD}`]: {
      command: `npx${ODD}`,
      args: [ODD],
      env: { [`A${ODD}`]: "v", [`TOKEN${ODD}`]: ["ghp", "abcdefghijklmnopqrstuvwxyz0123456789"].join("_") },
      description: ODD,
      excludeTools: [ODD],
    },
  },
  tools: { exclude: [`q${ODD}`, `s*${ODD}`], [ODD]: { exclude: [ODD] } },
  mcp: { excluded: [`somebody-elses-server${ODD.repeat(2)}`] },
  hooks: { BeforeTool: [{ matcher: ODD }] },
};
const AGENT = { slug: `dev${ODD}`, description: ODD, requires: { mcp: ["srv"] }, permissions: [`mpc:${ODD}`] };
const LINES = { policies: { tools: { [`srv.x${ODD}`]: "deny", [`srv.y*${ODD}`]: "require-approval" } } };

/** What is shown of each, so that the test is about the page that is meant. */
const ROWS: readonly (readonly [title: string, argv: readonly string[], document: object, shown: string])[] = [
  ["servers", ["import", ".gemini/settings.json"], GEMINI, "wrote mcp/gemini.yaml"],
  ["servers as JSON", ["import", ".gemini/settings.json", "--json"], GEMINI, '"to": "mcp/gemini.yaml"'],
  ["an agent", ["import", "a.json"], AGENT, "wrote mcp/a.yaml"],
  ["lines", ["import", "a.json"], LINES, "wrote mcp/a.yaml"],
  ["a file", ["import", `${NAME}.json`], LINES, "wrote mcp/odd"],
  ["a file that isn't there", ["import", `${NAME}.yaml`], LINES, "can't be read"],
  ["a place that is none", ["import", "a.json", "--to", `x${ODD}`], LINES, "is no place for a source"],
  ["servers that are found", ["init", "--yes"], GEMINI, "is left alone"],
  ["an agent that is found", ["init", "--yes"], AGENT, "By hand"],
  ["lines that are found", ["init", "--yes"], LINES, "MAGSAG"],
];

test.each(ROWS)("%s", async (_, argv, document, shown) => {
  if (argv[0] === "import") project.write("rolecall.yaml", "version: 1\nproject: p\n");
  const file = document === GEMINI ? ".gemini/settings.json" : "a.json";
  for (const one of [file, `${NAME}.json`]) project.write(one, escaped(document));
  const { out, err } = await project.run(argv);
  expect(out + err).toContain(shown);
  expect(out + err).toSatisfy(harmless);
  for (const source of readdirSync(project.dir, { recursive: true, encoding: "utf8" })) {
    if (/^mcp\/[^/]*$/.test(source)) expect(source).toSatisfy(harmless);
    if (source.endsWith(".yaml")) expect(project.read(source)).toSatisfy(harmless);
  }
});

test("a source that is there already", async () => {
  project.write("rolecall.yaml", "version: 1\nproject: p\n");
  project.write(`${NAME}.json`, escaped(LINES));
  await project.run(["import", `${NAME}.json`]);
  const { err } = await project.run(["import", `${NAME}.json`]);
  expect(err).toContain("is there already");
  expect(err).toSatisfy(harmless);
});
