import type { AccessChange } from "../../3-plan/compare-access.ts";
import type { ChangedPlace, Conflict } from "../../adding/types.ts";
import { flowYaml } from "../../base/flow-yaml.ts";
import type { JsonObject, JsonValue } from "../../base/json.ts";
import { pathWords } from "../../base/path-words.ts";
import { visible } from "../../base/visible.ts";
import { wrap } from "../../base/wrap.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import { accessLines } from "../capture/access-page.ts";
import { buildJson } from "../build/page.ts";
import type { Built } from "../command.ts";
import { page } from "../page.ts";

/** What became of one preset. */
export interface Refreshed {
  readonly name: string;
  readonly file: string;
  /** `replaced`: nothing was changed here, so it is rolecall's text; `refreshed`: what both changed is in it. */
  readonly state: "same" | "replaced" | "refreshed" | "conflict" | "failed";
  readonly changes: readonly ChangedPlace[];
  readonly conflicts: readonly Conflict[];
  readonly why?: "no-base" | "unreadable" | "unsafe" | undefined;
}

export function refreshedPage(
  refreshed: readonly Refreshed[],
  access: readonly AccessChange[],
  built: Built | undefined,
  style: Style,
): string {
  const lines = refreshed.map((one) => linesOf(one).flatMap((line) => wrap(line, style.width, "    ")));
  return page([
    ...(refreshed.length === 0 ? [["there is no preset in the project: rolecall add github"]] : lines),
    access.length === 0 ? [] : ["roles", ...accessLines(access, (text) => text, "done").map((line) => `  ${line}`)],
    built?.outcome === undefined ? [] : [`built${access.length === 0 ? "; no role gains or loses a tool" : ""}`],
  ]);
}

function linesOf(one: Refreshed): string[] {
  const file = visible(one.file);
  const changes = one.changes.map(changeWords);
  switch (one.state) {
    case "same":
      return [`${file} is up to date`];
    case "replaced":
      return [`${file} is as rolecall brings it now`, ...changes];
    case "refreshed":
      return [`${file} was brought up to date, and what you changed is kept`, ...changes];
    case "failed":
      return [`${file} couldn't be written`];
    case "conflict":
      return [`${file} was left as it is: ${whyWords(one)}`, ...one.conflicts.map(conflictWords), ...nextWords(one)];
  }
}

/** Of lists, what came and what went. */
function changeWords({ path, before, after }: ChangedPlace): string {
  if (!Array.isArray(before) || !Array.isArray(after))
    return `  ${pathWords(path)}: ${shown(before)} -> ${shown(after)}`;
  const [old, now] = [before, after].map((list) => (list as readonly JsonValue[]).map(flowYaml)) as [
    string[],
    string[],
  ];
  const came = now.filter((item) => !old.includes(item)).map((item) => `+ ${item}`);
  const went = old.filter((item) => !now.includes(item)).map((item) => `- ${item}`);
  return `  ${pathWords(path)}: ${visible([...came, ...went].join(", "))}`;
}

function whyWords({ why, file }: Refreshed): string {
  switch (why) {
    case "no-base":
      return `what it was copied from isn't in ${visible(baseOf(file))}, so it isn't known who changed what`;
    case "unreadable":
      return "it can't be read as YAML";
    case "unsafe":
      return "it is written in a way that rolecall can't change";
    case undefined:
      return "you and rolecall changed the same";
  }
}

function baseOf(file: string): string {
  return file.replace(/[^/]*$/, ".upstream/$&");
}

function conflictWords({ path, before, mine, after }: Conflict): string {
  const was = before === undefined ? "" : `was ${shown(before)}; `;
  return `  ${pathWords(path)}: ${was}yours ${shown(mine)}; rolecall's ${shown(after)}`;
}

function nextWords({ name, file, conflicts }: Refreshed): string[] {
  if (conflicts.length === 0)
    return [`  move ${visible(file)} away, then rolecall add ${name} --force brings a new one`];
  return [
    `  write rolecall's there, then rolecall add ${name} --force; what is to be yours stands better under \`servers\`, where it counts more`,
  ];
}

function shown(value: JsonValue | undefined): string {
  const text = value === undefined ? "nothing" : visible(flowYaml(value));
  return text.length > 100 ? `${text.slice(0, 100)}...` : text;
}

export function refreshedJson(
  refreshed: readonly Refreshed[],
  access: readonly AccessChange[],
  built: Built | undefined,
): JsonObject {
  const plain = (value: JsonValue | undefined) => value ?? null;
  return {
    format: 1,
    refreshed: refreshed.map(({ name, file, state, why, changes, conflicts }) => ({
      name,
      file,
      state,
      why: why ?? null,
      changes: changes.map(({ path, before, after }) => ({
        at: pathWords(path),
        before: plain(before),
        after: plain(after),
      })),
      conflicts: conflicts.map(({ path, before, mine, after }) => ({
        at: pathWords(path),
        base: plain(before),
        mine: plain(mine),
        upstream: plain(after),
      })),
    })),
    access: access.map((change) => ({ ...change, before: { ...change.before }, after: { ...change.after } })),
    build: built === undefined ? null : buildJson(built, false),
  };
}
