/** Spans and a duration for each call, where the app has `@opentelemetry/api`; without it, nothing. */

/** Every name in one place: the conventions for MCP aren't settled. The last five are older names for the same. */
export const NAMES = {
  method: "mcp.method.name",
  tool: "gen_ai.tool.name",
  operation: "gen_ai.operation.name",
  sessionId: "mcp.session.id",
  protocolVersion: "mcp.protocol.version",
  error: "error.type",
  network: "network.transport",
  role: "rolecall.role",
  server: "rolecall.server",
  duration: "mcp.client.operation.duration",
  oldTransport: "mcp.transport",
  oldSessionId: "mcp.session_id",
  oldProtocolVersion: "mcp.protocol_version",
  oldHttpStatus: "mcp.http_status",
  oldRetries: "mcp.retries",
} as const;

export interface CallFacts {
  readonly role: string;
  readonly server: string;
  readonly tool: string;
  readonly transport?: "http" | "sse" | "stdio";
  readonly sessionId?: string | undefined;
  readonly protocolVersion?: string | undefined;
  readonly httpStatus: number | undefined;
  readonly retries: number;
  readonly error: string | undefined;
  readonly durationMs: number;
}

/** Starts a span; what it returns ends it. */
export type Telemetry = (tool: string) => (facts: CallFacts) => void;

type Attributes = Record<string, string | number>;
/** What is used of the package, so that a project compiles without it. */
export interface OpenTelemetry {
  readonly trace: {
    getTracer(name: string): {
      startSpan(
        name: string,
        options: { kind: number },
      ): { setAttributes(all: Attributes): unknown; setStatus(status: { code: number }): unknown; end(): void };
    };
  };
  readonly metrics: {
    getMeter(name: string): {
      createHistogram(name: string, options: { unit: string }): { record(value: number, all: Attributes): void };
    };
  };
}

const CLIENT = 2;
const ERROR = 2;

export async function loadTelemetry(): Promise<Telemetry | undefined> {
  try {
    return telemetryOf((await import("@opentelemetry/api" as string)) as OpenTelemetry);
  } catch {
    return undefined;
  }
}

export function telemetryOf(api: OpenTelemetry): Telemetry {
  const tracer = api.trace.getTracer("rolecall");
  const histogram = api.metrics.getMeter("rolecall").createHistogram(NAMES.duration, { unit: "s" });
  return (tool) => {
    const span = quietly(() => tracer.startSpan(`tools/call ${tool}`, { kind: CLIENT }));
    return (facts) =>
      void quietly(() => {
        const attributes = attributesOf(facts);
        span?.setAttributes(attributes);
        if (facts.error !== undefined) span?.setStatus({ code: ERROR });
        span?.end();
        histogram.record(facts.durationMs / 1000, lasting(attributes));
      });
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

function attributesOf(facts: CallFacts): Attributes {
  const all: Record<string, string | number | undefined> = {
    [NAMES.method]: "tools/call",
    [NAMES.operation]: "execute_tool",
    [NAMES.tool]: facts.tool,
    [NAMES.role]: facts.role,
    [NAMES.server]: facts.server,
    [NAMES.error]: facts.error,
    [NAMES.network]: facts.transport && (facts.transport === "stdio" ? "pipe" : "tcp"),
    [NAMES.sessionId]: facts.sessionId,
    [NAMES.protocolVersion]: facts.protocolVersion,
    [NAMES.oldTransport]: facts.transport,
    [NAMES.oldSessionId]: facts.sessionId,
    [NAMES.oldProtocolVersion]: facts.protocolVersion,
    [NAMES.oldHttpStatus]: facts.httpStatus,
    [NAMES.oldRetries]: facts.retries,
  };
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string | number] => entry[1] !== undefined),
  );
}

/** A metric has few series: what differs from call to call stays with the span. */
function lasting(attributes: Attributes): Attributes {
  const kept: readonly string[] = [NAMES.method, NAMES.tool, NAMES.server, NAMES.role, NAMES.error, NAMES.network];
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => kept.includes(name)));
}
