import type { ts } from "ts-morph";
import { isOurs, membersOf } from "./generated-names.ts";
import type { Carried, ToolNames, TypeScript } from "./types.ts";

export const NOTHING_CARRIED: Carried = { roles: new Set(), servers: new Set() };

export function carriesAny({ roles, servers }: Carried): boolean {
  return roles.size > 0 || servers.size > 0;
}

/** A session in an object in a promise in a list ...: deeper than this nobody looks. */
const DEEPEST = 12;

export interface Looking {
  readonly ts: TypeScript;
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly known: ToolNames;
  /** What its functions take counts too. */
  readonly parameters?: true;
}

interface Found {
  readonly roles: Set<string>;
  readonly servers: Set<string>;
}

/** What a type leads to: by its properties, by what it is made of, and by what its functions return. */
export function createCarried(looking: Looking): (type: ts.Type) => Carried {
  const remembered = new Map<ts.Type, Carried>();
  const open = new Map<ts.Type, number>();
  /** The outermost type that a circle led back to: what was found below it isn't the whole yet. */
  let circle = Infinity;

  const look = (type: ts.Type, depth: number): Carried => {
    const known = remembered.get(type);
    if (known !== undefined) return known;
    const entered = open.get(type);
    if (entered !== undefined || depth > DEEPEST) {
      circle = Math.min(circle, entered ?? 0);
      return NOTHING_CARRIED;
    }
    const around = circle;
    circle = Infinity;
    open.set(type, depth);
    const found: Found = { roles: new Set(), servers: new Set() };
    for (const part of partsOf(type, looking, found)) {
      const { roles, servers } = look(part, depth + 1);
      for (const role of roles) found.roles.add(role);
      for (const server of servers) found.servers.add(server);
    }
    open.delete(type);
    const carried = carriesAny(found) ? found : NOTHING_CARRIED;
    if (circle >= depth) remembered.set(type, carried);
    circle = Math.min(around, circle >= depth ? Infinity : circle);
    return carried;
  };
  return (type) => look(type, 0);
}

/** The types that it leads on to; what it is itself goes into `found`. */
function partsOf(type: ts.Type, looking: Looking, found: Found): readonly ts.Type[] {
  const { ts: typescript, checker } = looking;
  const { TypeFlags } = typescript;
  if (type.isUnionOrIntersection()) return type.types;
  if (
    type.flags &
    (TypeFlags.TypeParameter | TypeFlags.IndexedAccess | TypeFlags.Conditional | TypeFlags.Substitution)
  ) {
    const bound = checker.getBaseConstraintOfType(type);
    return bound === undefined || bound === type ? [] : [bound];
  }
  if (!(type.flags & TypeFlags.Object)) return [];
  const properties = checker.getPropertiesOfType(type);
  const members = properties.flatMap((symbol) => membersOf(symbol, looking.known, typescript));
  for (const member of members) {
    if (member.kind === "server") found.roles.add(member.role);
    else found.servers.add(member.server);
  }
  if (members.length > 0) return [];
  const args = [...(type.aliasTypeArguments ?? []), ...argumentsOf(type, checker)];
  return isReadableType(type, looking) ? [...args, ...contentsOf(type, properties, looking)] : args;
}

function argumentsOf(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] {
  return "target" in type ? checker.getTypeArguments(type as ts.TypeReference) : [];
}

/** Declared by the app or by us, or nowhere: what a library declares leads to nothing but what it is made of. */
function isReadableType(type: ts.Type, { program }: Looking): boolean {
  const [declaration] = type.symbol?.declarations ?? [];
  const file = declaration?.getSourceFile();
  if (file === undefined || isOurs(file)) return true;
  return !program.isSourceFileDefaultLibrary(file) && !file.fileName.includes("/node_modules/");
}

function contentsOf(type: ts.Type, properties: readonly ts.Symbol[], { checker, parameters }: Looking): ts.Type[] {
  const signatures = [...type.getCallSignatures(), ...type.getConstructSignatures()];
  const returned = signatures.map((one) => checker.getReturnTypeOfSignature(one));
  if (parameters)
    returned.push(
      ...signatures.flatMap((one) => one.parameters.map((parameter) => checker.getTypeOfSymbol(parameter))),
    );
  const indexed = checker.getIndexInfosOfType(type).map((info) => info.type);
  return [...properties.map((property) => checker.getTypeOfSymbol(property)), ...returned, ...indexed];
}
