import { createHmac } from "node:crypto";
import { saysSecret } from "../../../runtime/secret-names.ts";
import { acceptingEnv, readReferences, Unusable, type Expand } from "../../../runtime/connect/expand.ts";
import type { ServerData, TemplateData, TransportData } from "../../../runtime/server-data.ts";
import type { JsonValue } from "../../base/json.ts";
import { sorted } from "../../base/order.ts";
import { stableText } from "../../base/stable-text.ts";
import type { Served } from "../../serve/types.ts";
import type { FoundVariable, FoundWay, FoundWays } from "../../serve/ways.ts";
import type { ServeVariables } from "./variables.ts";

export interface WaysWorld {
  readonly key: string;
  readonly variables: ServeVariables;
  /** The file of variables is one that somebody else's change may bring. */
  isShared(): boolean;
}

/** How each server would be reached with the variables as they are. */
export async function findWays(
  { servers, variables: names }: Pick<Served, "servers" | "variables">,
  world: WaysWorld,
): Promise<FoundWays> {
  // Their data is long, and most projects have nothing to look for in it.
  if (names.length === 0) return new Map();
  const found = await Promise.all(
    [...servers].map(async ([name, text]) => [name, await wayOf(JSON.parse(text) as ServerData, world)] as const),
  );
  return new Map(found);
}

async function wayOf(data: ServerData, world: WaysWorld): Promise<FoundWay> {
  const { variables, key } = world;
  const others = new Map(data.acceptedNames);
  const allNames = (name: string): readonly string[] => [name, ...(others.get(name) ?? [])];
  const asked = new Set<string>();
  const lookup = acceptingEnv((name) => variables.env[name], data.acceptedNames);
  const texts = async (templates: readonly Named[]): Promise<JsonValue | undefined> => {
    const references = readReferences(lookup);
    try {
      const expanded = await references.gather((expand) => expandAll(templates, expand));
      for (const name of references.names) asked.add(name);
      return expanded;
    } catch (error) {
      if (error instanceof Unusable) return undefined;
      throw error;
    }
  };
  const root = data.root === undefined ? null : ((await texts([["", data.root]])) ?? null);
  const digests: string[] = [];
  for (const entry of data.connect) {
    const templates = comparedIn(entry, (name) => allNames(name).some((one) => isOfOthers(one, world)));
    if (![...templates, ["", data.root ?? []] as const].some(([, template]) => namesIn(template).length > 0)) continue;
    const expanded = await texts(templates);
    if (expanded === undefined) continue;
    const text = stableText([data.server, entry.kind, expanded, root]);
    digests.push(createHmac("sha256", Buffer.from(key, "base64")).update(text).digest("base64"));
  }
  return { digests, variables: sorted(asked).map((name) => variableOf(name, allNames(name), variables)) };
}

type Named = readonly [name: string, template: TemplateData];

/**
 * Where it leads and what is started there. A secret is none of that: whoever has it may give out another one each hour.
 * But where others give it out, what is written with it would be theirs.
 */
function comparedIn(entry: TransportData, isOfOthers: (variable: string) => boolean): readonly Named[] {
  const pairs = entry.kind === "stdio" ? entry.env : entry.headers;
  const compared = pairs.filter(([name, template]) => {
    const names = namesIn(template);
    return !(saysSecret(name) || names.some(saysSecret)) || names.some(isOfOthers);
  });
  const place: readonly TemplateData[] =
    entry.kind === "stdio" ? [...entry.command, ...(entry.cwd === undefined ? [] : [entry.cwd])] : [entry.url];
  return [...place.map((template) => ["", template] as const), ...compared];
}

function isOfOthers(variable: string, { variables, isShared }: WaysWorld): boolean {
  return variables.from(variable) === "file" && isShared();
}

function namesIn(template: TemplateData): readonly string[] {
  return template.flatMap((part) => (typeof part === "string" ? [] : [part.name, ...namesIn(part.word)]));
}

async function expandAll(templates: readonly Named[], expand: Expand): Promise<JsonValue> {
  const expanded: JsonValue[] = [];
  for (const [name, template] of templates) expanded.push([name, (await expand(template)) ?? null]);
  return expanded;
}

function variableOf(name: string, all: readonly string[], { env, from }: ServeVariables): FoundVariable {
  const set = all.find((one) => (env[one] ?? "") !== "");
  return set === undefined ? { name, from: undefined } : { name: set, from: from(set) };
}
