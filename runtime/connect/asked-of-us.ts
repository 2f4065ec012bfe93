import type { Message, Transport } from "./library.ts";

/** Requests of a server's that are answered at once. */
const MOST_ANSWERED = 16;

/**
 * A server may ask us too, and each answer is held until it is sent, over HTTP with a connection of its own. What comes
 * while so many are under way isn't heard: whoever asks that much waits for no answer.
 */
export function limitAsking(transport: Transport): void {
  const answering = new Set<Message["id"]>();
  const send = transport.send.bind(transport);
  transport.send = (message, options) =>
    message.method === undefined && answering.has(message.id)
      ? send(message, options).finally(() => answering.delete(message.id))
      : send(message, options);
  let heard: Transport["onmessage"];
  let current: Message | undefined;
  const isHeard = (message: Message): boolean => {
    // Handlers are chained: the outermost has decided.
    if (message === current || message.method === undefined) return true;
    if (message.method === "notifications/cancelled") answering.delete(cancelledId(message));
    if (message.id === undefined) return true;
    if (answering.size >= MOST_ANSWERED) return false;
    answering.add(message.id);
    current = message;
    return true;
  };
  Object.defineProperty(transport, "onmessage", {
    get: () => heard,
    set: (given: NonNullable<Transport["onmessage"]>) => {
      heard = (...args) => {
        if (isHeard(args[0])) given(...args);
      };
    },
  });
}

function cancelledId({ params }: Message): Message["id"] {
  const { requestId } = (params ?? {}) as { readonly requestId?: Message["id"] };
  return requestId;
}
