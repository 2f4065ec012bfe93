import { held } from "../3-plan/held.ts";
import { givenTools } from "./given.ts";
import type { Because, FittedPlan, FittedRole, LeftOut } from "./types.ts";

/** One cell of the table of hosts: what became of one kind of restriction in this project. */
export interface HostCell {
  readonly column: HostColumn;
  /** `unused`: nothing in this project needs it. `closed`: a role may hand work to another one, and not there. `gateway`: it is held by `rolecall serve`. */
  readonly word: "enforced" | "asked" | "left out" | "not held" | "closed" | "gateway" | "unused";
  /** How many tools stay away for it, counted once for each role. */
  readonly away: number;
  /** How many tools go through `rolecall serve` for it, in the same way; none where all do anyhow. */
  readonly through: number;
  readonly but: string | undefined;
  /** `but` says what is more open than the roles hold, and here something is. */
  readonly isOpen: boolean;
}

export const COLUMNS = ["hide", "ask", "conditions", "resources", "delegation", "references"] as const;
export type HostColumn = (typeof COLUMNS)[number];

export function hostCells(fitted: FittedPlan): HostCell[] {
  return COLUMNS.map((column) => {
    const { holds, but, leavesOpen } = fitted.host.abilities[column];
    const away = fitted.roles.reduce((sum, role) => sum + awayFor(column, role), 0);
    const through = throughFor(column, fitted);
    const word = wordFor(column, fitted, holds, { away, through });
    const isOpen = leavesOpen === "others" ? fitted.openToOthers.length > 0 : leavesOpen !== undefined;
    const said = word === "gateway" ? undefined : but;
    return { column, word, away, through, but: said, isOpen: isOpen && (column !== "delegation" || handsOver(fitted)) };
  });
}

/** What a host leaves open of handing work over matters to roles that may. */
function handsOver({ roles }: FittedPlan): boolean {
  return roles.some(({ delegates }) => delegates.length > 0);
}

function wordFor(
  column: HostColumn,
  { roles, choice }: FittedPlan,
  holds: "enforced" | "asked" | "none",
  { away, through }: Pick<HostCell, "away" | "through">,
): HostCell["word"] {
  if (away > 0) return "left out";
  if (column === "delegation" && roles.some(({ closedDelegation }) => closedDelegation)) return "closed";
  if (!roles.some((role) => needs(column, role))) return "unused";
  const isServed = choice.via === "serve" && (holds === "none" || BEHIND.includes(column));
  if (isServed || through > 0 || isAllBehind(column, roles)) return "gateway";
  return holds === "none" ? "not held" : holds;
}

/** Whatever the reason, nothing that needs it is reached directly. */
function isAllBehind(column: HostColumn, roles: FittedPlan["roles"]): boolean {
  if (column !== "ask" && column !== "conditions") return false;
  const given = roles.flatMap(givenTools);
  const needing = given.filter(({ decision: { effect, where } }) =>
    column === "ask" ? effect === "ask" : where.length > 0,
  );
  return needing.length > 0 && needing.every(({ through }) => through !== undefined);
}

/** With `via: serve` these aren't the host's affair. */
const BEHIND: readonly HostColumn[] = ["ask", "conditions", "resources", "references"];

function throughFor(column: HostColumn, { roles }: FittedPlan): number {
  const reasons = roles.flatMap(givenTools).flatMap(({ through }) => through?.instead ?? []);
  return reasons.filter(({ because }) => REASONS[because] === column).length;
}

function needs(column: HostColumn, { role }: FittedRole): boolean {
  const decisions = () => role.grants.flatMap((grant) => held(grant).map(([, decision]) => decision));
  if (column === "ask") return decisions().some(({ effect }) => effect === "ask");
  if (column === "conditions") return decisions().some(({ where }) => where.length > 0);
  if (column === "resources")
    return role.grants.some(({ server }) => server.manifest?.capabilities["resources"] !== undefined);
  if (column === "references") return role.grants.some(({ server }) => server.variables.length > 0);
  return true;
}

const REASONS: Readonly<Partial<Record<Because, HostColumn>>> = {
  hide: "hide",
  name: "hide",
  clash: "hide",
  ask: "ask",
  conditions: "conditions",
  resources: "resources",
  references: "references",
  transport: "references",
  limits: "hide",
};

function awayFor(column: HostColumn, { leftOut }: FittedRole): number {
  return leftOut
    .filter((left: LeftOut) => REASONS[left.because] === column)
    .reduce((sum, { tools }) => sum + tools.length, 0);
}

/** `left out 3`. */
export function cellWords({ word, away, through }: HostCell): string {
  if (word === "gateway" && through > 0) return `gateway ${through}`;
  return word === "left out" ? `left out ${away}` : word === "unused" ? "-" : word;
}
