import { isObject, own, type JsonObject } from "../../base/json.ts";
import { toldInstead } from "../../serve/answer.ts";
import { isToken } from "../../serve/everyday.ts";
import { carriedOut, type CallWorld } from "./carried-out.ts";
import type { Implementation, McpRequest, McpServer, RequestContext, ServerLibrary } from "./library.ts";
import { lineTransport } from "./line-transport.ts";
import { writeLine, type Duplex } from "./lines.ts";
import { quickCalls, type QuickCalls } from "./quick-calls.ts";
import { offerResources } from "./resources.ts";
import { counted, TOO_MUCH_UNDER_WAY, type UnderWay } from "./under-way.ts";

export interface DoorWorld extends CallWorld {
  readonly library: ServerLibrary;
  readonly version: string;
  readonly instructions: string;
  /** A name that the client told of itself. */
  named(client: string): void;
  said(problem: string): void;
}

export interface OpenDoor {
  /** The list isn't what it was. */
  changed(): void;
  /** Nothing that its client asked for waits for its answer. */
  isIdle(): boolean;
  close(): Promise<void>;
}

const INVALID_PARAMS = -32602;

/** One client of one role, in either era of the protocol: its first message decides. */
export function openDoor(world: DoorWorld, duplex: Duplex): OpenDoor {
  let current: McpServer | undefined;
  const onerror = (error: Error): void => world.said(error.message);
  const underWay: UnderWay = { requests: 0, bytes: 0 };
  const transport = lineTransport(duplex, (message, bytes) => quick.take(message, bytes));
  const quick = quickCalls({
    ...world,
    underWay,
    serverInfo: aboutUs(world),
    write: (line) => void (duplex.output.destroyed || writeLine(duplex.output, line)),
    deliver: (message) => transport.onmessage?.(message),
  });
  const serve = (): McpServer => (current = serverOf(world, { quick, underWay }));
  const handle = world.library.serveStdio(serve, { transport, onerror });
  return {
    changed() {
      void current?.sendToolListChanged().catch(onerror);
      if (current?.getCapabilities()["resources"] !== undefined) void current.sendResourceListChanged().catch(onerror);
    },
    isIdle: () => underWay.requests === 0,
    close() {
      quick.end();
      return handle.close();
    },
  };
}

function aboutUs({ version }: DoorWorld): { readonly name: string; readonly version: string } {
  return { name: "rolecall", version };
}

/** Of a client that stays. */
interface Staying {
  readonly quick: QuickCalls;
  readonly underWay: UnderWay;
}

/**
 * A client's server, in either era: over HTTP it answers one request, nothing goes past the library, and what is under way
 * was counted before it was read.
 */
export function serverOf(world: DoorWorld, { quick, underWay }: Partial<Staying> = {}, hears = true): McpServer {
  const { Server } = world.library;
  const reads = world.offer().reads.length > 0;
  const server = new Server(aboutUs(world), {
    capabilities: { tools: { listChanged: hears }, ...(reads && { resources: { listChanged: hears } }) },
    requestState: { verify: world.rounds.verify },
    ...(world.instructions !== "" && { instructions: world.instructions }),
  });
  const meet = (context: RequestContext): void => {
    const { envelope } = context.mcpReq;
    const name = clientOf(world, server, context);
    quick?.known({ isNewer: isNewer(server), envelope, name });
  };
  server.setRequestHandler("tools/list", (_, context) => {
    meet(context);
    return { tools: [...world.offer().tools].map(([name, { told }]) => ({ name, ...told })) };
  });
  if (reads) offerResources(server, { ...world, underWay }, (context) => clientOf(world, server, context));
  server.setRequestHandler("tools/call", (request, context) => {
    const outcome = quick?.outcome(context.mcpReq.id);
    if (outcome === undefined) {
      meet(context);
      return counted(underWay, request.params, {
        work: () => answerCall(world, server, request, context),
        refused: () => projected(world, server, request, toldInstead(TOO_MUCH_UNDER_WAY)),
      });
    }
    if ("thrown" in outcome) throw outcome.thrown;
    return projected(world, server, request, outcome.result);
  });
  return server;
}

async function answerCall(
  world: DoorWorld,
  server: McpServer,
  request: McpRequest,
  context: RequestContext,
): Promise<JsonObject> {
  const { ProtocolError } = world.library;
  const { session, tools, behind } = world.offer();
  const { name = "", arguments: args } = request.params ?? {};
  const tool = tools.get(name);
  // Whether the project knows it or not: a role isn't told what others hold.
  if (tool === undefined || session === undefined)
    throw new ProtocolError(
      INVALID_PARAMS,
      `no tool of this list is called \`${name.slice(0, 200)}\`${behind === undefined ? "" : `; a build may have closed it. Tell the user ${behind}`}`,
    );
  const { signal, _meta: meta } = context.mcpReq;
  const round = world.rounds.roundOf(context.mcpReq.requestState(), { role: world.role, door: world.door, tool, args });
  if (round === undefined) throw new ProtocolError(INVALID_PARAMS, "this `requestState` is of another call");
  const result = await carriedOut(world, {
    session,
    tool,
    args,
    meta,
    signal,
    client: clientOf(world, server, context),
    progress: progressOf(context),
    round: isNewer(server) ? round : undefined,
  });
  return projected(world, server, request, result);
}

/** As clients of older revisions know it. */
function projected(world: DoorWorld, server: McpServer, { params }: McpRequest, result: JsonObject): JsonObject {
  const { told } = world.offer().tools.get(params?.name ?? "") ?? {};
  const promised = told === undefined ? undefined : own(told, "outputSchema");
  return result["resultType"] === "input_required"
    ? result
    : server.projectCallToolResult(result, isObject(promised) ? promised : undefined);
}

/** The first revision whose clients come again by themselves. */
function isNewer(server: McpServer): boolean {
  return (server.getNegotiatedProtocolVersion() ?? "") >= "2026-07-28";
}

function progressOf({ mcpReq }: RequestContext): ((progress: object) => void) | undefined {
  const token = mcpReq._meta?.["progressToken"];
  if (!isToken(token)) return undefined;
  return (progress) => {
    const params = { ...progress, progressToken: token };
    void mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}

const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";

/** Masked whole before it is cut: half of what is secret would be shown. */
const LONGEST_NAME = 2_000;

/** As it tells it: whoever reads the record knows that anybody can tell anything. */
function clientOf(world: DoorWorld, server: McpServer, { mcpReq }: RequestContext): string | undefined {
  const told = (mcpReq.envelope?.[CLIENT_INFO] ?? server.getClientVersion()) as Implementation | undefined;
  if (typeof told?.name !== "string") return undefined;
  const client = [told.name, ...(typeof told.version === "string" ? [told.version] : [])]
    .join(" ")
    .slice(0, LONGEST_NAME);
  world.named(client.slice(0, 200));
  return client;
}
