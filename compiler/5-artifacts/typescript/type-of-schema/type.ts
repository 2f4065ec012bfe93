import { code, indentation, join, key, nothing, type Code } from "../writer.ts";
import {
  arrayKind,
  booleanKind,
  everyKind,
  nullKind,
  numberKind,
  objectKind,
  stringKind,
  type Kinds,
} from "./kinds.ts";

/** A TypeScript type as text, with what is needed to put it into others. */
export interface Type {
  readonly code: Code;
  /** `word` needs no parentheses anywhere; `readonly` is a prefix; the others are operators. */
  readonly form: "word" | "object" | "readonly" | "and" | "or";
  /** The members of a union. */
  readonly members?: readonly Type[];
  /** How many members the type checker sees once names are followed. */
  readonly width: number;
  /** `{}` is a value of it. */
  readonly takesEmpty: boolean;
}

export interface Member {
  readonly doc: Code;
  readonly key: string;
  readonly type: Type;
  readonly optional: boolean;
}

/** More than this many combinations make a type checker slow, and at 100,000 it gives up. */
const mostCombinations = 2_500;

const closedWord = { form: "word", width: 1, takesEmpty: false } as const;
const openWord = { form: "word", width: 1, takesEmpty: true } as const;

export const unknownType: Type = { code: code`unknown`, ...openWord };
export const neverType: Type = { code: code`never`, ...closedWord };
export const undefinedType: Type = { code: code`undefined`, ...closedWord };
const anyObject: Type = { code: code`{ [key: string]: unknown }`, form: "object", width: 1, takesEmpty: true };
const anyArray: Type = { code: code`readonly unknown[]`, form: "readonly", width: 1, takesEmpty: false };

const plainKinds: readonly (readonly [Kinds, Type])[] = [
  [stringKind, { code: code`string`, ...closedWord }],
  [numberKind, { code: code`number`, ...closedWord }],
  [booleanKind, { code: code`boolean`, form: "word", width: 2, takesEmpty: false }],
  [objectKind, anyObject],
  [arrayKind, anyArray],
  [nullKind, { code: code`null`, ...closedWord }],
];
const wideTypes: Type[] = [];

/** Every value of these kinds: always the same object for the same kinds, so that it can be recognised. */
export function wide(kinds: Kinds): Type {
  return (wideTypes[kinds] ??=
    kinds === everyKind ? unknownType : union(plainKinds.filter(([kind]) => kinds & kind).map(([, type]) => type)));
}

export function namedType(name: Code, width: number, takesEmpty: boolean): Type {
  return { code: name, form: "word", width, takesEmpty };
}

export function literalType(value: string | number | boolean | null): Type {
  return { code: code`${value}`, ...closedWord };
}

export function union(types: readonly Type[]): Type {
  const members: Type[] = [];
  for (const type of types) {
    if (type === unknownType) return type;
    if (type !== neverType) members.push(type);
  }
  if (members.length < 2) return members[0] ?? neverType;
  return unionOf(distinct(members.flatMap((type) => type.members ?? [type])), code` | `);
}

function distinct(types: readonly Type[]): readonly Type[] {
  if (types.length === 2 && types[0]!.code.text !== types[1]!.code.text) return types;
  return [...new Map(types.map((type) => [type.code.text, type])).values()];
}

/** Of types that are all different; a long one gets a line for each member. */
export function unionInLines(members: readonly Type[], level: number): Type {
  let length = 0;
  for (const member of members) length += member.code.text.length + 3;
  return unionOf(members, length > 100 ? code`\n${indentation(level + 1)}| ` : code` | `);
}

function unionOf(members: readonly Type[], bar: Code): Type {
  if (members.length === 0) return neverType;
  if (members.length === 1) return members[0]!;
  const parts = members.map((member) => (member.form === "and" ? code`(${member.code})` : member.code));
  return {
    code: join(parts, bar),
    form: "or",
    members,
    width: members.reduce((sum, member) => sum + member.width, 0),
    takesEmpty: members.some((member) => member.takesEmpty),
  };
}

/** All at once. Where the checker would have to combine too much, the widest part is left out: that is wider. */
export function intersection(types: readonly Type[]): Type {
  if (types.includes(neverType)) return neverType;
  const kept = fewEnough(distinct(types.filter((type) => type !== unknownType)));
  if (kept.length === 0) return unknownType;
  if (kept.length === 1) return kept[0]!;
  return {
    code: join(
      kept.map((type) => (type.form === "or" ? code`(${type.code})` : type.code)),
      code` & `,
    ),
    form: "and",
    width: kept.reduce((product, type) => product * type.width, 1),
    takesEmpty: kept.every((type) => type.takesEmpty),
  };
}

function fewEnough(types: readonly Type[]): readonly Type[] {
  while (types.reduce((product, type) => product * type.width, 1) > mostCombinations && types.length > 1) {
    const widest = types.reduce((most, type) => (type.width > most.width ? type : most));
    types = types.filter((type) => type !== widest);
  }
  return types;
}

/** `readonly`, since it takes arrays of either sort. */
export function arrayOf(item: Type): Type {
  return { code: code`readonly ${element(item)}[]`, form: "readonly", width: 1, takesEmpty: false };
}

export function tupleOf(items: readonly Type[], required: number, rest: Type | undefined): Type {
  const parts = items.map((item, index) => (index < required ? item.code : code`${element(item)}?`));
  if (rest !== undefined) parts.push(code`...${element(rest)}[]`);
  return { code: code`readonly [${join(parts, code`, `)}]`, form: "readonly", width: 1, takesEmpty: false };
}

function element(item: Type): Code {
  return item.form === "word" || item.form === "object" ? item.code : code`(${item.code})`;
}

/** Members in the order given; `index` is the type of every other key. */
export function objectOf(members: readonly Member[], index: Type | undefined, level: number): Type {
  const takesEmpty = members.every((member) => member.optional);
  if (members.length === 0)
    return { ...anyObject, code: code`{ [key: string]: ${(index ?? neverType).code} }`, takesEmpty };
  const indent = indentation(level + 1);
  const lines = members.map((member) => memberLine(member, indent));
  const last = index === undefined ? nothing : code`${indent}[key: string]: ${index.code};\n`;
  return { code: code`{\n${lines}${last}${indentation(level)}}`, form: "object", width: 1, takesEmpty };
}

function memberLine(member: Member, indent: Code): Code {
  if (!member.optional) return code`${member.doc}${indent}${key(member.key)}: ${member.type.code};\n`;
  return code`${member.doc}${indent}${key(member.key)}?: ${orUndefined(member.type)};\n`;
}

function orUndefined(type: Type): Code {
  if (type === unknownType) return type.code;
  if (type === neverType) return undefinedType.code;
  return type.form === "and" ? code`(${type.code}) | undefined` : code`${type.code} | undefined`;
}
