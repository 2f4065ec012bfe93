import { AsyncLocalStorage } from "node:async_hooks";
import {
  context,
  metrics,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type ContextManager,
  type TextMapPropagator,
} from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { RolecallError } from "../../../runtime/errors.ts";
import { openLink } from "../../../runtime/connect/open-link.ts";
import type { ServerData } from "../../../runtime/server-data.ts";
import { loadChecks } from "../../../runtime/session/schemas.ts";
import { startTeam } from "../../../runtime/session/team.ts";
import { loadTelemetry, telemetryOf, type Telemetry } from "../../../runtime/session/telemetry.ts";
import {
  failureOf,
  fakeClock,
  fakeRole,
  fakeServer,
  fakeTeam,
  type AnyServers,
  type FakeServer,
} from "../../support/fake-link.ts";
import { fault, pinsOf, serverData } from "../../support/linked.ts";

/** What an app that measures sees of calls, through the real OpenTelemetry. */

const spans = new InMemorySpanExporter();
const measured = new InMemoryMetricExporter(AggregationTemporality.DELTA);
const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 60_000 });
const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
const meters = new MeterProvider({ readers: [reader] });
let telemetry: Telemetry | undefined;
let github: FakeServer;

/** As an app's own: which context is active follows asynchronous work. */
class Contexts implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();
  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }
  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    active: Context,
    run: F,
    self?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#storage.run(active, () => run.apply(self, args));
  }
  bind<T>(_: Context, target: T): T {
    return target;
  }
  enable(): this {
    return this;
  }
  disable(): this {
    return this;
  }
}

/** W3C's three, and one of another house. */
const propagator: TextMapPropagator<Record<string, unknown>> = {
  inject(active, carrier) {
    const span = trace.getSpanContext(active)!;
    carrier["traceparent"] = `00-${span.traceId}-${span.spanId}-0${span.traceFlags}`;
    carrier["tracestate"] = "house=1";
    const baggage = propagation.getBaggage(active)?.getAllEntries() ?? [];
    if (baggage.length > 0) carrier["baggage"] = baggage.map(([key, { value }]) => `${key}=${value}`).join(",");
    carrier["b3"] = span.traceId;
  },
  extract: (active) => active,
  fields: () => ["traceparent", "tracestate", "baggage", "b3"],
};

beforeAll(async () => {
  trace.setGlobalTracerProvider(tracers);
  metrics.setGlobalMeterProvider(meters);
  propagation.setGlobalPropagator(propagator);
  context.setGlobalContextManager(new Contexts());
  telemetry = await loadTelemetry();
});
beforeEach(async () => {
  github = fakeServer("github", { list: { readOnly: true }, create: {} }, { cacheMs: 60_000 });
  await reader.forceFlush();
  measured.reset();
  spans.reset();
});
afterAll(async () => {
  await Promise.all([tracers.shutdown(), meters.shutdown()]);
});

function start() {
  const role = fakeRole("tester", [[github, { tools: { list: "allow", create: "ask" } }]]);
  const made = fakeTeam([github], [role], { run: "r1", clock: fakeClock(true), telemetry: telemetry! });
  return { ...made, session: made.as("tester") };
}

async function histograms(): Promise<Record<string, { buckets: number[]; points: [number, object][] }>> {
  await reader.forceFlush();
  const all = measured.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  return Object.fromEntries(
    all.map(({ descriptor, dataPoints }) => [
      descriptor.name,
      {
        buckets: (dataPoints[0]!.value as { buckets: { boundaries: number[] } }).buckets.boundaries,
        points: dataPoints.map(({ value, attributes }) => [(value as { count: number }).count, attributes]),
      },
    ]),
  );
}

const NETWORK = { "network.transport": "pipe", "mcp.protocol.version": "2025-11-25" };
const CALL = {
  "mcp.method.name": "tools/call",
  "gen_ai.operation.name": "execute_tool",
  "rolecall.role": "tester",
  "rolecall.server": "github",
};
const OLDER = { "mcp.transport": "stdio", "mcp.session_id": "s-1", "mcp.protocol_version": "2025-11-25" };

describe("spans", () => {
  test("one for each call, with today's names and the five older ones", async () => {
    const { session } = start();
    await session.$call("github", "list");
    await failureOf(session.$call("github", "create"));
    const shared = { ...CALL, ...NETWORK, ...OLDER, "mcp.session.id": "s-1", "mcp.retries": 0 };
    const [read, refused] = spans.getFinishedSpans();
    expect(read).toMatchObject({
      name: "tools/call list",
      kind: SpanKind.CLIENT,
      instrumentationScope: { name: "rolecall" },
    });
    expect(read!.attributes).toEqual({ ...shared, "gen_ai.tool.name": "list" });
    expect(read!.status.code).toBe(SpanStatusCode.UNSET);
    expect(refused!.name).toBe("tools/call create");
    expect(refused!.attributes).toEqual({ ...shared, "gen_ai.tool.name": "create", "error.type": "ask-refused" });
    expect(refused!.status).toEqual({
      code: SpanStatusCode.ERROR,
      message: "`github.create` is asked first, and nobody is there to ask",
    });
  });

  test("hold no secret, though a server makes its session's name of one", async () => {
    const { session } = start();
    await session.$call("github", "list");
    github.worlds.at(-1)!.secrets.add("2025-11-25");
    spans.reset();
    await session.$call("github", "list");
    const [call] = spans.getFinishedSpans();
    expect(call!.attributes["mcp.protocol.version"]).toBe("***");
    expect(JSON.stringify(call!.attributes)).not.toContain("2025-11-25");
  });

  test("below the span that the app is in", async () => {
    const { session } = start();
    await trace.getTracer("app").startActiveSpan("turn", async (turn) => {
      await session.$call("github", "list");
      turn.end();
    });
    const [call, turn] = spans.getFinishedSpans();
    expect(call!.parentSpanContext?.spanId).toBe(turn!.spanContext().spanId);
    expect(call!.spanContext().traceId).toBe(turn!.spanContext().traceId);
  });

  test("an answer that is a failure is a `tool_error`; another failure has our code", async () => {
    const { session } = start();
    github.calling = async () => ({ isError: true, content: [] });
    await failureOf(session.$call("github", "list"));
    github.calling = async () => {
      throw new RolecallError("timeout", "no answer in time");
    };
    await failureOf(session.$call("github", "list"));
    const types = spans.getFinishedSpans().map(({ attributes }) => attributes["error.type"]);
    expect(types).toEqual(["tool_error", "timeout"]);
  });

  test("what is known over HTTP: the status, and how often it was tried again", () => {
    const info = { transport: "http", sessionId: undefined, protocolVersion: undefined } as const;
    const facts = { role: "r", server: "s", tool: "t", httpStatus: 429, retries: 2, cached: false, durationMs: 1 };
    telemetry!.call("t")!.end({ ...info, ...facts, error: undefined });
    expect(spans.getFinishedSpans()[0]!.attributes).toMatchObject({
      "network.transport": "tcp",
      "network.protocol.name": "http",
      "mcp.transport": "http",
      "mcp.http_status": 429,
      "mcp.retries": 2,
    });
  });

  test("an SDK that breaks breaks no call", async () => {
    const broken = () => {
      throw new Error("no");
    };
    const api = {
      trace: { getTracer: () => ({ startSpan: broken }), setSpan: broken },
      context: { active: broken },
      propagation: { inject: broken },
      metrics: { getMeter: () => ({ createHistogram: () => ({ record: broken }) }) },
    };
    telemetry = telemetryOf(api);
    try {
      expect((await start().session.$call("github", "list")).text).toBe("fine");
    } finally {
      telemetry = await loadTelemetry();
    }
  });
});

describe("durations", () => {
  test("of calls, with few attributes and the boundaries of the conventions", async () => {
    const { session } = start();
    await session.$call("github", "list", { n: 1 });
    await session.$call("github", "list", { n: 2 });
    await failureOf(session.$call("github", "create"));
    const { "mcp.client.operation.duration": found } = await histograms();
    expect(found!.buckets).toEqual([0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]);
    expect(found!.points).toEqual([
      [2, { ...CALL, ...NETWORK, "gen_ai.tool.name": "list" }],
      [1, { ...CALL, ...NETWORK, "gen_ai.tool.name": "create", "error.type": "ask-refused" }],
    ]);
  });

  test("an answer that was kept is a span and no duration", async () => {
    const { session } = start();
    await session.$call("github", "list");
    await session.$call("github", "list");
    expect(spans.getFinishedSpans().map(({ attributes }) => attributes["rolecall.cached"])).toEqual([undefined, true]);
    const { "mcp.client.operation.duration": found } = await histograms();
    expect(found!.points.map(([count]) => count)).toEqual([1]);
  });

  test("of connections, when they are closed and when they are lost", async () => {
    const { session, team } = start();
    await session.$call("github", "list");
    const { on } = github.worlds[0]!;
    on({ type: "connected", server: "github", transport: "stdio" });
    on({ type: "down", server: "github", why: "it ended", retryInMs: 0 });
    on({ type: "down", server: "github", why: "it can't be reached", retryInMs: 0 });
    on({ type: "connected", server: "github", transport: "stdio" });
    await team.close();
    const { "mcp.client.session.duration": found } = await histograms();
    const shared = { ...NETWORK, "rolecall.server": "github" };
    expect(found!.points).toEqual([
      [1, { ...shared, "error.type": "server-unavailable" }],
      [1, shared],
    ]);
  });
});

describe("trace context", () => {
  const teams: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(teams.splice(0).map((team) => team.close()));
  });

  /** A real server, which tells what it was given. */
  function real(data: Partial<ServerData> = {}) {
    const server = serverData([fault()], { tools: pinsOf([]), ...data });
    const tools = { seen: NO_PIN };
    const text = JSON.stringify({ ...server, tools });
    const role = {
      name: "r",
      data: JSON.stringify({ format: 1, role: "r", servers: { faulty: { tools: { seen: "allow" } } }, delegates: [] }),
      load: { faulty: async () => ({ data: text }) },
    };
    const team = startTeam<{ r: AnyServers }>(new Map([["r", role]]), {}, async () => ({
      openLink,
      checks: await loadChecks(),
      telemetry,
    }));
    teams.push(team);
    return team.as("r") as unknown as {
      $call(server: string, tool: string): Promise<{ structured: { meta?: object } }>;
    };
  }

  test("goes to the server as `_meta`: the span of the call, its state and the app's baggage, and nothing else", async () => {
    const baggage = propagation.createBaggage({ tenant: { value: "harbor" } });
    const { structured } = await context.with(propagation.setBaggage(context.active(), baggage), () =>
      real().$call("faulty", "seen"),
    );
    const { traceId, spanId } = spans.getFinishedSpans()[0]!.spanContext();
    expect(structured.meta).toEqual({
      traceparent: `00-${traceId}-${spanId}-01`,
      tracestate: "house=1",
      baggage: "tenant=harbor",
    });
  });

  test("an app without a propagator sends nothing of its own", async () => {
    propagation.disable();
    try {
      expect((await real().$call("faulty", "seen")).structured.meta).toBeUndefined();
    } finally {
      propagation.setGlobalPropagator(propagator);
    }
  });
});

const NO_PIN = { digest: null, inputSchema: { type: "object" }, readOnly: true, idempotent: true, labels: [] };
