import { milliseconds } from "../base/duration.ts";
import { plainPath } from "../base/plain-path.ts";
import { DEFAULTS } from "../base/project-layout.ts";
import type { Project } from "../../schemas/types.ts";
import type { HttpAuth, HttpSettings, SourceSettings } from "./types.ts";

/** What rolecall.yaml says of the project, paths in one spelling, with our word where it says nothing. */
export function settingsOf(written: Project): SourceSettings {
  const { project, out, folder, envExample, importExtension, runtime, diff } = written;
  return {
    name: project,
    out: plainPath(out ?? DEFAULTS.out),
    folder: plainPath(folder ?? DEFAULTS.folder),
    importExtension: importExtension ?? DEFAULTS.importExtension,
    runtime: runtime ?? DEFAULTS.runtime,
    envExample: envExample === undefined ? undefined : plainPath(envExample),
    diff,
    serve: serveSettings(written.serve),
  };
}

function serveSettings(written: NonNullable<Project["serve"]> = {}): SourceSettings["serve"] {
  const { command, idle, env, record, prompt, askHold, askTimeout, approvers } = written;
  const usual = DEFAULTS.serve;
  return {
    command: command ?? usual.command,
    idleMs: idle === undefined ? usual.idleMs : milliseconds(idle),
    env: env === undefined ? usual.env : { file: plainPath(env), isWritten: true },
    record: record === undefined ? usual.record : plainPath(record),
    tellsPrompt: prompt ?? usual.tellsPrompt,
    askHoldMs: askHold === undefined ? usual.askHoldMs : milliseconds(askHold),
    askTimeoutMs: askTimeout === undefined ? usual.askTimeoutMs : milliseconds(askTimeout),
    approvers: approvers ?? usual.approvers,
    http: httpSettings(written),
  };
}

function httpSettings({ auth, hosts, url, limits }: NonNullable<Project["serve"]>): HttpSettings {
  const usual = DEFAULTS.serve.http;
  return {
    auth: auth === undefined ? usual.auth : httpAuth(auth),
    hosts: hosts ?? usual.hosts,
    url: url ?? usual.url,
    limits: limits === undefined ? usual.limits : variableIn(limits),
  };
}

function httpAuth(written: NonNullable<NonNullable<Project["serve"]>["auth"]>): HttpAuth {
  if ("tokens" in written)
    return { tokens: Object.entries(written.tokens).map(([role, token]) => [role, variableIn(token)]) };
  const { issuer, audience, rolesClaim, jwks } = written;
  return { issuer, audience, rolesClaim: rolesClaim ?? "roles", jwks };
}

/** `${NAME}`, which is all that is taken. */
function variableIn(reference: string): string {
  return reference.slice("${".length, -"}".length);
}
