import { otherKeys } from "../base/other-keys.ts";
import type { JsonObject } from "../base/json.ts";
import { meant, type Block } from "./setting-meanings.ts";
import { sorted } from "../base/order.ts";
import type { AccessChanged, Direction } from "./types.ts";

/** An entry under `hosts`, or what is said of a server of our own. */
export interface HostSettings {
  readonly block: Block;
  readonly name: string;
  /** Every key that is compared, the gravest first. */
  readonly settings: JsonObject;
  /** Made when it's asked for: it may be much. */
  given(): Given;
  /** What its roles hold and it isn't given, as `role: server.tool` and `role: to role`. */
  away(): ReadonlySet<string>;
  /** Roles that say nothing of the host's own tools, and so have them all. */
  readonly unsaid: ReadonlySet<string>;
}

/** What a host's files give, each as a text that means nothing but itself. */
export interface Given {
  /** What roles hold there, and of which servers the host is told itself; of what opens more, that which opens less too. */
  readonly tools: ReadonlySet<string>;
  /** The same by name alone, as `away` has it. */
  readonly names: ReadonlySet<string>;
  /** The host's own tools that its roles have. */
  readonly own: ReadonlySet<string>;
}

export function hostDirection(was: HostSettings | undefined, is: HostSettings | undefined): Direction {
  if (is === undefined) return "narrows";
  if (was === undefined) return firstDirection(is);
  const keys = otherKeys(was.settings, is.settings);
  const directions = [
    ...keys.map((key) => meant(is.block, key, was.settings[key] ?? null, is.settings[key] ?? null)),
    givenDirection(was.given(), is.given()),
  ];
  return GRAVEST.find((one) => directions.includes(one)) ?? "changed";
}

/**
 * What was kept away from a host that is set as before, and isn't any more: it couldn't be told a key of the server's, or a
 * name clashed. No role gains by it, and the host does.
 */
export function noLongerAway(was: HostSettings, is: HostSettings): string[] {
  const away = is.away();
  const gone = [...was.away()].filter((one) => !away.has(one));
  if (gone.length === 0) return [];
  const { names } = is.given();
  return gone.filter((one) => names.has(one));
}

/** By names: that a tool is given there on other conditions is told of its role. */
export function givenBetween(
  was: HostSettings | undefined,
  is: HostSettings | undefined,
): NonNullable<AccessChanged["given"]> {
  const [had, has] = [was, is].map((one) => one?.given().names ?? NOTHING);
  return {
    more: sorted([...has!].filter((one) => !had!.has(one))),
    less: sorted([...had!].filter((one) => !has!.has(one))),
  };
}

const NOTHING: ReadonlySet<string> = new Set();

const GRAVEST: readonly Direction[] = ["widens", "changed", "narrows"];

/** A host that comes gives what the plan has; what it brings itself, and what it opens beside the plan, nobody had. */
function firstDirection({ settings, given }: HostSettings): Direction {
  const { open } = settings;
  const opensMore = Array.isArray(open) && open.length > 0;
  return opensMore || given().own.size > 0 ? "widens" : "changed";
}

/** Undefined: the same. */
function givenDirection(was: Given, is: Given): Direction | undefined {
  const had = (text: string): boolean => was.own.has(text) || was.own.has(allOf(text));
  if (![...is.tools].every((one) => was.tools.has(one)) || ![...is.own].every(had)) return "widens";
  return is.tools.size < was.tools.size || ![...was.own].every((one) => is.own.has(one)) ? "narrows" : undefined;
}

/** `role\0*`, all own tools of the role that such a text is about. */
function allOf(text: string): string {
  return `${text.slice(0, text.indexOf("\0"))}\0*`;
}
