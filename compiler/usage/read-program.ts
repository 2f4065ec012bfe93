import type { ts } from "ts-morph";
import { takeApart, takeByName } from "./accesses.ts";
import { carriesAny, createCarried } from "./carried.ts";
import { flow } from "./flows.ts";
import { isGenerated, isOurs } from "./generated-names.ts";
import { placeValue } from "./places.ts";
import { bare, typeOf } from "./trace.ts";
import type { CodePlace, KnownTools, Reading, TypeScript, UsageEvent } from "./types.ts";

export interface ProgramToRead {
  readonly ts: TypeScript;
  readonly program: ts.Program;
  readonly known: KnownTools;
  /** `file` absolute, as the program has it. */
  readonly nameOf: (file: string) => CodePlace;
  /** Files that another program was already asked about. */
  readonly isDone: (file: string) => boolean;
  /** Something that is imported can't be found, and it isn't a library: then a value may be anything. */
  readonly hasGaps: boolean;
  /** Whether what a file names by this text is generated code. */
  readonly leadsToOurs: (file: string, specifier: string) => boolean;
}

/** Everything that the app's code says of tools, file after file. */
export function readProgram(asked: ProgramToRead, tell: (event: UsageEvent) => void): void {
  const { ts: typescript, program, known, nameOf } = asked;
  const checker = program.getTypeChecker();
  const looking = { ts: typescript, program, checker, known };
  const reading: Reading = {
    ...looking,
    carried: createCarried(looking),
    placeOf: (node) => {
      const file = node.getSourceFile();
      return `${nameOf(file.fileName)}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`;
    },
    isForeign: (file) => file.isDeclarationFile || isOurs(file) || program.isSourceFileFromExternalLibrary(file),
    tell,
  };
  for (const file of program.getSourceFiles()) {
    if (isGenerated(file)) tellBlindness(file, reading);
    if (reading.isForeign(file) || asked.isDone(file.fileName)) continue;
    if (isBroken(file)) spellWords(file, reading, nameOf);
    const leadsToOurs = (specifier: string): boolean => asked.leadsToOurs(file.fileName, specifier);
    readNode(file, { spelling: asked.hasGaps || isBroken(file), leadsToOurs }, reading);
  }
}

/** A generated module whose own types lead nowhere, as where the package it imports isn't installed: nothing is known then. */
function tellBlindness(file: ts.SourceFile, reading: Reading): void {
  const { checker, known } = reading;
  const [, role] = /\/roles\/([^/]+?)(?:\.d)?\.[cm]?ts$/.exec(file.fileName) ?? [];
  const symbol = checker.getSymbolAtLocation(file);
  if (role === undefined || symbol === undefined || !known.roles.has(role)) return;
  const values = checker.getExportsOfModule(symbol).filter((one) => one.valueDeclaration !== undefined);
  const isBlind = values.some((one) => checker.getTypeOfSymbol(one).flags & reading.ts.TypeFlags.Any);
  if (isBlind) reading.tell({ kind: "loses", roles: [role], server: undefined, at: reading.placeOf(file) });
}

/** What the parser made of a file with mistakes may be anything. */
function isBroken(file: ts.SourceFile): boolean {
  return ((file as { readonly parseDiagnostics?: readonly unknown[] }).parseDiagnostics ?? []).length > 0;
}

function spellWords(file: ts.SourceFile, reading: Reading, nameOf: (file: string) => CodePlace): void {
  file.text.split("\n").forEach((line, i) => {
    for (const [name] of line.matchAll(/[\w$.-]+/g))
      for (const part of [name, ...name.split(".")])
        if (reading.known.tools.has(part))
          reading.tell({ kind: "spells", name: part, at: `${nameOf(file.fileName)}:${i + 1}` });
  });
}

/** How a file is looked at. */
interface Look {
  /** Names on values of which nothing is known count. */
  readonly spelling: boolean;
  readonly leadsToOurs: (specifier: string) => boolean;
}

function readNode(node: ts.Node, look: Look, reading: Reading): void {
  const { ts: typescript } = reading;
  if (typescript.isTypeNode(node) && !typescript.isExpressionWithTypeArguments(node)) return;
  if (typescript.isImportDeclaration(node)) return;
  if (typescript.isObjectBindingPattern(node)) takeApart(node, reading);
  if (typescript.isClassLike(node)) keepsPromises(node, reading);
  if (typescript.isExpression(node) && isValue(node, reading)) readExpression(node, look, reading);
  typescript.forEachChild(node, (child) => readNode(child, look, reading));
}

function readExpression(node: ts.Expression, look: Look, reading: Reading): void {
  const { ts: typescript, checker } = reading;
  if (typescript.isPropertyAccessExpression(node) || typescript.isElementAccessExpression(node))
    readAccess(node, look, reading);
  if (typescript.isLiteralExpression(node)) return;
  if (typescript.isCallExpression(node)) readOpenCall(node, look, reading);
  const type = checker.getTypeAtLocation(node);
  const carried = reading.carried(type);
  if (carriesAny(carried)) placeValue({ node, type, carried }, reading);
  else if (type.getCallSignatures().length > 0) offersItself(node, type, reading);
}

function readAccess(
  node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
  look: Look,
  reading: Reading,
): void {
  const { ts: typescript, checker, carried } = reading;
  const own = checker.getTypeAtLocation(node.expression);
  const seen = carriesAny(carried(own)) ? node.expression : bare(node.expression, reading);
  if (carriesAny(carried(typeOf(seen, reading)))) return takeByName(seen, node, reading);
  if (!look.spelling || !(own.flags & typescript.TypeFlags.Any)) return;
  const key = typescript.isPropertyAccessExpression(node) ? node.name : node.argumentExpression;
  const name = typescript.isIdentifier(key) || typescript.isStringLiteralLike(key) ? key.text : undefined;
  if (name !== undefined && reading.known.tools.has(name))
    reading.tell({ kind: "spells", name, at: reading.placeOf(node) });
}

/** `team().as(name)` with a name of which nothing is known, and `require` of generated code without its types. */
function readOpenCall(call: ts.CallExpression, look: Look, reading: Reading): void {
  const { ts: typescript, checker, carried, known } = reading;
  const callee = call.expression;
  const at = reading.placeOf(call);
  const [first] = call.arguments;
  if (first !== undefined && typescript.isStringLiteralLike(first) && look.leadsToOurs(first.text)) {
    const isFake = /\b(?:un|do)?mock$/i.test(callee.getText());
    const isSeen = carriesAny(carried(checker.getTypeAtLocation(call)));
    if (!isFake && !isSeen) reading.tell({ kind: "loses", roles: [...known.roles], server: undefined, at });
  }
  if (!typescript.isPropertyAccessExpression(callee) || callee.name.text !== "as") return;
  const team = carried(checker.getTypeAtLocation(callee.expression));
  if (team.roles.size === 0 || carriesAny(carried(checker.getTypeAtLocation(call)))) return;
  reading.tell({ kind: "loses", roles: [...team.roles], server: undefined, at });
}

/** Names of things aren't their values. */
function isValue(node: ts.Expression, { ts: typescript }: Reading): boolean {
  const { parent } = node;
  if (typescript.isPropertyAccessExpression(parent) && parent.name === node) return false;
  if (typescript.isExpressionWithTypeArguments(node)) return false;
  if (!typescript.isIdentifier(node)) return true;
  if (typescript.isShorthandPropertyAssignment(parent)) return parent.name === node;
  if (typescript.isExportSpecifier(parent) || typescript.isImportSpecifier(parent)) return false;
  if (typescript.isBindingElement(parent)) return parent.initializer === node;
  if (typescript.isLabeledStatement(parent) || typescript.isBreakOrContinueStatement(parent)) return false;
  if (typescript.isJsxAttribute(parent) || typescript.isMetaProperty(parent)) return false;
  return !("name" in parent && parent.name === node);
}

/** A function goes where it will be called with what leads to tools. */
function offersItself(node: ts.Expression, type: ts.Type, reading: Reading): void {
  const { parent } = node;
  if (reading.ts.isCallExpression(parent) && parent.expression === node) return;
  const target = reading.checker.getContextualType(node);
  if (target !== undefined) flow(type, target, node, reading);
}

/** What a class says it is, its methods have to take. */
function keepsPromises(node: ts.ClassLikeDeclaration, reading: Reading): void {
  const { checker, ts: typescript } = reading;
  for (const clause of node.heritageClauses ?? [])
    for (const promised of clause.types) {
      const type = checker.getTypeAtLocation(promised);
      for (const member of node.members) {
        if (!typescript.isMethodDeclaration(member) && !typescript.isPropertyDeclaration(member)) continue;
        const symbol = checker.getSymbolAtLocation(member.name);
        const there = symbol && checker.getPropertyOfType(type, symbol.name);
        if (there !== undefined)
          flow(checker.getTypeAtLocation(member), checker.getTypeOfSymbol(there), member, reading);
      }
    }
}
