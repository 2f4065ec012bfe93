import { isObject, own, type JsonObject } from "../../base/json.ts";
import { passedResult, toldInstead, traceOf } from "../../serve/answer.ts";
import { UNREAD } from "../../base/unread-build.ts";
import type { ServedTool } from "../../serve/types.ts";
import type { CallSignal } from "../../../runtime/contract.ts";
import type { RolecallError } from "../../../runtime/index.ts";
import { asking, type AskingDoor, type Unanswered } from "./asking.ts";
import type { GatewayCall, RoleSession } from "./generation.ts";
import type { ServerLibrary } from "./library.ts";
import type { AskedCall, Rounds } from "./rounds.ts";

/** What one client is offered, and what stands behind it at the moment. */
export interface Offer {
  /** Undefined where nothing is offered. */
  readonly session: RoleSession | undefined;
  /** By the name that the client knows. */
  readonly tools: ReadonlyMap<string, ServedTool>;
  /** Servers whose resources it may read. */
  readonly reads: readonly string[];
  /** Servers to which nothing goes until a person says yes. */
  readonly waits: ReadonlySet<string>;
  /** Nothing goes to any, since what was built last can't be read here. */
  readonly isUnread?: true | undefined;
  /** How a person comes to answer, completing "Tell the user ...". */
  readonly inbox: string;
  /** How a missing variable comes to be there, completing "Tell the user ...". */
  readonly setVariable: string;
  /** Another build lies there than is served: where its user sees why, completing "Tell the user ...". */
  readonly behind?: string | undefined;
}

export function serverWaits(inbox: string): string {
  return `This server would be reached in another way than its user has agreed to, and waits for their yes. Nothing was done. Tell the user ${inbox}, then make the same call again.`;
}

/** Where a newer rolecall built it, a host that is started again has the newer process. */
const TOLD_UNREAD = `Nothing was done: ${UNREAD}. Tell the user to start this program again, or to run \`rolecall build\`.`;

/** Of a server that waits. */
export function whyItWaits({ isUnread, inbox }: Pick<Offer, "isUnread" | "inbox">): string {
  return isUnread === true ? TOLD_UNREAD : serverWaits(inbox);
}

export interface CallWorld {
  readonly library: Pick<ServerLibrary, "isSpecType">;
  readonly role: string;
  /** Of its client: what one asks, another doesn't join. */
  readonly door: string;
  /** By its credential, where it has one. */
  readonly caller: string | undefined;
  /** Asked at each list and each call. */
  offer(): Offer;
  /** A person is asked here. */
  readonly asks: AskingDoor;
  readonly rounds: Rounds;
  /** Its client called a tool. */
  called(): void;
}

/** A call of a tool that is offered, however it came. */
export interface ComingCall {
  readonly session: RoleSession;
  readonly tool: ServedTool;
  readonly args: JsonObject | undefined;
  readonly meta: JsonObject | undefined;
  readonly signal: CallSignal;
  readonly client: string | undefined;
  readonly progress: ((progress: object) => void) | undefined;
  /** In a revision whose clients come again by themselves: how often it has. */
  readonly round: number | undefined;
}

/** Its result, as the protocol's newest revision has it. */
export async function carriedOut(world: CallWorld, coming: ComingCall): Promise<JsonObject> {
  const { session, tool, args, meta, signal, client, progress, round } = coming;
  world.called();
  const { waits, isUnread, inbox } = world.offer();
  if (waits.has(tool.server)) return toldInstead(whyItWaits({ isUnread, inbox }));
  const call: AskedCall = { role: world.role, door: world.door, tool, args };
  // What is taken away while a person thinks is gone: the yes was about what is served no more.
  const isServed = (): boolean => stillServes(world.offer(), session, tool);
  let asked: ReturnType<typeof asking> | undefined;
  const { door, caller } = world;
  const ask: GatewayCall["ask"] = (request) =>
    (asked ??= asking(world.asks, { door, caller, client, signal, progress, isServed, inbox })).ask(request);
  const unanswered = (): Unanswered | undefined => asked?.unanswered();
  const options = { signal, meta: traceOf(meta), progress, client, caller: world.caller, ask };
  const answer = await called(session, call, options, { unanswered, offer: world.offer });
  const isToCome = round !== undefined && unanswered()?.isHeld === true;
  const again = isToCome ? await world.rounds.next(round, call) : undefined;
  if (again !== undefined) return { resultType: "input_required", requestState: again };
  return passedResult(answer, (block) => world.library.isSpecType.ContentBlock(block));
}

/** A session stays where its role has less tools than it had. */
function stillServes(now: Offer, session: RoleSession, { server, tool }: ServedTool): boolean {
  const isThere = [...now.tools.values()].some((one) => one.server === server && one.tool === tool);
  return now.session === session && isThere && !now.waits.has(server);
}

/** By its name: each part of the bundle that a door lies in has a class of its own. */
export function isRefusal(error: unknown): error is RolecallError {
  return error instanceof Error && error.name === "RolecallError";
}

/** What a client is told of what was refused: variables are read when the process starts, and not for each call. */
export function adviceOf({ code, advice }: RolecallError, offer: Pick<Offer, "setVariable" | "behind">): string {
  const { setVariable, behind } = offer;
  if (code === "tool-changed" && behind !== undefined)
    return `This tool isn't what it was when what is served was built, and another build lies there that doesn't count yet. Nothing was done. Tell the user ${behind}.`;
  if (code !== "missing-variable") return advice;
  return `${advice} Variables are read when rolecall's process starts: tell the user ${setVariable}. The same call starts it anew.`;
}

/** The server's answer as it came, or what is said in its place. */
async function called(
  session: RoleSession,
  { tool: { server, tool }, args }: AskedCall,
  options: GatewayCall,
  { unanswered, offer }: { unanswered(): Unanswered | undefined; offer(): Offer },
): Promise<JsonObject> {
  try {
    const { meta } = await session.call(server, tool, args, options);
    return meta.raw as JsonObject;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { code, cause } = error;
    const isToolsOwn =
      code === "tool-failed" && isObject(cause as never) && own(cause as JsonObject, "isError") === true;
    return isToolsOwn
      ? (cause as JsonObject)
      : toldInstead((code === "ask-refused" ? unanswered()?.words : undefined) ?? adviceOf(error, offer()));
  }
}
