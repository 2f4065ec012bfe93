import { expect, test } from "vitest";
import { agentName } from "../../../compiler/io/read/agent-name.ts";

/** Every name by which some host would know an agent's file; undefined: it may be any. */
type Named = readonly [says: string, text: string, names: readonly (string | undefined)[]];

test.each<Named>([
  ["plain", "---\nname: tester\n---\n", ["tester"]],
  ["with Windows' line ends and a byte order mark", "\uFEFF---\r\nname: tester\r\n---\r\n", ["tester"]],
  ["in quotes, with an escape", '---\nname: "te\\u0073ter"\n---\n', ["tester"]],
  ["in flow", "---\n{ description: x, name: tester }\n---\n", ["tester"]],
  ["not YAML, as hosts write it", "---\ndescription: Use when: x: y\nname: tester\n---\n", ["tester"]],
  ["not YAML, with a comment", "---\ndescription: a: b\nname: tester # x\n---\n", ["tester"]],
  ["twice", "---\nname: a\nname: tester\n---\n", ["a", "tester"]],
  ["below the front matter", "---\nd: x\n---\nname: tester\n", []],
  ["without any", "name: tester\n", []],
  ["ended in the last line", "---\nd: x\nname: tester ---\nHi\n", ["tester", "tester ---"]],
  ["ended behind a space", "---\nname: tester\n ---\nHi: x\n", ["tester", "tester ---"]],
  ["ended by a longer line", "---\nd: x\nname: tester\n---- x\nHi\n", ["tester"]],
  ["ended with the file", "---\nd: x\nname: tester\n", ["tester"]],
  ["of a value with a line in it", "---\nname: one\nd: a --- b\n---\nHi\n", ["one"]],
  ["below a line that begins like an end", "---\n---x: 1\nname: tester\n---\nHi\n", ["tester"]],
  ["below a line of more dashes", "---\ntools: x\n---- : 1\nname: tester\n---\nHi\n", ["tester"]],
  ["in lines that old systems end so", "---\rname: tester\r---\rHi", [undefined]],
  ["between two ends", "---\nd: a --- b\nname: one\n---\nHi\n", ["one"]],
])("the name of an agent: %s", (_, text, names) => expect(agentName(text, undefined)).toEqual(names));

const HEADER = "description: a: b\n";

test.each([
  ["not YAML, with an escape", `${HEADER}name: "te\\u0073ter"\n`],
  ["by an alias", "x: &a tester\nname: *a\n"],
  ["by an alias, not YAML", `x: &a tester\n${HEADER}name: *a\n`],
  ["in a map that is merged", "<<: { name: tester, description: y }\n"],
  ["in a map that is merged by its anchor", "x: &a { name: tester, description: y }\n<<: *a\n"],
  ["in a map that is merged, not YAML", `x: &a { name: tester }\n${HEADER}<<: *a\n`],
  ["in the map that is every map's", "__proto__: { name: tester }\n"],
  ["under a key with an escape", 'd: y\n"na\\x6de": tester\n'],
  ["under a key with an escape, not YAML", `${HEADER}"na\\x6de": tester\n`],
  ["under an alias", "x: &a name\n*a : tester\n"],
  ["under an alias, not YAML", `x: &a name\n${HEADER}*a : tester\n`],
  ["under a tag", "!!str name: tester\n"],
  ["under a tag, not YAML", `${HEADER}!!str name: tester\n`],
  ["under a key of several lines, not YAML", `${HEADER}? name\n: tester\n`],
  ["in a text of several lines, not YAML", `${HEADER}name: >-\n  tester\n`],
  ["below a comment, not YAML", `${HEADER}name: # x\n  tester\n`],
  ["in flow, not YAML", '{ description: a: b: c, "na\\x6de": tester }\n'],
  ["behind a line break of some", "description: x\rname: tester\n"],
  ["behind a line break of others", "description: x\u2028name: tester\n"],
  ["below its key, not YAML", `${HEADER}name:\n  tester\n`],
  ["before its colon, not YAML", `${HEADER}name\n: tester\n`],
  ["longer than anybody writes one", `${"\n".repeat(80_000)}a: b: c\n`],
  ["nested in one line", `${"- & ".repeat(80_000)}\n`],
  ["nested deeper than can be read", `x: ${"[".repeat(20_000)}\n"na\\x6de": tester\n`],
])("an agent may have any name: %s", (_, header) =>
  expect(agentName(`---\n${header}---\nHi\n`, "x")).toContain(undefined),
);

test.each([
  ["blank lines", `${"\n".repeat(60_000)}a: b: c\n`],
  ["quotes", `a: b: c\n${'"a\n'.repeat(20_000)}`],
  ["nesting", `${"- & ".repeat(4_000)}\n`],
])("a header of many is read at once: %s", (_, header) => {
  const began = process.cpuUsage();
  agentName(`---\n${header}---\n`, "x");
  expect(process.cpuUsage(began).user / 1e6).toBeLessThan(1.5);
});

test("an agent may have any name where its header is in another language", () => {
  expect(agentName('---json\n{ "name": "tester" }\n---\n', "x")).toEqual([undefined]);
});

const TALKS = `Use this agent when: you write code. Examples:\\n\\n<example>\\nuser: "a: b"\\nassistant: 'I''ll use *it*'\\n</example>`;

test.each<Named>([
  ["no header", "# Agents\n\nname: x\n", ["x"]],
  ["a rule and a title", "---\n# Agents\n\n* **one**: does this\n- `a`: that & more\n", ["x"]],
  [
    "a long description",
    `---\nname: one\ndescription: ${TALKS}\ntools: Read, Grep\nmodel: sonnet\n---\n\nYou are.\n`,
    ["one", "x"],
  ],
  ["one in quotes", '---\nname: one\ndescription: "Use when: \\"a\\": b\\n\\nx"\ncolor: red\n---\nHi\n', ["one"]],
  [
    "one of several lines",
    "---\nname: one\ndescription: >\n  Use *this* & that: x\n  <<: y\n\n  ! z\nmodel: opus\n---\nHi\n",
    ["one"],
  ],
  [
    "lists and maps",
    '---\nname: one\ntools:\n  - Read\n  - "Bash(git *)"\npermission:\n  "*": ask\n  bash: { "git \\"x\\"": allow }\n---\n',
    ["one"],
  ],
  [
    "hooks",
    '---\nname: one\ndescription: y\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - { type: command, command: "a && b" }\n---\n',
    ["one"],
  ],
  ["a rule in the text", "---\nname: one\n---\nHi\n\n---\n\nname: two\n", ["one"]],
  ["Windows' line ends", "---\r\nname: one\r\ndescription: a, b: c\r\ntools: Read\r\n---\r\nHi\r\n", ["one", "x"]],
  [
    "bullets in what isn't YAML",
    "---\nname: one\ndescription: Use when: x\n* one\n* **two**: three\n  - four\n---\n",
    ["one", "x"],
  ],
  ["no name", "---\ndescription: y\nmode: subagent\ntemperature: 0.1\n---\nHi\n", ["x"]],
  ["nothing in it", "---\n---\nHi\n", ["x"]],
])("an agent file as people write it is nobody's business: %s", (_, text, names) =>
  expect(agentName(text, "x")).toEqual(names),
);
