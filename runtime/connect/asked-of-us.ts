import type { Message, Transport } from "./library.ts";
import { cancelledId } from "./message-ids.ts";

/** Requests of a server's that are answered at once. */
const MOST_ANSWERED = 16;

/**
 * A server may ask us too, and each answer is held until it is sent, over HTTP with a connection of its own. What comes
 * while so many are under way isn't heard: whoever asks that much waits for no answer.
 */
export interface AskedOfUs {
  /** Of a message with a method. */
  hears(message: Message): boolean;
  /** Waits for the answer to be sent; what is no answer goes through. */
  sending(message: Message, sent: Promise<void>): Promise<void>;
}

export function createAskedOfUs(): AskedOfUs {
  const answering = new Set<Message["id"]>();
  return {
    hears(message) {
      if (message.method === "notifications/cancelled") answering.delete(cancelledId(message));
      if (message.id === undefined) return true;
      if (answering.size >= MOST_ANSWERED) return false;
      answering.add(message.id);
      return true;
    },
    sending: (message, sent) =>
      message.method === undefined && answering.has(message.id)
        ? sent.finally(() => answering.delete(message.id))
        : sent,
  };
}

/** For the library's transports; our own looks by itself. */
export function limitAsking(transport: Transport): void {
  const asked = createAskedOfUs();
  const send = transport.send.bind(transport);
  transport.send = (message, options) => asked.sending(message, send(message, options));
  let heard: Transport["onmessage"];
  let current: Message | undefined;
  const isHeard = (message: Message): boolean => {
    // Handlers are chained: the outermost has decided.
    if (message === current || message.method === undefined) return true;
    if (!asked.hears(message)) return false;
    current = message;
    return true;
  };
  Object.defineProperty(transport, "onmessage", {
    get: () => heard,
    set: (given: Handler) => {
      heard = (message: Message, ...more: unknown[]) => {
        if (isHeard(message)) given(message, ...more);
      };
    },
  });
}

/** Transports hand on more than the message. */
type Handler = (message: Message, ...more: unknown[]) => void;
