import type { PlannedRole, Plan } from "../../3-plan/types.ts";
import { flowYaml } from "../../base/flow-yaml.ts";
import { visible } from "../../base/visible.ts";
import { keyLibraries } from "../../io/libraries.ts";
import { openProject } from "../../io/read/project-files.ts";
import { editSource } from "../../source-edits/edit-source.ts";
import type { EditProblem, SourceEdit } from "../../source-edits/types.ts";
import type { NotToAdd } from "../../adding/types.ts";
import type { Context } from "../command.ts";
import type { Wanted } from "./wanted.ts";

/** Texts of sources as they are to be, by path; and what a role gains by them. */
export interface Placed {
  readonly texts: ReadonlyMap<string, string>;
  readonly granted: readonly string[];
}

/** Declares the servers and grants them, in the text of files that people wrote. */
export function placeServers(
  context: Context,
  plan: Plan,
  wanted: readonly Wanted[],
  role: PlannedRole | undefined,
): Placed | NotToAdd {
  const { dir } = context;
  const edits = new Map<string, SourceEdit[]>();
  const add = (file: string, edit: SourceEdit) => edits.set(file, [...(edits.get(file) ?? []), edit]);
  const declared = wanted.filter(({ isThere }) => !isThere);
  const servers = serversFile(dir, plan.project.folder);
  for (const { name, entry } of declared) add(servers, { kind: "add", path: ["servers", name], value: entry });
  const held = new Set<string>(role?.grants.map(({ server }) => server.name));
  const granted = role === undefined ? [] : wanted.map(({ name }) => name).filter((name) => !held.has(name));
  for (const name of granted)
    add(role!.place.file, { kind: "add", path: [...role!.place.path, "tools", name], value: "read-only" });
  const texts = new Map<string, string>();
  for (const [file, list] of edits) {
    const text = textOf(dir, file);
    const edited = editSource(file, text ?? (file.endsWith(".json") ? "{}\n" : ""), list, keyLibraries().yaml());
    if (edited.problem !== undefined) return byHand(file, edited.problem, list);
    texts.set(file, edited.text);
  }
  return { texts, granted };
}

/** The file of servers that is there, in whatever form. */
function serversFile(dir: string, folder: string): string {
  const names = ["yaml", "yml", "json"].map((ending) => `${folder}/servers.${ending}`);
  return names.find((name) => textOf(dir, name) !== undefined) ?? names[0]!;
}

export function textOf(dir: string, file: string): string | undefined {
  const answer = openProject(dir).read(file);
  return answer.problem === undefined ? answer.text : undefined;
}

const WHY: Readonly<Record<EditProblem, string>> = {
  unreadable: "it can't be read as one document",
  shared: "an anchor, an alias or a tag stands there, and a change would be one elsewhere too",
  "no-map": "something else than a map stands there",
  "no-list": "something else than a list stands there",
  taken: "it has such an entry",
  missing: "it has no such entry",
  unsafe: "it is written in a way that rolecall can't add to",
};

function byHand(file: string, problem: EditProblem, edits: readonly SourceEdit[]): NotToAdd {
  const lines = edits.flatMap((edit) =>
    edit.kind === "add"
      ? [`${edit.path.slice(0, -1).join(".")}: ${flowYaml({ [edit.path.at(-1)!]: edit.value })}`]
      : [],
  );
  return {
    problem: `${visible(file)} was left as it is: ${WHY[problem]}`,
    next: `write by hand what was to be added: ${visible(lines.join("; "))}`,
  };
}
