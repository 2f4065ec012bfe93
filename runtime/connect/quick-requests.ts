// oxlint-disable unicorn/prefer-add-event-listener -- the library's transports are no event targets
import type { JsonValue } from "../contract.ts";
import type { Message, RequestOptions, Transport } from "./library.ts";
import { answeredId } from "./message-ids.ts";

/**
 * Requests over the pipes of a child go past the library, which makes of each a handful of promises and reads its answer
 * twice by schemas: half of what a call costs. It has every answer that isn't a plain result, as if it had asked itself,
 * so that whatever is said of an answer is said by one of the two.
 */
export type Ask = (method: string, params: object, options: RequestOptions) => Promise<unknown>;

/** Far from the library's own numbers, and still one that every server can hold. */
const FIRST_ID = 2 ** 30;

/** `transport`: connected. `slow`: the library's way. */
export function quickRequests(transport: Transport, slow: Ask): Ask {
  const waiting = new Map<number, (answer: Message | Error) => void>();
  let last = FIRST_ID;
  let handed: Message | undefined;
  const send = transport.send.bind(transport);
  const { onmessage, onclose } = transport;
  transport.onmessage = (message) => {
    const take = message.method === undefined ? waiting.get(answeredId(message.id)) : undefined;
    if (take === undefined) onmessage?.(message);
    else take(message);
  };
  transport.onclose = () => {
    onclose?.();
    for (const take of waiting.values()) take(unanswered("CONNECTION_CLOSED", "Connection closed"));
  };
  transport.send = (message, options) => {
    if (handed === undefined || message.method === undefined) return send(message, options);
    const answer = { ...handed, id: message.id };
    handed = undefined;
    onmessage?.(answer);
    return Promise.resolve();
  };
  const read = (answer: Message, ask: () => Promise<unknown>): Promise<unknown> => {
    handed = answer;
    const said = ask();
    // Where the connection is over it doesn't come as far as to send.
    handed = undefined;
    return said;
  };
  return (method, params, options) => {
    const { signal, timeout, onprogress } = options;
    if (onprogress !== undefined || signal?.aborted === true) return slow(method, params, options);
    const id = ++last;
    const began = performance.now();
    return new Promise((resolve, reject) => {
      const cancel = (reason: string): void => {
        const params = { requestId: id, reason };
        send({ jsonrpc: "2.0", method: "notifications/cancelled", params }).catch(() => {});
        take(unanswered("REQUEST_TIMEOUT", reason));
      };
      const onAbort = (): void => cancel(String(signal?.reason));
      const take = (answer: Message | Error): void => {
        waiting.delete(id);
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        if (answer instanceof Error) return reject(answer);
        if (isPlain(answer)) return resolve(answer["result"]);
        const left = Math.max(0, timeout - (performance.now() - began));
        resolve(read(answer, () => slow(method, params, { ...options, timeout: left })));
      };
      const timer = setTimeout(() => cancel("SdkError: Request timed out"), timeout);
      waiting.set(id, take);
      signal?.addEventListener("abort", onAbort);
      send({ method, params, jsonrpc: "2.0", id }).catch(take);
    });
  };
}

const OF_AN_ANSWER: ReadonlySet<string> = new Set(["jsonrpc", "id", "result"]);

/** Of which the library would say nothing. */
function isPlain(answer: Message): boolean {
  for (const key in answer) if (!OF_AN_ANSWER.has(key)) return false;
  const result = answer["result"] as JsonValue | undefined;
  if (answer["jsonrpc"] !== "2.0" || typeof result !== "object" || result === null || Array.isArray(result))
    return false;
  const { _meta, resultType } = result as { readonly _meta?: unknown; readonly resultType?: unknown };
  return _meta === undefined && resultType === undefined;
}

/** As the library says it. */
function unanswered(code: string, words: string): Error {
  return Object.assign(new Error(words), { code });
}
