import type { SessionState, Trail } from "./types.ts";

/** A call of which nothing is known but its name. */
export function startTrail({ team }: SessionState, server: string, tool: string): Trail {
  return {
    server,
    tool,
    startedAt: team.clock.now(),
    started: team.elapsed(),
    deadline: undefined,
    args: null,
    effect: undefined,
    use: undefined,
    entry: undefined,
    ask: null,
    by: undefined,
    client: undefined,
    caller: undefined,
    askedMs: 0,
    sent: false,
    cached: false,
    result: undefined,
    httpStatus: undefined,
    retries: 0,
    renewed: false,
    waitedMs: 0,
    hurried: false,
    byHost: false,
    resultBytes: undefined,
    span: undefined,
  };
}
