import { createRequire } from "node:module";
import type ts from "typescript-6";

/**
 * What the house rules need to know of one module, read from its syntax alone. Nothing is resolved
 * and nothing is run, so a made-up module is judged exactly as a real one.
 */
export interface ModuleFacts {
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  /** Line of a default export, if there is one. */
  readonly defaultExport: number | undefined;
  /** It has statements, and none of them says anything of its own. */
  readonly onlyReexports: boolean;
  readonly reexportsAll: boolean;
  /** Names that no declaration in the file explains, `process` and `Date`, and whatever stands behind a dot: `Math.random`, `.sort`. */
  readonly globals: readonly Named[];
  readonly classes: readonly Named[];
  /** Variables of the module that can be given another value, and lists, maps and objects of it that are written to. */
  readonly moduleState: readonly Named[];
  readonly functions: readonly FunctionSize[];
  /** Types and interfaces that it declares and exports; those that it passes on aren't among them. */
  readonly exportedTypes: readonly Named[];
  /** Names that the module's own statements declare; what it imports isn't among them. */
  readonly declares: readonly Named[];
  /** The first declaration has a doc comment. */
  readonly opensWithDoc: boolean;
}

export interface Named {
  readonly name: string;
  readonly line: number;
}

export interface Import {
  readonly specifier: string;
  readonly types: boolean;
  /** Loaded when a function comes to it, and not with the module: `import("x")`. */
  readonly later: boolean;
  readonly line: number;
}

export interface FunctionSize extends Named {
  readonly lines: number;
  /** One, and one more for each `if`, `?`, `&&`, `||`, loop, `case` and `catch` in it, functions within it included. */
  readonly ways: number;
}

// The package is CommonJS: required, it loads in half the time.
const typescript = createRequire(import.meta.url)("typescript-6") as typeof ts;

export function readModule(path: string, text: string): ModuleFacts {
  const source = typescript.createSourceFile(path, text, typescript.ScriptTarget.ES2022, true);
  const own = source.statements.filter((s) => !typescript.isImportDeclaration(s));
  const said = own.filter((s) => !isReexport(s));
  const walked = walk(source);
  return {
    path,
    lines: text.split("\n").length - (text.endsWith("\n") ? 1 : 0),
    imports: walked.imports,
    defaultExport: lineOfFirst(source, said.filter(isDefaultExport)),
    onlyReexports: own.length > 0 && said.length === 0,
    reexportsAll: own.some((s) => typescript.isExportDeclaration(s) && s.moduleSpecifier && !s.exportClause),
    globals: walked.names.filter((n) => !walked.declared.has(n.name)),
    classes: walked.classes,
    moduleState: said.flatMap((s) => mutable(source, s, walked.written)),
    exportedTypes: own.flatMap((s) => exportedType(source, s)),
    functions: walked.functions,
    declares: own.flatMap((s) => declaredBy(source, s)),
    opensWithDoc: said[0] !== undefined && typescript.getJSDocCommentsAndTags(said[0]).length > 0,
  };
}

function isReexport(statement: ts.Statement): boolean {
  return typescript.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined;
}

function isDefaultExport(statement: ts.Statement): boolean {
  if (typescript.isExportAssignment(statement)) return true;
  if (
    typescript.isExportDeclaration(statement) &&
    statement.exportClause &&
    typescript.isNamedExports(statement.exportClause)
  ) {
    return statement.exportClause.elements.some((e) => e.name.text === "default");
  }
  const modifiers = typescript.canHaveModifiers(statement) ? (typescript.getModifiers(statement) ?? []) : [];
  return modifiers.some((m) => m.kind === typescript.SyntaxKind.DefaultKeyword);
}

function mutable(source: ts.SourceFile, statement: ts.Statement, written: ReadonlySet<string>): Named[] {
  if (!typescript.isVariableStatement(statement)) return [];
  const isConst = (statement.declarationList.flags & typescript.NodeFlags.Const) !== 0;
  return statement.declarationList.declarations
    .map((d) => ({ name: d.name.getText(source), line: lineOf(source, d) }))
    .filter(({ name }) => !isConst || written.has(name));
}

function exportedType(source: ts.SourceFile, statement: ts.Statement): Named[] {
  if (!typescript.isInterfaceDeclaration(statement) && !typescript.isTypeAliasDeclaration(statement)) return [];
  const isExported = statement.modifiers?.some((m) => m.kind === typescript.SyntaxKind.ExportKeyword) === true;
  return isExported ? [{ name: statement.name.text, line: lineOf(source, statement) }] : [];
}

function declaredBy(source: ts.SourceFile, statement: ts.Statement): Named[] {
  const named = typescript.isVariableStatement(statement)
    ? statement.declarationList.declarations.map((d) => d.name)
    : typescript.isDeclarationStatement(statement) && statement.name !== undefined
      ? [statement.name]
      : [];
  return named.map((name) => ({ name: name.getText(source), line: lineOf(source, name) }));
}

interface Walked {
  readonly imports: Import[];
  readonly names: Named[];
  readonly declared: Set<string>;
  readonly classes: Named[];
  readonly functions: FunctionSize[];
  /** What stands left of an assignment, or is changed by a method: `found` of `found.push(x)` and `found[0] = x`. */
  readonly written: Set<string>;
}

function walk(source: ts.SourceFile): Walked {
  const found: Walked = { imports: [], names: [], declared: new Set(), classes: [], functions: [], written: new Set() };
  const visit = (node: ts.Node): void => {
    const imported = importOf(node);
    if (imported) found.imports.push({ ...imported, line: lineOf(source, node) });
    if (typescript.isIdentifier(node)) note(source, node, found);
    if (typescript.isClassLike(node))
      found.classes.push({ name: node.name?.text ?? "(unnamed)", line: lineOf(source, node) });
    if (isFunction(node)) found.functions.push(sizeOf(source, node));
    const written = writtenBy(node);
    if (written !== undefined) found.written.add(written);
    typescript.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const CHANGES = /^(?:push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin|set|add|delete|clear)$/;

function writtenBy(node: ts.Node): string | undefined {
  if (typescript.isCallExpression(node) && typescript.isPropertyAccessExpression(node.expression))
    return CHANGES.test(node.expression.name.text) ? rootOf(node.expression.expression) : undefined;
  if (typescript.isDeleteExpression(node)) return rootOf(node.expression);
  if (typescript.isPrefixUnaryExpression(node) || typescript.isPostfixUnaryExpression(node))
    return STEPS.has(node.operator) ? rootOf(node.operand) : undefined;
  if (!typescript.isBinaryExpression(node)) return undefined;
  const { kind } = node.operatorToken;
  const assigns = kind >= typescript.SyntaxKind.FirstAssignment && kind <= typescript.SyntaxKind.LastAssignment;
  return assigns ? rootOf(node.left) : undefined;
}

const STEPS: ReadonlySet<ts.SyntaxKind> = new Set([
  typescript.SyntaxKind.PlusPlusToken,
  typescript.SyntaxKind.MinusMinusToken,
]);

/** The variable that a chain of properties begins with. */
function rootOf(node: ts.Expression): string | undefined {
  if (typescript.isIdentifier(node)) return node.text;
  return typescript.isPropertyAccessExpression(node) ||
    typescript.isElementAccessExpression(node) ||
    typescript.isNonNullExpression(node)
    ? rootOf(node.expression)
    : undefined;
}

/** Static and dynamic imports, re-exports, `import("x").Y` in a type, and `require` of a literal. */
function importOf(node: ts.Node): Omit<Import, "line"> | undefined {
  if (typescript.isImportDeclaration(node))
    return { specifier: literal(node.moduleSpecifier), types: onlyTypes(node.importClause), later: false };
  if (typescript.isExportDeclaration(node) && node.moduleSpecifier) {
    return { specifier: literal(node.moduleSpecifier), types: node.isTypeOnly, later: false };
  }
  if (typescript.isImportTypeNode(node) && typescript.isLiteralTypeNode(node.argument)) {
    return { specifier: literal(node.argument.literal), types: true, later: false };
  }
  if (!typescript.isCallExpression(node)) return undefined;
  const loads = node.expression.kind === typescript.SyntaxKind.ImportKeyword || node.expression.getText() === "require";
  if (!loads) return undefined;
  const [what] = node.arguments;
  return { specifier: what ? literal(plain(what)) : "", types: false, later: true };
}

/** `"name" as string` hides a package from a project's type checker; the law still sees it. */
function plain(what: ts.Expression): ts.Expression {
  if (typescript.isParenthesizedExpression(what)) return plain(what.expression);
  return typescript.isAsExpression(what) ? plain(what.expression) : what;
}

function onlyTypes(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.phaseModifier === typescript.SyntaxKind.TypeKeyword) return true;
  if (clause.name || !clause.namedBindings || !typescript.isNamedImports(clause.namedBindings)) return false;
  return clause.namedBindings.elements.length > 0 && clause.namedBindings.elements.every((e) => e.isTypeOnly);
}

/** What is imported by an expression is not known: its text stands for it, and no law lets it pass. */
function literal(node: ts.Node): string {
  return typescript.isStringLiteralLike(node) ? node.text : `(${node.getText()})`;
}

function note(source: ts.SourceFile, node: ts.Identifier, found: Walked): void {
  const { parent } = node;
  const line = lineOf(source, node);
  if (isDeclarationName(node, parent)) found.declared.add(node.text);
  else if (!isKeyOrType(node, parent)) found.names.push({ name: node.text, line });
  if (typescript.isPropertyAccessExpression(parent) && parent.name === node) {
    found.names.push(
      { name: `${parent.expression.getText(source)}.${node.text}`, line },
      { name: `.${node.text}`, line },
    );
  }
}

function isDeclarationName(node: ts.Identifier, parent: ts.Node): boolean {
  if (typescript.isImportClause(parent) || typescript.isImportSpecifier(parent) || typescript.isNamespaceImport(parent))
    return true;
  if (
    typescript.isVariableDeclaration(parent) ||
    typescript.isParameter(parent) ||
    typescript.isBindingElement(parent)
  ) {
    return parent.name === node;
  }
  return (
    (typescript.isFunctionLike(parent) || typescript.isClassLike(parent)) &&
    parent.name === node &&
    !typescript.isMethodDeclaration(parent)
  );
}

/** `x.process`, `{ process: 1 }` and the type `Date` use no global. */
function isKeyOrType(node: ts.Identifier, parent: ts.Node): boolean {
  if (typescript.isPropertyAccessExpression(parent)) return parent.name === node;
  if (typescript.isPropertyAssignment(parent)) return parent.name === node;
  if (typescript.isBindingElement(parent)) return parent.propertyName === node;
  if (typescript.isImportSpecifier(parent) || typescript.isExportSpecifier(parent)) return true;
  return (
    typescript.isMethodDeclaration(parent) ||
    typescript.isTypeElement(parent) ||
    typescript.isTypeNode(parent) ||
    isTypeDeclaration(parent)
  );
}

function isTypeDeclaration(node: ts.Node): boolean {
  return (
    typescript.isInterfaceDeclaration(node) ||
    typescript.isTypeAliasDeclaration(node) ||
    typescript.isTypeParameterDeclaration(node)
  );
}

function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return typescript.isFunctionLike(node) && "body" in node && node.body !== undefined;
}

function sizeOf(source: ts.SourceFile, node: ts.FunctionLikeDeclaration): FunctionSize {
  const line = lineOf(source, node);
  const last = source.getLineAndCharacterOfPosition(node.end).line + 1;
  return { name: nameOf(node), line, lines: last - line + 1, ways: 1 + turnsIn(node) };
}

/** `??` isn't counted: it gives a value where there is none, and decides nothing else. */
function turnsIn(node: ts.Node): number {
  let turns = 0;
  typescript.forEachChild(node, (child) => {
    turns += (isTurn(child) ? 1 : 0) + turnsIn(child);
  });
  return turns;
}

function isTurn(node: ts.Node): boolean {
  if (typescript.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    return kind === typescript.SyntaxKind.AmpersandAmpersandToken || kind === typescript.SyntaxKind.BarBarToken;
  }
  return (
    typescript.isIfStatement(node) ||
    typescript.isConditionalExpression(node) ||
    typescript.isIterationStatement(node, false) ||
    typescript.isCaseClause(node) ||
    typescript.isCatchClause(node)
  );
}

/** `describe` and the like only group what is in them: their callback is a page, not a function. */
function nameOf(node: ts.FunctionLikeDeclaration): string {
  if (node.name) return node.name.getText();
  const { parent } = node;
  if (typescript.isVariableDeclaration(parent) || typescript.isPropertyAssignment(parent)) return parent.name.getText();
  if (typescript.isCallExpression(parent)) return `callback of ${parent.expression.getText().split("\n")[0]}`;
  return "(unnamed)";
}

function lineOfFirst(source: ts.SourceFile, nodes: readonly ts.Node[]): number | undefined {
  return nodes[0] && lineOf(source, nodes[0]);
}

/** Where the node itself starts: its comments aren't part of it. */
function lineOf(source: ts.SourceFile, node: ts.Node): number {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}
