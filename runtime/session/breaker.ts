/**
 * After so many failures in a row nobody calls the server for a while; then one call tries, and its outcome decides.
 * Failures of calls that were under way together are one failure: they tell of the same event.
 */
export interface Breaker {
  /** Milliseconds until a call may be made; undefined when one may be made now. */
  closedFor(): number | undefined;
  /** Every call that is let in must end in one of the three below. Undefined: not now. */
  enter(): Ticket | undefined;
  succeeded(ticket: Ticket): void;
  failed(ticket: Ticket): void;
  /** It says nothing about the server. */
  left(ticket: Ticket): void;
  readonly isOpen: boolean;
}

export interface Ticket {
  readonly epoch: number;
  readonly trial: boolean;
}

export interface BreakerSettings {
  readonly failures: number;
  readonly cooldownMs: number;
}

export function createBreaker(
  settings: BreakerSettings,
  now: () => number,
  changed: (state: "down" | "up") => void,
): Breaker {
  let failures = 0;
  let epoch = 0;
  let openUntil: number | undefined;
  let trying = false;
  const closedFor = (): number | undefined => {
    if (openUntil === undefined) return undefined;
    const left = openUntil - now();
    return left > 0 ? left : trying ? 0 : undefined;
  };
  const open = (): void => {
    const news = openUntil === undefined;
    openUntil = now() + settings.cooldownMs;
    if (news) changed("down");
  };
  const end = (ticket: Ticket): void => {
    if (ticket.trial) trying = false;
  };
  return {
    closedFor,
    enter() {
      if (closedFor() !== undefined) return undefined;
      const trial = openUntil !== undefined;
      if (trial) trying = true;
      return { epoch, trial };
    },
    succeeded(ticket) {
      end(ticket);
      if (openUntil !== undefined && !ticket.trial) return;
      failures = 0;
      if (openUntil === undefined) return;
      openUntil = undefined;
      changed("up");
    },
    failed(ticket) {
      end(ticket);
      if (ticket.epoch !== epoch) return;
      epoch++;
      failures++;
      if (failures >= settings.failures) open();
    },
    left: end,
    get isOpen() {
      return openUntil !== undefined;
    },
  };
}
