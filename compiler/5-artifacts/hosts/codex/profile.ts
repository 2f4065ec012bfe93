import { tomlText } from "../host-text.ts";
import type { FittedRole, FittedServer } from "../../../4-fit/types.ts";
import { hashHeader } from "../../header.ts";
import type { CodexConnection, CodexValue } from "./connection.ts";

/** `<role>.config.toml`. */
export function profile({ role, servers, delegates }: FittedRole<CodexConnection>): string {
  const told = role.prompt === undefined ? [] : [`developer_instructions = ${toml(role.prompt.text)}`];
  const tables = servers.map(serverTable);
  const alone = delegates.length === 0 ? ["[agents]\nenabled = false", "[features]\nmulti_agent_v2 = false"] : [];
  return `${[hashHeader, ...told, ...alone, ...tables].join("\n\n")}\n`;
}

function serverTable({ server, told, tools }: FittedServer<CodexConnection>): string {
  const seconds = server.limits.timeoutMs / 1000;
  const name = `mcp_servers.${toml(server.name)}`;
  const keys = [
    ...whole(told).map(([key, value]) => `${key} = ${toml(value)}`),
    "enabled = true",
    ...(server.mustConnect ? ["required = true"] : []),
    `startup_timeout_sec = ${decimal(seconds)}`,
    `tool_timeout_sec = ${decimal(seconds)}`,
    'default_tools_approval_mode = "prompt"',
    `enabled_tools = ${toml(tools.map(({ tool }) => tool.name))}`,
  ];
  const modes = tools.map(
    ({ tool, effect }) => `tools.${toml(tool.name)}.approval_mode = ${effect === "ask" ? '"prompt"' : '"approve"'}`,
  );
  return [`[${name}]`, ...keys, ...modes].join("\n");
}

/** What a process isn't told the host takes from an entry of this name in a person's own configuration: so both are written. */
function whole(told: CodexConnection): CodexConnection {
  const keys = new Map(told);
  if (!keys.has("command")) return told;
  const all = new Map([...PROCESS.map(([key, none]) => [key, keys.get(key) ?? none] as const), ...keys]);
  return [...all];
}

const PROCESS: CodexConnection = [
  ["command", ""],
  ["args", []],
  ["cwd", "."],
  ["env_vars", []],
];

function toml(value: CodexValue): string {
  if (typeof value === "string") return tomlText(value);
  if (isList(value)) return `[${value.map((item) => toml(item)).join(", ")}]`;
  const pairs = Object.entries(value).map(([key, item]) => `${toml(key)} = ${toml(item)}`);
  return `{ ${pairs.join(", ")} }`;
}

function isList(value: CodexValue): value is readonly string[] {
  return Array.isArray(value);
}

function decimal(seconds: number): string {
  return Number.isInteger(seconds) ? `${seconds}.0` : String(seconds);
}
