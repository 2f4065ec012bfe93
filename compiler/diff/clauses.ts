import { isObject, own, type JsonValue } from "../base/json.ts";
import { stableText } from "../base/stable-text.ts";
import type { Described } from "./describe.ts";
import { GRADES } from "./gravity.ts";
import {
  ORDER,
  type ChangedDefinition,
  type ChangedText,
  type ChangeGroup,
  type CommonChange,
  type ToldTool,
} from "./told.ts";
import type { ChangeKind } from "./types.ts";

/** A part of the sentence that the first line is: what happened, to whom. */
export interface Clause {
  readonly first: Described;
  /** `text`: of what models read. */
  readonly about: ChangeKind | "text";
  readonly roles: readonly string[];
  /** The gravest first. */
  readonly tools: readonly ToldTool[];
  /** Of a rule: how many tools roles have by it now. */
  readonly felt: number;
  /** Of what models read: the suspicious first. */
  readonly texts: readonly ChangedText[];
  /** Tools that match come too, later. */
  readonly isOpen: boolean;
}

interface Told {
  readonly common: readonly CommonChange[];
  readonly roles: readonly { readonly role: string; readonly groups: readonly ChangeGroup[] }[];
  readonly definitions: readonly ChangedDefinition[];
  readonly texts: readonly ChangedText[];
  readonly toldWithRoles: ReadonlySet<Described>;
}

/** The gravest first: by direction, then by what can come of it. */
export function clausesOf(told: Told): Clause[] {
  const all = [...ofRoles(told), ...ofCommon(told), ...ofDefinitions(told)];
  const weighed = all.map((clause) => ({ clause, weight: weightOf(clause) }));
  const rank = ({ clause, weight }: (typeof weighed)[number]): number =>
    ORDER.indexOf(clause.first.change.direction) * 100 + weight;
  return weighed.sort((one, other) => rank(one) - rank(other)).map(({ clause }) => clause);
}

const OF_TOOLS: ReadonlySet<ChangeKind> = new Set<ChangeKind>(["tool", "effect", "condition"]);

/** Roles to which the same happens are said together. */
function ofRoles({ roles }: Told): Clause[] {
  const clauses = new Map<string, Clause>();
  for (const { role, groups } of roles) {
    const together = new Map<string, ChangeGroup[]>();
    for (const group of groups) {
      const { direction, kind, before, after } = group.first.change;
      const key = stableText(OF_TOOLS.has(kind) ? [direction, kind] : [direction, kind, before, after]);
      const known = together.get(key);
      if (known === undefined) together.set(key, [group]);
      else known.push(group);
    }
    for (const [key, same] of together) {
      const clause = roleClause(role, same);
      const told = clause.tools.map(({ server, name, isAsked, isConditioned }) => [
        server,
        name,
        isAsked,
        isConditioned,
      ]);
      const whole = key + stableText(told);
      const known = clauses.get(whole);
      clauses.set(whole, known === undefined ? clause : { ...known, roles: [...known.roles, role] });
    }
  }
  return [...clauses.values()];
}

function roleClause(role: string, groups: readonly ChangeGroup[]): Clause {
  const { first } = groups[0]!;
  return {
    first,
    about: first.change.kind,
    roles: [role],
    tools: gravestFirst(groups.flatMap(({ tools }) => tools)),
    felt: 0,
    texts: [],
    isOpen: groups.some(({ laterTools }) => laterTools !== undefined),
  };
}

function gravestFirst(tools: readonly ToldTool[]): ToldTool[] {
  return [...tools].sort((one, other) => weightOfTool(one) - weightOfTool(other));
}

function ofCommon({ common, toldWithRoles }: Told): Clause[] {
  return common.flatMap(({ described, felt }) =>
    toldWithRoles.has(described) || described.change.kind === "instructions"
      ? []
      : [
          {
            first: described,
            about: described.change.kind,
            roles: described.heldBy,
            tools: [],
            felt: felt.length,
            texts: [],
            isOpen: false,
          },
        ],
  );
}

/** What models read once, and the rest of definitions once. */
function ofDefinitions({ common, definitions, texts }: Told): Clause[] {
  const isInstructions = ({ described }: CommonChange): boolean => described.change.kind === "instructions";
  const firstText = common.find(isInstructions)?.described ?? definitions.find((one) => hasPart(one, true))?.first;
  const others = definitions.filter((one) => hasPart(one, false));
  return [
    ...(texts.length === 0 || firstText === undefined
      ? []
      : [
          {
            first: firstText,
            about: "text" as const,
            roles: unique(texts.flatMap(({ roles }) => roles)),
            tools: [],
            felt: 0,
            texts: [...texts].sort((one, other) => signsOf(other) - signsOf(one)),
            isOpen: false,
          },
        ]),
    ...(others.length === 0
      ? []
      : [
          {
            first: others[0]!.first,
            about: "definition" as const,
            roles: unique(others.flatMap(({ roles }) => roles)),
            tools: others.map(({ first: { change } }) => ({
              server: change.server!,
              name: change.tool!,
              grade: "unknown" as const,
              isAsked: false,
              isConditioned: false,
            })),
            felt: 0,
            texts: [],
            isOpen: false,
          },
        ]),
  ];
}

/** Of which nobody knows what changed, something else did. */
function hasPart({ first }: ChangedDefinition, isText: boolean): boolean {
  const parts = first.parts();
  return (parts.length === 0 && !isText) || parts.some(({ part }) => (part === "text") === isText);
}

function signsOf({ signs }: ChangedText): number {
  return signs.suspicions.length;
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}

function weightOfTool({ grade, isAsked }: ToldTool): number {
  return GRADES.indexOf(grade) * 2 + Number(isAsked);
}

const WEIGHTS: Readonly<Partial<Record<Clause["about"], number>>> = { builtin: 3, root: 4, condition: 4, role: 9 };

function weightOf({ first, about, tools, felt, texts }: Clause): number {
  const { before, after } = first.change;
  const [gravest] = tools;
  if (gravest !== undefined && (about === "tool" || about === "effect")) return weightOfTool(gravest);
  if (about === "text") return texts.some((one) => signsOf(one) > 0) ? 0 : 1;
  if (about === "destination") return first.isNewServer ? 6 : wayOf(before) === wayOf(after) ? 5 : 1;
  if (about === "guard") return felt > 0 ? 1 : 5;
  if (about === "delegate") return (first.reach()?.tools.length ?? 0) > 0 ? 3 : 8;
  return WEIGHTS[about] ?? 5;
}

function wayOf(way: JsonValue): string {
  return isObject(way) ? stableText(own(way, "stdio") ?? own(way, "http") ?? own(way, "sse") ?? null) : "";
}
