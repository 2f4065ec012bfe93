import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engine } from "../../../compiler/cli/engine.ts";
import { main } from "../../../compiler/cli/main.ts";
import type { Team } from "../../../runtime/api.ts";
import type { HostSession } from "../../../runtime/host-session.ts";
import { runInProcess } from "../../support/run-cli.ts";
import { ROOT } from "../../support/root.ts";

/**
 * Hosts in the same process, for real: their own packages run an agent whose model is a script, since a model can't be
 * had; the tools are those that a build wrote, the server is a real one.
 */
const everything = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js");

const PROMPT = 'Test `everything`, ${HOME} {{too}} and "that".\n---\nname: x\n*/';
const SOURCES = {
  "tester.md": `${PROMPT}\n`,
  "rolecall.yaml": "version: 1\nproject: hosts\nhosts: [ai-sdk, openai-agents]\n",
  "mcp/team.yaml": `
servers:
  everything: { connect: [{ stdio: [node, ${JSON.stringify(everything)}, stdio] }] }
roles:
  tester:
    prompt: tester.md
    tools:
      everything: { include: [echo, get-sum, get-tiny-image], ask: [get-sum], where: { echo: { message: { enum: [hello] } } } }
`,
};

interface Generated {
  team(options?: object): Team<Record<string, never>>;
  aiPrompt(session: HostSession): string;
  agentPrompt(session: HostSession): string;
  aiTools(session: HostSession): Promise<Record<string, unknown>>;
  agentTools(session: HostSession): Promise<readonly unknown[]>;
}
type Call = readonly [tool: string, args: object];

let dir: string;
let generated: Generated;

beforeAll(async () => {
  dir = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-hosts-")));
  mkdirSync(path.join(dir, "mcp"));
  for (const [file, text] of Object.entries(SOURCES)) writeFileSync(path.join(dir, file), text);
  for (const command of [["capture", "--accept"], ["build"]]) {
    const ran = await runInProcess((argv, terminal) => main(argv, terminal, engine))(command, dir);
    if (ran.exit !== 0) throw new Error(ran.printed);
  }
  symlinkSync(path.join(ROOT, "node_modules"), path.join(dir, "node_modules"));
  const entry = path.join(dir, "app.ts");
  const outfile = path.join(dir, "app.mjs");
  const doors = ["./src/mcp/index.js", "./src/mcp/hosts/ai-sdk.js", "./src/mcp/hosts/openai-agents.js"];
  writeFileSync(entry, doors.map((door) => `export * from "${door}";\n`).join(""));
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    logLevel: "error",
  });
  generated = (await import(pathToFileURL(outfile).href)) as Generated;
}, 60_000);

afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** What an agent was offered, what its tools answered, and what reached the record. */
interface Ran {
  readonly told: string;
  readonly offered: readonly string[];
  readonly answers: readonly string[];
  readonly called: readonly string[];
}

const HOSTS = [
  ["ai-sdk", runAiSdk, "everything_get-sum", "everything_get-tiny-image"],
  ["openai-agents", runOpenaiAgents, "everything_get_sum", "everything_get_tiny_image"],
] as const;

describe.each(HOSTS)("%s", (_, run, sum, image) => {
  test("the model is told the role's prompt, and offered exactly what the role holds", async () => {
    const { offered, told } = await atWork((session) => run(session, []));
    expect(told).toBe(PROMPT);
    expect(offered).toEqual(["everything_echo", sum, image]);
  });

  test("a call goes through the session, and every rule holds", async () => {
    const calls: Call[] = [
      ["everything_echo", { message: "hello" }],
      ["everything_echo", { message: "something else" }],
      [sum, { a: 1, b: 2 }],
    ];
    const { answers, called } = await atWork((session) => run(session, calls));
    expect(answers[0]).toContain("hello");
    expect(answers[1]).toMatch(/message/);
    expect(answers[2]).toContain("nobody is there to ask");
    expect(called).toEqual(["echo ok", "echo error", "get-sum error"]);
  });

  test("a yes lets an asked call through", async () => {
    const { answers } = await atWork(
      (session) => run(session, [[sum, { a: 40, b: 2 }]]),
      () => true,
    );
    expect(answers[0]).toContain("42");
  });

  test("a tool that isn't held can't be called, whatever it is called", async () => {
    const names = ["everything_get-env", "get-env", "everything.get-env", "echo", "__proto__"];
    for (const name of names) {
      const { called } = await atWork((session) => run(session, [[name, {}]]).catch(() => NOTHING));
      expect(called).toEqual([]);
    }
  });
});

test("a role that the file doesn't know gets nothing", async () => {
  const stranger: HostSession = {
    $role: "stranger",
    $root: "/",
    $tools: async () => [],
    $call: () => Promise.reject(),
  };
  await expect(generated.aiTools(stranger)).rejects.toThrow("build again");
  await expect(generated.agentTools(stranger)).rejects.toThrow("build again");
  expect(() => generated.aiPrompt(stranger)).toThrow("build again");
  expect(() => generated.agentPrompt(stranger)).toThrow("build again");
});

const NOTHING = { told: "", offered: [], answers: [] };

async function atWork(run: (session: HostSession) => Promise<Omit<Ran, "called">>, ask?: () => boolean): Promise<Ran> {
  const called: string[] = [];
  const running = generated.team({
    ...(ask && { ask }),
    record: (line: { tool: string; status: string }) => void called.push(`${line.tool} ${line.status}`),
  });
  try {
    return { ...(await run(running.as("tester" as never) as unknown as HostSession)), called };
  } finally {
    await running.close();
  }
}

const USAGE = { inputTokens: { total: 1 }, outputTokens: { total: 1 }, totalTokens: 2 };

interface Message {
  readonly role: string;
  readonly content: unknown;
}

/** `as string`: the packages' own types don't pass this project's strict check. */
async function runAiSdk(session: HostSession, calls: readonly Call[]): Promise<Omit<Ran, "called">> {
  const { generateText, stepCountIs } = await import("ai" as string);
  const { MockLanguageModelV3 } = await import("ai/test" as string);
  const offered: string[][] = [];
  let told = "";
  let step = 0;
  const model = new MockLanguageModelV3({
    doGenerate: async ({ tools = [], prompt: [first] }: { tools?: { name: string }[]; prompt: Message[] }) => {
      told = first?.role === "system" ? String(first.content) : "";
      offered.push(tools.map(({ name }) => name).sort());
      const call = calls[step++];
      const content = call
        ? { type: "tool-call", toolCallId: `call-${step}`, toolName: call[0], input: JSON.stringify(call[1]) }
        : { type: "text", text: "done" };
      const finishReason = { unified: call ? "tool-calls" : "stop", raw: undefined };
      return { content: [content], finishReason, usage: USAGE, warnings: [] };
    },
  });
  const { steps } = await generateText({
    model,
    system: generated.aiPrompt(session),
    prompt: "go",
    tools: await generated.aiTools(session),
    stopWhen: stepCountIs(calls.length + 1),
  });
  type Part = { type: string; output?: unknown; error?: { message: string } };
  const parts = (steps as { content: Part[] }[]).flatMap(({ content }) => content);
  return {
    told,
    offered: offered[0]!,
    answers: parts.flatMap(({ type, output, error }) =>
      type === "tool-result" ? [String(output)] : type === "tool-error" ? [String(error?.message)] : [],
    ),
  };
}

async function runOpenaiAgents(session: HostSession, calls: readonly Call[]): Promise<Omit<Ran, "called">> {
  const { Agent, Runner, Usage } = await import("@openai/agents" as string);
  const offered: string[][] = [];
  let told = "";
  let step = 0;
  const model = {
    getResponse: async ({ tools, systemInstructions }: { tools: { name: string }[]; systemInstructions?: string }) => {
      told = systemInstructions ?? "";
      offered.push(tools.map(({ name }) => name).sort());
      const call = calls[step++];
      const output = call
        ? { type: "function_call", callId: `call-${step}`, name: call[0], arguments: JSON.stringify(call[1]) }
        : { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: "done" }] };
      return { usage: new Usage(), output: [output] };
    },
    getStreamedResponse: () => {
      throw new Error("nobody streams here");
    },
  };
  const instructions = generated.agentPrompt(session);
  const agent = new Agent({ name: "tester", instructions, model, tools: await generated.agentTools(session) });
  const { newItems } = await new Runner({ tracingDisabled: true }).run(agent, "go", { maxTurns: calls.length + 1 });
  return {
    told,
    offered: offered[0]!,
    answers: (newItems as { type: string; output: unknown }[]).flatMap(({ type, output }) =>
      type === "tool_call_output_item" ? [String(output)] : [],
    ),
  };
}

test("a host's file holds names of tools and nothing else of them", () => {
  const text = readFileSync(path.join(dir, "src/mcp/hosts/ai-sdk.ts"), "utf8");
  expect(text).toContain('"everything":{"echo":"everything_echo"');
  expect(text).not.toContain("inputSchema");
});
