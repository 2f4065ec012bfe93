import { createHash } from "node:crypto";
import type { JsonValue } from "../contract.ts";
import { coveredTool } from "../covered-tool.ts";
import { isObject, type JsonObject } from "../json-values.ts";
import type { ServerData } from "../server-data.ts";

/** Comparing what a live server lists with what was captured. Tools are taken as sent: no parser has touched them. */

const MOST_PAGES = 1_000;
const MOST_TOOLS = 10_000;

/** All pages. Throws when the answer isn't a list of tools or never ends. */
export async function listTools(ask: (params: JsonObject) => Promise<JsonValue>): Promise<readonly JsonValue[]> {
  const tools: JsonValue[] = [];
  const seen = new Set<string>();
  let params: JsonObject = {};
  for (;;) {
    const page = await ask(params);
    const listed = isObject(page) ? page["tools"] : undefined;
    if (!isObject(page) || !Array.isArray(listed)) throw new TypeError("its list of tools isn't one");
    for (const tool of listed as readonly JsonValue[]) tools.push(tool);
    if (tools.length > MOST_TOOLS) throw new TypeError(`it lists more than ${MOST_TOOLS} tools`);
    const cursor = page["nextCursor"];
    // Many servers say in this way that there is no more.
    if (typeof cursor !== "string" || cursor === "") return tools;
    if (seen.has(cursor) || seen.size === MOST_PAGES) throw new TypeError("its list of tools doesn't end");
    seen.add(cursor);
    params = { cursor };
  }
}

/** By tool, why it isn't what was captured. Tools without a pin aren't compared. */
export function compareTools(server: ServerData, live: readonly JsonValue[]): ReadonlyMap<string, string> {
  const byName = new Map<JsonValue | undefined, JsonObject[]>();
  for (const tool of live.filter(isObject)) {
    const same = byName.get(tool["name"]);
    if (same === undefined) byName.set(tool["name"], [tool]);
    else same.push(tool);
  }
  const changed = new Map<string, string>();
  for (const [name, pinned] of Object.entries(server.tools)) {
    const why = pinned.digest === null ? undefined : whyChanged(byName.get(name) ?? [], pinned.digest);
    if (why !== undefined) changed.set(name, why);
  }
  return changed;
}

/** Names that the manifest doesn't have. Where nothing is pinned there is none. */
export function newToolNames(server: ServerData, live: readonly JsonValue[]): string[] {
  const known = new Set([...Object.keys(server.tools), ...(server.notHeld ?? [])]);
  const names = live.filter(isObject).flatMap(({ name }) => (typeof name === "string" && !known.has(name) ? name : []));
  return [...new Set(names)];
}

function whyChanged(live: readonly JsonObject[], digest: string): string | undefined {
  const [tool, ...more] = live;
  if (tool === undefined) return "the server doesn't list it any more";
  if (more.length > 0) return "the server lists two tools of this name";
  return toolDigest(tool) === digest ? undefined : "its definition isn't the one that was captured";
}

/** Undefined for what can't be told in canonical JSON: it equals no pin. */
function toolDigest(tool: JsonObject): string | undefined {
  try {
    return digestOf(coveredTool(tool).text);
  } catch {
    return undefined;
  }
}

export function digestOf(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
