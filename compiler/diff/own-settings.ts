import { digestOf } from "../base/digest.ts";
import { sorted } from "../base/order.ts";
import { membersOf } from "../3-plan/members.ts";
import type { Plan, ProjectSettings } from "../3-plan/types.ts";
import type { HostSettings } from "./host-direction.ts";
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
  const names = [was, is].map((one) => String(one?.settings["auth.jwks"]));
  if (names.filter((name) => DIGEST.test(name)).length !== 1) return [was, is];
  return [named(was), named(is)];
}

const DIGEST = / \(sha256:[0-9a-f]{64}\)$/;

function named(one: Known): Known {
  const name = one?.settings["auth.jwks"];
  if (one === undefined || typeof name !== "string") return one;
  return { ...one, settings: { ...one.settings, "auth.jwks": name.replace(DIGEST, "") } };
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
    "auth.jwks": issued?.keys === undefined ? issued?.jwks : `${issued.jwks} (${digestOf(issued.keys)})`,
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
