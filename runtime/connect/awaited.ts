// oxlint-disable unicorn/prefer-add-event-listener -- the library's transports are no event targets
import { CUT_OFF } from "./failure.ts";
import { timerMs } from "./in-time.ts";
import type { Message, Transport } from "./library.ts";
import { answeredId, cancelledId, requestIdIn } from "./message-ids.ts";

/**
 * The requests of ours that wait for their answer over HTTP. What was asked ends with who asked: a call that is over
 * without an answer is told to the server, its request is ended with its socket, and its stream isn't resumed.
 */
export interface Awaited {
  /** `broke`: a stream ended that should have brought an answer. */
  watch(transport: Transport, broke: () => void): void;
  /** For the event source, which hands no signal on: it ends what has this text as its body. */
  signalFor(body: unknown): AbortSignal;
}

/** What waits for no answer must be taken within the time. `answered` is told of each answer that came. */
export function createAwaited(timeoutMs: number, answered: () => void): Awaited {
  const awaited = new Map<Message["id"], AbortController>();
  const limit = (): AbortSignal => AbortSignal.timeout(Math.ceil(timerMs(timeoutMs)));
  return {
    signalFor: (body) => awaited.get(requestIdIn(body))?.signal ?? limit(),
    watch(transport, broke) {
      const send = transport.send.bind(transport);
      transport.send = async (message, options) => {
        const { id, method } = message;
        if (method === "notifications/cancelled") end(cancelledId(message));
        if (id === undefined || method === undefined)
          return await send(message, { ...options, requestSignal: limit() });
        const ending = new AbortController();
        awaited.set(id, ending);
        // The library waits on when the stream ends that should bring the answer: we give the answer that it broke.
        const onRequestStreamEnd = (): void => {
          if (!awaited.delete(id)) return;
          transport.onmessage?.({ jsonrpc: "2.0", id, error: { code: -32000, message: "cut off", data: CUT_OFF } });
          broke();
        };
        try {
          await send(message, { ...options, requestSignal: ending.signal, onRequestStreamEnd });
        } catch (error) {
          awaited.delete(id);
          throw error;
        }
      };
      transport.onmessage = (message) => {
        if (message.method === undefined && awaited.delete(answeredId(message.id))) answered();
      };
    },
  };

  function end(id: Message["id"]): void {
    awaited.get(id)?.abort();
    awaited.delete(id);
  }
}
