import { describe, expect, test } from "vitest";
import { HOSTS } from "../compiler/2-model/hosts.ts";
import { startCommand } from "../compiler/4-artifacts/fitting/facts.ts";
import { build } from "./support/built-project.ts";

/** How `rolecall hosts` says that a role is started: each line for this project, whatever it is called. */
function started(choice: (host: string) => string) {
  const { errors, hosts, artifacts } = build(
    {
      "rolecall.yaml": `version: 1\nproject: garden\nfolder: beds\nhosts: [${HOSTS.map(choice).join(", ")}]\n`,
      "beds/team.yaml": "servers: { notes: { connect: [{ stdio: [n] }] } }\nroles: { a: { tools: { notes: all } } }\n",
      "beds/manifests/notes.json": '{"server":"notes","tools":[{"name":"look","inputSchema":{"type":"object"}}]}',
    },
    true,
  );
  expect(errors).toEqual([]);
  return { artifacts, lines: Object.fromEntries(hosts.map((fitted) => [fitted.host.id, startCommand(fitted)])) };
}

const { artifacts, lines } = started((host) => host);
const IN_PROCESS = HOSTS.filter((host) => artifacts.has(`src/mcp/hosts/${host}.ts`));

describe.each(IN_PROCESS)("%s", (host) => {
  test("names what this project's modules export, and the role as text", () => {
    const [, made, team] = /(\w+)\((\w+)\(\)\.as\("<role>"\)\)/.exec(lines[host]!)!;
    expect(artifacts.get(`src/mcp/hosts/${host}.ts`)).toMatch(
      new RegExp(`^export (?:async )?function ${made}\\b`, "m"),
    );
    expect(artifacts.get("src/mcp/index.ts")).toMatch(new RegExp(`^export function ${team}\\(`, "m"));
  });
});

test("files lie in this project's folder, and are there", () => {
  const named = Object.values(lines).flatMap((line) => line.match(/\S*\/hosts\/[^\s")]+/g) ?? []);
  expect(named.length).toBeGreaterThan(4);
  expect(
    named.map((file) => file.replace("<role>", "a").replace(/^\w+=/, "")).filter((file) => !artifacts.has(file)),
  ).toEqual([]);
  expect(Object.values(lines).join("\n")).not.toMatch(/<folder>|harbor/);
});

test("files that are for one role alone are started with it", () => {
  const alone = started((host) => `{ id: ${host}, role: a }`).lines;
  expect(Object.values(alone).filter((line) => line.includes("<role>"))).toEqual([]);
});
