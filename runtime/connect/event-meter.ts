import type { Meter } from "./bounds.ts";
import type { Noise } from "./noise.ts";
import { LINE_FEED, RETURN } from "./tally.ts";

/** Takes a piece of the chunk and says where it ends. Throws TooMuch. */
export type Take = (chunk: Uint8Array, from: number) => number;

export interface EventMeter {
  readonly take: Take;
  /** The stream is over. Throws TooMuch. */
  end(): void;
}

/** In one piece: lines cost their reader far more than their bytes. */
const MANY_AT_ONCE = 500;
/** What isn't data costs its reader less than an event, and no answer gives it back. */
const COST_OF_LINE = 0.1;

/**
 * Counts what a reader of the stream puts together of an event, the text of its `data`, and nothing else as JSON: what
 * stands beside it could make a bracket or a quote of the message seem to be another. An event ends at an empty line,
 * wherever chunks are cut; lines end in LF, CR LF or CR.
 */
export function eventMeter(meter: Meter, noise: Noise): EventMeter {
  const line = createLine();
  let afterReturn = false;
  let isBegun = false;
  const endLine = (): void => {
    if (line.isEmpty()) {
      noise.heard(meter.cost());
      meter.reset();
      isBegun = false;
    } else {
      if (!line.isData()) noise.heard(COST_OF_LINE);
      meter.endLine();
      isBegun = true;
    }
    line.next();
  };
  return {
    take(chunk, start) {
      let from = start;
      for (let lines = 0; from < chunk.length && lines < MANY_AT_ONCE; lines++) {
        if (afterReturn && chunk[from] === LINE_FEED) from++;
        afterReturn = false;
        const to = lineEnd(chunk, from);
        const data = line.take(chunk, from, to);
        meter.pass(data - from);
        if (data < to) meter.take(chunk.subarray(data, to));
        from = to;
        if (to === chunk.length) break;
        afterReturn = chunk[to] === RETURN;
        endLine();
        from++;
      }
      return from;
    },
    end() {
      if (isBegun || !line.isEmpty()) noise.heard(meter.cost());
    },
  };
}

function lineEnd(chunk: Uint8Array, from: number): number {
  let at = from;
  while (at < chunk.length && chunk[at] !== LINE_FEED && chunk[at] !== RETURN) at++;
  return at;
}

interface Line {
  /** Where in this piece of the line its data begins. */
  take(chunk: Uint8Array, from: number, to: number): number;
  isEmpty(): boolean;
  isData(): boolean;
  next(): void;
}

const DATA = [..."data:"].map((sign) => sign.charCodeAt(0));
const LAST_OF_ASCII = 127;

function createLine(): Line {
  let [length, matched] = [0, 0];
  let [isFirst, isOther] = [true, false];
  return {
    take(chunk, from, to) {
      let at = from;
      for (; at < to && !isOther && matched < DATA.length; at++) {
        // Readers leave out the mark of the byte order, one of them in either of two spellings.
        if (isFirst && matched === 0 && chunk[at]! > LAST_OF_ASCII) continue;
        if (chunk[at] === DATA[matched]) matched++;
        else isOther = true;
      }
      length += to - from;
      return isOther ? to : at;
    },
    isEmpty: () => length === 0,
    isData: () => matched === DATA.length,
    next() {
      length = matched = 0;
      isFirst = isOther = false;
    },
  };
}
