import type { ts } from "ts-morph";
import { takeApart, takeByName } from "./accesses.ts";
import { carriesAny, createCarried, type Looking } from "./carried.ts";
import { flow } from "./flows.ts";
import { isGenerated, isOurs } from "./generated-names.ts";
import { placeValue } from "./places.ts";
import { bare, typeOf } from "./trace.ts";
import type { CodePlace, ToolNames, Reading, TypeScript, UsageEvent } from "./types.ts";

export interface ProgramToRead {
  readonly ts: TypeScript;
  readonly program: ts.Program;
  readonly known: ToolNames;
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
  const mentioned = createCarried({ ...looking, parameters: true });
  const mentions = (type: ts.Type): boolean => carriesAny(mentioned(type));
  const reading: Reading = {
    ...looking,
    carried: createCarried(looking),
    mentions,
    concerns: createConcerns(looking, mentions),
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
    readNode(file, { spelling: asked.hasGaps || isBroken(file), handed: false, leadsToOurs }, reading);
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

/** Of a name once: whatever its type is narrowed to, it leads to no more. */
function createConcerns({ ts: typescript, checker }: Looking, mentions: Reading["mentions"]): Reading["concerns"] {
  const known = new Map<ts.Symbol, boolean>();
  return (name) => {
    const { parent } = name;
    const symbol = typescript.isShorthandPropertyAssignment(parent)
      ? checker.getShorthandAssignmentValueSymbol(parent)
      : checker.getSymbolAtLocation(name);
    if (symbol === undefined) return true;
    const found = known.get(symbol);
    if (found !== undefined) return found;
    const target = symbol.flags & typescript.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const isValue = target.flags & typescript.SymbolFlags.Value;
    const concerns = !isValue || mentions(checker.getTypeOfSymbol(target));
    known.set(symbol, concerns);
    return concerns;
  };
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
  /** What stands there goes where it is expected to be of a type. */
  readonly handed: boolean;
  readonly leadsToOurs: (specifier: string) => boolean;
}

/**
 * True: something in it has to do with tools. What is made of parts that haven't isn't asked for its type: types are what
 * takes the time.
 */
function readNode(node: ts.Node, look: Look, reading: Reading): boolean {
  const { ts: typescript } = reading;
  if (typescript.isTypeNode(node) && !typescript.isExpressionWithTypeArguments(node)) return false;
  if (typescript.isImportDeclaration(node)) return false;
  if (typescript.isIdentifier(node)) return readLeaf(node, look, reading);
  let concerns = node.kind === typescript.SyntaxKind.ThisKeyword || node.kind === typescript.SyntaxKind.SuperKeyword;
  typescript.forEachChild(node, (child) => {
    const handed = isHanded(node, child, concerns, look, reading);
    if (readNode(child, handed === look.handed ? look : { ...look, handed }, reading)) concerns = true;
  });
  if (typescript.isObjectBindingPattern(node) && mayTakeTools(node, reading)) takeApart(node, reading);
  if (typescript.isClassLike(node) && node.heritageClauses !== undefined) keepsPromises(node, reading);
  if (typescript.isCallExpression(node)) readOpenCall(node, concerns, look, reading);
  if (typescript.isPropertyAccessExpression(node) || typescript.isElementAccessExpression(node))
    readAccess(node, concerns, look, reading);
  const isOffered = look.handed && (typescript.isArrowFunction(node) || typescript.isFunctionExpression(node));
  if (!(concerns || isOffered) || !typescript.isExpression(node) || !isValue(node, reading)) return concerns;
  const leadsOn = readExpression(node, reading);
  return concerns && (leadsOn || !isTakenOrCalled(node, reading));
}

/** Something else came out of it: what it was taken from no longer matters. */
function isTakenOrCalled(node: ts.Expression, { ts: typescript }: Reading): boolean {
  return (
    typescript.isPropertyAccessExpression(node) ||
    typescript.isElementAccessExpression(node) ||
    typescript.isCallExpression(node)
  );
}

/** By its names alone. */
function mayTakeTools({ elements }: ts.ObjectBindingPattern, { known, ts: typescript }: Reading): boolean {
  return elements.some(({ propertyName, name, dotDotDotToken }) => {
    const key = propertyName ?? name;
    if (dotDotDotToken !== undefined || !(typescript.isIdentifier(key) || typescript.isStringLiteralLike(key)))
      return true;
    return known.tools.has(key.text) || known.servers.has(key.text) || key.text.startsWith("$");
  });
}

function readLeaf(node: ts.Identifier, look: Look, reading: Reading): boolean {
  if (!isValue(node, reading)) return false;
  const concerns = reading.concerns(node);
  if (concerns || look.handed) readExpression(node, reading);
  return concerns;
}

/** Whether a function that stands there may be called with what leads to tools. */
function isHanded(node: ts.Node, child: ts.Node, concerns: boolean, look: Look, { ts: typescript }: Reading): boolean {
  if (typescript.isCallExpression(node) || typescript.isNewExpression(node))
    return child !== node.expression && concerns;
  if (typescript.isBinaryExpression(node)) return child === node.right && (concerns || look.handed);
  if ("type" in node && node.type !== undefined && "initializer" in node) return true;
  if (typescript.isReturnStatement(node) || typescript.isSatisfiesExpression(node)) return true;
  if (typescript.isAsExpression(node)) return true;
  if (typescript.isArrowFunction(node)) return child === node.body && !typescript.isBlock(node.body);
  const isPassedOn =
    typescript.isObjectLiteralExpression(node) ||
    typescript.isPropertyAssignment(node) ||
    typescript.isShorthandPropertyAssignment(node) ||
    typescript.isArrayLiteralExpression(node) ||
    typescript.isParenthesizedExpression(node) ||
    typescript.isConditionalExpression(node);
  return isPassedOn && look.handed;
}

function readExpression(node: ts.Expression, reading: Reading): boolean {
  const { checker } = reading;
  const type = checker.getTypeAtLocation(node);
  const carried = reading.carried(type);
  if (carriesAny(carried)) placeValue({ node, type, carried }, reading);
  else if (type.getCallSignatures().length > 0) offersItself(node, type, reading);
  // A function of the language's own may lead on whatever it is a part of: `map.get`, `promise.then`.
  return reading.mentions(type) || type.getCallSignatures().length > 0;
}

function readAccess(
  node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
  concerns: boolean,
  look: Look,
  reading: Reading,
): void {
  const { ts: typescript, checker, carried } = reading;
  const name = spelledIn(node, reading);
  if (!concerns && (!look.spelling || name === undefined)) return;
  const own = checker.getTypeAtLocation(node.expression);
  const seen = carriesAny(carried(own)) ? node.expression : bare(node.expression, reading);
  if (carriesAny(carried(typeOf(seen, reading)))) return takeByName(seen, node, reading);
  if (look.spelling && name !== undefined && own.flags & typescript.TypeFlags.Any)
    reading.tell({ kind: "spells", name, at: reading.placeOf(node) });
}

/** The name of a tool of whatever server. */
function spelledIn(
  node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
  { ts: typescript, known }: Reading,
): string | undefined {
  const key = typescript.isPropertyAccessExpression(node) ? node.name : node.argumentExpression;
  const name = typescript.isIdentifier(key) || typescript.isStringLiteralLike(key) ? key.text : undefined;
  return name !== undefined && known.tools.has(name) ? name : undefined;
}

/** `team().as(name)` with a name of which nothing is known, and `require` of generated code without its types. */
function readOpenCall(call: ts.CallExpression, concerns: boolean, look: Look, reading: Reading): void {
  const { ts: typescript, checker, carried, known } = reading;
  const callee = call.expression;
  const [first] = call.arguments;
  if (first !== undefined && typescript.isStringLiteralLike(first) && look.leadsToOurs(first.text)) {
    const isFake = /\b(?:un|do)?mock$/i.test(callee.getText());
    const isSeen = carriesAny(carried(checker.getTypeAtLocation(call)));
    if (!isFake && !isSeen)
      reading.tell({ kind: "loses", roles: [...known.roles], server: undefined, at: reading.placeOf(call) });
  }
  if (!concerns || !typescript.isPropertyAccessExpression(callee) || callee.name.text !== "as") return;
  const team = carried(checker.getTypeAtLocation(callee.expression));
  if (team.roles.size === 0 || carriesAny(carried(checker.getTypeAtLocation(call)))) return;
  reading.tell({ kind: "loses", roles: [...team.roles], server: undefined, at: reading.placeOf(call) });
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
