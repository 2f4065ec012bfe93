import { createMeter, TooMuch, type Meter } from "./bounds.ts";
import type { Noise } from "./noise.ts";

/** The same answer, of which no message is larger than may be. Readers of streams tell nobody what was too much: `exceeded` does. */
export function boundedBody(response: Response, noise: Noise, exceeded: (problem: TooMuch) => void): Response {
  if (response.body === null || isSmall(response.headers)) return response;
  const isStream = /^\s*text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
  const meter = createMeter();
  const take = isStream ? eventMeter(meter, noise) : wholeMeter(meter);
  const pass = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, out) {
      try {
        for (let from = 0, to; from < chunk.length; from = to) {
          to = take(chunk, from);
          // What lies ready is read in one go: others come by between two pieces of a server that sends without end.
          if (to - from >= MUCH_AT_ONCE || to < chunk.length) await new Promise((resolve) => setImmediate(resolve));
          out.enqueue(chunk.subarray(from, to));
        }
      } catch (problem) {
        if (isStream && problem instanceof TooMuch) exceeded(problem);
        out.error(problem);
      }
    },
  });
  return new Response(response.body.pipeThrough(pass), response);
}

const MUCH_AT_ONCE = 8 * 1024;
/** Events, which cost their reader far more than their bytes. */
const MANY_AT_ONCE = 200;

/** As it says itself: more than that isn't read as the body. Unpacked it would be another size. */
function isSmall(headers: Headers): boolean {
  const length = headers.get("content-length");
  return length !== null && Number(length) <= SMALL && !headers.has("content-encoding");
}

const SMALL = 64 * 1024;

/** Takes a piece of the chunk and says where it ends. */
type Take = (chunk: Uint8Array, from: number) => number;

function wholeMeter(meter: Meter): Take {
  return (chunk) => {
    meter.take(chunk);
    return chunk.length;
  };
}

/** An event ends at an empty line, wherever chunks are cut; lines end in LF, CR LF or CR. */
function eventMeter(meter: Meter, noise: Noise): Take {
  let lineIsEmpty = true;
  let afterReturn = false;
  return (chunk, start) => {
    let from = start;
    let events = 0;
    for (let i = start; i < chunk.length; i++) {
      const byte = chunk[i]!;
      const isEnd = byte === 13 || byte === 10;
      if (byte === 10 && afterReturn) {
        afterReturn = false;
        continue;
      }
      afterReturn = byte === 13;
      if (isEnd && lineIsEmpty) {
        noise.heard();
        meter.reset();
        from = i + 1;
        if (++events === MANY_AT_ONCE) return from;
      }
      lineIsEmpty = isEnd;
    }
    meter.take(chunk.subarray(from));
    return chunk.length;
  };
}
