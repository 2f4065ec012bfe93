import { tomlText } from "../host-text.ts";
import type { FittedRole, FittedServer } from "../../../4-fit/types.ts";
import { hashHeader } from "../../header.ts";
import type { CodexConnection, CodexValue } from "./connection.ts";

/** `<role>.config.toml`. */
export function profile({ role, servers, delegates }: FittedRole<CodexConnection>): string {
  const told = role.prompt === undefined ? [] : [`developer_instructions = ${toml(role.prompt.text)}`];
  const tables = servers.map(serverTable);
  const alone = delegates.length === 0 ? ["[agents]\nenabled = false"] : [];
  return `${[hashHeader, ...told, ...alone, ...tables].join("\n\n")}\n`;
}

function serverTable({ server, told, tools }: FittedServer<CodexConnection>): string {
  const seconds = server.limits.timeoutMs / 1000;
  const name = `mcp_servers.${toml(server.name)}`;
  const keys = [
    ...(isProcess(told) ? whole(told) : told).map(([key, value]) => `${key} = ${toml(value)}`),
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

/** The host fills what isn't written from an entry of this name in its base configuration, or in a project's. */
function whole(told: CodexConnection): CodexConnection {
  const written = new Set(told.map(([key]) => key));
  const rest: CodexConnection = [
    ["cwd", "."],
    ["env_vars", []],
    ["env", {}],
  ];
  return [...told, ...rest.filter(([key]) => !written.has(key))];
}

function isProcess(told: CodexConnection): boolean {
  return told.some(([key]) => key === "command");
}

function toml(value: CodexValue): string {
  if (typeof value === "string") return tomlText(value);
  if (isList(value)) return `[${value.map((item) => toml(item)).join(", ")}]`;
  const pairs = Object.entries(value).map(([key, item]) => `${toml(key)} = ${toml(item)}`);
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}

function isList(value: CodexValue): value is readonly string[] {
  return Array.isArray(value);
}

function decimal(seconds: number): string {
  return Number.isInteger(seconds) ? `${seconds}.0` : String(seconds);
}
