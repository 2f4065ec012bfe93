import type { ts } from "ts-morph";
import { membersOf } from "./generated-names.ts";
import type { Reading } from "./types.ts";

/** Whose server it is, where that can be followed back to a session: a type of a server doesn't tell. */
export function rolesOf(expression: ts.Expression, reading: Reading): readonly string[] | undefined {
  const { ts: typescript, checker } = reading;
  const inner = bare(expression, reading);
  if (typescript.isConditionalExpression(inner)) return both(inner.whenTrue, inner.whenFalse, reading);
  if (typescript.isBinaryExpression(inner)) {
    const { BarBarToken, QuestionQuestionToken, AmpersandAmpersandToken, CommaToken } = typescript.SyntaxKind;
    const kind = inner.operatorToken.kind;
    if (kind === AmpersandAmpersandToken || kind === CommaToken) return rolesOf(inner.right, reading);
    if (kind === BarBarToken || kind === QuestionQuestionToken) return both(inner.left, inner.right, reading);
    return undefined;
  }
  if (typescript.isPropertyAccessExpression(inner)) return holdersOf(checker.getSymbolAtLocation(inner.name), reading);
  if (typescript.isElementAccessExpression(inner)) {
    const names = literalNames(checker.getTypeAtLocation(inner.argumentExpression), reading);
    const type = typeOf(inner.expression, reading);
    const all = names?.map((name) => holdersOf(checker.getPropertyOfType(type, name), reading));
    return all?.every((one) => one !== undefined) ? all.flat() : undefined;
  }
  return typescript.isIdentifier(inner) ? rolesOfName(inner, reading) : undefined;
}

function both(one: ts.Expression, other: ts.Expression, reading: Reading): readonly string[] | undefined {
  const [a, b] = [rolesOf(one, reading), rolesOf(other, reading)];
  return a && b && [...a, ...b];
}

function rolesOfName(name: ts.Identifier, reading: Reading): readonly string[] | undefined {
  const { ts: typescript, checker } = reading;
  const symbol = valueSymbol(name, reading);
  const declaration = symbol?.valueDeclaration;
  if (declaration === undefined || !isConstant(declaration, reading)) return undefined;
  if (typescript.isVariableDeclaration(declaration))
    return declaration.initializer && !declaration.type ? rolesOf(declaration.initializer, reading) : undefined;
  if (!typescript.isBindingElement(declaration)) return undefined;
  if (declaration.initializer !== undefined) return undefined;
  const key = bindingKey(declaration, reading);
  const holder = checker.getTypeAtLocation(declaration.parent);
  return key === undefined ? undefined : holdersOf(checker.getPropertyOfType(holder, key), reading);
}

/** What a name stands for, past imports and the short form of a property. */
function valueSymbol(name: ts.Identifier, { ts: typescript, checker }: Reading): ts.Symbol | undefined {
  const symbol = typescript.isShorthandPropertyAssignment(name.parent)
    ? checker.getShorthandAssignmentValueSymbol(name.parent)
    : checker.getSymbolAtLocation(name);
  return symbol && symbol.flags & typescript.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function isConstant(declaration: ts.Declaration, { ts: typescript }: Reading): boolean {
  const list = typescript.walkUpBindingElementsAndPatterns;
  const root = typescript.isBindingElement(declaration) ? list(declaration) : declaration;
  return (
    typescript.isVariableDeclaration(root) &&
    (typescript.getCombinedNodeFlags(root) & typescript.NodeFlags.Constant) !== 0
  );
}

/** The name in the thing that is taken apart; undefined: it is made at run time, or a rest. */
export function bindingKey(element: ts.BindingElement, { ts: typescript, checker }: Reading): string | undefined {
  if (element.dotDotDotToken !== undefined) return undefined;
  const key = element.propertyName ?? element.name;
  if (typescript.isIdentifier(key) || typescript.isStringLiteralLike(key)) return key.text;
  if (!typescript.isComputedPropertyName(key)) return undefined;
  const type = checker.getTypeAtLocation(key.expression);
  return type.isStringLiteral() ? type.value : undefined;
}

function holdersOf(symbol: ts.Symbol | undefined, { known, ts: typescript }: Reading): readonly string[] | undefined {
  const roles = membersOf(symbol, known, typescript).flatMap((member) =>
    member.kind === "server" ? [member.role] : [],
  );
  return roles.length > 0 ? roles : undefined;
}

/** The names that a key may be; undefined when some are made at run time. */
export function literalNames(type: ts.Type, { checker, ts: typescript }: Reading): readonly string[] | undefined {
  const known = type.flags & typescript.TypeFlags.TypeParameter ? checker.getBaseConstraintOfType(type) : type;
  const parts = known === undefined ? [] : known.isUnion() ? known.types : [known];
  const names = parts.map((part) => (part.isStringLiteral() ? part.value : undefined));
  return names.length > 0 && names.every((name) => name !== undefined) ? names : undefined;
}

/** Without what changes nothing at run time. */
export function bare(expression: ts.Expression, { ts: typescript }: Reading): ts.Expression {
  let inner = expression;
  while (
    typescript.isParenthesizedExpression(inner) ||
    typescript.isNonNullExpression(inner) ||
    typescript.isSatisfiesExpression(inner) ||
    typescript.isAsExpression(inner) ||
    typescript.isTypeAssertionExpression(inner)
  )
    inner = inner.expression;
  return inner;
}

/** Of what is there: a receiver that may be undefined is one that isn't called then. */
export function typeOf(expression: ts.Expression, { checker }: Reading): ts.Type {
  return checker.getApparentType(checker.getNonNullableType(checker.getTypeAtLocation(expression)));
}
