/**
 * After so many failures in a row nobody calls the server for a while; then one call tries, and its outcome decides. A
 * call counts once, however often it was sent, and calls that were under way together tell of one failure. An answer
 * begins the count anew; a connection that was made doesn't, for a server may come up and die at each call.
 */
export interface Breaker {
  /** Milliseconds until a call may be made; undefined when one may be made now. */
  closedFor(): number | undefined;
  /** Every call that is let in must end in one of the three below. Undefined: not now. */
  enter(): Ticket | undefined;
  /** For a call that somebody else makes: it keeps nobody away, and needn't end. */
  beside(): Ticket;
  answered(ticket: Ticket): void;
  failed(ticket: Ticket): void;
  /** It says nothing about the server. */
  left(ticket: Ticket): void;
  /** A connection ended by itself. Where calls are under way, their end says it. */
  lost(): void;
  readonly isOpen: boolean;
  /** One more failure closes the door, or keeps it closed. */
  readonly isLastChance: boolean;
}

export interface Ticket {
  readonly epoch: number;
  readonly trial: boolean;
  readonly inside: boolean;
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
  let inside = 0;
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
    if (ticket.inside) inside--;
  };
  const count = (): void => {
    epoch++;
    failures++;
    if (failures >= settings.failures) open();
  };
  return {
    closedFor,
    enter() {
      if (closedFor() !== undefined) return undefined;
      const trial = openUntil !== undefined;
      if (trial) trying = true;
      inside++;
      return { epoch, trial, inside: true };
    },
    beside: () => ({ epoch, trial: false, inside: false }),
    answered(ticket) {
      end(ticket);
      // What began before the door was closed opens it no more.
      if (openUntil !== undefined && !ticket.trial && ticket.epoch !== epoch) return;
      failures = 0;
      if (openUntil === undefined) return;
      openUntil = undefined;
      changed("up");
    },
    failed(ticket) {
      end(ticket);
      if (ticket.epoch === epoch) count();
    },
    left: end,
    lost() {
      if (inside === 0 && closedFor() === undefined) count();
    },
    get isOpen() {
      return openUntil !== undefined;
    },
    get isLastChance() {
      return failures + 1 >= settings.failures;
    },
  };
}
