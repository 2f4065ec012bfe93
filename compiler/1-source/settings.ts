import { milliseconds } from "../base/duration.ts";
import { LARGEST_KEY_SET } from "../base/key-set.ts";
import { sortedBy } from "../base/order.ts";
import { plainPath } from "../base/plain-path.ts";
import { DEFAULTS } from "../base/project-layout.ts";
import type { Project } from "../../schemas/types.ts";
import type { HttpAuth, HttpSettings, SourceSettings } from "./types.ts";

/** Of the project beside rolecall.yaml. */
export interface Surroundings {
  /** How rolecall is started there. */
  usualCommand(): readonly string[];
  /** Of one of its files; undefined: it can't be read. */
  textOf(file: string): string | undefined;
}

/** What rolecall.yaml says of the project, paths in one spelling, with our word where it says nothing. */
export function settingsOf(written: Project, surroundings: Surroundings): SourceSettings {
  const { project, out, folder, envExample, importExtension, runtime, diff } = written;
  const serve = serveSettings(written.serve, surroundings);
  return {
    name: project,
    out: plainPath(out ?? DEFAULTS.out),
    folder: plainPath(folder ?? DEFAULTS.folder),
    importExtension: importExtension ?? DEFAULTS.importExtension,
    runtime: runtime ?? DEFAULTS.runtime,
    envExample: envExample === undefined ? undefined : plainPath(envExample),
    diff,
    serve,
    state: stateSettings(project, written.state, serve.command),
  };
}

function stateSettings(
  project: string,
  written: Project["state"],
  own: SourceSettings["serve"]["command"],
): SourceSettings["state"] {
  const { name, command, members, decisions, backlog, history } = written ?? {};
  const usual = DEFAULTS.state;
  return {
    isWritten: written !== undefined,
    name: name ?? schemeOf(project),
    command: command ?? [...own, "state"],
    members:
      members &&
      sortedBy(Object.entries(members), ([member]) => member).map(([member, { role, charter }]) => ({
        name: member,
        role,
        charter: charter === undefined ? undefined : plainPath(charter),
      })),
    decisions: plainPath(decisions ?? usual.decisions),
    backlog: plainPath(backlog ?? usual.backlog),
    history: plainPath(history ?? usual.history),
  };
}

/** A project may be called anything. */
function schemeOf(project: string): string {
  const word = project
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, 31)
    .replace(/(?<!-)-+$/, "");
  return word === "" ? "team" : word;
}

function serveSettings(
  written: NonNullable<Project["serve"]> = {},
  surroundings: Surroundings,
): SourceSettings["serve"] {
  const { command, idle, env, record, prompt, askHold, askTimeout, approvers } = written;
  const usual = DEFAULTS.serve;
  return {
    command: command ?? surroundings.usualCommand(),
    idleMs: idle === undefined ? usual.idleMs : milliseconds(idle),
    env: env === undefined ? usual.env : { file: plainPath(env), isWritten: true },
    record: record === undefined ? usual.record : plainPath(record),
    tellsPrompt: prompt ?? usual.tellsPrompt,
    askHoldMs: askHold === undefined ? usual.askHoldMs : milliseconds(askHold),
    askTimeoutMs: askTimeout === undefined ? usual.askTimeoutMs : milliseconds(askTimeout),
    approvers: approvers ?? usual.approvers,
    http: httpSettings(written, surroundings),
  };
}

function httpSettings(
  { auth, hosts, url, limits, key }: NonNullable<Project["serve"]>,
  surroundings: Surroundings,
): HttpSettings {
  const usual = DEFAULTS.serve.http;
  return {
    auth: auth === undefined ? usual.auth : httpAuth(auth, surroundings),
    hosts: hosts ?? usual.hosts,
    url: url ?? usual.url,
    limits: limits === undefined ? usual.limits : variableIn(limits),
    key: key === undefined ? usual.key : variableIn(key),
  };
}

function httpAuth(written: NonNullable<NonNullable<Project["serve"]>["auth"]>, { textOf }: Surroundings): HttpAuth {
  if ("tokens" in written)
    return { tokens: Object.entries(written.tokens).map(([role, token]) => [role, variableIn(token)]) };
  const { issuer, audience, rolesClaim, jwks } = written;
  const isFile = jwks !== undefined && !URL.canParse(jwks);
  // A checkout may turn LF into CRLF: these are the same keys.
  const text = isFile ? textOf(plainPath(jwks))?.replaceAll("\r\n", "\n") : undefined;
  const keys = isFile ? (text === undefined || text.length > LARGEST_KEY_SET ? null : text) : undefined;
  return { issuer, audience, rolesClaim: rolesClaim ?? "roles", jwks, keys };
}

/** `${NAME}`, which is all that is taken. */
function variableIn(reference: string): string {
  return reference.slice("${".length, -"}".length);
}
