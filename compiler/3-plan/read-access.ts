import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import { sortedBy } from "../base/order.ts";
import { unsoundJson } from "../base/sound-json.ts";
import type { Condition } from "../../runtime/contract.ts";
import {
  inOneOrder,
  type Access,
  type RoleAccess,
  type ServerAccess,
  type ServerHeld,
  type ToolAccess,
} from "./access.ts";
import { conditionsProblem } from "./judge-conditions.ts";

/** The newest `format` that is understood. */
const FORMAT = 1;

/** Completes "access.json ...". */
export interface Unreadable {
  readonly problem: string;
}

/**
 * The value that an `access.json` tells, whoever wrote it: it may come from another revision or an older rolecall, with
 * conflict markers in it, or by hand. What isn't understood is a problem and never a smaller access.
 */
export function readAccess(text: string): Access | Unreadable {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: "is no JSON" };
  }
  const format = isObject(value) ? own(value, "format") : undefined;
  if (typeof format !== "number") return { problem: "names no `format`" };
  if (format !== FORMAT) return { problem: `has format ${format}, and this rolecall reads format ${FORMAT}` };
  const unsound = unsoundJson(text, value as JsonValue);
  if (unsound !== undefined) return { problem: `is ${unsound}` };
  const problems: string[] = [];
  const access = accessFrom(value as JsonObject, (problem) => void problems.push(problem));
  return problems[0] === undefined ? access : { problem: problems[0] };
}

/** The same, where it is asked what its conditions let through: nobody compiled them here, and one could be asked for ever. */
export function readJudgedAccess(text: string): Access | Unreadable {
  const access = readAccess(text);
  const problem = "problem" in access ? undefined : conditionsProblem(access);
  return problem === undefined ? access : { problem };
}

/** Told of what isn't as rolecall writes it. Reading goes on, and what is read counts for nothing. */
type Odd = (problem: string) => void;

function accessFrom(value: JsonObject, odd: Odd): Access {
  known(value, ["format", "project", "guards", "servers", "roles"], "the project", odd);
  return {
    project: text(value["project"], "`project`", odd),
    guards: entries(value["guards"], "`guards`", odd).map(([name, digest]) => ({
      name,
      digest: text(digest, name, odd),
    })),
    servers: entries(value["servers"], "`servers`", odd).map(([name, server]) => serverFrom(name, server, odd)),
    roles: entries(value["roles"], "`roles`", odd).map(([name, role]) => roleFrom(name, role, odd)),
  };
}

function serverFrom(name: string, server: JsonValue, odd: Odd): ServerAccess {
  const value = object(server, name, odd);
  known(value, ["connect", "root", "instructions", "tools"], name, odd);
  return {
    name,
    connect: list(value["connect"], name, odd).map((one) => object(one, name, odd)),
    root: optionalText(value["root"], name, odd),
    instructions: optionalText(value["instructions"], name, odd),
    tools: entries(value["tools"], name, odd).map(([tool, digest]) => ({
      name: tool,
      digest: digest === null ? null : text(digest, tool, odd),
    })),
  };
}

function roleFrom(name: string, role: JsonValue, odd: Odd): RoleAccess {
  const value = object(role, name, odd);
  known(value, ["servers", "builtins", "delegates"], name, odd);
  return {
    name,
    servers: entries(value["servers"], name, odd).map(([server, grant]) => ({
      name: server,
      tools: toolsFrom(grant, name, odd),
      ...resourcesFrom(grant, name, odd),
    })),
    builtins: entries(value["builtins"] ?? {}, name, odd).map(([host, names]) => ({
      host,
      names: texts(names, name, odd),
    })),
    delegates: texts(value["delegates"] ?? [], name, odd),
  };
}

function toolsFrom(grant: JsonValue, role: string, odd: Odd): ToolAccess[] {
  const value = object(grant, role, odd);
  known(value, ["tools", "where", "resources"], role, odd);
  const where = new Map(entries(value["where"] ?? {}, role, odd));
  const tools = entries(value["tools"], role, odd).map(([name, effect]): ToolAccess => {
    if (effect !== "allow" && effect !== "ask") odd(`says neither \`allow\` nor \`ask\` of \`${name}\``);
    return { name, effect: effect === "ask" ? "ask" : "allow", where: rulesFrom(where.get(name) ?? {}, name, odd) };
  });
  const held = new Set(tools.map(({ name }) => name));
  for (const name of where.keys()) if (!held.has(name)) odd(`has conditions on \`${name}\`, which isn't held`);
  return tools;
}

function resourcesFrom(grant: JsonValue, role: string, odd: Odd): Pick<ServerHeld, "resources"> {
  const written = isObject(grant) ? own(grant, "resources") : undefined;
  if (written === undefined) return {};
  const value = object(written, role, odd);
  known(value, ["include", "exclude", "within"], role, odd);
  const { include, exclude, within } = value;
  return {
    resources: {
      include: texts(include ?? null, role, odd),
      ...(exclude !== undefined && { exclude: texts(exclude, role, odd) }),
      ...(within !== undefined && { within: list(within, role, odd).map((one) => texts(one, role, odd)) }),
    },
  };
}

function rulesFrom(rules: JsonValue, tool: string, odd: Odd): ToolAccess["where"] {
  return entries(rules, tool, odd).map(([argument, conditions]) => {
    const all = Array.isArray(conditions) ? (conditions as readonly JsonValue[]) : [conditions];
    return { argument, conditions: inOneOrder(all.map((one) => object(one, tool, odd) as Condition)) };
  });
}

function known(value: JsonObject, keys: readonly string[], of: string, odd: Odd): void {
  const other = Object.keys(value).find((key) => !keys.includes(key));
  if (other !== undefined) odd(`says \`${other}\` of ${of}, which isn't known`);
}

function object(value: JsonValue | undefined, of: string, odd: Odd): JsonObject {
  if (isObject(value)) return value;
  odd(`has no map where one belongs to ${of}`);
  return {};
}

function list(value: JsonValue | undefined, of: string, odd: Odd): readonly JsonValue[] {
  if (Array.isArray(value)) return value as readonly JsonValue[];
  odd(`has no list where one belongs to ${of}`);
  return [];
}

function text(value: JsonValue | undefined, of: string, odd: Odd): string {
  if (typeof value === "string") return value;
  odd(`has no text where one belongs to ${of}`);
  return "";
}

function optionalText(value: JsonValue | undefined, of: string, odd: Odd): string | undefined {
  return value === undefined ? undefined : text(value, of, odd);
}

function texts(value: JsonValue, of: string, odd: Odd): string[] {
  return list(value, of, odd).map((one) => text(one, of, odd));
}

function entries(value: JsonValue | undefined, of: string, odd: Odd): (readonly [string, JsonValue])[] {
  return sortedBy(Object.entries(object(value, of, odd)), ([name]) => name);
}
