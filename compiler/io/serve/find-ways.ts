import { createHmac } from "node:crypto";
import { saysSecret } from "../../../runtime/secret-names.ts";
import { acceptingEnv, readReferences, Unusable, type Expand } from "../../../runtime/connect/expand.ts";
import type { EnvLookup } from "../../../runtime/api.ts";
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
  const isOwnSecret = (name: string): boolean => saysSecret(name) && !isOfOthers(name);
  const isOfOthers = (name: string): boolean => allNames(name).some((one) => comesFromOthers(one, world));
  const asked = new Set<string>();
  const lookup = acceptingEnv((name) => variables.env[name], data.acceptedNames);
  const hiding: EnvLookup = async (name) => {
    const value = await lookup(name);
    return value !== undefined && isOwnSecret(name) ? `\0${name}\0` : value;
  };
  const texts = async (templates: readonly Named[], env = lookup): Promise<readonly JsonValue[] | undefined> => {
    const references = readReferences(env);
    try {
      const expanded = await references.gather((expand) => expandAll(templates, expand));
      for (const name of references.names) if (env === lookup || !isOwnSecret(name)) asked.add(name);
      return expanded;
    } catch (error) {
      if (error instanceof Unusable) return undefined;
      throw error;
    }
  };
  const root = data.root === undefined ? null : ((await texts([["", data.root]])) ?? null);
  const digests: string[] = [];
  for (const entry of data.connect) {
    const { whole, mixed } = comparedIn(entry, { isOwnSecret, isOfOthers });
    if (![...whole, ...mixed, ["", data.root ?? []] as const].some(([, template]) => namesIn(template).length > 0))
      continue;
    const expanded = await texts(whole);
    const besideSecrets = await texts(mixed, hiding);
    if (expanded === undefined || besideSecrets === undefined) continue;
    const text = stableText([data.server, entry.kind, [...expanded, ...besideSecrets], root]);
    digests.push(createHmac("sha256", Buffer.from(key, "base64")).update(text).digest("base64"));
  }
  return { digests, variables: sorted(asked).map((name) => variableOf(name, allNames(name), variables)) };
}

type Named = readonly [name: string, template: TemplateData];

interface Secrets {
  isOwnSecret(variable: string): boolean;
  isOfOthers(variable: string): boolean;
}

/**
 * Where it leads and what is started there. A secret is none of that: whoever has it may give out another one each hour.
 * But where others give it out, what is written with it would be theirs. `mixed`: what stands beside secrets, without them.
 */
function comparedIn(
  entry: TransportData,
  { isOwnSecret, isOfOthers }: Secrets,
): { readonly whole: readonly Named[]; readonly mixed: readonly Named[] } {
  const place: readonly TemplateData[] =
    entry.kind === "stdio" ? [...entry.command, ...(entry.cwd === undefined ? [] : [entry.cwd])] : [entry.url];
  const whole: Named[] = place.map((template) => ["", template]);
  const mixed: Named[] = [];
  for (const pair of entry.kind === "stdio" ? entry.env : entry.headers) {
    const [name, template] = pair;
    const names = [...new Set(namesIn(template))];
    // Of one alone the name that it is written under says it too.
    const isSecret = saysSecret(name) && (names.length === 0 || (names.length === 1 && !isOfOthers(names[0]!)));
    if (isSecret || (names.length > 0 && names.every(isOwnSecret))) continue;
    (names.some(isOwnSecret) ? mixed : whole).push(pair);
  }
  return { whole, mixed };
}

function comesFromOthers(variable: string, { variables, isShared }: WaysWorld): boolean {
  return variables.from(variable) === "file" && isShared();
}

function namesIn(template: TemplateData): readonly string[] {
  return template.flatMap((part) => (typeof part === "string" ? [] : [part.name, ...namesIn(part.word)]));
}

async function expandAll(templates: readonly Named[], expand: Expand): Promise<readonly JsonValue[]> {
  const expanded: JsonValue[] = [];
  for (const [name, template] of templates) expanded.push([name, (await expand(template)) ?? null]);
  return expanded;
}

function variableOf(name: string, all: readonly string[], { env, from }: ServeVariables): FoundVariable {
  const set = all.find((one) => (env[one] ?? "") !== "");
  return set === undefined ? { name, from: undefined } : { name: set, from: from(set) };
}
