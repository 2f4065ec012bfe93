import type { LinkInfo } from "../link.ts";

/** Spans, durations and trace context for each call, where the app has `@opentelemetry/api`; without it, nothing. */

/**
 * Every name in one place: the conventions for MCP aren't settled. `rolecall.*` is ours; the last five are older names for
 * the same.
 */
export const NAMES = {
  method: "mcp.method.name",
  tool: "gen_ai.tool.name",
  operation: "gen_ai.operation.name",
  sessionId: "mcp.session.id",
  protocolVersion: "mcp.protocol.version",
  error: "error.type",
  network: "network.transport",
  protocol: "network.protocol.name",
  role: "rolecall.role",
  server: "rolecall.server",
  cached: "rolecall.cached",
  callDuration: "mcp.client.operation.duration",
  sessionDuration: "mcp.client.session.duration",
  oldTransport: "mcp.transport",
  oldSessionId: "mcp.session_id",
  oldProtocolVersion: "mcp.protocol_version",
  oldHttpStatus: "mcp.http_status",
  oldRetries: "mcp.retries",
} as const;

export interface Telemetry {
  /** Starts a span, below the one that the app is in. Undefined: nobody would hear of it. */
  call(tool: string): CallSpan | undefined;
  /** A connection has ended. */
  sessionEnded(facts: SessionFacts): void;
}

export interface CallSpan {
  /** Trace context for the server, as the app's propagator writes it; undefined when it writes none. */
  readonly meta: TraceContext | undefined;
  end(facts: CallFacts): void;
}

export type TraceContext = { readonly [key: string]: string };

export interface SessionFacts {
  readonly server: string;
  readonly info: LinkInfo;
  readonly error: string | undefined;
  readonly durationMs: number;
}

export interface CallFacts {
  readonly role: string;
  readonly server: string;
  readonly tool: string;
  readonly transport?: "http" | "sse" | "stdio";
  readonly sessionId?: string | undefined;
  readonly protocolVersion?: string | undefined;
  readonly httpStatus: number | undefined;
  readonly retries: number;
  readonly cached: boolean;
  readonly error: { readonly type: string; readonly message: string } | undefined;
  readonly durationMs: number;
}

type Attributes = Record<string, string | number | boolean>;
interface Span {
  setAttributes(all: Attributes): unknown;
  setStatus(status: { code: number; message: string }): unknown;
  end(): void;
}
interface Histogram {
  record(value: number, all: Attributes): void;
}
/** What is used of the package, so that a project compiles without it. */
export interface OpenTelemetry {
  readonly trace: {
    getTracer(name: string): { startSpan(name: string, options: { kind: number }): Span };
    setSpan(context: unknown, span: Span): unknown;
  };
  readonly context: { active(): unknown };
  readonly propagation: { inject(context: unknown, carrier: Record<string, unknown>): void };
  readonly metrics: {
    getMeter(name: string): { createHistogram(name: string, options: HistogramOptions): Histogram };
  };
}
interface HistogramOptions {
  unit: string;
  advice: { explicitBucketBoundaries: number[] };
}

const CLIENT = 2;
const ERROR = 2;
const SECONDS: HistogramOptions = {
  unit: "s",
  advice: { explicitBucketBoundaries: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300] },
};

export async function loadTelemetry(): Promise<Telemetry | undefined> {
  try {
    return telemetryOf((await import("@opentelemetry/api" as string)) as OpenTelemetry, isRegistered);
  } catch {
    return undefined;
  }
}

/** Whatever an app registers with any copy of the package's first version stands there. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

function isRegistered(): boolean {
  return (globalThis as { [REGISTERED]?: unknown })[REGISTERED] !== undefined;
}

/** `isHeard`: whether there is anybody to tell, asked at each call. */
export function telemetryOf(api: OpenTelemetry, isHeard: () => boolean = () => true): Telemetry {
  const tracer = api.trace.getTracer("rolecall");
  const meter = api.metrics.getMeter("rolecall");
  const calls = meter.createHistogram(NAMES.callDuration, SECONDS);
  const sessions = meter.createHistogram(NAMES.sessionDuration, SECONDS);
  return {
    call(tool) {
      if (!isHeard()) return undefined;
      const span = quietly(() => tracer.startSpan(`tools/call ${tool}`, { kind: CLIENT }));
      return {
        meta: span && quietly(() => traceContext(api, span)),
        end: (facts) => void quietly(() => endCall(facts, span, calls)),
      };
    },
    sessionEnded: (facts) => void quietly(() => sessions.record(facts.durationMs / 1000, sessionAttributes(facts))),
  };
}

/** A call doesn't fail because somebody who watches it does. */
function quietly<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** The keys that MCP reserves for it; what else a propagator writes isn't the server's business. */
const TRACE_KEYS = ["traceparent", "tracestate", "baggage"] as const;

function traceContext(api: OpenTelemetry, span: Span): TraceContext | undefined {
  const carrier: Record<string, unknown> = {};
  api.propagation.inject(api.trace.setSpan(api.context.active(), span), carrier);
  const context: Record<string, string> = {};
  for (const key of TRACE_KEYS) {
    const value = carrier[key];
    if (typeof value === "string" && value !== "") context[key] = value;
  }
  return Object.keys(context).length === 0 ? undefined : context;
}

function endCall(facts: CallFacts, span: Span | undefined, calls: Histogram): void {
  const attributes = callAttributes(facts);
  span?.setAttributes(attributes);
  if (facts.error !== undefined) span?.setStatus({ code: ERROR, message: facts.error.message });
  span?.end();
  // It is the time until the server's answer: who got one that was kept hasn't waited.
  if (!facts.cached) calls.record(facts.durationMs / 1000, lasting(attributes));
}

function callAttributes(facts: CallFacts): Attributes {
  return known({
    [NAMES.method]: "tools/call",
    [NAMES.operation]: "execute_tool",
    [NAMES.tool]: facts.tool,
    [NAMES.role]: facts.role,
    [NAMES.server]: facts.server,
    [NAMES.cached]: facts.cached ? true : undefined,
    [NAMES.error]: facts.error?.type,
    ...networkAttributes(facts.transport),
    [NAMES.sessionId]: facts.sessionId,
    [NAMES.protocolVersion]: facts.protocolVersion,
    [NAMES.oldTransport]: facts.transport,
    [NAMES.oldSessionId]: facts.sessionId,
    [NAMES.oldProtocolVersion]: facts.protocolVersion,
    [NAMES.oldHttpStatus]: facts.httpStatus,
    [NAMES.oldRetries]: facts.retries,
  });
}

function sessionAttributes({ server, info, error }: SessionFacts): Attributes {
  return known({
    [NAMES.server]: server,
    [NAMES.protocolVersion]: info.protocolVersion,
    [NAMES.error]: error,
    ...networkAttributes(info.transport),
  });
}

function networkAttributes(transport: LinkInfo["transport"] | undefined): Record<string, string | undefined> {
  if (transport === undefined) return {};
  if (transport === "stdio") return { [NAMES.network]: "pipe" };
  return { [NAMES.network]: "tcp", [NAMES.protocol]: "http" };
}

function known(all: Record<string, Attributes[string] | undefined>): Attributes {
  const attributes: Attributes = {};
  for (const [name, value] of Object.entries(all)) if (value !== undefined) attributes[name] = value;
  return attributes;
}

const LASTING: readonly string[] = [
  NAMES.method,
  NAMES.operation,
  NAMES.tool,
  NAMES.server,
  NAMES.role,
  NAMES.error,
  NAMES.network,
  NAMES.protocol,
  NAMES.protocolVersion,
];

/** A metric has few series: what differs from call to call stays with the span. */
function lasting(attributes: Attributes): Attributes {
  return known(Object.fromEntries(LASTING.map((name) => [name, attributes[name]])));
}
