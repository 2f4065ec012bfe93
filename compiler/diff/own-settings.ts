import { sorted } from "../base/order.ts";
import { membersOf } from "../3-plan/members.ts";
import type { Plan, ProjectSettings } from "../3-plan/types.ts";
import type { HostSettings } from "./host-direction.ts";
import { keysListed } from "./listed-keys.ts";
import { inOrder, type TellingKey } from "./setting-meanings.ts";
import type { JsonValue } from "../base/json.ts";

type Own = Pick<ProjectSettings, "serve" | "state">;

/** What rolecall.yaml says of our own servers, as it counts: `rolecall serve` and `rolecall state`. */
export function ownSettings({ serve, state: written }: Own, roles: Plan["roles"]): HostSettings[] {
  const state = written.isWritten ? { ...written, members: membersOf(written, roles) } : written;
  return [
    { block: "serve", name: "serve", settings: inOrder("serve", serveValues(serve)), ...NOTHING },
    { block: "state", name: "state", settings: inOrder("state", stateValues(state)), ...NOTHING },
  ];
}

const NOTHING = {
  given: () => ({ tools: new Set<string>(), names: new Set<string>(), own: new Set<string>() }),
  away: () => new Set<string>(),
  unsaid: new Set<string>(),
};

type Known = HostSettings | undefined;

/** What a file of keys held that isn't in a commit, such as one that git ignores, nobody knows: then its name is compared. */
export function asFarAsKnown(was: Known, is: Known): readonly [Known, Known] {
  if ([was, is].filter((one) => Array.isArray(one?.settings["auth.jwks"])).length !== 1) return [was, is];
  return [named(was), named(is)];
}

function named(one: Known): Known {
  const keys = one?.settings["auth.jwks"];
  if (one === undefined || !Array.isArray(keys)) return one;
  return { ...one, settings: { ...one.settings, "auth.jwks": keys[0]! } };
}

type Values<B extends "serve" | "state"> = Readonly<Record<TellingKey<B>, JsonValue | undefined>>;

function serveValues({ command, env, record, askTimeoutMs, approvers, http }: Own["serve"]): Values<"serve"> {
  const { auth, url, hosts, limits, key } = http;
  const issued = auth !== undefined && "issuer" in auth ? auth : undefined;
  return {
    command,
    env: env.file,
    record,
    askTimeout: `${askTimeoutMs}ms`,
    approvers: sorted(approvers),
    url,
    hosts: sorted(hosts),
    limits: variable(limits),
    key: variable(key),
    "auth.issuer": issued?.issuer,
    "auth.jwks": typeof issued?.keys === "string" ? [issued.jwks!, ...keysListed(issued.keys)] : issued?.jwks,
    "auth.audience": issued?.audience,
    "auth.rolesClaim": issued?.rolesClaim,
    "auth.tokens":
      auth !== undefined && "tokens" in auth
        ? sorted(auth.tokens.map(([role, name]) => `${role}: ${variable(name)}`))
        : undefined,
  };
}

function variable(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `\${${name}}`;
}

function stateValues({ decisions, backlog, history, members }: Own["state"]): Values<"state"> {
  return {
    decisions,
    backlog,
    history,
    members: members?.map(({ name, role }) => `${name}: ${role}`),
    "members.charter": members?.flatMap(({ name, charter }) => (charter === undefined ? [] : [`${name}: ${charter}`])),
  };
}
