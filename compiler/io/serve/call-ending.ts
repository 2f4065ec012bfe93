import type { CallSignal } from "../../../runtime/contract.ts";

/** What gives up one call: as much of an AbortController as anybody uses of it. */
export interface CallEnding {
  readonly signal: CallSignal;
  /** Once. */
  abort(reason?: unknown): void;
}

/** Node's own takes 3 us to make and to listen to, and outlives its call in memory: of all that is collected it is most. */
export function callEnding(): CallEnding {
  const heard: (() => void)[] = [];
  const signal = {
    aborted: false,
    reason: undefined as unknown,
    addEventListener: (_: "abort", listener: () => void): void => void heard.push(listener),
    removeEventListener(_: "abort", listener: () => void): void {
      const at = heard.indexOf(listener);
      if (at !== -1) heard.splice(at, 1);
    },
  };
  return {
    signal,
    abort(reason = new DOMException("This operation was aborted", "AbortError")) {
      if (signal.aborted) return;
      Object.assign(signal, { aborted: true, reason });
      for (const listener of heard.splice(0)) listener();
    },
  };
}
