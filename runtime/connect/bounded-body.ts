import { createMeter, TooMuch, type Meter } from "./bounds.ts";

/** The same answer, of which no message is larger than may be. Readers of streams tell nobody what was too much: `exceeded` does. */
export function boundedBody(response: Response, exceeded: (problem: TooMuch) => void): Response {
  if (response.body === null || isSmall(response.headers)) return response;
  const isStream = /^\s*text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
  const meter = createMeter();
  const take = isStream ? eventMeter(meter) : meter.take;
  const pass = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, out) {
      try {
        take(chunk);
        // What lies ready is read in one go: others come by between two pieces of a server that sends without end.
        if (chunk.length >= MUCH_AT_ONCE) await new Promise((resolve) => setImmediate(resolve));
        out.enqueue(chunk);
      } catch (problem) {
        if (isStream && problem instanceof TooMuch) exceeded(problem);
        out.error(problem);
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

/** An event ends at an empty line, wherever chunks are cut; lines end in LF, CR LF or CR. */
function eventMeter(meter: Meter): (chunk: Uint8Array) => void {
  let lineIsEmpty = true;
  let afterReturn = false;
  return (chunk) => {
    let from = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      const isEnd = byte === 13 || byte === 10;
      if (byte === 10 && afterReturn) {
        afterReturn = false;
        continue;
      }
      afterReturn = byte === 13;
      if (isEnd && lineIsEmpty) {
        meter.reset();
        from = i + 1;
      }
      lineIsEmpty = isEnd;
    }
    meter.take(chunk.subarray(from));
  };
}
