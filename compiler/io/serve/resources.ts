import { isObject, own, type JsonObject } from "../../base/json.ts";
import { passedContents, traceOf } from "../../serve/answer.ts";
import type { OfferedResources } from "../../../runtime/index.ts";
import { adviceOf, isRefusal, whyItWaits, type Offer } from "./carried-out.ts";
import type { ReadCall } from "./generation.ts";
import type { McpRequest, McpServer, RequestContext, ServerLibrary } from "./library.ts";
import { counted, TOO_MUCH_UNDER_WAY, type UnderWay } from "./under-way.ts";

/** What a role may read beside tools, through one client's door: listed by the servers as they are, within what the role holds. */

const INVALID_PARAMS = -32602;
const INTERNAL = -32603;

interface ReadingWorld {
  readonly library: ServerLibrary;
  readonly caller: string | undefined;
  /** Asked at each list and each reading. */
  offer(): Pick<Offer, "session" | "reads" | "waits" | "isUnread" | "inbox" | "setVariable" | "behind">;
  said(problem: string): void;
  readonly underWay: UnderWay | undefined;
}

type ClientOf = (context: RequestContext) => string | undefined;

export function offerResources(server: McpServer, world: ReadingWorld, clientOf: ClientOf): void {
  const how = (context: RequestContext): ReadCall => ({
    signal: context.mcpReq.signal,
    meta: traceOf(context.mcpReq._meta),
    client: clientOf(context),
    caller: world.caller,
  });
  const on = (method: string, work: (request: McpRequest, context: RequestContext) => Promise<JsonObject>): void =>
    server.setRequestHandler(method, (request, context) =>
      counted(world.underWay, request.params, { work: () => work(request, context), refused }),
    );
  const refused = (): never => {
    throw new world.library.ProtocolError(INTERNAL, TOO_MUCH_UNDER_WAY);
  };
  on("resources/list", async (_, context) => {
    const all = await offered(world, how(context));
    return { resources: all.flatMap(({ resources }) => resources.map(({ server: __, ...one }) => told(one))) };
  });
  on("resources/templates/list", async (_, context) => {
    const all = await offered(world, how(context));
    return { resourceTemplates: all.flatMap(({ templates }) => templates.map(({ server: __, ...one }) => told(one))) };
  });
  on("resources/read", ({ params }, context) => read(world, String(params?.uri), how(context)));
}

/** A server that gives no list is left out: the others are there all the same. */
async function offered(world: ReadingWorld, how: ReadCall): Promise<OfferedResources[]> {
  const { session, reads, waits } = world.offer();
  if (session === undefined) return [];
  const open = reads.filter((server) => !waits.has(server));
  const all = await Promise.all(open.map((server) => session.resources(server, how)));
  for (const { server, why } of all.flatMap(({ failed }) => failed)) world.said(`no list of ${server}: ${why}`);
  return all;
}

/** Without what isn't said. */
function told(one: object): JsonObject {
  return Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** Of one server at most: the build holds that no address is of two. */
async function read(world: ReadingWorld, uri: string, how: ReadCall): Promise<JsonObject> {
  const { ProtocolError } = world.library;
  const { session, reads, waits, isUnread, inbox } = world.offer();
  // Whether another role reads it, it isn't there, or no such address can be: a role isn't told what others hold.
  const short = uri.slice(0, 200);
  const unknown = new ProtocolError(INVALID_PARAMS, `nothing that may be read has the address \`${short}\``, {
    uri: short,
  });
  // Where none has it the first one refuses, so that the record has a line of it.
  const server = reads.find((one) => session?.mayRead(one, uri)) ?? reads[0];
  if (session === undefined || server === undefined) throw unknown;
  if (waits.has(server)) throw new ProtocolError(INTERNAL, whyItWaits({ isUnread, inbox }));
  try {
    const { contents } = await session.read(server, uri, how);
    const passed = passedContents(contents as readonly JsonObject[]);
    if (typeof passed["tooLarge"] === "string") throw new ProtocolError(INTERNAL, passed["tooLarge"]);
    return passed as JsonObject;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (error.code === "tool-denied") throw unknown;
    const isAbsent = isObject(error.cause as never) && own(error.cause as JsonObject, "absent") === true;
    throw isAbsent
      ? new ProtocolError(INVALID_PARAMS, error.advice, { uri })
      : new ProtocolError(INTERNAL, adviceOf(error, world.offer()));
  }
}
