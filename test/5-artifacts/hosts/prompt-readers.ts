// What a host tells the agent of a role, read from the files that were written for it. The rest of a file is what must be
// the same with a prompt and without.
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import type { HostFiles } from "./host-lists.ts";

interface Told {
  readonly prompt: string | undefined;
  readonly rest: unknown;
}
export type PromptReading = (files: HostFiles, role: string) => Told;

/** `files`: as they lie there, front matter put together. */
export const PROMPT_READERS: Readonly<Record<string, PromptReading>> = {
  adk: inProcess("adk"),
  "ai-sdk": inProcess("ai-sdk"),
  "claude-agent-sdk": inProcess("claude-agent-sdk"),
  "claude-code": (files, role) => markdown(files.get(`.claude/agents/${role}.md`)),
  codex: (files, role) => {
    const { developer_instructions, ...rest } = parseToml(files.get(`mcp/hosts/codex/${role}.config.toml`)!);
    return { prompt: developer_instructions as string | undefined, rest };
  },
  "copilot-cli": (files, role) => markdown(files.get(`.github/agents/${role}.agent.md`)),
  "copilot-sdk": inProcess("copilot-sdk"),
  cursor: (files, role) => {
    const rule = files.get(`.cursor/rules/${role}.mdc`);
    const told = markdown(rule);
    if (rule !== undefined && (told.rest as { alwaysApply: unknown }).alwaysApply !== true) throw new Error("no rule");
    return { prompt: told.prompt, rest: files.get(".cursor/mcp.json") };
  },
  "gemini-cli": (files, role) => {
    const { context, ...rest } = JSON.parse(files.get(".gemini/settings.json")!);
    const names = ((context?.fileName ?? []) as string[]).map((name) => name.replace("${ROLECALL_ROLE}", role));
    const [prompt] = names.flatMap((name) => files.get(name) ?? []);
    return { prompt: prompt?.replace(/\n$/, ""), rest };
  },
  "openai-agents": inProcess("openai-agents"),
  opencode: (files, role) => {
    const { agent, ...rest } = JSON.parse(files.get(`mcp/hosts/opencode/${role}.json`)!);
    const { prompt, ...others } = agent[role];
    return { prompt, rest: [rest, others] };
  },
  vscode: (files, role) => markdown(files.get(`.github/agents/${role}.vscode.agent.md`)),
};

/** As most hosts do: up to the first line that ends the header, whatever follows. */
function markdown(text = ""): Told {
  const [, header = "", body = ""] = /^---\n([^]*?)\n---\n([^]*)$/.exec(text) ?? [];
  return { prompt: body.trim() === "" ? undefined : body.trim(), rest: parseYaml(header) };
}

/** The module's own text is run: what isn't data in it would be code. */
function inProcess(host: string): PromptReading {
  return (files, role) => {
    const text = files.get(`src/mcp/hosts/${host}.ts`)!;
    const data = text.slice(text.indexOf("const given: string ="), text.indexOf("const host:"));
    const given = new Function(data.replace("const given: string =", "return"))() as string;
    const { prompt, ...rest } = JSON.parse(given)[role];
    return { prompt, rest };
  };
}
