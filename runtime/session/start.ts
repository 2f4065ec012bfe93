import type { RolecallError } from "../errors.ts";
import { finalError, refusal } from "./refusal.ts";
import { connect, useServer } from "./servers.ts";
import { startTrail } from "./trail.ts";
import type { SessionState, Trail } from "./types.ts";

/** A session can't start without some of its servers (`mustConnect`): each has been connected once before the first call. */
export async function startServers(session: SessionState): Promise<void> {
  await Promise.all(
    [...session.awaited].map(async (server) => {
      const trail = startTrail(session, server, "");
      try {
        await connectServer(session, trail);
      } catch (error) {
        const { code, message, retryAfterMs, retryable } = finalError(session, trail, error);
        const words = `role \`${session.role.name}\` can't start without server \`${server}\`: ${message}`;
        throw refusal(session, trail, code, words, { retryAfterMs, retryable });
      }
    }),
  );
}

/** Rejects with code and advice. */
export async function requireServer(session: SessionState, server: string): Promise<void> {
  const trail = startTrail(session, server, "");
  try {
    await connectServer(session, trail);
  } catch (error) {
    throw finalError(session, trail, error) satisfies RolecallError;
  }
}

async function connectServer(session: SessionState, trail: Trail): Promise<void> {
  const { use, link } = await useServer(session, trail.server);
  trail.use = use;
  await connect(session.team, use, link);
  session.awaited.delete(trail.server);
}
