import type { JsonObject } from "../base/json.ts";
import { sorted } from "../base/order.ts";
import { readBacklog } from "./backlog.ts";
import { withinBounds } from "./bounds.ts";
import { newestFirst, readDecisions, searchDecisions } from "./decisions.ts";
import { historyOf } from "./history.ts";
import type {
  BacklogItem,
  DecisionEntry,
  Entries,
  FileText,
  TeamMember,
  Present,
  RecordedRun,
  Spent,
  TeamRole,
} from "./types.ts";
import type { StateView } from "./uris.ts";

/** What the answers are about, and where what they say comes from. */
export interface TeamState {
  readonly name: string;
  readonly project: string;
  readonly roles: readonly TeamRole[];
  readonly members: readonly TeamMember[];
  readonly decisions: string;
  readonly backlog: string;
  /** With `{name}`. */
  readonly history: string;
  /** Of these three files those that aren't read: a build has them elsewhere, and waits. */
  readonly closed: readonly ("decisions" | "backlog" | "history")[];
}

export interface StateSources {
  read(file: string): Promise<FileText>;
  /** Undefined: nothing serves the project, and nobody knows who is at work. */
  present(): Promise<readonly Present[] | undefined>;
  /** Undefined: there is no record. */
  recorded(): Promise<RecordedRun | undefined>;
}

const NEWEST_DECISIONS = 10;
const MOST_FOUND = 50;

export async function answerView(asked: StateView, team: TeamState, from: StateSources): Promise<JsonObject> {
  switch (asked.view) {
    case "roster":
      return rosterOf(team, await from.present());
    case "agents":
      return { team: team.name, agents: agentsOf(team, await from.present()) };
    case "decisions":
    case "latest":
      return decisionsAnswer(asked.view, team, from);
    case "backlog":
      return backlogAnswer(team, from);
    case "metrics":
      return metricsOf(await from.recorded());
    case "status":
      return agentOf(asked.member, team, await from.present());
    case "history":
      return historyOf(asked.member, team.history, await from.recorded(), reading("history", team, from));
  }
}

export async function statusAnswer(team: TeamState, from: StateSources): Promise<JsonObject> {
  const present = await from.present();
  const agents = agentsOf(team, present);
  const active = present === undefined ? null : namesAtWork(agents);
  return { team: team.name, active, agents, backlog: await backlogAnswer(team, from) };
}

export async function searchAnswer(query: string, team: TeamState, from: StateSources): Promise<JsonObject> {
  const read = await decisionsIn(team, from);
  if ("problem" in read) return { query, decisions: null, problem: read.problem };
  const { kept, leftOut } = withinBounds(searchDecisions(read.entries, query), MOST_FOUND);
  return { query, decisions: kept.map(decisionJson), leftOut };
}

const WAITS = "a build says that it lies elsewhere, and waits for a yes: `rolecall asks`";

function reading(
  what: TeamState["closed"][number],
  { closed }: TeamState,
  { read }: StateSources,
): StateSources["read"] {
  return closed.includes(what) ? async () => ({ problem: WAITS }) : read;
}

async function decisionsIn(
  team: TeamState,
  from: StateSources,
): Promise<Entries<DecisionEntry> | { readonly problem: string }> {
  const { decisions } = team;
  const file = await reading("decisions", team, from)(decisions);
  return file.problem === undefined
    ? readDecisions(file.text, decisions.endsWith(".jsonl"))
    : { problem: file.problem };
}

async function decisionsAnswer(view: "decisions" | "latest", team: TeamState, from: StateSources): Promise<JsonObject> {
  const read = await decisionsIn(team, from);
  const file = team.decisions;
  if ("problem" in read) return { file, decisions: null, problem: read.problem };
  const most = view === "latest" ? NEWEST_DECISIONS : undefined;
  const { kept, leftOut } = withinBounds(newestFirst(read.entries), most);
  return { file, decisions: kept.map(decisionJson), leftOut, ...unreadableOf(read) };
}

function decisionJson({ title, date, author, status, text }: DecisionEntry): JsonObject {
  return { title, date, author, status, text };
}

/** Half a line is what somebody leaves who is stopped as he writes. */
function unreadableOf({ unreadable }: Entries<unknown>): JsonObject {
  return unreadable === 0 ? {} : { unreadableLines: unreadable };
}

async function backlogAnswer(team: TeamState, from: StateSources): Promise<JsonObject> {
  const { backlog: file } = team;
  const found = await reading("backlog", team, from)(file);
  if (found.problem !== undefined) return { file, open: null, done: null, problem: found.problem };
  const form = file.endsWith(".json") ? "json" : file.endsWith(".jsonl") ? "lines" : "markdown";
  const items = readBacklog(found.text, form);
  if (items === undefined) return { file, open: null, done: null, problem: `\`${file}\` holds no whole list` };
  const open = items.entries.filter(({ isOpen }) => isOpen);
  const { kept, leftOut } = withinBounds(open);
  return { file, open: kept.map(itemJson), done: items.entries.length - open.length, leftOut, ...unreadableOf(items) };
}

function itemJson({ title, section, id, owner, status }: BacklogItem): JsonObject {
  return { title, section, id, owner, status };
}

function rosterOf(team: TeamState, present: readonly Present[] | undefined): JsonObject {
  return {
    team: team.name,
    project: team.project,
    roles: team.roles.map(({ name, description }) => ({
      name,
      description: description ?? null,
      members: team.members.filter(({ role }) => role === name).map((member) => agentOf(member, team, present)),
    })),
  };
}

function agentsOf(team: TeamState, present: readonly Present[] | undefined): JsonObject[] {
  return team.members.map((member) => agentOf(member, team, present));
}

function agentOf(member: TeamMember, team: TeamState, present: readonly Present[] | undefined): JsonObject {
  const { name, role, charter } = member;
  return {
    name,
    role,
    charter: charter ?? null,
    status: present === undefined ? null : statusOf(member, team, present),
  };
}

/** A client that doesn't say who it is counts where its role has one member. */
function statusOf({ name, role }: TeamMember, { members }: TeamState, present: readonly Present[]): JsonObject {
  const isOnly = members.filter((one) => one.role === role).length === 1;
  const own = present.filter((one) => one.role === role && (one.member === name || (one.member === null && isOnly)));
  const calls = own.flatMap(({ lastCall }) => lastCall ?? []);
  return {
    connected: own.length > 0,
    clients: own.map(({ client, host, since }) => ({ client, host, since })),
    lastCall: sorted(calls).at(-1) ?? null,
    asksWaiting: own.reduce((sum, { asksWaiting }) => sum + (asksWaiting ?? 0), 0),
  };
}

function namesAtWork(agents: readonly JsonObject[]): JsonObject[string][] {
  return agents.filter(({ status }) => (status as JsonObject)["connected"] === true).map(({ name }) => name!);
}

function metricsOf(run: RecordedRun | undefined): JsonObject {
  if (run === undefined)
    return {
      record: null,
      from: null,
      to: null,
      tokens: null,
      cost: null,
      durationMs: null,
      calls: null,
      errors: null,
      roles: null,
    };
  const { record, from, to, all, byRole } = run;
  return {
    record,
    from,
    to,
    ...spentJson(all),
    roles: Object.fromEntries([...byRole].map(([role, spent]) => [role, spentJson(spent)])),
  };
}

function spentJson({ tokens, cost, durationMs, calls, errors }: Spent): JsonObject {
  return { tokens, cost, durationMs, calls, errors };
}
