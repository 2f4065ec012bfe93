import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import { reachedIn } from "../base/reached.ts";

/** A preset as far as it may say what a server's scopes cover. */
export interface ScopePreset {
  readonly name: string;
  /** Packages and addresses of its connections. */
  readonly reached: readonly string[];
  readonly scopes: readonly string[];
}

export interface WithPresets {
  /** Servers of the blocks name the preset that has their scope map. */
  readonly blocks: JsonObject;
  /** In the order of the blocks. */
  readonly used: readonly UsedPreset[];
}

export interface UsedPreset {
  readonly server: string;
  readonly preset: string;
  /** Its map covers what the server lists; else the file names the preset itself. */
  readonly isForScopes: boolean;
}

/**
 * A server of another system lists scopes by name; which tools they cover stands in a preset. One that is there already is
 * taken before one that rolecall brings; one that lacks any of the names is none.
 */
export function withScopePresets(
  blocks: JsonObject,
  there: readonly ScopePreset[],
  brought: readonly ScopePreset[],
): WithPresets {
  const servers = own(blocks, "servers");
  if (!isObject(servers)) return { blocks, used: [] };
  const used = Object.entries(servers).flatMap(([server, block]) => {
    const preset = isObject(block) ? presetFor(block, there, brought) : undefined;
    return preset === undefined ? [] : [{ server, preset, isForScopes: !("preset" in (block as JsonObject)) }];
  });
  const named = used.map(
    ({ server, preset }) => [server, { preset, ...(own(servers, server) as JsonObject) }] as const,
  );
  return { blocks: { ...blocks, servers: { ...servers, ...Object.fromEntries(named) } }, used };
}

function presetFor(
  block: JsonObject,
  there: readonly ScopePreset[],
  brought: readonly ScopePreset[],
): string | undefined {
  const named = own(block, "preset");
  if (typeof named === "string") return isIn(there, named) || !isIn(brought, named) ? undefined : named;
  const [scopes, connect] = [own(block, "scopes"), own(block, "connect")];
  if (!Array.isArray(scopes) || scopes.length === 0 || !Array.isArray(connect)) return undefined;
  const reached = new Set(reachedBy(connect));
  const fits = (one: ScopePreset) =>
    one.reached.some((place) => reached.has(place)) && scopes.every((scope) => one.scopes.includes(String(scope)));
  const [known, another] = there.filter(fits);
  if (known !== undefined) return another === undefined ? known.name : undefined;
  return brought.find((one) => fits(one) && !isIn(there, one.name))?.name;
}

function isIn(presets: readonly ScopePreset[], name: string): boolean {
  return presets.some((one) => one.name === name);
}

/** What a preset's file says. */
export function scopePreset(name: string, value: JsonValue | undefined): ScopePreset {
  const server = isObject(value) ? own(value, "server") : undefined;
  const [connect, scopes] = ["connect", "scopes"].map((key) => (isObject(server) ? own(server, key) : undefined));
  return {
    name,
    reached: Array.isArray(connect) ? reachedBy(connect) : [],
    scopes: isObject(scopes) ? Object.keys(scopes) : [],
  };
}

function reachedBy(connect: readonly JsonValue[]): string[] {
  return reachedIn(connect as unknown as Parameters<typeof reachedIn>[0]);
}
