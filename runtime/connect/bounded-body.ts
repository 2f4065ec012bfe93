import { createMeter, TooMuch, type Meter } from "./bounds.ts";
import { eventMeter, type Take } from "./event-meter.ts";
import type { Noise } from "./noise.ts";

export interface Bounds {
  /** It is read event by event, as what it says of itself is believed nowhere. */
  readonly isStream: boolean;
  readonly noise: Noise;
  /** Readers of streams tell nobody what was too much. */
  exceeded(problem: TooMuch): void;
}

/** The same answer, of which no message is larger than may be. */
export function boundedBody(response: Response, { isStream, noise, exceeded }: Bounds): Response {
  if (response.body === null || (!isStream && isSmall(response.headers))) return response;
  const meter = createMeter();
  const events = isStream ? eventMeter(meter, noise) : undefined;
  const take = events?.take ?? wholeMeter(meter);
  const refuse = (problem: unknown): unknown => {
    if (isStream && problem instanceof TooMuch) exceeded(problem);
    return problem;
  };
  const pass = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, out) {
      try {
        for (let from = 0, to; from < chunk.length; from = to) {
          to = take(chunk, from);
          out.enqueue(chunk.subarray(from, to));
          // What lies ready is read in one go: others come by between two pieces of a server that sends without end.
          if (to - from >= MUCH_AT_ONCE || to < chunk.length) await new Promise((resolve) => setImmediate(resolve));
        }
      } catch (problem) {
        out.error(refuse(problem));
      }
    },
    flush(out) {
      try {
        events?.end();
      } catch (problem) {
        out.error(refuse(problem));
      }
    },
  });
  return new Response(response.body.pipeThrough(pass), response);
}

const MUCH_AT_ONCE = 8 * 1024;

/** As it says itself: more than that isn't read as the body. Unpacked it would be another size. */
function isSmall(headers: Headers): boolean {
  const length = headers.get("content-length");
  return length !== null && Number(length) <= SMALL && !headers.has("content-encoding");
}

const SMALL = 64 * 1024;

function wholeMeter(meter: Meter): Take {
  return (chunk) => {
    meter.take(chunk);
    meter.refuseMany();
    return chunk.length;
  };
}
