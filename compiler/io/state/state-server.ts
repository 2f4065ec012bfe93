import { isObject, own, type JsonObject } from "../../base/json.ts";
import { visibleJson } from "../../base/visible.ts";
import { answerView, searchAnswer, statusAnswer, type StateSources, type TeamState } from "../../state/answers.ts";
import { STATE_CAPABILITIES, stateToolNames, stateTools } from "../../state/tools.ts";
import { stateResources, stateTemplates, viewAt } from "../../state/uris.ts";
import type { McpServer, Message, ServerLibrary } from "../serve/library.ts";
import { lineTransport } from "../serve/line-transport.ts";
import type { Duplex } from "../serve/lines.ts";
import { followViews, type Following } from "./follow-views.ts";

/** What the server of a team's state is made of. */
export interface StateWorld {
  readonly library: ServerLibrary;
  readonly version: string;
  /** As it is at the moment: a build may have brought a role. */
  team(): Promise<TeamState>;
  readonly sources: StateSources;
  /** Of what a view is made of: another one when that is. */
  sign(uri: string): Promise<string>;
  said(problem: string): void;
}

const INVALID_PARAMS = -32602;
const LONGEST_QUERY = 500;

/** One client, in either era of the protocol. Resolves when it is gone. */
export function serveState(world: StateWorld, duplex: Duplex, name: string): Promise<void> {
  let current: McpServer | undefined;
  const following = followViews(world.sign, async (uri) => current?.sendResourceUpdated({ uri }));
  const onerror = (error: Error): void => world.said(error.message);
  const serve = (): McpServer => (current = serverOf(world, name, following));
  const isKnown = async (uri: string): Promise<boolean> =>
    viewAt(uri, name, (await world.team()).members) !== undefined;
  // In the newer protocol the library answers, and its server isn't told what is listened to.
  const heard = (message: Message): false => {
    for (const uri of listenedTo(message))
      void isKnown(uri).then((known) => (known ? following.add(uri) : undefined), onerror);
    return false;
  };
  const handle = world.library.serveStdio(serve, { transport: lineTransport(duplex, heard), onerror });
  return new Promise((resolve) => {
    const end = (): void => {
      following.stop();
      void handle.close().then(() => resolve(), resolve);
    };
    for (const event of ["end", "close", "error"]) duplex.input.once(event, end);
    duplex.output.once("error", end);
  });
}

function listenedTo({ method, params }: Message): readonly string[] {
  if (method !== "subscriptions/listen" || !isObject(params)) return [];
  const wanted = own(params, "notifications");
  const uris = isObject(wanted) ? own(wanted, "resourceSubscriptions") : undefined;
  return Array.isArray(uris) ? (uris as unknown[]).filter((uri) => typeof uri === "string") : [];
}

function serverOf(world: StateWorld, name: string, following: Following): McpServer {
  const { Server, ProtocolError } = world.library;
  const server = new Server({ name, version: world.version }, { capabilities: STATE_CAPABILITIES });
  const unknown = (uri: string): Error =>
    new ProtocolError(INVALID_PARAMS, `nothing has the address \`${uri.slice(0, 200)}\``, { uri: uri.slice(0, 200) });
  server.setRequestHandler("resources/list", () => ({ resources: [...stateResources(name)] }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [...stateTemplates(name)] }));
  server.setRequestHandler("resources/read", async ({ params }) => {
    const uri = String(params?.uri);
    const team = await world.team();
    const asked = viewAt(uri, name, team.members);
    if (asked === undefined) throw unknown(uri);
    const text = textOf(await answerView(asked, team, world.sources));
    return { contents: [{ uri, mimeType: "application/json", text }] };
  });
  const known = async (uri: string): Promise<string> => {
    if (viewAt(uri, name, (await world.team()).members) === undefined) throw unknown(uri);
    return uri;
  };
  server.setRequestHandler("resources/subscribe", async ({ params }) => {
    await following.add(await known(String(params?.uri)));
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    following.remove(String(params?.uri));
    return {};
  });
  server.setRequestHandler("tools/list", () => ({ tools: [...stateTools(name)] }));
  server.setRequestHandler("tools/call", ({ params }) => callTool(world, name, params?.name, params?.arguments));
  return server;
}

async function callTool(
  world: StateWorld,
  name: string,
  tool: string | undefined,
  args: JsonObject | undefined,
): Promise<JsonObject> {
  const names = stateToolNames(name);
  if (tool === names.status) return told(await statusAnswer(await world.team(), world.sources));
  if (tool !== names.search)
    throw new world.library.ProtocolError(INVALID_PARAMS, `no tool is called \`${String(tool).slice(0, 200)}\``);
  const query = isObject(args) ? own(args, "query") : undefined;
  if (typeof query !== "string" || query.trim() === "" || query.length > LONGEST_QUERY)
    return {
      content: [{ type: "text", text: `\`query\` is one to ${LONGEST_QUERY} characters of text.` }],
      isError: true,
    };
  return told(await searchAnswer(query, await world.team(), world.sources));
}

function told(answer: JsonObject): JsonObject {
  return { content: [{ type: "text", text: textOf(answer) }] };
}

/** Text of people and agents: nothing in it hides, or changes the direction of reading. */
function textOf(answer: JsonObject): string {
  return visibleJson(JSON.stringify(answer, null, 1));
}
