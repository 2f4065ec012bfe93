import { isObject, own, type JsonValue } from "../base/json.ts";
import { stableText } from "../base/stable-text.ts";
import type { Direction } from "./types.ts";

export interface HostSettings {
  readonly name: string;
  readonly settings: JsonValue;
  /** What its files give, each as a text that means nothing but itself; of what opens more, that which opens less too. */
  readonly gives: ReadonlySet<string>;
  /** The host's own tools that its roles have, in the same way. */
  readonly own: ReadonlySet<string>;
  /** Roles that say nothing of the host's own tools, and so have them all. */
  readonly open: ReadonlySet<string>;
}

export function hostDirection(was: HostSettings | undefined, is: HostSettings | undefined): Direction {
  if (is === undefined) return "narrows";
  // A host that comes gives what the plan has; what it brings itself nobody had.
  if (was === undefined) return is.own.size > 0 ? "widens" : "changed";
  const had = (text: string): boolean => was.own.has(text) || was.own.has(allOf(text));
  const isMore = [...is.gives].some((one) => !was.gives.has(one)) || [...is.own].some((one) => !had(one));
  if (isMore || DECIDING.some((key) => textOf(was, key) !== textOf(is, key))) return "widens";
  return is.gives.size < was.gives.size || stableText([...is.own]) !== stableText([...was.own]) ? "narrows" : "changed";
}

/** How it's told of a variable, or of which, decides where it connects, and with what; a gateway's door, who gets in. */
const DECIDING = ["assume", "env", "issuer", "audience", "jwks", "claim", "url", "gateway"];

function textOf({ settings }: HostSettings, key: string): string {
  return stableText(isObject(settings) ? (own(settings, key) ?? null) : null);
}

/** `role\0*`, all own tools of the role that such a text is about. */
function allOf(text: string): string {
  return `${text.slice(0, text.indexOf("\0"))}\0*`;
}
