import { createHash } from "node:crypto";
import type { JsonValue } from "../contract.ts";
import { coveredTool } from "../covered-tool.ts";
import { isList, isObject, type JsonObject } from "../json-values.ts";
import type { ServerData } from "../server-data.ts";
import { leftOfList, MOST_OF_LIST } from "./bounds.ts";

/** Comparing what a live server lists with what was captured. Tools are taken as sent: no parser has touched them. */

const MOST_PAGES = 1_000;
const MOST_TOOLS = 10_000;

/** All pages, one after the other. Throws when an answer isn't a list of tools, when they are too much, or never end. */
export async function listTools(
  ask: (params: JsonObject) => Promise<JsonValue>,
  take: (tools: readonly JsonValue[]) => Promise<void>,
): Promise<void> {
  const seen = new Set<string>();
  let params: JsonObject = {};
  let [many, left] = [0, MOST_OF_LIST];
  for (;;) {
    const page = await ask(params);
    const listed = isObject(page) ? page["tools"] : undefined;
    if (!isObject(page) || !isList(listed)) throw new TypeError("its list of tools isn't one");
    many += listed.length;
    if (many > MOST_TOOLS) throw new TypeError(`it lists more than ${MOST_TOOLS} tools`);
    left = leftOfList(page, left);
    if (left < 0)
      throw new TypeError(`its list of tools is of more than ${MOST_OF_LIST >> 20} MB, or a million values`);
    await take(listed);
    const cursor = page["nextCursor"];
    // Many servers say in this way that there is no more.
    if (typeof cursor !== "string" || cursor === "") return;
    if (seen.has(cursor) || seen.size === MOST_PAGES) throw new TypeError("its list of tools doesn't end");
    seen.add(cursor);
    params = { cursor };
  }
}

/** What a live list is against its pins, page by page. Of a tool nothing is kept but that. */
export interface Comparison {
  take(tools: readonly JsonValue[]): Promise<void>;
  /** By tool, why it isn't what was captured. Tools without a pin aren't compared. */
  changed(): ReadonlyMap<string, string>;
  /** Names that the manifest doesn't have, cut. Where nothing is pinned there is none. */
  readonly newTools: ReadonlySet<string>;
}

/** So many new names and so much of each: a server can't keep an app busy with them. */
export const MOST_NEW_TOOLS = 100;
const LONGEST_NEW_NAME = 200;

/** A list of definitions of megabytes takes seconds: others come by in between. */
const LONGEST_TURN_MS = 20;

export function startComparison(server: ServerData): Comparison {
  const known = new Set([...Object.keys(server.tools), ...(server.notHeld ?? [])]);
  const pinned = Object.entries(server.tools).flatMap(([name, { digest }]) =>
    digest === null ? [] : [[name, digest] as const],
  );
  const digests = new Map(pinned);
  const found = new Map<string, string | undefined>();
  const newTools = new Set<string>();
  const see = (name: string, tool: JsonObject): void => {
    const digest = digests.get(name);
    if (digest !== undefined) found.set(name, found.has(name) ? LISTED_TWICE : whyChanged(tool, digest));
    else if (!known.has(name) && newTools.size < MOST_NEW_TOOLS) newTools.add(cutName(name));
  };
  return {
    newTools,
    async take(tools) {
      // To read the page took a turn of its own.
      let began = -Infinity;
      for (const tool of tools) {
        if (!isObject(tool) || typeof tool["name"] !== "string") continue;
        if (performance.now() - began > LONGEST_TURN_MS) {
          await new Promise((resolve) => setImmediate(resolve));
          began = performance.now();
        }
        see(tool["name"], tool);
      }
    },
    changed: () =>
      new Map(
        pinned.flatMap(([name]) => {
          const why = found.has(name) ? found.get(name) : "the server doesn't list it any more";
          return why === undefined ? [] : [[name, why] as const];
        }),
      ),
  };
}

/** A text of its own: a piece of another keeps that one. */
function cutName(name: string): string {
  return Buffer.from(name.slice(0, LONGEST_NEW_NAME)).toString();
}

const LISTED_TWICE = "the server lists two tools of this name";

function whyChanged(tool: JsonObject, digest: string): string | undefined {
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
