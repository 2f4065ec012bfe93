import type { Tap } from "../../../runtime/connect/wire.ts";
import { eventReader, wholeReader } from "../../live-server/event-texts.ts";

/** Longer messages are none: no manifest of that size could be read again. */
const MOST_CHARACTERS = 50_000_000;

/**
 * Every message as the text that came in, told before the client library reads it: its reader drops and reorders keys and
 * keeps the last of two that stand twice.
 */
export function textTap(take: (text: string) => void, tooLarge: () => void): Tap {
  const limit = { characters: MOST_CHARACTERS, exceeded: tooLarge };
  return {
    line: (text) => (text.length > MOST_CHARACTERS ? tooLarge() : take(text)),
    response: (response) => {
      if (!response.ok || response.body === null) return response;
      const isStream = /^\s*text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
      const reader = isStream ? eventReader(take, limit) : wholeReader(take, limit);
      const decoder = new TextDecoder();
      const pass = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, out) => {
          reader.push(decoder.decode(chunk, { stream: true }));
          out.enqueue(chunk);
        },
        flush: () => reader.end(),
      });
      return new Response(response.body.pipeThrough(pass), response);
    },
  };
}
