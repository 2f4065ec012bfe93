import type { Clock } from "../api.ts";
import type { RolecallError } from "../errors.ts";
import { isRefusal, linkFailure, rolecallError, type Failure } from "./failure.ts";

/** When a server that failed may be tried again: at once after a good connection was lost, then later and later. */
export interface Retreat {
  /** `worked`: the connection had answered a call. Gives the milliseconds until the next try. */
  failed(failure: Failure, worked: boolean): number;
  succeeded(): void;
  /** The server is there, and asks for time. */
  asked(ms: number): void;
  waitMs(): number;
}

const FIRST_MS = 500;
const LONGEST_MS = 30_000;

export function createRetreat(clock: Clock): Retreat {
  let failures = 0;
  let nextTry = 0;
  return {
    failed: (failure, worked) => {
      // A server that answers "who are you" is up: new credentials are tried at once.
      failures = worked || isRefusal(failure) ? 0 : failures + 1;
      const wait = failure.retryAfterMs ?? (failures === 0 ? 0 : delayAfter(failures));
      nextTry = clock.now() + wait;
      return wait;
    },
    succeeded: () => {
      failures = 0;
    },
    asked: (ms) => {
      nextTry = Math.max(nextTry, clock.now() + ms);
    },
    waitMs: () => Math.max(0, nextTry - clock.now()),
  };
}

/** Between half and the whole of a time that doubles: many processes shall not come back at one moment. */
function delayAfter(failures: number): number {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10));
  return Math.round(whole * (0.5 + Math.random() / 2));
}

/** A failure, and the error that told it. */
export interface Told {
  readonly failure: Failure;
  readonly error: RolecallError;
}

/** The same once more, until the next try. */
export function whileWaiting({ failure, error }: Told, retryAfterMs: number): RolecallError {
  const { message, server } = error;
  const said = linkFailure(error)?.said;
  const cause = { httpStatus: failure.httpStatus, unsent: true, waiting: true, forgotten: false, said };
  return rolecallError({ ...failure, unsent: true }, { server, message, retryAfterMs, cause });
}
