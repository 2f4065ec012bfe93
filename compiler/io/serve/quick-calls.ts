import type { CallSignal } from "../../../runtime/contract.ts";
import { isObject, own, type JsonObject } from "../../base/json.ts";
import { envelopeOf, everydayAnswer, everydayCall, type Envelope, type EverydayCall } from "../../serve/everyday.ts";
import { toldInstead } from "../../serve/answer.ts";
import { callEnding, type CallEnding } from "./call-ending.ts";
import { carriedOut, type CallWorld, type Offer } from "./carried-out.ts";
import type { Message } from "./library.ts";
import { enters, leaves, TOO_MUCH_UNDER_WAY, type UnderWay } from "./under-way.ts";

/**
 * Calls of the everyday shape go past the protocol's library, which would read each of them three times over. It has
 * judged the first request of a client; what another one says in the same way is as good. A result of another shape is
 * handed to the library, as that of the call that it was spared.
 */
export interface QuickCalls {
  /** The library has taken a request: all that are like it may go past it. */
  known(client: KnownClient): void;
  /** True: it is taken, and will be answered here. `bytes`: of its line. */
  take(message: Message, bytes: number): boolean;
  /** What a call of this id has come to that was carried out here, once; undefined: it is to be carried out. */
  outcome(id: number | string): CallEnd | undefined;
  /** Nobody waits for answers any more. */
  end(): void;
}

export interface KnownClient {
  readonly isNewer: boolean;
  readonly envelope: { readonly [key: string]: unknown } | undefined;
  /** As it tells itself: of the newer protocol in each envelope, of the older one at its beginning. */
  readonly name: string | undefined;
}

export type CallEnd = { readonly result: JsonObject } | { readonly thrown: unknown };

export interface QuickWorld extends CallWorld {
  readonly serverInfo: JsonObject;
  readonly underWay: UnderWay;
  write(line: string): void;
  /** To the library. */
  deliver(message: Message): void;
}

export function quickCalls(world: QuickWorld): QuickCalls {
  const endings = new Map<number | string, CallEnding>();
  const outcomes = new Map<number | string, CallEnd>();
  let client: KnownClient | undefined;
  let envelope: Envelope = new Map();
  const answerOf = ({ id }: EverydayCall, result: JsonObject): string | undefined =>
    everydayAnswer(id, result, { isNewer: client!.isNewer, serverInfo: world.serverInfo });
  const finish = (message: Message, call: EverydayCall, outcome: CallEnd, signal: CallSignal): void => {
    endings.delete(call.id);
    if (signal.aborted) return;
    const line = "result" in outcome ? answerOf(call, outcome.result) : undefined;
    if (line !== undefined) return world.write(line);
    outcomes.set(call.id, outcome);
    world.deliver(message);
  };
  const begin = (message: Message, call: EverydayCall, { session, tool }: Found, bytes: number): void => {
    const ending = callEnding();
    endings.set(call.id, ending);
    const { args, meta, token } = call;
    const { signal } = ending;
    const told = (progress: object): void => world.write(progressLine(progress, token));
    const over = (outcome: CallEnd): void => {
      leaves(world.underWay, bytes);
      finish(message, call, outcome, signal);
    };
    carriedOut(world, {
      session,
      tool,
      args,
      meta,
      signal,
      client: client!.name,
      progress: token === undefined ? undefined : told,
      round: client!.isNewer ? 0 : undefined,
    }).then(
      (result) => over({ result }),
      (thrown: unknown) => over({ thrown }),
    );
  };
  return {
    known(next) {
      client = next;
      envelope = envelopeOf(next.envelope);
    },
    take(message, bytes) {
      if (message.method === "notifications/cancelled") cancel(endings, message);
      if (client === undefined || message.method !== "tools/call") return false;
      const call = everydayCall(message, envelope);
      if (call === undefined || endings.has(call.id) || outcomes.has(call.id)) return false;
      const found = findTool(world.offer(), call.name);
      if (found === undefined) return false;
      if (enters(world.underWay, bytes)) begin(message, call, found, bytes);
      else world.write(answerOf(call, toldInstead(TOO_MUCH_UNDER_WAY))!);
      return true;
    },
    outcome(id) {
      const known = outcomes.get(id);
      outcomes.delete(id);
      return known;
    },
    end() {
      for (const ending of endings.values()) ending.abort();
    },
  };
}

interface Found {
  readonly session: NonNullable<Offer["session"]>;
  readonly tool: NonNullable<ReturnType<Offer["tools"]["get"]>>;
}

/** Of a tool whose results aren't what the older revisions know, the library makes what they do. */
function findTool({ session, tools }: Offer, name: string): Found | undefined {
  const tool = tools.get(name);
  if (tool === undefined || session === undefined) return undefined;
  const promised = own(tool.told, "outputSchema");
  return isObject(promised) && own(promised, "type") !== "object" ? undefined : { session, tool };
}

function cancel(endings: ReadonlyMap<number | string, CallEnding>, { params }: Message): void {
  const { requestId, reason } = (params ?? {}) as { readonly requestId?: number | string; readonly reason?: unknown };
  if (requestId === undefined || (reason !== undefined && typeof reason !== "string")) return;
  endings.get(requestId)?.abort(reason);
}

function progressLine(progress: object, token: EverydayCall["token"]): string {
  const params = { ...progress, progressToken: token };
  return JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params });
}
