import type { ts } from "ts-morph";
import { carriesAny } from "./carried.ts";
import { flow, lose } from "./flows.ts";
import { isOurs } from "./generated-names.ts";
import { rolesOf } from "./trace.ts";
import type { PlacedValue, Reading } from "./types.ts";

/** What hosts in the same process are handed a role with. */
const OFFERING: ReadonlySet<string> = new Set(["aiTools", "agentTools", "adkTools", "copilotSession", "claudeOptions"]);

/** A value that leads to tools is an argument: it goes on as the parameter, where the function's code can be read. */
export function handOver(placed: PlacedValue, call: ts.CallExpression | ts.NewExpression, reading: Reading): void {
  const { checker } = reading;
  const { node, type, carried } = placed;
  const signature = checker.getResolvedSignature(call);
  const declaration = signature?.declaration;
  const away = (): void => lose(carried, node, reading, rolesOf(node, reading));
  if (signature === undefined || declaration === undefined) return away();
  const file = declaration.getSourceFile();
  if (isOurs(file)) return toOurs(placed, call, reading);
  const index = call.arguments?.indexOf(node) ?? -1;
  if (reading.program.isSourceFileDefaultLibrary(file)) {
    const target = parameterType(signature, index, call, reading);
    return target === undefined || !isHeldOn(call, reading) ? away() : flow(type, target, node, reading);
  }
  const parameters = implementations(declaration, reading).map((one) => written(one, index, reading));
  if (parameters.length === 0) return away();
  for (const parameter of parameters) {
    if (parameter === undefined) away();
    else flow(type, parameter, node, reading);
  }
}

/** The language's own functions keep what they are given, or give it back; else they look into it. */
function isHeldOn(call: ts.CallExpression | ts.NewExpression, { ts: typescript, checker, carried }: Reading): boolean {
  const callee = call.expression;
  const receiver = typescript.isPropertyAccessExpression(callee) ? callee.expression : undefined;
  const isKept = receiver !== undefined && carriesAny(carried(checker.getTypeAtLocation(receiver)));
  return isKept || carriesAny(carried(checker.getTypeAtLocation(call)));
}

/** Our own functions give tools to a model, or give the session back under its type. */
function toOurs({ node, carried }: PlacedValue, call: ts.CallExpression | ts.NewExpression, reading: Reading): void {
  const { ts: typescript, checker } = reading;
  const callee = typescript.isCallExpression(call) ? call.expression : undefined;
  const name = callee && calledName(callee, reading);
  if (name !== undefined && OFFERING.has(name) && carried.roles.size > 0)
    return reading.tell({ kind: "offers", roles: [...carried.roles], by: name, at: reading.placeOf(node) });
  if (name !== undefined && /^(?:aiPrompt|agentPrompt|adkPrompt)$/.test(name)) return;
  if (!carriesAny(reading.carried(checker.getTypeAtLocation(call))))
    lose(carried, node, reading, rolesOf(node, reading));
}

/** Under which name it was exported, whatever it is called here. */
function calledName(callee: ts.Expression, { ts: typescript, checker }: Reading): string | undefined {
  const name = typescript.isPropertyAccessExpression(callee) ? callee.name : callee;
  const symbol = checker.getSymbolAtLocation(name);
  if (symbol === undefined) return undefined;
  return symbol.flags & typescript.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol).name : symbol.name;
}

function parameterType(
  signature: ts.Signature,
  index: number,
  call: ts.Node,
  { checker, ts: typescript }: Reading,
): ts.Type | undefined {
  const { parameters } = signature;
  const last = parameters.at(-1);
  const declared = last?.valueDeclaration;
  const isRest = declared && typescript.isParameter(declared) && declared.dotDotDotToken !== undefined;
  if (last !== undefined && isRest && index >= parameters.length - 1)
    return elementOf(checker.getTypeOfSymbolAtLocation(last, call), checker);
  const parameter = parameters[index];
  return parameter && checker.getTypeOfSymbolAtLocation(parameter, call);
}

function elementOf(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  return checker.getIndexInfosOfType(type)[0]?.type ?? checker.getTypeArguments(type as ts.TypeReference)[0];
}

type WithParameters = ts.SignatureDeclaration | ts.JSDocSignature;

/** The function's code, behind an overload or a class; none where it isn't there to be read. */
function implementations(declaration: WithParameters, { ts: typescript, checker }: Reading): ts.SignatureDeclaration[] {
  if (typescript.isJSDocSignature(declaration)) return [];
  if (hasBody(declaration)) return [declaration];
  if (typescript.isFunctionTypeNode(declaration) || typescript.isMethodSignature(declaration)) return [declaration];
  if (typescript.isCallSignatureDeclaration(declaration)) return [declaration];
  const symbol = declaration.name && checker.getSymbolAtLocation(declaration.name);
  const found = (symbol?.declarations ?? []).filter(
    (one): one is ts.SignatureDeclaration => typescript.isFunctionLike(one) && hasBody(one),
  );
  const isAbstract = typescript.getCombinedModifierFlags(declaration) & typescript.ModifierFlags.Abstract;
  return isAbstract && found.length === 0 && !declaration.getSourceFile().isDeclarationFile ? [declaration] : found;
}

function hasBody(declaration: ts.Node): boolean {
  return "body" in declaration && declaration.body !== undefined;
}

/** As the function's own code sees the argument. */
function written(declaration: ts.SignatureDeclaration, index: number, { checker }: Reading): ts.Type | undefined {
  if (declaration.getSourceFile().isDeclarationFile) return undefined;
  const { parameters } = declaration;
  const offset = parameters[0]?.name.getText() === "this" ? 1 : 0;
  const last = parameters.at(-1);
  if (last?.dotDotDotToken !== undefined && index + offset >= parameters.length - 1)
    return elementOf(checker.getTypeAtLocation(last), checker);
  const parameter = parameters[index + offset];
  return parameter && checker.getTypeAtLocation(parameter);
}
