import { createServer, type Server, type Socket } from "node:net";
import type { JsonObject } from "../../base/json.ts";
import { toldState } from "../../serve/told-state.ts";
import { readHello, welcomeLine, type Refused } from "../../serve/hello.ts";
import type { Gateway } from "./gateway.ts";
import type { HttpDoor } from "./http/http-door.ts";
import { hearAnswers, type ApproverWorld } from "./approver.ts";
import type { Answering } from "./answering.ts";
import type { Inbox } from "./inbox.ts";
import { readOrder } from "./orders.ts";
import { leftInbox, newAddresses, type ServePlace } from "./place.ts";
import { firstLine } from "./talk.ts";

/** The process that serves a project: its two doors, and when it ends. */
export interface Daemon {
  /** Resolves when everything is ended: it was told to, or nobody came for long enough. */
  readonly over: Promise<void>;
  /** In good order: no new clients, then the ones that are there, then the servers. */
  end(): Promise<void>;
  /** A client has left, or it may wait another time for the next one. */
  left(): void;
}

export interface DaemonWorld {
  readonly gateway: Gateway;
  readonly version: string;
  /** After its last client; undefined: it stays until it is told to end. */
  idleMs(): number | undefined;
  /** Roles over HTTP, where they are served so. */
  readonly http: Pick<HttpDoor, "close"> | undefined;
  readonly inbox: Pick<Inbox, "waiting" | "close">;
  readonly answering: Answering;
  status(): Promise<JsonObject>;
  /** What was accepted is another: what lies there is judged by it. */
  look(): Promise<void>;
  said(line: string): void;
}

const FIRST_LINE_MS = 10_000;
/** Less than what a machine is given that is told to end. */
const UNDER_WAY_MS = 20_000;

export async function openDaemon(place: ServePlace, world: DaemonWorld): Promise<Daemon> {
  const { gateway, said } = world;
  const ending = deferred();
  let idle: NodeJS.Timeout | undefined;
  let isLeaving = false;
  let closing: Promise<void> | undefined;
  const doors: Server[] = [];
  const sockets = new Set<Socket>();
  const staying = hearers();
  const closeDoors = (): void => {
    for (const door of doors.splice(0)) door.close();
  };
  const end = (): Promise<void> => {
    clearTimeout(idle);
    closeDoors();
    return (closing ??= closeAll(world).finally(ending.resolve));
  };
  /** Who said nothing, or was refused, keeps nobody from leaving. */
  const over = ending.promise.then(() => setImmediate(() => sockets.forEach((socket) => socket.end().destroySoon())));
  /** What goes wrong with one connection ends that one. */
  const come = (take: (socket: Socket) => Promise<void>) => (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    take(socket).catch((problem: unknown) => {
      said(`a connection is lost: ${problem instanceof Error ? problem.message : String(problem)}`);
      socket.destroy();
    });
  };
  const waitForClients = (): void => {
    clearTimeout(idle);
    // Its end sends clients away too.
    if (closing !== undefined || gateway.clients.size > 0) return;
    if (isLeaving) return void end();
    const idleMs = world.idleMs();
    if (idleMs === undefined) return;
    idle = setTimeout(() => {
      said(`nobody came for ${idleMs} ms`);
      void end();
    }, idleMs);
  };
  const handOver = async (): Promise<boolean> => {
    // Clients out there know its address, and no newer one takes that.
    if (world.http !== undefined || isLeaving) return isLeaving;
    isLeaving = true;
    const address = leftInbox(place);
    // Who answers stays with its clients, and finds the next one where this one was.
    staying.tell(address);
    const inbox = await listen(address, follows);
    closeDoors();
    doors.push(inbox);
    said("another process takes over");
    waitForClients();
    return true;
  };
  const orders = { world: { ...world, whenMoved: staying.hear }, stop: end, handOver, isLeaving: () => isLeaving };
  const follows = come((socket) => follow(socket, orders));
  const addresses = newAddresses(place);
  doors.push(
    await listen(
      addresses.clients,
      come((socket) => welcome(socket, world).then(waitForClients)),
      true,
    ),
    await listen(addresses.inbox, follows),
  );
  waitForClients();
  return { over: over.then(() => undefined), end, left: waitForClients };
}

/** What is under way over HTTP has its time: a proxy goes on sending until it has heard. */
async function closeAll({ http, inbox, gateway }: DaemonWorld): Promise<void> {
  await http?.close(UNDER_WAY_MS);
  inbox.close();
  await gateway.close();
}

/** Readable for its user alone: the folder that it lies in is. */
function listen(address: string, come: (socket: Socket) => void, allowHalfOpen = false): Promise<Server> {
  const server = createServer({ allowHalfOpen }, (socket) => {
    socket.on("error", () => {});
    come(socket);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(address, () => {
      server.off("error", reject);
      resolve(server);
    });
  });
}

async function welcome(socket: Socket, { gateway, version, inbox }: DaemonWorld): Promise<void> {
  const line = await firstLine(socket, FIRST_LINE_MS);
  if (line === undefined) return void socket.destroy();
  const hello = readHello(line);
  const refused = hello === undefined ? unknownHello(version) : gateway.refuses(hello);
  if (hello === undefined || refused !== undefined)
    return sayLast(
      socket,
      welcomeLine({ version, refused: refused ? withBuild(refused, inbox) : unknownHello(version) }),
    );
  socket.write(welcomeLine({ version }));
  gateway.admit(hello, { input: socket, output: socket });
}

/** It may be what a build brings that doesn't count yet. */
function withBuild({ exit, says, next }: Refused, inbox: DaemonWorld["inbox"]): Refused {
  const waits = inbox.waiting().some(({ kind }) => kind === "build");
  return { exit, says, next: waits ? `${next}; ${BUILD_WAITS}` : next };
}

const BUILD_WAITS = "what is built now waits for a yes in `rolecall asks`, or for `rolecall serve --accept`";

function unknownHello(version: string): Refused {
  const says = `rolecall ${version} serves this project, and doesn't know how it was asked`;
  return { exit: 1, says, next: "install the same version in both places, or end it with `rolecall serve --stop`" };
}

interface Orders {
  readonly world: DaemonWorld & Pick<ApproverWorld, "whenMoved">;
  stop(): Promise<void>;
  /** False: it doesn't. */
  handOver(): Promise<boolean>;
  /** New clients come to another one. */
  isLeaving(): boolean;
}

/** What its user says to it: a connection of its own, which no client of a role has. */
async function follow(socket: Socket, { world, stop, handOver, isLeaving }: Orders): Promise<void> {
  const line = await firstLine(socket, FIRST_LINE_MS);
  const order = line === undefined ? undefined : readOrder(line);
  if (typeof order === "object") return hearAnswers(socket, world, order);
  if (order === "status")
    return sayLast(socket, `${JSON.stringify({ ...(await world.status()), leaving: isLeaving() })}\n`);
  if (order === "state") return sayLast(socket, `${JSON.stringify(toldState(world.gateway.served))}\n`);
  if (order === "hand-over") return sayLast(socket, `{"done":${await handOver()}}\n`);
  if (order === "accept") await world.look();
  else if (order === "stop") await stop();
  else return sayLast(socket, '{"done":false}\n');
  sayLast(socket, '{"done":true}\n');
}

/** It is read on, so that its end is heard. */
function sayLast(socket: Socket, line: string): void {
  socket.end(line);
  socket.resume();
}

/** Who hears of something for as long as he likes; who comes later hears what was told last. */
function hearers(): { tell(told: string): void; hear(hear: (told: string) => void): () => void } {
  const all = new Set<(told: string) => void>();
  let last: string | undefined;
  return {
    tell(told) {
      last = told;
      for (const hear of all) hear(told);
    },
    hear(hear) {
      if (last !== undefined) hear(last);
      all.add(hear);
      return () => void all.delete(hear);
    },
  };
}

function deferred(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
