import type { AccessChange } from "../../3-plan/compare-access.ts";
import type { Server } from "../../3-plan/types.ts";
import type { Proposed } from "../../adding/propose.ts";
import { entryLines } from "../../base/block-yaml.ts";
import type { JsonObject } from "../../base/json.ts";
import { visible } from "../../base/visible.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import { accessLines } from "../capture/access-page.ts";
import type { Built } from "../command.ts";
import { factLines, page, wrapped, type LabelledFact } from "../page.ts";
import type { Copied } from "../presets/copied-page.ts";

/** What was written, and for whom. */
export interface Added {
  readonly servers: readonly Server[];
  readonly presets: readonly Copied[];
  /** Sources that were edited. */
  readonly files: readonly string[];
  readonly role: string | undefined;
  /** Servers that the role didn't have before. */
  readonly granted: readonly string[];
  /** Whether the environment has such a variable. */
  readonly isSet: (name: string) => boolean;
}

export function addedPage(added: Added, style: Style): string {
  const { servers, presets, files } = added;
  return `${page([
    [
      ...presets.flatMap(presetLines),
      ...files.map((file) => `wrote ${visible(file)}`),
      ...wrapped(roleLines(added), style),
    ],
    ...servers.map((server) => variableLines(server, added, style)),
  ])}\n`;
}

function roleLines({ role, granted }: Added): string[] {
  if (role === undefined) return [];
  return granted.length === 0
    ? [`${role} has it already, and stays as it is`]
    : [`${role} holds what only reads of ${granted.join(", ")}`];
}

function presetLines({ file, state, differs }: Copied): string[] {
  if (state === "copied") return [`wrote ${visible(file)}`];
  return state === "differs" ? [`${visible(file)} is yours and stays; it differs in ${differs.join(", ")}`] : [];
}

function variableLines({ name, variables }: Server, { isSet }: Added, style: Style): string[] {
  const facts = variables.map((variable): LabelledFact => {
    const names = [variable.name, ...variable.acceptedNames];
    const state = names.some(isSet) ? "set" : variable.required ? "not set" : "not set, and optional";
    return [
      variable.name,
      [
        state,
        ...(variable.purpose ? [visible(variable.purpose)] : []),
        ...(variable.url ? [visible(variable.url)] : []),
      ],
    ];
  });
  return facts.length === 0 ? [] : [`variables of ${name}`, ...factLines(facts, style)];
}

export interface Ended {
  readonly left: readonly string[];
  readonly built: Built | undefined;
  readonly proposals: readonly { readonly server: string; readonly proposed: Proposed }[];
  /** Of servers that were pinned before. */
  readonly access: readonly AccessChange[];
}

/** What came of it, and the next step. */
export function endPage(added: Added, { left, built, proposals, access }: Ended, style: Style): string {
  const isBuilt = built?.outcome !== undefined;
  return page([
    ...proposals.map(({ server, proposed }) => proposalLines(server, proposed)),
    access.length === 0 ? [] : ["roles", ...accessLines(access, (text) => text, "done").map((line) => `  ${line}`)],
    isBuilt ? [builtWords(built)] : [],
    wrapped(nextLines(added, left, isBuilt), style),
  ]);
}

function builtWords({ outcome }: Built): string {
  const written = outcome!.missing.length + outcome!.differs.length;
  return `built: ${written} file${written === 1 ? "" : "s"} written`;
}

function nextLines({ servers, role }: Added, left: readonly string[], isBuilt: boolean): string[] {
  const names = servers.map(({ name }) => name).join(" ");
  if (left.length > 0)
    return [`next: do what \`help\` says above, then rolecall capture ${left.join(" ")} and rolecall build`];
  if (!isBuilt) return ["next: mend what stands above, then rolecall build"];
  if (role === undefined)
    return [`nobody holds it yet; next: rolecall add ${names} --role ROLE, or name its tools in a role`];
  return [`next: team().as("${role}") calls it; rolecall inspect ${servers[0]?.name ?? ""} shows its tools`];
}

/** As it would stand in a source: to be looked at, and taken over by hand. */
function proposalLines(server: string, { hints, labels }: Proposed): string[] {
  const said: JsonObject = {
    ...(Object.keys(hints).length > 0 && { hints }),
    ...(Object.keys(labels).length > 0 && { labels: labels as JsonObject }),
  };
  if (Object.keys(said).length === 0) return [];
  return [
    `look at these, by the names and texts of its tools: what is right belongs below \`${server}\` under \`servers\``,
    ...Object.entries(said)
      .flatMap(([key, value]) => entryLines(key, value, "    ", true))
      .map(visible),
  ];
}
