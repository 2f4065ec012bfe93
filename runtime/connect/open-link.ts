import type { JsonValue } from "../contract.ts";
import { RolecallError } from "../errors.ts";
import type { Link, LinkCallOptions, LinkInfo, LinkResult, LinkWorld, OpenLink } from "../link.ts";
import type { ServerData, TransportData } from "../server-data.ts";
import type { Watch } from "./connection.ts";
import { acceptingEnv, readReferences, Unusable, unusableError } from "./expand.ts";
import { explain, explainSent, inOurWords, isErrorAnswer, isRefusal, LOST, type Failure } from "./failure.ts";
import { inTime, isTimeOut, timerMs } from "./in-time.ts";
import { loadLibrary } from "./library.ts";
import { compareLive, isLetDown, probeLive, startLive, type Live } from "./live.ts";
import { openFirst } from "./open-first.ts";
import { watchPins, type PinWatch } from "./pin-watch.ts";
import { createRetreat, whileWaiting, type Retreat, type Told } from "./retreat.ts";
import { createTelling, type Telling } from "./telling.ts";
import { valuesInUse, type ValuesInUse } from "./secrets.ts";

/** The link to one server. Nothing is loaded and nothing connects before it is first used. */
export const openLink: OpenLink = (server, world) => new ServerLink(server, world);

const COMPARED_FOR_MS = 5 * 60_000;

interface Question {
  readonly method: string;
  readonly params: object;
}

class ServerLink implements Link {
  readonly server: ServerData;
  readonly #world: LinkWorld;
  readonly #retreat: Retreat;
  readonly #telling: Telling;
  readonly #ending = new AbortController();
  readonly #closing = new Set<Promise<void>>();
  #live: Live | undefined;
  #opening: Promise<Live> | undefined;
  /** The transport that worked last is tried first, until it refuses or fails: then the written order holds again. */
  #worked: TransportData | undefined;
  #lastFailure: Told | undefined;
  /** Why the server asked for time. */
  #busy: Told | undefined;
  readonly #pins: PinWatch;
  /** Read for the connection that is there, or was last: a text about it may come when it is over. */
  #values: ValuesInUse | undefined;

  constructor(server: ServerData, world: LinkWorld) {
    this.server = server;
    this.#telling = createTelling(server.server, world.secrets);
    this.#retreat = createRetreat(world.clock);
    this.#world = { ...world, env: acceptingEnv(world.env, server.acceptedNames) };
    this.#pins = watchPins(server, this.#world.on, this.#telling.clean);
  }

  get state(): Link["state"] {
    if (this.#live !== undefined) return "up";
    if (this.#opening !== undefined) return "connecting";
    return this.#lastFailure === undefined ? "idle" : "down";
  }

  get settled(): boolean {
    const live = this.#live;
    return live !== undefined && !live.doubtful && live.comparing === undefined && !this.#isOld(live);
  }

  get waitMs(): number {
    return this.#retreat.waitMs();
  }

  get info(): LinkInfo | undefined {
    return this.#live?.connection.info;
  }

  get compared(): number {
    return this.#pins.compared;
  }

  changed(tool: string): string | undefined {
    return this.#pins.changed.get(tool);
  }

  async connect(): Promise<LinkInfo> {
    return (await this.#ready()).connection.info;
  }

  call(tool: string, args: JsonValue, options: LinkCallOptions): Promise<LinkResult> {
    return this.#asked(tool, { method: "tools/call", params: { name: tool, arguments: args } }, options);
  }

  ask(method: string, params: JsonValue, options: LinkCallOptions): Promise<LinkResult> {
    return this.#asked(method, { method, params: params as object }, options);
  }

  /** `tool`: what is asked for, in words about it. */
  async #asked(tool: string, question: Question, options: LinkCallOptions): Promise<LinkResult> {
    if (options.signal?.aborted === true) throw this.#telling.cancelledCall(tool, options.signal, true);
    const live = this.settled ? this.#live! : await this.#untilCancelled(this.#ready(), tool, options);
    this.#refuseChanged(tool);
    this.#refuseWhileWaiting(this.#busy);
    try {
      return await this.#send(live, question, options);
    } catch (error) {
      throw this.#explainCall(error, live, tool, options);
    }
  }

  async close(): Promise<void> {
    // Nobody's failure: as what waits for the next try.
    const error = this.#telling.error(LOST, `${this.server.server} is closed`);
    this.#ending.abort(whileWaiting({ failure: LOST, error }, 0));
    await this.#opening?.catch(() => {});
    if (this.#live !== undefined) this.#end(this.#live);
    this.#live = undefined;
    await Promise.all(this.#closing);
    this.#values?.leave();
  }

  async #send(live: Live, question: Question, options: LinkCallOptions): Promise<LinkResult> {
    const { connection } = live;
    live.calls += 1;
    try {
      const { timeoutMs, signal, meta, progress } = options;
      const params = meta === undefined ? question.params : { ...question.params, _meta: meta };
      const sent = { timeout: timerMs(timeoutMs), signal, onprogress: progress };
      const raw = await connection.request(question.method, params, sent);
      this.#answered(live);
      // A result over this transport always came with a 200; over the others no status belongs to it.
      return { raw, info: connection.info, httpStatus: connection.entry.kind === "http" ? 200 : undefined };
    } catch (error) {
      if (isErrorAnswer(error)) this.#answered(live);
      throw error;
    } finally {
      live.calls -= 1;
      if (live.over && live.calls === 0) this.#end(live);
    }
  }

  #answered(live: Live): void {
    live.answered = true;
    live.refused = 0;
    this.#retreat.succeeded();
  }

  /** Connected and compared. Every caller waits for the same attempt. */
  async #ready(): Promise<Live> {
    const live = this.#live ?? (await (this.#opening ??= this.#open().finally(() => (this.#opening = undefined))));
    if (this.#isOld(live)) live.doubtful = true;
    if (live.doubtful || live.comparing !== undefined) await this.#compare(live);
    return live;
  }

  /** A server may change its tools and say nothing. */
  #isOld(live: Live): boolean {
    return this.#world.clock.now() - live.comparedAt >= COMPARED_FOR_MS;
  }

  async #open(): Promise<Live> {
    this.#ending.signal.throwIfAborted();
    this.#refuseWhileWaiting(this.#lastFailure);
    const references = readReferences(this.#world.env);
    let live: Live | undefined;
    const earlier = this.#values;
    const values = (this.#values = valuesInUse(this.#world.secrets));
    try {
      const opening = {
        timeoutMs: this.server.timeoutMs,
        world: { ...this.#world, secret: values.learn },
        references,
        library: await loadLibrary(),
        signal: this.#ending.signal,
        finish: (work: Promise<void>) => this.#finish(work),
      };
      const watch = this.#watch(() => live);
      const connection = await openFirst(this.#order(), opening, watch, (from, why) => this.#sayFallBack(from, why));
      live = startLive(connection, references.names);
      this.#pins.connected(connection.instructions);
      await this.#compare(live);
    } catch (error) {
      this.#worked = undefined;
      if (live?.over === true || this.#ending.signal.aborted) throw error;
      throw error instanceof RolecallError || error instanceof Unusable
        ? this.#unusable(error)
        : this.#down(explain(error), false, references.names);
    } finally {
      // What is known stays so until all is told, and until a connection has read its own.
      if (live === undefined && earlier !== undefined) this.#values = earlier;
      if (this.#values !== values) values.leave();
      else earlier?.leave();
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

  async #compareOften(live: Live): Promise<void> {
    try {
      await compareLive(live, this.server, this.#pins, this.#ending.signal);
      live.comparedAt = this.#world.clock.now();
    } catch (error) {
      if (this.#ending.signal.aborted) this.#end(live);
      this.#ending.signal.throwIfAborted();
      if (live.over) throw this.#lastFailure?.error ?? error;
      throw this.#lose(live, explain(error));
    }
  }

  /**
   * The connection is over. Calls under way on it come to their own end, and it is closed after the last. `refused`: by
   * a server that is there.
   */
  #lose(live: Live, failure: Failure, refused: boolean = false): RolecallError {
    if (live.over) return this.#lastFailure?.error ?? this.#telling.error(failure, inOurWords(failure).why);
    live.over = true;
    if (this.#live === live) this.#live = undefined;
    if (!live.answered || live.refused > 0 || isRefusal(failure)) this.#worked = undefined;
    if (live.calls === 0) this.#end(live);
    const error = this.#down(failure, live.answered || refused, live.variables);
    if (!refused && error.code === "server-unavailable") this.#world.lost?.(error.message);
    return error;
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

  /** Until the next try, or for as long as the server has asked for. */
  #refuseWhileWaiting(known: Told | undefined): void {
    const retryAfterMs = this.#retreat.waitMs();
    if (retryAfterMs === 0 || known === undefined) return;
    throw whileWaiting(known, retryAfterMs);
  }

  #refuseChanged(tool: string): void {
    const why = this.changed(tool);
    if (why === undefined) return;
    const { server } = this.server;
    const message = `${server}.${tool} has changed: ${why}. Look at it with \`rolecall capture ${server}\``;
    throw new RolecallError("tool-changed", message, { server, tool });
  }

  #explainCall(error: unknown, live: Live, tool: string, options: LinkCallOptions): RolecallError {
    const { signal, timeoutMs } = options;
    const failure = explainSent(error, live);
    if (failure.code === "timeout" || isTimeOut(signal)) this.#probe(live, timeoutMs);
    if (signal?.aborted === true && !isErrorAnswer(error)) return this.#telling.cancelledCall(tool, signal, false);
    // The next call has another session.
    if (failure.noSession) this.#lose(live, { ...explain(error), why: "it has forgotten the session" }, true);
    if (failure.lost) this.#lose(live, failure);
    else if (!isErrorAnswer(error) && isLetDown(live, failure, this.server))
      this.#lose(live, { ...failure, retryAfterMs: undefined }, true);
    if (failure.code === "timeout") return this.#telling.lateCall(failure, tool, timeoutMs);
    if (failure.code === "tool-failed") return this.#telling.failedCall(failure, tool);
    const retryAfterMs = failure.retryAfterMs ?? (failure.lost ? this.#retreat.waitMs() : undefined);
    const told = this.#telling.down({ ...failure, retryAfterMs }, live.variables, tool);
    if (failure.code === "rate-limited") {
      this.#retreat.asked(retryAfterMs ?? 0);
      this.#busy = { failure, error: told };
    }
    return told;
  }

  #probe(live: Live, waitedMs: number): void {
    const { timeoutMs } = this.server;
    const hangs: Failure = { ...LOST, why: "it doesn't answer any more" };
    // A call that had all the server's time has been counted already.
    probeLive(live, { timeoutMs, waitedMs }, () => this.#lose(live, hangs, waitedMs >= timeoutMs));
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
