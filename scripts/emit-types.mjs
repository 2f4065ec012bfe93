// Writes the declarations of the compiler's door to dist/types. What is declared with the types of a package that comes
// bundled is `any` there: it is the compiler's own business, and who installs rolecall doesn't have that package.
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript-6";

const root = path.join(import.meta.dirname, "..");
const out = path.join(root, "dist/types");
rmSync(out, { recursive: true, force: true });
const tsc = path.join(root, "node_modules/.bin/tsc");
const ended = spawnSync(tsc, ["-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
if (ended.status !== 0) process.exit(ended.status ?? 1);
for (const name of readdirSync(out, { recursive: true, encoding: "utf8" })) {
  if (!name.endsWith(".d.ts")) continue;
  const file = path.join(out, name);
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  if (namesPackage(source)) writeFileSync(file, withoutPackages(source));
}

/** Node's own types come with @types/node. */
function namesPackage(source) {
  return ts.preProcessFile(source.text).importedFiles.some(({ fileName }) => !/^(?:\.|node:)/.test(fileName));
}

function withoutPackages(source) {
  const lines = source.statements.flatMap((statement) => {
    if (ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement))
      return [`${isExported(statement) ? "export " : ""}type ${statement.name.text} = any;`];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map((one) => `export declare const ${one.name.getText()}: any;`);
    if (ts.isFunctionDeclaration(statement)) return [`export declare const ${statement.name.text}: any;`];
    return [];
  });
  return `${lines.join("\n")}\nexport {};\n`;
}

function isExported(statement) {
  return statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}
