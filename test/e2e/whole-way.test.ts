import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TeamOptions } from "../../runtime/index.ts";
import { generatedProject, type AnySession, type GeneratedProject } from "../support/generated-team.ts";
import { referenceServer } from "../support/linked.ts";

/** The whole way with real servers: capture, build, import what was generated, call. */

const SOURCES = {
  "rolecall.yaml": "version: 1\nproject: e2e\n",
  "mcp/team.yaml": `
servers:
  files:
    connect: [{ stdio: [node, ${JSON.stringify(referenceServer("filesystem"))}, "\${WORK}"] }]
    root: \${WORK}
  everything:
    connect: [{ stdio: [node, ${JSON.stringify(referenceServer("everything"))}, stdio] }]
    whenDown: Go on without it.
  memory:
    connect: [{ stdio: [node, ${JSON.stringify(referenceServer("memory"))}], env: { MEMORY_FILE_PATH: "\${WORK}/memory.json" } }]
roles:
  reader: { tools: { files: read-only } }
  tester:
    extends: reader
    tools:
      everything: { include: [echo, get-sum], ask: [get-sum] }
      memory: [create_entities, read_graph]
      files: { include: [write_file], where: { write_file: { path: { glob: "tests/**" } } } }
`,
};

let project: GeneratedProject;
let work: string;
beforeAll(async () => {
  project = await generatedProject(SOURCES, [["capture", "--accept"], ["build"]], (dir) => {
    work = path.join(dir, "work");
    mkdirSync(path.join(work, "tests"), { recursive: true });
    return { WORK: work };
  });
});
afterAll(() => project.remove());

/** A tester at work, and what ends it. */
function start(options: TeamOptions = {}): { tester: AnySession; close(): Promise<void> } {
  const team = project.team({ env: { WORK: work }, ...options });
  return { tester: team.as("tester"), close: () => team.close() };
}

describe("a generated team at work with real servers", () => {
  test("an allowed call answers", async () => {
    const { tester, close } = start();
    try {
      expect((await tester["everything"]!["echo"]!({ message: "hello" })).text).toContain("hello");
    } finally {
      await close();
    }
  });

  test("a result that the server promised is checked, and typed", async () => {
    const { tester, close } = start();
    try {
      const entities = [{ name: "harbor", entityType: "place", observations: ["calm"] }];
      await tester["memory"]!["create_entities"]!({ entities });
      const { structured } = await tester["memory"]!["read_graph"]!();
      expect(structured).toEqual({ entities, relations: [] });
      await expect(tester.$call("memory", "delete_entities", { entityNames: ["harbor"] })).rejects.toMatchObject({
        code: "tool-denied",
      });
    } finally {
      await close();
    }
  });

  test("what the role doesn't hold, asks about or conditions is refused, and the rest works", async () => {
    const { tester, close } = start();
    try {
      await expect(tester.$call("files", "move_file", { source: "a", destination: "b" })).rejects.toMatchObject({
        code: "tool-denied",
      });
      await expect(tester.$call("files", "no_such_tool", {})).rejects.toMatchObject({ code: "tool-unknown" });
      await expect(tester["everything"]!["get-sum"]!({ a: 1, b: 2 })).rejects.toMatchObject({ code: "ask-refused" });
      await expect(
        tester["files"]!["write_file"]!({ path: path.join(work, "src/a"), content: "x" }),
      ).rejects.toMatchObject({ code: "argument-refused" });
      await tester["files"]!["write_file"]!({ path: path.join(work, "tests/a"), content: "x" });
      expect(readFileSync(path.join(work, "tests/a"), "utf8")).toBe("x");
    } finally {
      await close();
    }
  });

  test("a yes is asked about the very call, and lets it through", async () => {
    const asked: unknown[] = [];
    const { tester, close } = start({ ask: ({ tool, args }) => asked.push([tool, args]) > 0 });
    try {
      expect((await tester["everything"]!["get-sum"]!({ a: 1, b: 2 })).text).toContain("3");
      expect(asked).toEqual([["get-sum", { a: 1, b: 2 }]]);
    } finally {
      await close();
    }
  });

  test("a server that can't be reached fails with its name and advice, and the others live", async () => {
    const { tester, close } = start({ env: {} });
    try {
      await expect(tester["files"]!["read_text_file"]!({ path: "a" })).rejects.toMatchObject({
        code: "missing-variable",
        message: expect.stringContaining("WORK"),
      });
      expect((await tester["everything"]!["echo"]!({ message: "still here" })).text).toContain("still here");
    } finally {
      await close();
    }
  });
});
