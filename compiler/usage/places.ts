import type { ts } from "ts-morph";
import { carriesAny } from "./carried.ts";
import { handOver } from "./hand-over.ts";
import { flow, isDirect, lose } from "./flows.ts";
import { rolesOf } from "./trace.ts";
import type { Carried, PlacedValue, Reading } from "./types.ts";

/** What becomes of it there. What isn't named here is where nobody can follow it: then any of its tools may be used. */
export function placeValue(placed: PlacedValue, reading: Reading): void {
  const { parent } = placed.node;
  if (isHarmless(placed.node, parent, reading) || isAccessed(placed.node, parent, reading)) return;
  if (isSamePart(parent, reading)) return staysIn(placed, parent as ts.Expression, reading);
  if (!isKeptAsIs(parent, reading)) travel(placed, reading);
  intoTarget(placed, parent, reading);
}

/** Looked at, and gone. */
function isHarmless(node: ts.Expression, parent: ts.Node, { ts: typescript }: Reading): boolean {
  const { SyntaxKind } = typescript;
  switch (parent.kind) {
    case SyntaxKind.ExpressionStatement:
    case SyntaxKind.TypeOfExpression:
    case SyntaxKind.VoidExpression:
    case SyntaxKind.DeleteExpression:
    case SyntaxKind.PrefixUnaryExpression:
    case SyntaxKind.IfStatement:
    case SyntaxKind.WhileStatement:
    case SyntaxKind.DoStatement:
    case SyntaxKind.ForStatement:
    case SyntaxKind.ForInStatement:
    case SyntaxKind.SwitchStatement:
    case SyntaxKind.CaseClause:
    case SyntaxKind.TemplateSpan:
    case SyntaxKind.ComputedPropertyName:
      return true;
    case SyntaxKind.ConditionalExpression:
      return (parent as ts.ConditionalExpression).condition === node;
    case SyntaxKind.BinaryExpression:
      return isCompared(parent as ts.BinaryExpression, node, SyntaxKind);
    case SyntaxKind.ForOfStatement:
      return typescript.isVariableDeclarationList((parent as ts.ForOfStatement).initializer);
    case SyntaxKind.ElementAccessExpression:
      return (parent as ts.ElementAccessExpression).argumentExpression === node;
    default:
      return false;
  }
}

function isCompared(
  { operatorToken, left }: ts.BinaryExpression,
  node: ts.Expression,
  kinds: typeof ts.SyntaxKind,
): boolean {
  const kind = operatorToken.kind;
  if (kind >= kinds.FirstAssignment && kind <= kinds.LastAssignment) return left === node;
  if (kind === kinds.CommaToken || kind === kinds.AmpersandAmpersandToken) return left === node;
  return kind !== kinds.BarBarToken && kind !== kinds.QuestionQuestionToken;
}

/** Its parts are looked at where they are taken. */
function isAccessed(node: ts.Expression, parent: ts.Node, { ts: typescript }: Reading): boolean {
  if (typescript.isPropertyAccessExpression(parent) || typescript.isElementAccessExpression(parent))
    return parent.expression === node;
  return (typescript.isCallExpression(parent) || typescript.isNewExpression(parent)) && parent.expression === node;
}

/** The expression around it has its value, or holds it. */
function isSamePart(parent: ts.Node, { ts: typescript }: Reading): boolean {
  const { SyntaxKind } = typescript;
  switch (parent.kind) {
    case SyntaxKind.ParenthesizedExpression:
    case SyntaxKind.NonNullExpression:
    case SyntaxKind.SatisfiesExpression:
    case SyntaxKind.AwaitExpression:
    case SyntaxKind.ConditionalExpression:
    case SyntaxKind.ArrayLiteralExpression:
      return true;
    case SyntaxKind.BinaryExpression:
      return (
        (parent as ts.BinaryExpression).operatorToken.kind !== SyntaxKind.EqualsToken &&
        !isAssignment(parent, SyntaxKind)
      );
    default:
      return false;
  }
}

function isAssignment(node: ts.Node, kinds: typeof ts.SyntaxKind): boolean {
  const kind = (node as ts.BinaryExpression).operatorToken.kind;
  return kind >= kinds.FirstAssignment && kind <= kinds.LastAssignment;
}

/** A union of two roles may be written as the smaller one alone: then the larger one goes on under its name. */
function staysIn({ node, type, carried }: PlacedValue, around: ts.Expression, reading: Reading): void {
  const { ts: typescript } = reading;
  if (typescript.isArrayLiteralExpression(around) && isAssigned(around, reading)) return lose(carried, node, reading);
  // Of several that it may be, one may not be known.
  const isOneOfSeveral = typescript.isConditionalExpression(around) || typescript.isBinaryExpression(around);
  if (isOneOfSeveral || typescript.isArrayLiteralExpression(around)) travel({ node, type, carried }, reading);
  include(type, carried, reading.checker.getTypeAtLocation(around), node, reading);
}

function isAssigned(literal: ts.Expression, { ts: typescript }: Reading): boolean {
  const { parent } = literal;
  return typescript.isBinaryExpression(parent) && parent.left === literal;
}

function include(type: ts.Type, carried: Carried, around: ts.Type, node: ts.Node, reading: Reading): void {
  const to = reading.carried(around);
  const isThere = [...carried.roles].every((role) => to.roles.has(role));
  if (!isThere) return flow(type, around, node, reading);
  for (const server of carried.servers)
    if (!to.servers.has(server)) lose({ roles: new Set(), servers: new Set([server]) }, node, reading);
}

/** A constant without a type of its own: whoever reads the name is led back to it. */
function isKeptAsIs(parent: ts.Node, { ts: typescript }: Reading): boolean {
  return (
    typescript.isVariableDeclaration(parent) &&
    parent.type === undefined &&
    (typescript.getCombinedNodeFlags(parent) & typescript.NodeFlags.Constant) !== 0
  );
}

function travel({ node, type, carried }: PlacedValue, reading: Reading): void {
  if (isDirect(type, reading)) travelFrom(node, carried, reading);
}

function travelFrom(node: ts.Expression, carried: Carried, reading: Reading): void {
  const roles = rolesOf(node, reading);
  if (roles !== undefined) for (const server of carried.servers) reading.tell({ kind: "travels", roles, server });
}

function intoTarget(placed: PlacedValue, parent: ts.Node, reading: Reading): void {
  const { ts: typescript, checker } = reading;
  const { node, type, carried } = placed;
  const { SyntaxKind } = typescript;
  const away = (): void => lose(carried, node, reading, rolesOf(node, reading));
  switch (parent.kind) {
    case SyntaxKind.AsExpression:
    case SyntaxKind.TypeAssertionExpression:
      return castTo(placed, parent as ts.AsExpression, reading);
    case SyntaxKind.CallExpression:
    case SyntaxKind.NewExpression:
      return handOver(placed, parent as ts.CallExpression | ts.NewExpression, reading);
    case SyntaxKind.VariableDeclaration:
    case SyntaxKind.PropertyDeclaration:
    case SyntaxKind.Parameter:
    case SyntaxKind.BindingElement:
      return intoVariable(placed, parent as ts.VariableDeclaration, reading);
    case SyntaxKind.BinaryExpression: {
      const { left } = parent as ts.BinaryExpression;
      const isPattern = typescript.isObjectLiteralExpression(left) || typescript.isArrayLiteralExpression(left);
      return isPattern ? away() : flow(type, checker.getTypeAtLocation(left), node, reading);
    }
    case SyntaxKind.PropertyAssignment:
    case SyntaxKind.ShorthandPropertyAssignment:
      return include(type, carried, checker.getTypeAtLocation(parent.parent), node, reading);
    case SyntaxKind.SpreadAssignment:
      return isDirect(type, reading)
        ? away()
        : include(type, carried, checker.getTypeAtLocation(parent.parent), node, reading);
    case SyntaxKind.SpreadElement:
      return typescript.isArrayLiteralExpression(parent.parent)
        ? include(type, carried, checker.getTypeAtLocation(parent.parent), node, reading)
        : away();
    case SyntaxKind.ReturnStatement:
    case SyntaxKind.ArrowFunction:
      return returned(placed, reading);
    case SyntaxKind.ExportAssignment:
      return;
    default:
      return away();
  }
}

/** `(session as any).github.x()` is still read by its names; whatever else becomes of it isn't seen. */
function castTo({ node, type }: PlacedValue, cast: ts.AsExpression, reading: Reading): void {
  const { ts: typescript, checker } = reading;
  const target = checker.getTypeAtLocation(cast);
  let outer: ts.Node = cast;
  while (typescript.isParenthesizedExpression(outer.parent)) outer = outer.parent;
  const { parent } = outer;
  const isRead = typescript.isPropertyAccessExpression(parent) && parent.expression === outer;
  if (isRead && !carriesAny(reading.carried(target))) return;
  flow(type, target, node, reading);
}

function intoVariable({ node, type, carried }: PlacedValue, to: ts.VariableDeclaration, reading: Reading): void {
  const { ts: typescript, checker } = reading;
  if (to.type !== undefined) return flow(type, checker.getTypeFromTypeNode(to.type), node, reading);
  if (typescript.isArrayBindingPattern(to.name)) return lostInPattern(to.name, type, carried, node, reading);
  if (typescript.isObjectBindingPattern(to.name)) return;
  include(type, carried, checker.getTypeAtLocation(to.name), node, reading);
}

function lostInPattern(
  pattern: ts.ArrayBindingPattern,
  type: ts.Type,
  carried: Carried,
  node: ts.Node,
  reading: Reading,
): void {
  const { checker, ts: typescript } = reading;
  const isSeen = pattern.elements.every(
    (element) =>
      typescript.isOmittedExpression(element) || !(checker.getTypeAtLocation(element).flags & typescript.TypeFlags.Any),
  );
  if (!isSeen || isDirect(type, reading)) lose(carried, node, reading);
}

/** Out of the function that it stands in, as what that says it returns, or as what was made out of all that it returns. */
function returned({ node, type, carried }: PlacedValue, reading: Reading): void {
  const { ts: typescript, checker } = reading;
  const around = typescript.findAncestor(node.parent, (one): one is ts.FunctionLikeDeclaration =>
    typescript.isFunctionLike(one),
  ) as ts.FunctionLikeDeclaration | undefined;
  const signature = around && checker.getSignatureFromDeclaration(around);
  if (signature === undefined) return lose(carried, node, reading);
  const whole = checker.getReturnTypeOfSignature(signature);
  const target = checker.getAwaitedType(whole) ?? whole;
  if (around!.type === undefined) include(type, carried, whole, node, reading);
  else flow(checker.getAwaitedType(type) ?? type, target, node, reading);
}
