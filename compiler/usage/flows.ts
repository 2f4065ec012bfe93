import type { ts } from "ts-morph";
import { carriesAny } from "./carried.ts";
import type { Carried, Reading } from "./types.ts";

/** What is left of a type where it goes through a wall that only a person can see through. */
export function lose(carried: Carried, node: ts.Node, reading: Reading, roles?: readonly string[]): void {
  const at = reading.placeOf(node);
  if (carried.roles.size > 0) reading.tell({ kind: "loses", roles: [...carried.roles], server: undefined, at });
  for (const server of carried.servers) reading.tell({ kind: "loses", roles, server, at });
}

const DEEPEST = 4;

/**
 * A value of one type goes where another one is expected. Whatever of it can't be seen there any more is told: from then
 * on nobody knows what is done with it.
 */
export function flow(source: ts.Type, target: ts.Type, node: ts.Node, reading: Reading): void {
  flowInto(source, target, node, reading, 0);
}

function flowInto(source: ts.Type, target: ts.Type, node: ts.Node, reading: Reading, depth: number): void {
  if (source === target) return;
  flowParameters(source, target, node, reading, depth);
  const from = reading.carried(source);
  if (!carriesAny(from)) return;
  const to = reading.carried(target);
  if (!carriesAny(to) || depth > DEEPEST) return lose(from, node, reading);
  for (const role of from.roles) if (!to.roles.has(role)) passAs(role, to, reading);
  for (const server of from.servers)
    if (!to.servers.has(server)) lose({ roles: new Set(), servers: new Set([server]) }, node, reading);
  if (!isDirect(source, reading)) flowContents(source, target, node, reading, depth);
}

/** One role where another, or a bare server, is expected. */
function passAs(role: string, to: Carried, { tell }: Reading): void {
  tell({ kind: "hides", role });
  for (const other of to.roles) tell({ kind: "passes-as", role, as: other });
  for (const server of to.servers) tell({ kind: "travels", roles: [role], server });
}

/** A session or a server itself, as opposed to what holds one. */
export function isDirect(type: ts.Type, { checker, carried, ts: typescript }: Reading): boolean {
  const parts = type.isUnionOrIntersection() ? type.types : [type];
  return parts.some(
    (part) =>
      carriesAny(carried(part)) &&
      !(part.flags & typescript.TypeFlags.Object && part.getCallSignatures().length > 0) &&
      checker.getPropertiesOfType(part).some((property) => isMember(property)),
  );
}

function isMember(symbol: ts.Symbol): boolean {
  return (symbol.declarations ?? []).some(({ parent }) => {
    const holder = parent && "name" in parent ? (parent.name as ts.Identifier | undefined) : undefined;
    return (
      /(?:Servers|Tools)$/.test(holder?.text ?? "") &&
      /\/(?:roles|servers)\/[^/]+$/.test(parent.getSourceFile().fileName)
    );
  });
}

function flowContents(source: ts.Type, target: ts.Type, node: ts.Node, reading: Reading, depth: number): void {
  const { checker, carried } = reading;
  const next = (from: ts.Type, to: ts.Type | undefined): void => {
    if (!carriesAny(carried(from))) return;
    if (to === undefined) lose(carried(from), node, reading);
    else flowInto(from, to, node, reading, depth + 1);
  };
  if (source.isUnion()) return source.types.forEach((part) => next(part, target));
  const parts = target.isUnion() ? target.types.filter((part) => carriesAny(carried(part))) : [target];
  const [only] = parts;
  if (parts.length !== 1 || only === undefined) return;
  if (source.symbol === only.symbol && "target" in source && "target" in only) {
    const args = checker.getTypeArguments(only as ts.TypeReference);
    checker.getTypeArguments(source as ts.TypeReference).forEach((arg, i) => next(arg, args[i]));
    return;
  }
  const returnOf = (type: ts.Type): ts.Type | undefined => {
    const [signature] = type.getCallSignatures();
    return signature && checker.getReturnTypeOfSignature(signature);
  };
  const returned = returnOf(source);
  if (returned !== undefined) return next(returned, returnOf(only));
  if (checker.isArrayLikeType(source)) return;
  for (const property of checker.getPropertiesOfType(source)) {
    const from = checker.getTypeOfSymbol(property);
    if (!carriesAny(carried(from))) continue;
    const there = checker.getPropertyOfType(only, property.name);
    const index = checker.getIndexInfosOfType(only)[0]?.type;
    next(from, there === undefined ? index : checker.getTypeOfSymbol(there));
  }
}

/** A function is handed over: what its new holder calls it with goes into its own parameters. */
function flowParameters(source: ts.Type, target: ts.Type, node: ts.Node, reading: Reading, depth: number): void {
  const { checker } = reading;
  if (depth > DEEPEST) return;
  for (const given of checker.getNonNullableType(target).getCallSignatures()) {
    for (const own of source.getCallSignatures()) {
      given.parameters.forEach((parameter, i) => {
        const from = checker.getTypeOfSymbol(parameter);
        if (!carriesAny(reading.carried(from))) return;
        const into = own.parameters[i];
        if (into !== undefined) flowInto(from, checker.getTypeOfSymbol(into), node, reading, depth + 1);
        else if (usesArguments(own)) lose(reading.carried(from), node, reading);
      });
    }
  }
}

/** A `function` may look at arguments that it has no names for. */
function usesArguments({ declaration }: ts.Signature): boolean {
  return declaration !== undefined && /\barguments\b/.test(declaration.getText());
}
