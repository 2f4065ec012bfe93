import { randomUUID } from "node:crypto";
import type { Hello, Refused } from "../../serve/hello.ts";
import { inboxWords, setVariableWords, statusWords } from "../../serve/inbox-words.ts";
import { offeredOverHttp, offeredTo, refusedMember, serversOfClients, type Offered } from "../../serve/offered.ts";
import type { Served } from "../../serve/types.ts";
import type { TeamOptions } from "../../../runtime/index.ts";
import type { AskingDoor } from "./asking.ts";
import type { Offer } from "./carried-out.ts";
import { openDoor, serverOf, type DoorWorld, type OpenDoor } from "./door.ts";
import { startGeneration, type Generation } from "./generation.ts";
import type { McpServer, ServerLibrary } from "./library.ts";
import type { Inbox } from "./inbox.ts";
import type { Duplex } from "./lines.ts";
import { createRounds } from "./rounds.ts";

/** All clients of a project, and the build that is served at the moment. */
export interface Gateway {
  readonly served: Served;
  /** Nobody is served any more what it was before: the next list and the next call are of the new build. */
  serve(served: Served): void;
  /** Why it can't come in. */
  refuses(hello: Hello): Refused | undefined;
  /** One that isn't refused. */
  admit(hello: Hello, duplex: Duplex): Client;
  readonly clients: ReadonlySet<Client>;
  /** Of the servers that clients share. */
  health(): readonly { readonly name: string; readonly state: string; readonly why: string | undefined }[];
  /** A role for all who come over HTTP with its token. */
  overHttp(role: string): {
    /** `hears`: there is a stream on which it is told that its list has changed. */
    serverFor(subject: string, hears: boolean): McpServer;
  };
  /** Servers that aren't offered there: each client would have one of its own, and there are no clients that stay. */
  notOverHttp(): readonly string[];
  /** Called when something else is served, until the returned function is. */
  whenChanged(hear: () => void): () => void;
  close(): Promise<void>;
}

export interface Client {
  readonly hello: Hello;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** As it told it. */
  name: string | undefined;
  /** When it called a tool last, in milliseconds since 1970. */
  lastCall: number | undefined;
  /** Of its connection, by which its asks are known. */
  readonly door: string;
  close(): Promise<void>;
}

export interface GatewayWorld {
  readonly library: ServerLibrary;
  readonly version: string;
  readonly options: TeamOptions;
  readonly inbox: Pick<Inbox, "enter">;
  /** Where what comes over HTTP is asked: others may answer under the same address. */
  readonly asksOverHttp: AskingDoor;
  /** Of all doors under that address; undefined: one of this process. */
  readonly states: Uint8Array | undefined;
  /** It is reached over HTTP too, and no client starts it. */
  readonly isHttp: boolean;
  /** Another build lies there, of which only what it takes away counts. */
  isBehind(): boolean;
  /** A client is gone. */
  left(): void;
  said(line: string): void;
}

interface Attended extends Client {
  readonly open: OpenDoor;
}

export function openGateway(first: Served, world: GatewayWorld): Gateway {
  let generation = startGeneration(first, world.options);
  const clients = new Set<Attended>();
  const hearing = new Set<() => void>();
  const generationNow = (): Generation => generation;
  const { askTimeoutMs, askHoldMs } = first.settings;
  const rounds = createRounds(world.library, askTimeoutMs + askHoldMs, world.states);
  return {
    get served() {
      return generation.served;
    },
    clients,
    health: () => healthOf(generation),
    serve(served) {
      if (served === generation.served) return;
      generation = generation.follow(served);
      for (const { open } of clients) open.changed();
      for (const hear of hearing) hear();
    },
    refuses(hello) {
      const offered = offeredTo(generation.served, hello);
      return "refused" in offered ? offered.refused : refusedMember(generation.served, hello);
    },
    admit: (hello, duplex) => attended(hello, duplex, { ...world, rounds, clients, generationNow }),
    overHttp: (role) => httpRole(role, { ...world, rounds, generationNow }),
    notOverHttp: () => serversOfClients(generation.served),
    whenChanged(hear) {
      hearing.add(hear);
      return () => void hearing.delete(hear);
    },
    async close() {
      await Promise.all([...clients].map((client) => client.close()));
      await generation.close();
    },
  };
}

/** A little longer than whoever passes them on waits. */
const LAST_ANSWERS_MS = 6_000;
/** Whoever was killed looks the same, and nothing of his is kept for longer. */
const LOOKS_EVERY_MS = 100;

function closeWhenAnswered({ open, close }: Attended, { output }: Duplex): void {
  const since = performance.now();
  const looking = setInterval(() => {
    const isAnswered = open.isIdle() && output.writableLength === 0;
    if (!isAnswered && performance.now() - since < LAST_ANSWERS_MS) return;
    clearInterval(looking);
    void close();
  }, LOOKS_EVERY_MS);
}

interface OfferingWorld extends Pick<GatewayWorld, "isHttp" | "isBehind"> {
  generationNow(): Generation;
}

interface AttendingWorld extends GatewayWorld, OfferingWorld, Pick<DoorWorld, "rounds"> {
  readonly clients: Set<Attended>;
}

function attended(hello: Hello, duplex: Duplex, world: AttendingWorld): Client {
  const offers = offersTo((served) => offeredTo(served, hello), world);
  const door = randomUUID();
  const asks = world.inbox.enter(door);
  const client: Attended = {
    hello,
    since: Date.now(),
    name: undefined,
    lastCall: undefined,
    door,
    open: openDoor(
      {
        library: world.library,
        version: world.version,
        role: hello.role,
        door,
        caller: undefined,
        rounds: world.rounds,
        instructions: world.generationNow().served.roles.get(hello.role)?.instructions ?? "",
        offer: offers.now,
        asks,
        named: (name) => void (client.name = name),
        called: () => void (client.lastCall = Date.now()),
        said: (problem) => world.said(`client of ${hello.role}: ${problem}`),
      },
      duplex,
    ),
    async close() {
      if (!world.clients.delete(client)) return;
      duplex.output.destroy();
      asks.left();
      await client.open.close();
      await offers.end();
      world.left();
    },
  };
  world.clients.add(client);
  duplex.input.once("close", () => void client.close());
  duplex.input.once("end", () => {
    // Its host is gone: no yes lets anything go for it, and what was sent has a moment for its answer.
    asks.left();
    closeWhenAnswered(client, duplex);
  });
  return client;
}

function healthOf(generation: Generation): ReturnType<Gateway["health"]> {
  const roles = [...generation.served.roles.values()];
  const byName = new Map(roles.flatMap((role) => Object.entries(generation.session(role, undefined).health())));
  return [...byName].map(([name, { state, lastFailure }]) => ({ name, state, why: lastFailure }));
}

function httpRole(
  role: string,
  world: OfferingWorld & GatewayWorld & Pick<DoorWorld, "rounds">,
): ReturnType<Gateway["overHttp"]> {
  const offers = offersTo((served) => offeredOverHttp(served, role), world);
  return {
    serverFor: (subject, hears) =>
      serverOf(
        {
          library: world.library,
          version: world.version,
          role,
          door: `http ${subject}`,
          caller: subject,
          rounds: world.rounds,
          instructions: world.generationNow().served.roles.get(role)?.instructions ?? "",
          offer: offers.now,
          asks: world.asksOverHttp,
          named: () => {},
          called: () => {},
          said: (problem) => world.said(`over HTTP, as ${role}: ${problem}`),
        },
        {},
        hears,
      ),
  };
}

/** Of a role that a new build doesn't have any more. */
const NOTHING: Offer = {
  session: undefined,
  tools: new Map(),
  reads: [],
  waits: new Set(),
  inbox: "",
  setVariable: "",
};

/** What a client is offered of the build that is served when it asks. */
function offersTo(
  offeredOf: (served: Served) => Offered,
  { generationNow, isHttp, isBehind }: OfferingWorld,
): { now(): Offer; end(): Promise<void> } {
  let known: { readonly of: Generation; readonly offer: Offer } | undefined;
  return {
    now() {
      const generation = generationNow();
      if (known?.of === generation) return known.offer;
      const former = known?.offer.session;
      const offered = offeredOf(generation.served);
      if ("refused" in offered) void former?.leave();
      const { waits, isUnread, settings } = generation.served;
      const inbox = inboxWords(settings);
      const setVariable = setVariableWords(settings, isHttp);
      const offer =
        "refused" in offered
          ? NOTHING
          : {
              session: generation.session(offered.role, former),
              tools: offered.tools,
              reads: offered.reads,
              waits,
              isUnread,
              inbox,
              setVariable,
              get behind() {
                return isBehind() ? statusWords(settings) : undefined;
              },
            };
      known = { of: generation, offer };
      return offer;
    },
    end: async () => known?.offer.session?.close(),
  };
}
