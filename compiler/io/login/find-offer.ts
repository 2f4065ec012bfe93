import type { Server } from "../../3-plan/types.ts";
import { isAlwaysAuthorized, isHttp, withoutAuthorization } from "../../live-server/authorization.ts";
import { failureOf } from "../../live-server/failures.ts";
import type { ServerFailure } from "../../live-server/types.ts";
import { transportData } from "../../runtime-data/transport.ts";
import { askOver, type AskOptions } from "../ask/ask-server.ts";
import { guardedFetch } from "./addresses.ts";
import { listenForChallenge, readOffer, type SignInOffer } from "./discover.ts";
import { trouble, type LoginTrouble } from "./types.ts";

/**
 * Asks a server without any token, and reads how one logs in. The first transport over HTTP that says something decides, as
 * when rolecall connects. Undefined: it asks for no login. Throws `LoginTrouble`.
 */
export async function findOffer(
  server: Server,
  asking: AskOptions,
  signal: AbortSignal,
): Promise<{ readonly url: string; readonly offer: SignInOffer } | undefined> {
  const entries = server.connect.map(transportData).filter(isHttp);
  if (entries.length === 0) throw trouble(A_PROCESS, "give it what it needs in variables, under `env`");
  let failure: ServerFailure | undefined;
  for (const entry of entries) {
    if (isAlwaysAuthorized(entry)) throw alwaysGiven();
    const login = listenForChallenge();
    const { said, values } = await askOver(withoutAuthorization(entry), { ...asking, login });
    const challenge = login.challenge();
    if (challenge !== undefined)
      return { url: challenge.url, offer: await readOffer(challenge, guardedFetch(challenge.url, signal)) };
    if ("tools" in said) return undefined;
    failure = failureOf(said, server, asking.timeoutMs, values);
    if (!said.goesOn) break;
  }
  throw failure!;
}

const A_PROCESS = "it is a process on this machine, and logs in by its own means";

function alwaysGiven(): LoginTrouble {
  return trouble(
    "the project gives it a token in `Authorization`, which wins over a login",
    `set its variable; or write \`${"Authorization: ${NAME:+Bearer ${NAME}}"}\` to allow both`,
  );
}
