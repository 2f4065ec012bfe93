import { visible } from "../../base/visible.ts";
import { wrapWithin } from "../../base/wrap.ts";
import { isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import type { OpenedHttp } from "./open-http.ts";
import type { Served } from "../../serve/types.ts";
import type { InboxItem } from "../../serve/inbox-lines.ts";
import { askLines, askText } from "../asks/page.ts";
import { standingWords } from "../build-standing.ts";
import { factLines, page, type LabelledFact } from "../page.ts";
import { shellSentence } from "../shell-words.ts";

export const FIRST_START = "first start of this project here: what is built was accepted";

interface Beginning {
  readonly folder: string;
  /** A build, or what variables hold, that counts with a yes alone. */
  readonly waiting: readonly InboxItem[];
  readonly http: OpenedHttp | undefined;
  readonly isFirstStart: boolean;
}

/** What a daemon in the foreground says when its doors are open. */
export function firstLines(
  served: Served,
  { folder, waiting, http, isFirstStart }: Beginning,
  width: number | undefined,
): string {
  const { project, roles } = served;
  const names = [...roles.keys()].map(visible).join(", ");
  const lines = [`${visible(project)} is served at ${visible(folder)}`, `roles: ${names === "" ? "none" : names}`];
  const doors = http === undefined ? [] : httpLines(http, served);
  return page([
    [...lines, ...(isFirstStart ? [FIRST_START] : []), ...doors],
    ...waiting.map((item) => waitingLines(item, width)),
  ]);
}

function waitingLines(item: InboxItem, width: number | undefined): string[] {
  const { heading, lines } = askLines(item, false);
  const yes = "say yes in rolecall asks, or for a machine without a person: rolecall serve --accept";
  return askText(item, [heading, ...lines, yes], width);
}

/** What a decision point says when it answers. */
export function decisionLines({ project, roles }: Served, address: string, settings: string): string {
  const names = [...roles.keys()].map(visible).join(", ");
  return page([
    [`${visible(project)} decides at ${address}/decision`, `roles: ${names === "" ? "none" : names}`],
    ["for ToolHive:", settings],
  ]);
}

function httpLines({ address, tokens, left, only }: OpenedHttp, { access, settings }: Served): string[] {
  const { limits, key } = settings.http;
  const asks = access.roles.some(({ servers }) =>
    servers.some(({ tools }) => tools.some(({ effect }) => effect === "ask")),
  );
  return [
    `over HTTP: ${address}/mcp/<role>${only === undefined ? "" : `, of ${[...only].map(visible).join(", ")}`}`,
    `tokens: ${visible(tokens)}`,
    ...(left.length === 0 ? [] : [`not over HTTP, since each client has its own: ${left.map(visible).join(", ")}`]),
    ...(asks && limits !== undefined && key === undefined
      ? ["asked tools are refused over HTTP: doors that share a Redis need a key too, `serve: { key }`"]
      : []),
  ];
}

/** `rolecall serve --status`, of what each process tells. */
export function statusPage(statuses: readonly JsonObject[], style: Style): string {
  return page(statuses.flatMap((status) => [[headline(status)], factLines(factsOf(status), style, wrapWithin)]));
}

function headline({ project, pid, version, leaving }: JsonObject): string {
  const about = `process ${shown(pid)}, rolecall ${shown(version)}`;
  return leaving === true ? `${about}, goes on for the clients that it has` : `${shown(project)} is served by ${about}`;
}

function factsOf(status: JsonObject): LabelledFact[] {
  return [
    ["accepted", status["firstStart"] === true ? [FIRST_START] : []],
    ["build", [standingWords(status["build"]) ?? []].flat()],
    ["clients", listed(status["clients"]).map(clientWords)],
    ["servers", listed(status["servers"]).map(serverWords)],
    ["variables", variableLines(status)],
    ["http", isText(status["http"]) ? [shown(status["http"])] : []],
    ["asks", [askWords(status)]],
    ["shells", listed(status["shells"]).map(shellWords)],
  ];
}

/** What `--stop` says of those that were there. */
export function endedPage(statuses: readonly JsonObject[], kept: string): string {
  const clients = statuses.flatMap((status) => listed(status["clients"])).length;
  return page([
    [
      statuses.length > 1
        ? `${statuses.length} processes have ended, and their servers with them`
        : "it has ended, and its servers with it",
      ...(clients === 0
        ? []
        : [`${clients === 1 ? "1 client was" : `${clients} clients were`} there: the next call of one starts another`]),
      `what you accepted of it stays: ${visible(kept)}.*`,
    ],
  ]);
}

function askWords({ asks, approvers }: JsonObject): string {
  const waiting =
    asks === 0 ? "nothing waits for a person" : `${shown(asks)} ${asks === 1 ? "waits" : "wait"} for a person`;
  return approvers === 0 ? `${waiting}; nobody is here to answer: rolecall asks` : waiting;
}

function shellWords({ role, tools }: JsonObject): string {
  const names = Array.isArray(tools) ? (tools as readonly JsonValue[]).map(shown) : [];
  return `${shown(role)}: ${shellSentence(names)}`;
}

function clientWords({ role, server, client, member, host }: JsonObject): string {
  const about = [
    client,
    member === null ? null : `member ${shown(member)}`,
    host === null ? null : `on ${shown(host)}`,
  ].filter((one) => one !== null);
  const of = server === null ? "" : `, ${shown(server)} alone`;
  return `${shown(role)}${of}${about.length === 0 ? "" : `: ${about.map(shown).join(", ")}`}`;
}

function serverWords({ name, state, why }: JsonObject): string {
  return `${shown(name)}: ${shown(state)}${why === null ? "" : `, ${shown(why)}`}`;
}

function variableLines({ variables, variablesFile, http }: JsonObject): string[] {
  const { file, isAsRead } = isObject(variablesFile) ? variablesFile : NO_FILE;
  const anew = isText(http)
    ? "it is read when this one is started again"
    : "rolecall serve --stop, and the next call reads it";
  const changed = `\`${shown(file)}\` has changed since they were read: ${anew}`;
  return [
    ...listed(variables).map(({ name, from }) => `${shown(name)}: ${fromWords(from, file)}`),
    ...(isAsRead === false ? [changed] : []),
  ];
}

/** Of a process of an older version. */
const NO_FILE: JsonObject = { file: ".env", isAsRead: true };

function fromWords(from: JsonValue | undefined, file: JsonValue | undefined): string {
  if (from === "file") return `from \`${shown(file)}\``;
  return from === "environment" ? "from the environment that it was started in" : "not set";
}

function listed(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter(isObject) : [];
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === "string";
}

function shown(value: JsonValue | undefined): string {
  return visible(typeof value === "string" ? value : JSON.stringify(value ?? null));
}
