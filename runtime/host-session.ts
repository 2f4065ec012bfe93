import type { OfferedTool } from "./api.ts";
import type { RolecallError } from "./errors.ts";
import type { CallSignal, JsonValue, ToolResult } from "./contract.ts";
import { OF_OTHERS } from "./untrusted.ts";

/** What a host in the same process needs of a session, whatever role it is of. */
export interface HostSession {
  readonly $role: string;
  readonly $root: string;
  $tools(): Promise<readonly OfferedTool[]>;
  $call(server: string, tool: string, args?: object, options?: object): Promise<ToolResult<unknown>>;
}

/** A role as the build fitted it to the host. */
export interface GivenRole {
  readonly name: string;
  /** What it is for. */
  readonly about: string;
  /** What the agent is told: the role's prompt, or what it is for. */
  readonly prompt: string;
  /** The host's own tools that it may use, where the host can be held to a list. */
  readonly own: readonly string[] | undefined;
  readonly tools: readonly GivenTool[];
  /** What it reaches through `rolecall serve`, a process that holds every rule itself. */
  readonly served: GivenServe | undefined;
}

/** One server that the host starts. */
export interface GivenServe {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly timeoutMs: number;
  readonly tools: readonly Pick<GivenTool, "tool" | "name">[];
}

export interface GivenTool {
  readonly server: string;
  /** As its server calls it. */
  readonly tool: string;
  /** The name that the model sees. */
  readonly name: string;
  readonly description: string;
  /** Of an object, always. */
  readonly inputSchema: { readonly type: "object"; readonly [key: string]: JsonValue };
  /** With every rule held. Rejects with an error whose message is what an agent can be told. */
  call(args: unknown, signal: CallSignal | undefined): Promise<string>;
}

/** `given` is JSON text, written by the build. What isn't in it isn't given, whatever the session holds. */
export async function givenRole(session: HostSession, given: string): Promise<GivenRole> {
  const { about, prompt = about, own, servers, serve } = entryOf(session.$role, given);
  const names = new Map(Object.entries(servers).map(([server, tools]) => [server, new Map(Object.entries(tools))]));
  const tools: GivenTool[] = [];
  for (const offered of names.size === 0 ? [] : await session.$tools()) {
    const name = names.get(offered.server)?.get(offered.name);
    if (name !== undefined) tools.push(givenTool(session, offered, name));
  }
  return { name: session.$role, about, prompt, own, tools, served: serve && givenServe(serve, session.$root) };
}

/** The process is the project's, wherever the program was started. */
function givenServe(
  { name, command: [command = "", ...args], timeoutMs, tools }: ServeEntry,
  root: string,
): GivenServe {
  const held = Object.entries(tools).map(([tool, shown]) => ({ tool, name: shown }));
  return { name, command, args: [...args, "--project", root], timeoutMs, tools: held };
}

/** For hosts whose tools and instructions are handed over apart. */
export function givenPrompt(session: Pick<HostSession, "$role">, given: string): string {
  const { about, prompt = about } = entryOf(session.$role, given);
  return prompt;
}

interface GivenEntry {
  readonly about: string;
  readonly prompt?: string;
  readonly own?: readonly string[];
  readonly servers: { readonly [server: string]: { readonly [tool: string]: string } };
  readonly serve?: ServeEntry;
}

interface ServeEntry {
  readonly name: string;
  readonly command: readonly string[];
  readonly timeoutMs: number;
  readonly tools: { readonly [tool: string]: string };
}

/** Names are strangers' text: keys of maps, never properties. */
function entryOf(role: string, given: string): GivenEntry {
  const entry = new Map(Object.entries(JSON.parse(given) as Record<string, GivenEntry>)).get(role);
  if (entry === undefined) throw new Error(`role \`${role}\` isn't in this host's file: build again`);
  return entry;
}

function givenTool(session: HostSession, offered: OfferedTool, name: string): GivenTool {
  const { server, name: tool, description = "", inputSchema } = offered;
  return {
    server,
    tool,
    name,
    description,
    // A host's own copy: some complete schemas in place, and what a session offers is frozen.
    inputSchema: { ...(structuredClone(inputSchema) as { readonly [key: string]: JsonValue }), type: "object" },
    call: async (args, signal) => {
      try {
        return modelText(await session.$call(server, tool, (args ?? {}) as object, { signal }));
      } catch (error) {
        throw new Error(adviceOf(error), { cause: error });
      }
    },
  };
}

/** What the model reads. A result that others wrote says so first. */
function modelText({ structured, text, content, meta }: ToolResult<unknown>): string {
  const said = structured !== undefined ? JSON.stringify(structured) : text !== "" ? text : JSON.stringify(content);
  return meta.untrusted ? `${OF_OTHERS}\n${said}` : said;
}

/** What a tool says of its own failure is its answer, and worth more to a model than advice. */
function adviceOf(error: unknown): string {
  const { advice, message, code, untrusted } = error as Readonly<Partial<Record<keyof RolecallError, unknown>>>;
  if (code === "tool-failed" && typeof message === "string")
    return untrusted === true ? `${OF_OTHERS}\n${message}` : message;
  return typeof advice === "string" && advice !== "" ? advice : String(message ?? error);
}
