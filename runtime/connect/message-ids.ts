import type { Message } from "./library.ts";

/** As text it is the same number, and of a list or in another base it is none: the library says so too. */
export function answeredId(id: unknown): number {
  return typeof id === "number" || (typeof id === "string" && String(Number(id)) === id) ? Number(id) : Number.NaN;
}

export function cancelledId({ params }: Message): Message["id"] {
  const { requestId } = (params ?? {}) as { readonly requestId?: Message["id"] };
  return requestId;
}

/** As the library writes a request. Of another shape it lives as long as any message. */
export function requestIdIn(body: unknown): number | undefined {
  if (typeof body !== "string" || !body.startsWith('{"method":')) return undefined;
  const id = /"id":(\d+)\}$/.exec(body.slice(-30))?.[1];
  return id === undefined ? undefined : Number(id);
}
