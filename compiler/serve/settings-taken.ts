import { own, type JsonValue } from "../base/json.ts";
import { keysOfSet } from "../base/key-set.ts";
import { otherKeys } from "../base/other-keys.ts";
import { stableText } from "../base/stable-text.ts";
import { ownSettings } from "../diff/own-settings.ts";
import { meant } from "../diff/setting-meanings.ts";
import type { Direction } from "../diff/types.ts";
import type { Served, ServedState, TeamFile } from "./types.ts";

/** What a build says of `serve` and `state`: more than was accepted waits, and what is less counts at once. */

export interface OpenedSetting {
  /** As in `serve.auth.issuer`. */
  readonly key: string;
  /** As far as it counts; null: nothing is said. */
  readonly before: JsonValue;
  readonly after: JsonValue;
}

/** Who comes in over HTTP, and under which names. */
export function isOfDoor(key: string): boolean {
  return /^serve\.(auth\..*|url|hosts|limits|key)$/.test(key);
}

/**
 * By the judgement of `rolecall diff`, the gravest first: all but what narrows. `left`: what is left of what was accepted,
 * where the build is taken away from it too; what isn't left of it is opened as well.
 */
export function openedSettings(accepted: Served, left: Served, built: Served): OpenedSetting[] {
  const opened = openedSince(accepted, built);
  if (left === accepted) return opened;
  const since = openedSince(left, built);
  const known = new Set(opened.map(({ key }) => groupOf(key)));
  const untold = since.filter(({ key }) => !opened.some((one) => one.key === key));
  return [
    ...opened.map((one) => withoutTaken(one, since)),
    ...untold.flatMap((one) => (known.has(groupOf(one.key)) ? keysAgain(one) : one)),
  ];
}

/** Of an issuer of whom something else waits, so that none of his keys counts: some of them may have been taken away before. */
function keysAgain(one: OpenedSetting): OpenedSetting[] {
  const before = countingKeys(one);
  return before === undefined || (one.after as readonly JsonValue[]).length === 1 ? [] : [{ ...one, before }];
}

/** Those in a file, behind its name; undefined: it is about none. */
function countingKeys({ key, before, after }: OpenedSetting): JsonValue | undefined {
  if (key !== "serve.auth.jwks" || !Array.isArray(after)) return undefined;
  return before ?? [after[0] as JsonValue];
}

/** What was taken away of a list and comes again wasn't there before. */
function withoutTaken(one: OpenedSetting, since: readonly OpenedSetting[]): OpenedSetting {
  const { before, after } = one;
  const again = since.find(({ key }) => key === one.key);
  const left = again && (countingKeys(again) ?? again.before);
  if (!Array.isArray(before) || !Array.isArray(after) || !Array.isArray(left)) return one;
  const still = before.filter((it: JsonValue) => left.includes(it) || !after.includes(it));
  return { ...one, before: still };
}

/** Who comes in is one thing, in whichever way it is said. */
function groupOf(key: string): string {
  return key.startsWith("serve.auth.") ? "serve.auth" : key;
}

function openedSince(accepted: Served, built: Served): OpenedSetting[] {
  const [was, is] = [accepted, built].map(judgedSettings);
  return is!.flatMap(({ block, settings }, i) => {
    const before = was![i]!.settings;
    return otherKeys(before, settings)
      .map((key) => ({ key, before: own(before, key) ?? null, after: own(settings, key) ?? null }))
      .filter((one) => opens(meant(block, one.key, one.before, one.after), one))
      .map((one) => ({ ...one, key: `${block}.${one.key}` }));
  });
}

/** A list of what isn't access itself, such as charters, opens nothing by what it lacks. */
function opens(direction: Direction | undefined, { before, after }: Pick<OpenedSetting, "before" | "after">): boolean {
  if (direction !== "changed" || !Array.isArray(before) || !Array.isArray(after)) return direction !== "narrows";
  return !after.every((one: JsonValue) => before.includes(one));
}

function judgedSettings({ settings, state }: Served): ReturnType<typeof ownSettings> {
  const { auth } = settings.http;
  // Here it is known that there was no file; of a commit it isn't.
  const serve =
    auth !== undefined && "keys" in auth && auth.keys === null
      ? { ...settings, http: { ...settings.http, auth: { ...auth, keys: "" } } }
      : settings;
  const { isWritten, members, closed, ...files } = state!;
  const own = ownSettings({ serve, state: { ...files, isWritten, members: isWritten ? members : undefined } }, []);
  const shut = Object.fromEntries(closed.map((file) => [file, null]));
  return own.map((one) => (one.block === "state" ? { ...one, settings: { ...one.settings, ...shut } } : one));
}

/** The very same where nothing is taken: clients are told of another. */
export function withoutSettingsTaken(accepted: Served, built: Served): Served {
  const settings = {
    ...accepted.settings,
    approvers: accepted.settings.approvers.filter((one) => built.settings.approvers.includes(one)),
    http: doorInBoth(accepted.settings.http, built.settings.http),
  };
  const state = stateInBoth(accepted.state!, built.state!);
  const [was, is] = [accepted, { settings, state }].map((one) => JSON.stringify([one.settings, one.state]));
  return was === is ? accepted : { ...accepted, settings, state };
}

const TEAM_FILES: readonly TeamFile[] = ["decisions", "backlog", "history"];

function stateInBoth(accepted: ServedState, built: ServedState): ServedState {
  return {
    ...accepted,
    members: accepted.members.flatMap((one) => {
      const other = built.members.find(({ name, role }) => name === one.name && role === one.role);
      if (other === undefined) return [];
      return [other.charter === one.charter ? one : { ...one, charter: undefined }];
    }),
    isListed: accepted.isListed || built.isListed,
    roles: accepted.roles.filter(({ name }) => built.roles.some((role) => role.name === name)),
    closed: TEAM_FILES.filter((file) => accepted.closed.includes(file) || accepted[file] !== built[file]),
  };
}

type HttpSettings = Served["settings"]["http"];

/** Who comes in by both. What is shared with other doors lets nobody in. */
export function doorInBoth(one: HttpSettings, other: HttpSettings): HttpSettings {
  return {
    ...one,
    hosts: one.hosts.filter((host) => other.hosts.includes(host)),
    url: one.url === other.url ? one.url : undefined,
    auth: authInBoth(one, other),
  };
}

const NOBODY = { tokens: [] } as const;

/** What was accepted of it was taken away, and what is built in its place waits. */
export function letsNobodyIn({ auth }: HttpSettings): boolean {
  return auth !== undefined && "tokens" in auth && auth.tokens.length === 0;
}

function authInBoth({ auth: one, url }: HttpSettings, { auth: other, url: otherUrl }: HttpSettings) {
  if (one === undefined || other === undefined) return one === other ? undefined : NOBODY;
  if ("tokens" in one) {
    if (!("tokens" in other)) return NOBODY;
    return { tokens: one.tokens.filter(([role, name]) => other.tokens.some((is) => is[0] === role && is[1] === name)) };
  }
  if ("tokens" in other) return NOBODY;
  const [way, otherWay] = [one, other].map(({ issuer, audience, rolesClaim, jwks }) =>
    stableText([issuer, audience ?? null, rolesClaim, jwks ?? null]),
  );
  // Without an audience tokens are for the address.
  const isFor = one.audience !== undefined || url === otherUrl;
  return way === otherWay && isFor ? { ...one, keys: keysInBoth(one.keys, other.keys) } : NOBODY;
}

type Keys = string | null | undefined;

function keysInBoth(one: Keys, other: Keys): Keys {
  if (typeof one !== "string" || one === other) return one;
  const still = new Set(keysOfSet(other ?? "").map(stableText));
  const keys = keysOfSet(one);
  const left = keys.filter((key) => still.has(stableText(key)));
  return left.length === keys.length ? one : JSON.stringify({ keys: left });
}
