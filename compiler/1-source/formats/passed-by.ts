import { isObject, type JsonObject, type JsonValue } from "../../base/json.ts";

/**
 * Settings of the other program that aren't read here, and that may take something away from these servers: nobody knows all
 * of its keys, so their words tell. Each is said once, at the key that says it.
 */
export function restrictionsIn(settings: JsonObject): (readonly string[])[] {
  const found = leavesOf(settings, []).flatMap(({ path, value }) => {
    const end = path.findIndex((_, i) => isRestriction(path.slice(0, i + 1), value));
    return end < 0 ? [] : [path.slice(0, end + 1)];
  });
  return [...new Map(found.map((path) => [JSON.stringify(path), path])).values()];
}

/** Lists of what is denied, wherever they stand: a program's rules name servers by their names alone. */
export function deniedIn(settings: JsonObject): { readonly path: readonly string[]; readonly value: JsonValue }[] {
  return leavesOf(settings, []).filter(({ path, value }) => {
    const words = path.flatMap(wordsOf);
    const isEmpty = value === null || value === false || (Array.isArray(value) && value.length === 0);
    return !isEmpty && words.some((word) => DENIES.test(word)) && words.some((word) => RULES.test(word));
  });
}

const DENIES = /^(?:deny|denied|denylist|exclude|excluded|disallow|disallowed)$/;
const RULES = /^(?:mcp|tools?|servers?|permissions?)$/;

/** The next step for whoever relied on one. */
export const NOT_HELD =
  "what it takes away isn't taken away here: say it in roles, in policies, or with `tools` of the server";

interface Leaf {
  readonly path: readonly string[];
  readonly value: JsonValue;
}

function leavesOf(value: JsonValue, path: readonly string[]): Leaf[] {
  if (!isObject(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

/** What such a setting is about, where it takes away with one of the words below. */
const ABOUT = /^(?:mcp|tools?|servers?)$/;
const NARROWS =
  /^(?:deny|denied|denylist|block|blocked|blocklist|blacklist|exclude|excluded|disable|disabled|disallow|disallowed|forbidden|restricted|confirmation|core)$/;
const ALLOWS = /^(?:allow|allowed|allowlist|whitelist|enable|enabled|include|included|trusted)$/;
/** About tools, whatever else they are about. */
const ALONE = /^(?:permissions?|polic(?:y|ies)|approvals?|sandbox\w*|trust|admin)$/;
/** Values by which such a setting takes nothing away. */
const OPEN = new Set(["", "never", "danger-full-access", "trusted", "allow", "approve", "yolo", "off", "none"]);

function isRestriction(path: readonly string[], value: JsonValue): boolean {
  if (value === null || (typeof value === "string" && OPEN.has(value))) return false;
  const words = path.flatMap(wordsOf);
  const isAlone = words.some((word) => ALONE.test(word));
  const allows = words.some((word) => ALLOWS.test(word));
  const isEmpty = Array.isArray(value) && value.length === 0;
  if (isAlone && value !== false && !isEmpty) return true;
  if (!words.some((word) => ABOUT.test(word))) return false;
  // `enabled: true` takes nothing away, an empty list of what is allowed takes all.
  if (allows) return value !== true;
  return words.some((word) => NARROWS.test(word)) && value !== false && !isEmpty;
}

/** `disabledMcpServers`, `disabled_mcp_servers` and `disabled-mcp-servers` have the same ones. */
function wordsOf(key: string): string[] {
  return key
    .replace(/(?<![A-Z])([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}
