import path from "node:path";
import { nearest } from "../../base/nearest.ts";
import { visible } from "../../base/visible.ts";
import { shownFile } from "../../base/shell-word.ts";
import { trouble } from "../../io/login/types.ts";
import { trackingOf } from "../../io/read/tracking.ts";
import type { Gateway } from "../../io/serve/gateway.ts";
import { openCredentials } from "../../io/serve/http/credentials.ts";
import { openHttpDoor, type HttpDoor } from "../../io/serve/http/http-door.ts";
import type { ServerLibrary } from "../../io/serve/library.ts";
import { isOwnHost } from "../../serve/http-request.ts";
import { doorInBoth, letsNobodyIn } from "../../serve/settings-taken.ts";
import { keptAt } from "../../io/serve/place.ts";
import type { ServeVariables } from "../../io/serve/variables.ts";
import type { Served } from "../../serve/types.ts";
import type { Context } from "../command.ts";
import { untoldTracking } from "./ways.ts";

/** What `--http` and `--roles` say. */
export interface AskedHttp {
  readonly host: string;
  readonly port: number;
  readonly only: readonly string[] | undefined;
}

export interface OpenedHttp extends HttpDoor {
  /** Where they are, or who gives them. */
  readonly tokens: string;
  readonly left: readonly string[];
  readonly only: ReadonlySet<string> | undefined;
}

export interface HttpParts {
  readonly gateway: Gateway;
  readonly library: ServerLibrary;
  readonly variables: ServeVariables;
  said(line: string): void;
}

export async function openHttp(
  { dir, terminal }: Context,
  { host, port, only }: AskedHttp,
  { gateway, library, variables, said }: HttpParts,
): Promise<OpenedHttp> {
  const { served } = gateway;
  const settings = served.settings.http;
  const unknown = only?.find((role) => !served.roles.has(role));
  if (unknown !== undefined) {
    const near = nearest(unknown, [...served.roles.keys()]);
    throw trouble(
      `project \`${visible(served.project)}\` has no role \`${visible(unknown)}\``,
      near === undefined ? "`rolecall report` shows its roles" : `did you mean \`${near}\`?`,
    );
  }
  const isNobody = letsNobodyIn(settings);
  const isOthers = !isOwnHost(host.includes(":") ? `[${host}]` : host, { hosts: [], url: undefined });
  if (isOthers && (isNobody || settings.auth === undefined)) {
    const [why, next] = isNobody
      ? ["nobody's tokens count", "listen on 127.0.0.1"]
      : ["the project doesn't say whose tokens count", "write `serve: { auth: ... }`, or listen on 127.0.0.1"];
    throw trouble(`\`${visible(host)}\` is open to others, and ${why}`, next);
  }
  const now = asOpened(gateway, said);
  const credentials = openCredentials(now, {
    dir,
    env: variables.env,
    file: `${keptAt(dir, terminal.env)}.tokens.json`,
    served: () => gateway.served,
  });
  const names = only && new Set(only);
  const door = await openHttpDoor({
    gateway,
    library,
    credentials,
    listening: { host, port },
    names: now,
    only: names,
    said,
  });
  const given = isNobody ? "nobody's count until a yes" : "from variables, as `serve: { auth }` says";
  const tokens = credentials.file ?? credentials.issuer ?? given;
  return { ...door, tokens, left: gateway.notOverHttp(), only: names };
}

/** What it was opened with, less what builds took away since; what they open counts from the next start. */
function asOpened(gateway: Gateway, said: HttpParts["said"]): () => Served["settings"]["http"] {
  const opened = gateway.served.settings.http;
  let known = { of: gateway.served, settings: opened };
  return () => {
    const { served } = gateway;
    if (known.of === served) return known.settings;
    const settings = doorInBoth(opened, served.settings.http);
    const isSame = JSON.stringify(settings) === JSON.stringify(known.settings);
    if (!isSame)
      said(
        "a build says in another way who comes in over HTTP: what it takes away counts, the rest from the next start on",
      );
    known = { of: served, settings: isSame ? known.settings : settings };
    return known.settings;
  };
}

/** Who may read the repository, or change it, could come in, or answer what is asked. */
export function refuseSharedSecrets(dir: string, { settings: { http, env } }: Served, { from }: ServeVariables): void {
  const tokens = http.auth !== undefined && "tokens" in http.auth ? http.auth.tokens.map(([, token]) => token) : [];
  const shared = [...tokens, ...(http.key === undefined ? [] : [http.key])].find(
    (variable) => from(variable) === "file",
  );
  if (shared === undefined) return;
  const tracking = trackingOf(path.join(dir, env.file));
  const sets = `, which sets \`${visible(shared)}\``;
  if (tracking === "tracked")
    throw trouble(
      `git tracks \`${visible(env.file)}\`${sets}: whoever has the repository knows it`,
      `take the file out (git rm --cached ${shownFile(env.file)}), and give it another value`,
    );
  if (tracking !== "untracked")
    throw trouble(
      `${untoldTracking(env.file, tracking, sets)}: if it does, whoever has the repository knows it`,
      `${tracking.next}, or set it in the environment alone`,
    );
}
