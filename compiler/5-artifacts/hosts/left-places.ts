import { canonicalText } from "../../base/canonical.ts";
import { isObject, type JsonValue } from "../../base/json.ts";
import { bearsHeader } from "../../base/bears-header.ts";
import { issuedToken } from "../../base/secret-patterns.ts";
import { HOLE, secretIn, secretUnder } from "../../base/written-secrets.ts";
import { withKeys } from "../managed/keys.ts";
import { textOfPath } from "../../base/path-text.ts";
import { jsonFormat } from "../managed/json.ts";
import type { KeyLibraries } from "../managed/types.ts";
import type { LeftPlace } from "../types.ts";
import type { FittedPlan, HostFacts, Spelt } from "../../4-fit/types.ts";
import type { Server } from "../../3-plan/types.ts";
import type { Host } from "../target.ts";

/** `others`: hosts that aren't chosen (any more), which somebody may use by hand. What of theirs isn't certainly a build's stops it. */
export function leftPlaces(hosts: readonly FittedPlan<Host>[], others: readonly FittedPlan<Host>[]): LeftPlace[] {
  return [...hosts.flatMap(placesOf), ...others.flatMap(placesOf).map(unsure)];
}

function placesOf(fitted: FittedPlan<Host>): readonly LeftPlace[] {
  return fitted.host.leftPlaces?.(fitted) ?? [];
}

function unsure(place: LeftPlace): LeftPlace {
  return {
    ...place,
    judge: (file, text, about) => {
      const left = place.judge(file, text, about);
      if (left === undefined || "servers" in left || "secrets" in left || place.isCertain === true || bearsHeader(text))
        return left;
      return { goes: false };
    },
  };
}

/**
 * Agents' files: one is a build's when it has no key but `keys`, and its list of tools has tools of the project's servers
 * and otherwise none but the host's own. With a text below it could be somebody's, or the prompt of its role.
 */
export function agentFiles(
  { folder, ending, keys }: { readonly folder: string; readonly ending: string; readonly keys: readonly string[] },
  fitted: FittedPlan,
): LeftPlace {
  const ours = new Set([...keys.map((key) => textOfPath([key])), textOfPath([])]);
  return {
    folder,
    ending,
    judge: (file, text, { libraries }) => {
      if (bearsHeader(text)) return { goes: true };
      const { change } = withKeys(text, { path: file, format: "front-matter", keys: [] }, ours, libraries, [
        fitted.host,
      ]);
      if (change === undefined || change.text !== undefined) return undefined;
      const held = new Map(change.replaced.map(({ at, json }) => [textOfPath(at), json]));
      if (!givesTools(parsed(held.get("tools")), fitted)) return undefined;
      return held.has(textOfPath([])) ? { goes: false } : { goes: true };
    },
  };
}

/**
 * Servers of the project in a file that all of a host's users share, as a build writes them. Nobody can tell whose they
 * are, and every tool of theirs is open to whoever uses the host: it isn't chosen, so no agent's file narrows it.
 */
export function openServers<Told>(
  { file, key }: { readonly file: string; readonly key: string },
  { choice, plan, host }: FittedPlan<HostFacts, Told>,
  entryFor: (told: Told) => object,
): LeftPlace[] {
  if (choice.isChosen) return [];
  const slash = file.lastIndexOf("/");
  const isWritten = (server: Server, entry: unknown): boolean =>
    server.connect.some((transport) => {
      const { value } = host.tell(transport, choice) as Spelt<Told>;
      return value !== undefined && canonicalText(entryFor(value) as JsonValue) === canonicalText(entry as JsonValue);
    });
  return [
    {
      folder: file.slice(0, slash),
      ending: file.slice(slash + 1),
      judge: (found, text, { libraries, listed }) => {
        if (found !== file) return undefined;
        const entries = entryOf(text, key, libraries);
        const open = plan.servers.filter((server) => {
          // The file that they were read from.
          if (server.place.file === file) return false;
          const entry = heldIn(entries, server.name);
          return entry !== undefined && !isListed(listed, key, server.name) && isWritten(server, entry);
        });
        return open.length === 0
          ? undefined
          : { goes: false, servers: open.map(({ name }) => `\`${name}\``).join(", ") };
      },
    },
  ];
}

/** Secrets that a person left in a host's file, in entries of servers that are sources by now. The values are nowhere said. */
export function writtenSecrets(
  { file, key }: { readonly file: string; readonly key: string },
  { plan }: FittedPlan,
): LeftPlace {
  const slash = file.lastIndexOf("/");
  return {
    folder: file.slice(0, Math.max(slash, 0)),
    ending: file.slice(slash + 1),
    judge: (found, text, { libraries, listed }) => {
      if (found !== file) return undefined;
      const entries = entryOf(text, key, libraries);
      const places = plan.servers
        .filter(({ name, place }) => place.file !== file && !isListed(listed, key, name))
        .flatMap(({ name }) => secretsIn(heldIn(entries, name), [key, name]));
      return places.length === 0 ? undefined : { goes: false, secrets: places.map((at) => `\`${at}\``).join(", ") };
    },
  };
}

/** What a file of a host refers to with is no secret: `${NAME}`, `{env:NAME}`, `$NAME`. */
const REFERENCE = /\$?\{[^{}]*\}|\$[A-Za-z_]\w*/g;

function secretsIn(value: unknown, at: readonly string[]): string[] {
  if (Array.isArray(value)) return value.some((one) => secretsIn(one, at).length > 0) ? [at.join(".")] : [];
  if (isObject(value)) return Object.entries(value).flatMap(([name, held]) => secretsIn(held, [...at, name]));
  if (typeof value !== "string") return [];
  const text = value.replace(REFERENCE, HOLE);
  const secret = issuedToken(value) ?? secretUnder(at.at(-1) ?? "", text) ?? secretIn(text);
  return secret === undefined ? [] : [at.join(".")];
}

/** Whether a list has tools of the project's servers there, and otherwise none but the host's own. */
function givesTools(list: unknown, { plan, host }: FittedPlan): boolean {
  if (!Array.isArray(list) || !list.every((name) => typeof name === "string")) return false;
  const isGoverned = governedBy(plan.servers, host);
  const isOwn = (name: string) => host.ownTools?.tools.has(name.endsWith(")") ? name.split("(", 1)[0]! : name) === true;
  return list.some(isGoverned) && list.every((name) => isGoverned(name) || isOwn(name));
}

/** Of a name as the host joins it: whether it is a tool of one of these servers. */
export function governedBy(
  servers: FittedPlan["plan"]["servers"],
  host: Pick<Host, "joinedName">,
): (name: string) => boolean {
  const beginnings = servers.map(({ name }) => host.joinedName(name, ""));
  return (name) => beginnings.some((beginning) => name.startsWith(beginning) && name.length > beginning.length);
}

/** What stands under a key of a JSON file of the user's; undefined: nothing, or the file is broken. */
export function entryOf(text: string, key: string, { jsonc }: KeyLibraries): unknown {
  return parsed(jsonFormat(jsonc()).look(text).valueAt?.([key]).json);
}

/** Whether a list names the key: then the build takes it out by itself. */
export function isListed(listed: ReadonlySet<string>, ...at: readonly string[]): boolean {
  return listed.has(textOfPath(at));
}

/** As JSON; undefined: it isn't any, or nothing is there. */
export function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** What an object holds under a name, where both are there. */
export function heldIn(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
