import { UNREAD } from "../../base/unread-build.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Gateway } from "../../io/serve/gateway.ts";
import type { Answering } from "../../io/serve/answering.ts";
import type { Inbox } from "../../io/serve/inbox.ts";
import type { ReadVariables } from "../../io/serve/variables.ts";
import type { Builds } from "./builds.ts";

export interface StatusFacts {
  readonly gateway: Gateway;
  readonly builds: Pick<Builds, "standing">;
  readonly inbox: Inbox;
  readonly answering: Answering;
  readonly http: { readonly address: string } | undefined;
  readonly variables: ReadVariables;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly version: string;
  readonly pid: number;
  readonly isFirstStart: boolean;
}

/** What `rolecall serve --status` tells; of variables never a value. */
export async function statusJson(facts: StatusFacts): Promise<JsonObject> {
  const { gateway, builds, inbox, answering, http, variables, since, version, pid, isFirstStart } = facts;
  const { served, clients } = gateway;
  return {
    format: 1,
    project: served.project,
    version,
    pid,
    since,
    firstStart: isFirstStart,
    build: builds.standing,
    roles: [...served.roles.keys()],
    clients: [...clients].map(({ hello, since: come, name, lastCall, door }) => ({
      role: hello.role,
      server: hello.server ?? null,
      member: hello.member ?? null,
      host: hello.host ?? null,
      client: name ?? null,
      since: come,
      lastCall: lastCall ?? null,
      asks: inbox.waitingAt(door),
    })),
    servers: serversJson(gateway),
    variables: served.variables.map((name) => ({ name, from: variables.from(name) ?? null })),
    variablesFile: { file: variables.file, isAsRead: variables.isAsRead() },
    http: http?.address ?? null,
    shells: [...served.shells].map(([role, tools]) => ({ role, tools: [...tools] })),
    asks: (await answering.waiting()).length,
    approvers: answering.approvers,
  };
}

/** One that waits for a person isn't connected, whatever it was before. */
function serversJson({ served: { waits, isUnread }, health }: Gateway): JsonObject[] {
  const known = health().filter(({ name }) => !waits.has(name));
  const why = isUnread ? `${UNREAD}: \`rolecall build\`` : "it would be reached in another way: `rolecall asks`";
  return [
    ...known.map(({ name, state, why }) => ({ name, state, why: why ?? null })),
    ...[...waits].map((name) => ({ name, state: "waits", why })),
  ];
}
