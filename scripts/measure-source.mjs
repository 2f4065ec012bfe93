// Counts what docs/decisions/measures.md shows: `node scripts/measure-source.mjs [FOLDER]`, of a checkout of any age.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import ts from "typescript-6";

const root = path.resolve(process.argv[2] ?? ".");
const code = ["compiler", "runtime"].map((name) => measured(sourcesIn(name)));
const tests = sourcesIn("test").filter((file) => !/test\/cases\//.test(file));
const lines = (files) => files.reduce((sum, file) => sum + read(file).split("\n").length - 1, 0);
for (const [i, name] of ["compiler", "runtime"].entries()) console.log(name, code[i]);
console.log("test : code", (lines(tests) / (lines(sourcesIn("compiler")) + lines(sourcesIn("runtime")))).toFixed(2));

/** Without declarations and generated files. */
function sourcesIn(folder) {
  if (!existsSync(path.join(root, folder))) return [];
  return readdirSync(path.join(root, folder), { recursive: true })
    .map((file) => path.join(root, folder, file))
    .filter((file) => /\.(?:ts|mjs)$/.test(file) && !/\.d\.m?ts$|node_modules|\/dist\//.test(file));
}

function read(file) {
  return readFileSync(file, "utf8");
}

function measured(files) {
  const sizes = files.map((file) => read(file).split("\n").length - 1);
  const trees = files.map((file) => ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true));
  const functions = trees.flatMap(functionsIn);
  const exported = trees.flatMap(exportsOf);
  const kinds = trees.map(linesByKind);
  const sum = (key) => kinds.reduce((all, one) => all + one[key], 0);
  const types = exported.flatMap(({ name, isType }) => (isType ? [name] : []));
  return {
    files: files.length,
    lines: spread(sizes),
    "at most 30 lines": sizes.filter((size) => size <= 30).length,
    functions: spread(functions),
    comments: (sum("comment") / sum("code")).toFixed(3),
    "exports documented": share(exported),
    "exported types documented": share(exported.filter(({ isType }) => isType)),
    "type names exported twice": new Set(types.filter((name, i) => types.indexOf(name) !== i)).size,
  };
}

function spread(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return `${at(0.5)} / ${at(0.9)} / ${at(1)}`;
}

function share(exported) {
  const told = exported.filter(({ isTold }) => isTold).length;
  return `${told} of ${exported.length} (${Math.round((told / exported.length) * 100)} %)`;
}

/** Lines of each function with a body of statements, nameless ones too. */
function functionsIn(tree) {
  const found = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined && ts.isBlock(node.body)) {
      const line = (at) => tree.getLineAndCharacterOfPosition(at).line;
      found.push(line(node.end) - line(node.getStart(tree)) + 1);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** What is declared here and exported, and whether a comment stands directly above it. */
function exportsOf(tree) {
  return tree.statements.flatMap((statement) => {
    if (!statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    const names = statement.declarationList?.declarations.map(({ name }) => name.getText(tree)) ?? [
      statement.name?.text ?? "default",
    ];
    const isTold = ts.getJSDocCommentsAndTags(statement).length > 0;
    const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
    return names.map((name) => ({ name, isTold, isType }));
  });
}

/** Lines that hold a comment alone, and lines with code. */
function linesByKind(tree) {
  const { text } = tree;
  const withCode = new Set();
  const visit = (node) => {
    if (node.kind < ts.SyntaxKind.FirstNode || ts.isTemplateLiteralToken(node)) {
      const [first, last] = [node.getStart(tree), node.end].map((at) => tree.getLineAndCharacterOfPosition(at).line);
      if (node.kind !== ts.SyntaxKind.EndOfFileToken) for (let i = first; i <= last; i++) withCode.add(i);
    }
    for (const child of node.getChildren(tree)) if (!ts.isJSDoc(child)) visit(child);
  };
  visit(tree);
  const comment = text.split("\n").filter((line, i) => line.trim() !== "" && !withCode.has(i)).length;
  return { comment, code: withCode.size };
}
