import type { JsonObject } from "../base/json.ts";
import type { TeamMember } from "./types.ts";

/** What can be read of a team, by address. Members are looked up by their exact name: none of it is ever a path. */
export type StateView =
  | { readonly view: "roster" | "agents" | "decisions" | "latest" | "backlog" | "metrics" }
  | { readonly view: "status" | "history"; readonly member: TeamMember };

const VIEWS = [
  ["roster", "roster", "The team's roles and members, and who is at work"],
  ["agents", "agents", "The team's members, and who is at work"],
  ["decisions", "decisions", "What the team has decided"],
  ["decisions/latest", "latest", "The ten newest decisions, newest first"],
  ["backlog", "backlog", "What is open, and how much is done"],
  ["metrics", "metrics", "Calls, errors, durations, tokens and cost of the newest run"],
] as const;

const OF_MEMBER = [
  ["status", "Whether a member is at work, and on what"],
  ["history", "What a member has done: their notes, and their newest calls"],
] as const;

const TYPE = "application/json";

export function stateResources(scheme: string): readonly JsonObject[] {
  return VIEWS.map(([path, , description]) => ({
    uri: `${scheme}://${path}`,
    name: path,
    description,
    mimeType: TYPE,
  }));
}

export function stateTemplates(scheme: string): readonly JsonObject[] {
  return OF_MEMBER.map(([view, description]) => ({
    uriTemplate: `${scheme}://agents/{name}/${view}`,
    name: `agents/${view}`,
    description,
    mimeType: TYPE,
  }));
}

/** Every address that there is, members by their names. */
export function stateAddresses(scheme: string, members: readonly string[]): readonly string[] {
  const ofMembers = members.flatMap((member) => OF_MEMBER.map(([view]) => `agents/${member}/${view}`));
  return [...VIEWS.map(([path]) => path), ...ofMembers].map((path) => `${scheme}://${path}`);
}

/** Undefined: nothing has this address. */
export function viewAt(uri: string, scheme: string, members: readonly TeamMember[]): StateView | undefined {
  const known = VIEWS.find(([path]) => uri === `${scheme}://${path}`);
  if (known !== undefined) return { view: known[1] };
  for (const member of members)
    for (const [view] of OF_MEMBER) if (uri === `${scheme}://agents/${member.name}/${view}`) return { view, member };
  return undefined;
}
