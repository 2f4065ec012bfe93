import type { ts } from "ts-morph";
import { carriesAny } from "./carried.ts";
import { isDirect, lose } from "./flows.ts";
import { membersOf } from "./generated-names.ts";
import { bare, bindingKey, literalNames, rolesOf, typeOf } from "./trace.ts";
import type { Reading } from "./types.ts";

/** A part is taken of a value that leads to tools: by its name, or by one that is made at run time. */
export function takeByName(
  receiver: ts.Expression,
  access: ts.PropertyAccessExpression | ts.ElementAccessExpression,
  reading: Reading,
): void {
  const { ts: typescript, checker } = reading;
  const names = typescript.isPropertyAccessExpression(access)
    ? [access.name.text]
    : literalNames(checker.getTypeAtLocation(access.argumentExpression), reading);
  if (names === undefined) return takeSomething(receiver, access, reading);
  for (const name of names) take(receiver, access, name, reading);
}

function takeSomething(receiver: ts.Expression, access: ts.Expression, reading: Reading): void {
  const carried = reading.carried(typeOf(receiver, reading));
  if (isDirect(typeOf(receiver, reading), reading)) return lose(carried, access, reading, rolesOf(receiver, reading));
  if (!carriesAny(reading.carried(reading.checker.getTypeAtLocation(access)))) lose(carried, access, reading);
}

function take(receiver: ts.Expression, access: ts.Expression, name: string, reading: Reading): void {
  const type = typeOf(receiver, reading);
  if (!isDirect(type, reading)) return takeFromHolder(type, access, reading);
  if (name.startsWith("$")) return takeOfSession(type, access, name, reading);
  const symbol = reading.checker.getPropertyOfType(type, name);
  const members = membersOf(symbol, reading.known, reading.ts);
  for (const member of members) {
    if (member.kind === "tool") tellTool(receiver, member.server, name, access, reading);
    else if (isUnseen(access, reading)) lose({ roles: new Set([member.role]), servers: new Set() }, access, reading);
  }
  if (members.length === 0) tellLack(receiver, access, name, reading);
  else tellLackOfSome(receiver, access, name, reading);
}

/** `(session as any).github`: nothing is known of what comes behind it. */
function isUnseen(access: ts.Expression, { checker, carried }: Reading): boolean {
  return !carriesAny(carried(checker.getTypeAtLocation(access)));
}

function takeFromHolder(type: ts.Type, access: ts.Expression, reading: Reading): void {
  const { checker, ts: typescript } = reading;
  const taken = checker.getTypeAtLocation(access);
  if (taken.flags & typescript.TypeFlags.Any) lose(reading.carried(type), access, reading);
}

function tellTool(receiver: ts.Expression, server: string, tool: string, node: ts.Node, reading: Reading): void {
  reading.tell({ kind: "names", roles: rolesOf(receiver, reading), server, tool, at: reading.placeOf(node) });
}

/** Of several roles or servers, one may not have it. */
function tellLackOfSome(receiver: ts.Expression, access: ts.Expression, name: string, reading: Reading): void {
  const type = typeOf(receiver, reading);
  if (!type.isUnion()) return;
  for (const part of type.types)
    if (reading.checker.getPropertyOfType(part, name) === undefined) lose(reading.carried(part), access, reading);
}

function tellLack(receiver: ts.Expression, access: ts.Expression, name: string, reading: Reading): void {
  const { known, ts: typescript } = reading;
  const { roles, servers } = reading.carried(typeOf(receiver, reading));
  const at = reading.placeOf(access);
  const of = rolesOf(receiver, reading);
  if (known.tools.has(name))
    for (const server of servers) {
      // A narrower type may hide what is there: whoever got here under it may hold the tool.
      if (of === undefined) reading.tell({ kind: "names", roles: of, server, tool: name, at });
      else reading.tell({ kind: "lacks", roles: of, server, tool: name, at });
    }
  const { parent } = access;
  if (!known.servers.has(name) || roles.size === 0) return;
  lose({ roles, servers: new Set() }, access, reading);
  const tool = typescript.isPropertyAccessExpression(parent) && parent.expression === access ? parent.name.text : "*";
  reading.tell({ kind: "lacks", roles: [...roles], server: name, tool, at });
}

const OFFERING: ReadonlySet<string> = new Set(["$tools", "$hooks", "$connections"]);
const QUIET: ReadonlySet<string> = new Set(["$role", "$root", "$ready", "$health", "$require", "$close"]);

function takeOfSession(type: ts.Type, access: ts.Expression, name: string, reading: Reading): void {
  const { roles } = reading.carried(type);
  if (QUIET.has(name)) return;
  if (OFFERING.has(name))
    return reading.tell({ kind: "offers", roles: [...roles], by: name, at: reading.placeOf(access) });
  const { parent } = access;
  const isCalled = reading.ts.isCallExpression(parent) && parent.expression === access;
  if (name !== "$call" || !isCalled) return lose({ roles, servers: new Set() }, access, reading);
  tellCall([...roles], parent as ts.CallExpression, reading);
}

/** `$call(server, tool)`: names that the types know, or any. */
function tellCall(roles: readonly string[], call: ts.CallExpression, reading: Reading): void {
  const { checker, ts: typescript } = reading;
  const at = reading.placeOf(call);
  const [first, second] = call.arguments;
  const namesOf = (argument: ts.Expression | undefined): readonly (string | undefined)[] => {
    if (argument === undefined || typescript.isSpreadElement(argument)) return [undefined];
    return literalNames(checker.getTypeAtLocation(bare(argument, reading)), reading) ?? [undefined];
  };
  const isSpread = first !== undefined && typescript.isSpreadElement(first);
  for (const server of namesOf(first))
    for (const tool of isSpread ? [undefined] : namesOf(second)) {
      if (server === undefined || tool === undefined) reading.tell({ kind: "loses", roles, server, tool, at });
      else reading.tell({ kind: "names", roles, server, tool, at });
    }
}

/** `const { github: { list_issues }, ...rest } = session`, wherever it stands. */
export function takeApart(pattern: ts.ObjectBindingPattern, reading: Reading): void {
  const { checker, ts: typescript } = reading;
  const type = checker.getApparentType(checker.getNonNullableType(checker.getTypeAtLocation(pattern)));
  const whole = reading.carried(type);
  if (!carriesAny(whole)) return spellNames(pattern, type, reading);
  const isSession = isDirect(type, reading);
  const named = new Set(pattern.elements.flatMap((element) => bindingKey(element, reading) ?? []));
  for (const element of pattern.elements) {
    const key = bindingKey(element, reading);
    const at = reading.placeOf(element);
    if (key === undefined) {
      if (isSession || !carriesAny(reading.carried(checker.getTypeAtLocation(element))))
        loseTheRest(type, element.dotDotDotToken ? named : new Set(), element, reading);
      continue;
    }
    if (!isSession) continue;
    if (key.startsWith("$")) takeTakenOfSession(whole.roles, key, element, reading);
    for (const member of membersOf(checker.getPropertyOfType(type, key), reading.known, typescript)) {
      if (member.kind === "tool")
        reading.tell({ kind: "names", roles: rolesOfPattern(pattern, reading), server: member.server, tool: key, at });
      else if (!typescript.isIdentifier(element.name)) continue;
      else reading.tell({ kind: "travels", roles: [member.role], server: member.server });
    }
  }
}

function takeTakenOfSession(roles: ReadonlySet<string>, key: string, element: ts.Node, reading: Reading): void {
  if (QUIET.has(key)) return;
  if (OFFERING.has(key)) reading.tell({ kind: "offers", roles: [...roles], by: key, at: reading.placeOf(element) });
  else lose({ roles, servers: new Set() }, element, reading);
}

function loseTheRest(type: ts.Type, named: ReadonlySet<string>, node: ts.BindingElement, reading: Reading): void {
  const { checker } = reading;
  const roles = rolesOfPattern(node.parent, reading);
  const at = reading.placeOf(node);
  for (const property of checker.getPropertiesOfType(type)) {
    if (named.has(property.name)) continue;
    const members = membersOf(property, reading.known, reading.ts);
    for (const member of members) {
      if (member.kind === "server") reading.tell({ kind: "loses", roles: [member.role], server: member.server, at });
      else reading.tell({ kind: "loses", roles, server: member.server, tool: property.name, at });
    }
    if (members.length === 0) lose(reading.carried(checker.getTypeOfSymbol(property)), node, reading);
  }
}

/** Of a server that is taken apart within its session, or from an expression that leads back to one. */
function rolesOfPattern(pattern: ts.BindingPattern, reading: Reading): readonly string[] | undefined {
  const { ts: typescript, checker } = reading;
  const { parent } = pattern;
  if (typescript.isVariableDeclaration(parent))
    return parent.initializer && !parent.type ? rolesOf(parent.initializer, reading) : undefined;
  if (!typescript.isBindingElement(parent) || parent.initializer) return undefined;
  const key = bindingKey(parent, reading);
  if (key === undefined) return undefined;
  const symbol = checker.getPropertyOfType(checker.getTypeAtLocation(parent.parent), key);
  const roles = membersOf(symbol, reading.known, typescript).flatMap((one) =>
    one.kind === "server" ? [one.role] : [],
  );
  return roles.length > 0 ? roles : undefined;
}

function spellNames(pattern: ts.ObjectBindingPattern, type: ts.Type, reading: Reading): void {
  if (!(type.flags & reading.ts.TypeFlags.Any)) return;
  for (const element of pattern.elements) {
    const name = bindingKey(element, reading);
    if (name !== undefined && reading.known.tools.has(name))
      reading.tell({ kind: "spells", name, at: reading.placeOf(element) });
  }
}
