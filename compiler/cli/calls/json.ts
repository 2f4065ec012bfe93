import type { JsonObject, JsonValue } from "../../base/json.ts";
import { availability, errorRate, errorsByKind, rounded } from "../../calls/rates.ts";
import type { Audit, Call, Events, Figures, Groups, Named } from "../../calls/types.ts";
import type { CallsRead } from "../../calls/read-record.ts";

/** `rolecall calls --json`. `mcp_stats` has the names that dashboards of other projects know; the rest has ours. */
export function callsJson({ files, lines, unreadable, filter, summary, audit }: CallsRead): JsonObject {
  const { all, servers, roles, tools, slow, from, to } = summary;
  return {
    format: 1,
    files,
    lines,
    unreadable: { count: unreadable.count, first: unreadable.first },
    filter: {
      server: filter.server ?? null,
      role: filter.role ?? null,
      tool: filter.tool ?? null,
      since: filter.since === undefined ? null : new Date(filter.since).toISOString(),
    },
    from: from ?? null,
    to: to ?? null,
    mcp_stats: {
      total_calls: all.calls,
      total_errors: all.errors,
      calls_by_server: Object.fromEntries(servers.named.map(({ name, calls }) => [name, calls])),
      error_rate: errorRate(all),
    },
    all: figuresJson(all),
    servers: groupsJson(servers),
    roles: groupsJson(roles),
    tools: tools.named.map((tool) => ({ server: tool.server, tool: tool.name, ...figuresJson(tool) })),
    otherNames: { servers: servers.others, roles: roles.others, tools: tools.others },
    slow: { overOneSecond: slow.count, slowest: slow.calls.map(callJson) },
    audit: audit === undefined ? null : auditJson(audit),
  };
}

function groupsJson({ named }: Groups<Named>): JsonValue[] {
  return named.map((group) => ({ name: group.name, ...figuresJson(group) }));
}

/** `quantilesWithin`: how far p50 and p95 may be off, as a share of them. */
function figuresJson(figures: Figures): JsonObject {
  const { times } = figures;
  const share = availability(figures);
  return {
    calls: figures.calls,
    errors: figures.errors,
    errorRate: errorRate(figures),
    availability: share === undefined ? null : Math.floor(share * 1e6) / 1e6,
    ...errorsByKind(figures),
    retries: figures.retries,
    avgMs: orNull(times.average),
    p50Ms: orNull(times.quantile(0.5)),
    p95Ms: orNull(times.quantile(0.95)),
    quantilesWithin: times.error,
    resultBytes: figures.resultBytes,
  };
}

function orNull(ms: number | undefined): number | null {
  return ms === undefined ? null : rounded(ms);
}

function callJson({ at, role, caller, server, tool, ms, ending, error }: Call): JsonObject {
  const who = { role, caller: caller ?? null };
  return { ts: at, ...who, server, tool, durationMs: orNull(ms), ending, error: error === "" ? null : error };
}

function auditJson({ asked, refused, climbing, changing }: Audit): JsonObject {
  return {
    asked: eventsJson(asked, (call) => ({
      ...callJson(call),
      answer: call.ask ?? null,
      by: call.by ?? null,
      plan: call.plan ?? null,
    })),
    refused: eventsJson(refused, callJson),
    climbing: eventsJson(climbing, ({ call, argument, value }) => ({ ...callJson(call), argument, value })),
    changing: changing.map((one) => ({ ...one })),
  };
}

/** The newest of them, oldest first. */
function eventsJson<Event>({ count, newest }: Events<Event>, made: (event: Event) => JsonObject): JsonObject {
  return { count, newest: newest.map(made) };
}
