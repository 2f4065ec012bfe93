import { isObject, own, type JsonObject } from "../../base/json.ts";
import { passedResult, toldInstead, traceOf } from "../../serve/answer.ts";
import type { ServedTool } from "../../serve/types.ts";
import { RolecallError } from "../../../runtime/index.ts";
import { asking, type AskingDoor, type Unanswered } from "./asking.ts";
import type { GatewayCall, RoleSession } from "./generation.ts";
import type { Implementation, McpRequest, McpServer, RequestContext, ServerLibrary } from "./library.ts";
import { lineTransport } from "./line-transport.ts";
import type { Duplex } from "./lines.ts";
import type { AskedCall, Rounds } from "./rounds.ts";

/** What one client is offered, and what stands behind it at the moment. */
export interface Offer {
  /** Undefined where nothing is offered. */
  readonly session: RoleSession | undefined;
  /** By the name that the client knows. */
  readonly tools: ReadonlyMap<string, ServedTool>;
}

export interface DoorWorld {
  readonly library: ServerLibrary;
  readonly version: string;
  readonly role: string;
  readonly instructions: string;
  /** Asked at each list and each call. */
  offer(): Offer;
  /** A person is asked here. */
  readonly asks: AskingDoor;
  readonly rounds: Rounds;
  /** A name that the client told of itself. */
  named(client: string): void;
  /** It called a tool. */
  called(): void;
  said(problem: string): void;
}

export interface OpenDoor {
  /** The list isn't what it was. */
  changed(): void;
  close(): Promise<void>;
}

const INVALID_PARAMS = -32602;

/** One client of one role, in either era of the protocol: its first message decides. */
export function openDoor(world: DoorWorld, duplex: Duplex): OpenDoor {
  let current: McpServer | undefined;
  const serve = (): McpServer => (current = serverOf(world));
  const onerror = (error: Error): void => world.said(error.message);
  const handle = world.library.serveStdio(serve, { transport: lineTransport(duplex), onerror });
  return {
    changed: () => void current?.sendToolListChanged().catch(onerror),
    close: () => handle.close(),
  };
}

function serverOf(world: DoorWorld): McpServer {
  const { Server } = world.library;
  const server = new Server(
    { name: "rolecall", version: world.version },
    {
      capabilities: { tools: { listChanged: true } },
      requestState: { verify: world.rounds.verify },
      ...(world.instructions !== "" && { instructions: world.instructions }),
    },
  );
  server.setRequestHandler("tools/list", (_, context) => {
    clientOf(world, server, context);
    return { tools: [...world.offer().tools].map(([name, { told }]) => ({ name, ...told })) };
  });
  server.setRequestHandler("tools/call", (request, context) => answerCall(world, server, request, context));
  return server;
}

async function answerCall(
  world: DoorWorld,
  server: McpServer,
  { params }: McpRequest,
  context: RequestContext,
): Promise<JsonObject> {
  const { session, tools } = world.offer();
  const name = params?.name ?? "";
  const tool = tools.get(name);
  // Whether the project knows it or not: a role isn't told what others hold.
  if (tool === undefined || session === undefined)
    throw new world.library.ProtocolError(INVALID_PARAMS, `no tool of this list is called \`${name.slice(0, 200)}\``);
  world.called();
  const client = clientOf(world, server, context);
  const { signal, _meta: meta } = context.mcpReq;
  const call: AskedCall = { role: world.role, tool, args: params?.arguments };
  const round = world.rounds.roundOf(context.mcpReq.requestState(), call);
  if (round === undefined)
    throw new world.library.ProtocolError(INVALID_PARAMS, "this `requestState` is of another call");
  const progress = progressOf(context);
  // What is taken away while a person thinks is gone: the yes was about what is served no more.
  const isServed = (): boolean => world.offer().session === session;
  const { ask, unanswered } = asking(world.asks, { client, signal, progress, isServed });
  const answer = await called(session, call, { signal, meta: traceOf(meta), progress, client, ask }, unanswered);
  const again = unanswered()?.isHeld === true && isNewer(server) ? await world.rounds.next(round, call) : undefined;
  if (again !== undefined) return { resultType: "input_required", requestState: again };
  const passed = passedResult(answer, (block) => isPlainText(block) || world.library.isSpecType.ContentBlock(block));
  const promised = own(tool.told, "outputSchema");
  return server.projectCallToolResult(passed, isObject(promised) ? promised : undefined);
}

/** The first revision whose clients come again by themselves. */
function isNewer(server: McpServer): boolean {
  return (server.getNegotiatedProtocolVersion() ?? "") >= "2026-07-28";
}

/** Most content is, and the library takes its time for it. */
function isPlainText(block: JsonObject): boolean {
  return own(block, "type") === "text" && typeof own(block, "text") === "string" && Object.keys(block).length === 2;
}

/** The server's answer as it came, or what is said in its place. */
async function called(
  session: RoleSession,
  { tool: { server, tool }, args }: AskedCall,
  options: GatewayCall,
  unanswered: () => Unanswered | undefined,
): Promise<JsonObject> {
  try {
    const { meta } = await session.call(server, tool, args, options);
    return meta.raw as JsonObject;
  } catch (error) {
    if (!(error instanceof RolecallError)) throw error;
    const { code, cause, advice } = error;
    const isToolsOwn =
      code === "tool-failed" && isObject(cause as never) && own(cause as JsonObject, "isError") === true;
    return isToolsOwn
      ? (cause as JsonObject)
      : toldInstead((code === "ask-refused" ? unanswered()?.words : undefined) ?? advice);
  }
}

function progressOf({ mcpReq }: RequestContext): ((progress: object) => void) | undefined {
  const token = mcpReq._meta?.["progressToken"];
  if (token === undefined) return undefined;
  return (progress) => {
    const params = { ...progress, progressToken: token };
    void mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}

const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";

/** As it tells it: whoever reads the record knows that anybody can tell anything. */
function clientOf(world: DoorWorld, server: McpServer, { mcpReq }: RequestContext): string | undefined {
  const told = (mcpReq.envelope?.[CLIENT_INFO] ?? server.getClientVersion()) as Implementation | undefined;
  if (typeof told?.name !== "string") return undefined;
  const client = [told.name, ...(typeof told.version === "string" ? [told.version] : [])].join(" ").slice(0, 200);
  world.named(client);
  return client;
}
