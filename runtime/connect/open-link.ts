import type { JsonValue } from "../contract.ts";
import { RolecallError } from "../errors.ts";
import type { Link, LinkCallOptions, LinkInfo, LinkResult, LinkWorld, OpenLink } from "../link.ts";
import type { ServerData, TransportData } from "../server-data.ts";
import type { Connection, Watch } from "./connection.ts";
import { acceptingEnv, readReferences, Unusable, unusableError } from "./expand.ts";
import { explain, isForgottenSession, linkFailure, LOST, rolecallError, type Failure } from "./failure.ts";
import { createPace, inTime, timerMs } from "./in-time.ts";
import { loadLibrary } from "./library.ts";
import { openFirst } from "./open-first.ts";
import { compareTools, digestOf, listTools } from "./pins.ts";
import { createRetreat, type Retreat } from "./retreat.ts";
import { createTelling, type Telling } from "./telling.ts";

/** The link to one server. Nothing is loaded and nothing connects before it is first used. */
export const openLink: OpenLink = (server, world) => new ServerLink(server, world);

const COMPARE_EVERY_MS = 250;

/** A connection in use, and what is known of it. */
interface Live {
  readonly connection: Connection;
  /** For advice on credentials. */
  readonly variables: ReadonlySet<string>;
  /** The server's tools may differ from what was last compared: calls wait until they are compared again. */
  doubtful: boolean;
  /** Between two comparisons: a server may say at every moment that its list has changed. */
  readonly pace: () => Promise<void>;
  comparing: Promise<void> | undefined;
  calls: number;
  answered: boolean;
  over: boolean;
}

class ServerLink implements Link {
  readonly server: ServerData;
  compared = 0;
  readonly #world: LinkWorld;
  readonly #retreat: Retreat;
  readonly #telling: Telling;
  readonly #ending = new AbortController();
  readonly #closing = new Set<Promise<void>>();
  #live: Live | undefined;
  #opening: Promise<Live> | undefined;
  /** The transport that worked last is tried first. */
  #worked: TransportData | undefined;
  #lastFailure: { readonly failure: Failure; readonly error: RolecallError } | undefined;
  #changed: ReadonlyMap<string, string> = new Map();

  constructor(server: ServerData, world: LinkWorld) {
    const secrets = new Set<string>();
    this.server = server;
    this.#telling = createTelling(server.server, secrets);
    this.#retreat = createRetreat(world.clock);
    this.#world = {
      env: acceptingEnv(world.env, server.acceptedNames),
      root: world.root,
      clock: world.clock,
      credentials: (origin) => world.credentials?.(origin),
      on: (event) => world.on(event),
      secret: (value) => {
        secrets.add(value);
        world.secret(value);
      },
    };
  }

  get state(): Link["state"] {
    if (this.#live !== undefined) return "up";
    if (this.#opening !== undefined) return "connecting";
    return this.#lastFailure === undefined ? "idle" : "down";
  }

  get settled(): boolean {
    const live = this.#live;
    return live !== undefined && !live.doubtful && live.comparing === undefined;
  }

  get info(): LinkInfo | undefined {
    return this.#live?.connection.info;
  }

  changed(tool: string): string | undefined {
    return this.#changed.get(tool);
  }

  async connect(): Promise<LinkInfo> {
    return (await this.#ready()).connection.info;
  }

  async call(tool: string, args: JsonValue, options: LinkCallOptions): Promise<LinkResult> {
    for (let again = false; ; again = true) {
      if (options.signal?.aborted === true) throw this.#telling.cancelledCall(tool, options.signal, true);
      const live = await this.#untilCancelled(this.#ready(), tool, options);
      this.#refuseChanged(tool);
      try {
        return await this.#send(live, tool, args, options);
      } catch (error) {
        // The session was refused before anything was done: the one case in which a call is sent a second time.
        const forgotten = !again && live.connection.info.sessionId !== undefined && isForgottenSession(error);
        if (!forgotten) throw this.#explainCall(error, live, tool, options);
        live.answered = true;
        this.#lose(live, { ...explain(error), why: "it has forgotten the session" });
      }
    }
  }

  async close(): Promise<void> {
    this.#ending.abort(this.#telling.error(LOST, `${this.server.server} is closed`));
    await this.#opening?.catch(() => {});
    if (this.#live !== undefined) this.#end(this.#live);
    this.#live = undefined;
    await Promise.all(this.#closing);
  }

  async #send(live: Live, tool: string, args: JsonValue, options: LinkCallOptions): Promise<LinkResult> {
    const { connection } = live;
    live.calls += 1;
    try {
      const { timeoutMs, signal, meta } = options;
      const params = { name: tool, arguments: args, ...(meta && { _meta: meta }) };
      const raw = await connection.request("tools/call", params, { timeout: timerMs(timeoutMs), signal });
      live.answered = true;
      this.#retreat.succeeded();
      // A result over this transport always came with a 200; over the others no status belongs to it.
      return { raw, info: connection.info, httpStatus: connection.entry.kind === "http" ? 200 : undefined };
    } finally {
      live.calls -= 1;
      if (live.over && live.calls === 0) this.#end(live);
    }
  }

  /** Connected and compared. Every caller waits for the same attempt. */
  async #ready(): Promise<Live> {
    const live = this.#live ?? (await (this.#opening ??= this.#open().finally(() => (this.#opening = undefined))));
    if (live.doubtful || live.comparing !== undefined) await this.#compare(live);
    return live;
  }

  async #open(): Promise<Live> {
    this.#ending.signal.throwIfAborted();
    this.#refuseWhileWaiting();
    const references = readReferences(this.#world.env);
    let live: Live | undefined;
    try {
      const opening = {
        timeoutMs: this.server.timeoutMs,
        world: this.#world,
        references,
        library: await loadLibrary(),
        signal: this.#ending.signal,
        finish: (work: Promise<void>) => this.#finish(work),
      };
      const watch = this.#watch(() => live);
      const connection = await openFirst(this.#order(), opening, watch, (from, why) => this.#sayFallBack(from, why));
      live = {
        connection,
        variables: references.names,
        doubtful: true,
        pace: createPace(COMPARE_EVERY_MS),
        comparing: undefined,
        calls: 0,
        answered: false,
        over: false,
      };
      this.#sayNewInstructions(connection.instructions);
      await this.#compare(live);
    } catch (error) {
      if (live?.over === true || this.#ending.signal.aborted) throw error;
      throw error instanceof RolecallError || error instanceof Unusable
        ? this.#unusable(error)
        : this.#down(explain(error), false, references.names);
    }
    return this.#up(live);
  }

  #order(): readonly TransportData[] {
    const worked = this.#worked;
    const { connect } = this.server;
    return worked === undefined ? connect : [worked, ...connect.filter((entry) => entry !== worked)];
  }

  #up(live: Live): Live {
    const { server } = this.server;
    this.#live = live;
    this.#worked = live.connection.entry;
    this.#world.on({ type: "connected", server, transport: live.connection.entry.kind });
    if (this.#lastFailure !== undefined) this.#world.on({ type: "up", server });
    this.#lastFailure = undefined;
    for (const [tool, { digest }] of Object.entries(this.server.tools))
      if (digest === null) this.#world.on({ type: "unpinned", server, tool });
    return live;
  }

  #watch(current: () => Live | undefined): Watch {
    const doubt = (): void => {
      const live = current();
      if (live === undefined) return;
      live.doubtful = true;
      // At once: it is told early, and a server that is gone is found out. What fails here is told by `down`.
      if (!live.over) this.#compare(live).catch(() => {});
    };
    const ended = (failure: Failure): void => {
      const live = current();
      if (live !== undefined) this.#lose(live, failure);
    };
    return { ended, doubt, listChanged: doubt };
  }

  #compare(live: Live): Promise<void> {
    live.comparing ??= this.#compareOften(live).finally(() => (live.comparing = undefined));
    return live.comparing;
  }

  /** Again when the list changed meanwhile. A server whose list never stands still stays doubtful, and its calls wait. */
  async #compareOften(live: Live): Promise<void> {
    const { timeoutMs, tools } = this.server;
    if (Object.values(tools).every(({ digest }) => digest === null)) return void (live.doubtful = false);
    const list = (params: object): Promise<JsonValue> =>
      live.connection.request("tools/list", params, { timeout: timerMs(timeoutMs) });
    try {
      for (let round = 0; live.doubtful && round < 5; round++) {
        await live.pace();
        live.doubtful = false;
        const listed = await inTime(listTools(list), timeoutMs, "no list of tools in time", this.#ending.signal);
        this.#noteChanges(compareTools(this.server, listed));
      }
    } catch (error) {
      live.doubtful = true;
      if (this.#ending.signal.aborted) this.#end(live);
      this.#ending.signal.throwIfAborted();
      if (live.over) throw this.#lastFailure?.error ?? error;
      throw this.#lose(live, explain(error));
    }
  }

  #noteChanges(changed: ReadonlyMap<string, string>): void {
    const before = this.#changed;
    this.compared++;
    this.#changed = changed;
    for (const [tool, why] of changed)
      if (before.get(tool) !== why) this.#world.on({ type: "changed", server: this.server.server, tool });
  }

  #sayNewInstructions(instructions: string | undefined): void {
    const pinned = this.server.instructions;
    if (pinned === undefined || (instructions !== undefined && digestOf(instructions) === pinned)) return;
    this.#world.on({ type: "instructions-changed", server: this.server.server });
  }

  /** The connection is over. Calls under way on it come to their own end, and it is closed after the last. */
  #lose(live: Live, failure: Failure): RolecallError {
    if (live.over) return this.#lastFailure?.error ?? this.#telling.error(failure, failure.why);
    live.over = true;
    if (this.#live === live) this.#live = undefined;
    if (live.calls === 0) this.#end(live);
    return this.#down(failure, live.answered, live.variables);
  }

  #end(live: Live): void {
    live.over = true;
    this.#finish(live.connection.close());
  }

  #finish(work: Promise<void>): void {
    const finished = work.catch(() => {}).finally(() => this.#closing.delete(finished));
    this.#closing.add(finished);
  }

  #down(failure: Failure, worked: boolean, variables: ReadonlySet<string>): RolecallError {
    const retryAfterMs = this.#retreat.failed(failure, worked);
    // What a call would call its own failure is here a server that can't be connected.
    const code = failure.code === "timeout" || failure.code === "tool-failed" ? "server-unavailable" : failure.code;
    const known = { ...failure, code, retryAfterMs } as const;
    const error = this.#telling.down(known, variables);
    this.#sayDown(known, error, retryAfterMs);
    return error;
  }

  /** A missing variable, or a text that makes no connection: nothing was tried, and trying again costs nothing. */
  #unusable(problem: Unusable | RolecallError): RolecallError {
    const error = problem instanceof RolecallError ? problem : unusableError(this.server.server, problem);
    this.#sayDown({ ...LOST, code: error.code, why: error.message, unsent: true }, error, 0);
    return error;
  }

  #sayFallBack({ kind }: TransportData, failure: Failure): void {
    this.#world.on({ type: "fell-back", server: this.server.server, from: kind, why: this.#telling.event(failure) });
  }

  #sayDown(failure: Failure, error: RolecallError, retryInMs: number): void {
    if (this.#ending.signal.aborted) return;
    this.#lastFailure = { failure, error };
    this.#world.on({ type: "down", server: this.server.server, why: this.#telling.event(failure), retryInMs });
  }

  #refuseWhileWaiting(): void {
    const retryAfterMs = this.#retreat.waitMs();
    if (retryAfterMs === 0 || this.#lastFailure === undefined) return;
    const { failure, error } = this.#lastFailure;
    const { message, server } = error;
    const said = linkFailure(error)?.said;
    const cause = { httpStatus: failure.httpStatus, unsent: true, waiting: true, said };
    throw rolecallError({ ...failure, unsent: true }, { server, message, retryAfterMs, cause });
  }

  #refuseChanged(tool: string): void {
    const why = this.#changed.get(tool);
    if (why === undefined) return;
    const { server } = this.server;
    const message = `${server}.${tool} has changed: ${why}. Look at it with \`rolecall capture ${server}\``;
    throw new RolecallError("tool-changed", message, { server, tool });
  }

  #explainCall(error: unknown, live: Live, tool: string, options: LinkCallOptions): RolecallError {
    if (options.signal?.aborted === true) return this.#telling.cancelledCall(tool, options.signal, false);
    const failure = explain(error);
    if (failure.lost) this.#lose(live, failure);
    if (failure.code === "timeout") return this.#telling.lateCall(failure, tool, options.timeoutMs);
    if (failure.code === "tool-failed") return this.#telling.failedCall(failure, tool);
    const retryAfterMs = failure.retryAfterMs ?? (failure.lost ? this.#retreat.waitMs() : undefined);
    return this.#telling.down({ ...failure, retryAfterMs }, live.variables, tool);
  }

  async #untilCancelled<T>(work: Promise<T>, tool: string, { signal }: LinkCallOptions): Promise<T> {
    if (signal === undefined) return await work;
    try {
      return await inTime(work, undefined, "", signal);
    } catch (error) {
      throw signal.aborted ? this.#telling.cancelledCall(tool, signal, true) : error;
    }
  }
}
