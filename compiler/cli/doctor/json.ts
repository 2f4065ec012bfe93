import { givenTools } from "../../4-fit/given.ts";
import { shellsOf } from "../../4-fit/shells.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Diagnosis, Probe } from "../../live-server/diagnosis.ts";
import type { TypeScriptSetup } from "../../io/read/typescript-setup.ts";
import { isReady, type HostDiagnosis } from "../../live-server/host-diagnosis.ts";
import type { Examined } from "./page.ts";

/** `rolecall doctor --json`: every key is always there, null where there is nothing to say. */
export function doctorJson({ found, off, setup, strays }: Examined): JsonObject {
  return {
    format: 1,
    servers: found.map(serverJson),
    off: off.map(({ name }) => name),
    typescript: setup === undefined ? null : setupJson(setup),
    strays,
  };
}

function serverJson({ server, state, by, next, probes }: Diagnosis): JsonObject {
  return { server, state, by: by ?? null, next: next ?? null, transports: probes.map(probeJson) };
}

function probeJson(probe: Probe): JsonObject {
  return {
    transport: probe.transport,
    state: probe.state,
    httpStatus: probe.httpStatus ?? null,
    sessionId: probe.sessionId ?? null,
    protocolVersion: probe.protocolVersion ?? null,
    ms: probe.ms,
    tools: probe.tools,
    changed: probe.changed,
    missing: probe.missing,
    why: probe.failure?.says ?? null,
    next: probe.failure?.next ?? null,
  };
}

function setupJson({ config, version, problems }: TypeScriptSetup): JsonObject {
  return { config: config ?? null, version: version ?? null, problems: problems.map((problem) => ({ ...problem })) };
}

/** A line as a call's (formats.md), with the probe's word and the tools that it saw. It is no call of a role. */
export function recordLine(server: string, probe: Probe, run: string): JsonObject {
  const { failure, tools } = probe;
  return {
    ts: probe.at,
    run_id: run,
    role: "",
    server,
    tool: "tools/list",
    args: null,
    status: failure === undefined ? "ok" : "error",
    duration_ms: probe.ms,
    decision: "allow",
    ask: null,
    transport: probe.transport,
    session_id: probe.sessionId ?? null,
    protocol_version: probe.protocolVersion ?? null,
    http_status: probe.httpStatus ?? null,
    retries: 0,
    result_bytes: 0,
    plan: null,
    error: failure?.says ?? null,
    probe: probe.state,
    tools,
  };
}

/** `rolecall doctor --host --json`: every key is always there, null where there is nothing to say. */
export function hostDoctorJson(found: HostDiagnosis): JsonObject {
  const { fitted, role, variables, assumptions, files, beside, program, gateway, servers } = found;
  const behind = givenTools(role).filter(({ through }) => through !== undefined);
  return {
    format: 1,
    host: fitted.host.id,
    role: role.name,
    ready: isReady(found),
    variables: variables.map(({ name, isSet, servers: needing, purpose, url }) => ({
      name,
      isSet,
      servers: needing,
      for: purpose ?? null,
      url: url ?? null,
    })),
    assumptions: assumptions.map(({ name, assumed, servers: having }) => ({ name, assumed, servers: having })),
    files: files.map(({ path, state, key }) => ({ path, state, key: key ?? null })),
    beside: beside.map(({ file, servers: names }) => ({ file, servers: [...names] })),
    command: program === undefined ? null : { name: program.name, found: program.found },
    through: behind.map(({ server, tool }) => ({ server: server.name, tool: tool.name })),
    reads: role.servers.flatMap(({ reads = [] }) => reads.map(({ name }) => name)),
    gateway: gateway === undefined ? null : { name: gateway.name, found: gateway.found },
    shells: behind.length === 0 ? [] : (shellsOf(role, fitted) ?? null),
    servers:
      servers?.map(({ diagnosis, gone, mayHaveLogin }) => ({ ...serverJson(diagnosis), gone, mayHaveLogin })) ?? null,
  };
}
