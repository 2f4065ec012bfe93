import { tomlText } from "../host-text.ts";
import type { FittedRole } from "../../../4-fit/types.ts";
import { hashHeader } from "../../header.ts";
import { EDITING, HANDING_OVER, OPEN, QUIET, RESOURCE_TOOLS } from "./own-tools.ts";

/**
 * `policy.toml`, the boundary: it holds under yolo, with `trust`, and whatever settings say. The host's own answers to a
 * question that was asked before come at 950, so what is asked stands above them. One rule that the host can't read makes
 * it drop the whole file; `mcp.excluded` of the settings then denies every tool of ours, at 900.
 */
export function policy({ servers, builtins, delegates, readsThroughGateway }: FittedRole): string {
  const held = servers.flatMap(({ server, tools }) =>
    tools.map(({ tool, effect }) => ({
      mcpName: server.name,
      toolName: nameThere(tool.name),
      decision: effect === "ask" ? "ask_user" : "allow",
      priority: 999,
    })),
  );
  // The role's own entry is the session's one server then: what may be read is judged behind it.
  const mayRead = readsThroughGateway === true;
  const closed = [...(mayRead ? [] : RESOURCE_TOOLS), ...(delegates.length === 0 ? [HANDING_OVER] : [])];
  const names = servers.flatMap(({ tools }) => tools.map(({ tool }) => tool.name as string));
  const rules: readonly Rule[] = [
    ...held,
    { mcpName: "*", toolName: "*", decision: "deny", priority: 998 },
    ...(mayRead ? [{ toolName: RESOURCE_TOOLS, decision: "allow", priority: 999 }] : []),
    ...(closed.length === 0 ? [] : [{ toolName: closed, decision: "deny", priority: 999 }]),
    ...namesakes(names),
    ...(builtins === undefined || builtins.includes("*") ? [] : own(builtins)),
  ];
  return `${[hashHeader, ...rules.map(table)].join("\n\n")}\n`;
}

/** A tool's name behind its server's, where the host shows it and looks it up. */
export function nameThere(tool: string): string {
  return tool.replace(/[^A-Za-z0-9_.:-]/g, "_");
}

interface Rule {
  readonly mcpName?: string;
  readonly toolName: string | readonly string[];
  readonly decision: string;
  readonly priority: number;
  readonly modes?: readonly string[];
  readonly argsPattern?: string;
}

/**
 * The host hides whatever bears the name of a tool of its own that is denied, a server's tool too. A rule that no call can
 * match keeps the name from being hidden, and the host's own tool is refused all the same.
 */
function namesakes(held: readonly string[]): Rule[] {
  const toolName = OPEN.filter((name) => held.includes(name));
  return toolName.length === 0 ? [] : [{ toolName, decision: "ask_user", argsPattern: "(?!)", priority: 999 }];
}

const MODES = ["default", "autoEdit", "yolo"];

/**
 * Exactly these of the host's own tools, with the question that it puts before each; while it plans, none. Above what it
 * makes of `tools.allowed` and `tools.core` in any settings (300, 250), below what a person has asked or left out there
 * (350, 400).
 */
function own(builtins: readonly string[]): Rule[] {
  const quiet = builtins.filter((name) => QUIET.includes(name));
  const editing = builtins.filter((name) => EDITING.includes(name));
  const others = builtins.filter((name) => !quiet.includes(name) && !editing.includes(name));
  const listed = [quiet, editing, others].flatMap((toolName, asking) => [
    { toolName, decision: "allow", modes: MODES.slice(asking), priority: 320 },
    { toolName, decision: "ask_user", modes: MODES.slice(0, asking), priority: 320 },
  ]);
  return [
    ...listed.filter(({ toolName, modes }) => toolName.length > 0 && modes.length > 0),
    { toolName: "*", decision: "deny", priority: 319 },
  ];
}

function table(rule: Rule): string {
  return ["[[rule]]", ...Object.entries(rule).map(([key, value]) => `${key} = ${toml(value)}`)].join("\n");
}

function toml(value: string | number | readonly string[]): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? tomlText(value) : `[${value.map(tomlText).join(", ")}]`;
}
