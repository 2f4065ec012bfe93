import type { ChangeGroup, CommonChange, ToldTool } from "../../diff/told.ts";
import { visible } from "../../base/visible.ts";
import { suspicionWords } from "../capture/words.ts";
import { yesWords } from "./headline-words.ts";
import { GRADE_WORDS, holdsNothing, ruleKind, ruleSentence } from "./piece-words.ts";
import { changeWords, nameList, SIGNS, whatLines, whereLines, type SourceLines } from "./words.ts";

/** A change as a page has it: a line with its sign, and lines below. */
export interface ShownChange {
  readonly head: string;
  readonly below: readonly string[];
}

/** What happens to a role with tools by the same lines, the dangerous ones first. */
export function shownGroup(group: ChangeGroup, where: SourceLines): ShownChange {
  const { first, tools, laterTools, rules, withExample } = group;
  const { change } = first;
  const isGained = change.kind === "tool" && change.direction === "widens";
  const parts = isGained ? partsOf(tools) : [tools];
  const head = isGained ? gainedHead(tools, parts) : tools.length > 1 ? severalHead(group) : changeWords(first);
  const later =
    laterTools === undefined
      ? []
      : [
          `new tools that match come too: they ${laterTools === "come" ? "are" : "may be"} held after the next capture, without a yes unless a rule asks`,
        ];
  return {
    head: `${SIGNS[change.direction]} ${head}`,
    below: [
      ...(parts.length > 1 ? parts.map((part) => `${kindWords(part)}: ${names(part)}`) : []),
      ...whatLines(first, withExample),
      ...group.suspicious.map(
        ({ name, signs }) => `READ its text: ${visible(name)} ${signs.map(suspicionWords).join(", ")}`,
      ),
      ...whereLines(first, where),
      ...rules.map(({ rule }) => newRuleWords(rule)),
      ...later,
    ],
  };
}

function newRuleWords(rule: ChangeGroup["rules"][number]["rule"]): string {
  return `this ${ruleKind(rule)} is new: it ${ruleSentence(rule?.after) ?? "restricts"}`;
}

/** Tools that are alike in what they do and whether they are asked. */
function partsOf(tools: readonly ToldTool[]): (readonly ToldTool[])[] {
  const parts = new Map<string, ToldTool[]>();
  for (const tool of tools) {
    const key = `${tool.grade} ${tool.isAsked}`;
    const known = parts.get(key);
    if (known === undefined) parts.set(key, [tool]);
    else known.push(tool);
  }
  return [...parts.values()];
}

function names(tools: readonly ToldTool[]): string {
  return nameList(tools.map(({ name }) => name));
}

function kindWords([first]: readonly ToldTool[]): string {
  return first === undefined ? "" : `${yesWords(first.isAsked)}; ${GRADE_WORDS[first.grade]}`;
}

function named(tools: readonly ToldTool[]): string {
  const [first] = tools;
  const between = tools.length === 1 ? "." : ": ";
  return `${visible(first?.server ?? "")}${between}${names(tools)}`;
}

function gainedHead(tools: readonly ToldTool[], parts: readonly (readonly ToldTool[])[]): string {
  if (parts.length === 1) return `${named(tools)} (${kindWords(tools)})`;
  const free = tools.filter(({ isAsked }) => !isAsked).length;
  return `${visible(tools[0]!.server)}: ${tools.length} tools, ${free === tools.length ? "all" : free} without a yes`;
}

function severalHead({ first: { change }, tools }: ChangeGroup): string {
  const said = named(tools);
  if (change.kind === "tool") return `${said}: can't be called any more`;
  return change.after === "ask"
    ? `${said}: each call needs a yes now`
    : `${said}: without a yes now (before: each call needed one)`;
}

/** Of a server, a rule or a host. */
export function shownCommon({ described, felt }: CommonChange, where: SourceLines): ShownChange {
  return {
    head: `${SIGNS[described.change.direction]} ${changeWords(described)}`,
    below: [...whatLines(described), ...feltLines(described, felt), ...whereLines(described, where)],
  };
}

/** Who has something by a rule that isn't what it was; an invariant gives and takes nothing. */
function feltLines({ change, rule }: CommonChange["described"], felt: CommonChange["felt"]): string[] {
  if (change.kind !== "guard") return [];
  if (ruleKind(rule) === "invariant") return ["it only checked: no role gains or loses a tool by this"];
  if (change.before === null) return ["no role loses a tool by this today"];
  if (felt.length === 0)
    return [`no role gains a tool by this today${change.after === null ? `, but it ${holdsNothing(rule)}` : ""}`];
  return [
    `by this, today: ${nameList(felt.map(({ role, tool, isAsked }) => `${role} may call ${tool}${isAsked ? " with a yes" : ""}`))}`,
  ];
}
