// The modules of runtime/ as a few files: what their entry imports, in the order in which they need each other. Texts are
// put together, not parsed: the rules that make this right (imports first, no default exports, a name means one thing) are
// laws of the house, and one that doesn't hold is an error here.
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * Name of each file to be, and its entry. The types that role modules need are a file of their own: a project's type
 * checker reads nothing else of the runtime for them.
 */
export function entriesIn(modules) {
  const hosts = [...modules.keys()].filter((file) => /^hosts\/[a-z-]+\.ts$/.test(file)).sort();
  return new Map([
    ["runtime-types", "contract.ts"],
    ["runtime", "index.ts"],
    ["runtime-connect", "equipment.ts"],
    ...hosts.map((file) => [`runtime-${path.basename(file, ".ts")}`, file]),
  ]);
}

/** Whatever these hold, the others import from them. */
const SHARED = ["runtime-types", "runtime"];

/** `modules`: text by path. Gives the text of each file by its name, without a header; they import each other as `.js`. */
export function flatten(modules, entries) {
  const read = new Map([...modules].map(([file, text]) => [file, readModule(file, text)]));
  const holders = new Map();
  const files = [...entries].map(([name, entry]) => {
    const own = reached(entry, read).filter((file) => !holders.has(file));
    if (SHARED.includes(name)) for (const file of own) holders.set(file, name);
    return { name, entry: read.get(entry), modules: own.map((file) => read.get(file)) };
  });
  const exported = new Set(files.flatMap(({ entry }) => exportsOf(entry)));
  for (const file of files) for (const { name } of importsOf(file)) exported.add(name);
  return new Map(files.map((file) => [file.name, fileText(file, { entries, holders, exported })]));
}

/** What a module imports, and what it says: its text without imports and without what it passes on. */
function readModule(file, text) {
  const fail = (line) => {
    throw new Error(`runtime/${file} can't be flattened: ${line}`);
  };
  const imports = [];
  const passed = [];
  const body = text.replace(/\r\n?/g, "\n").replace(STATEMENT, (statement) => {
    const [, word, typed, clause, from] =
      /^(import|export) (type )?([^"]*?) from "([^"]*)";\n$/.exec(statement) ?? fail(statement);
    const names = namesIn(clause, typed !== undefined, from) ?? fail(statement);
    if (word === "export") passed.push(...names.map(({ name }) => name));
    if (word === "export" && !from.startsWith(".")) fail(statement);
    const source = from.startsWith(".") ? path.posix.join(path.posix.dirname(file), from) : from;
    imports.push({ from: source, names, passes: word === "export" });
    return "";
  });
  const outside = body.replace(/`[^`]*`/g, "``");
  for (const line of outside.split("\n")) if (!KNOWN_LINE.test(line)) fail(line);
  const hidden = /^import\b.*|\bimport\("[^"]*"\).*/m.exec(outside);
  if (hidden !== null) fail(hidden[0]);
  const declared = [...outside.matchAll(DECLARATION)].map(([, exported, name]) => ({
    name,
    exported: exported !== undefined,
  }));
  // What stood before the imports is about the module, not about what follows them.
  return {
    file,
    imports,
    passed,
    declared,
    body: body.trim().replace(/^(\/\*\*(?:(?!\*\/)[^])*\*\/)\n{3,}/, "$1\n\n"),
  };
}

/** An import or a re-export, over several lines or on one, and the empty line behind. */
const STATEMENT = /^(?:import\b(?!\()[^;]*;\n|export (?:type )?\{[^;]*\} from [^;]*;\n)/gm;
const DECLARATION = /^(export )?(?:async )?(?:function\*?|const|let|class|interface|type) ([\w$]+)/gm;
/** Comments, declarations, what is indented, and what closes them. */
const KNOWN_LINE =
  /^(?:$|\s|[})\]>|]|\/\*\*|\/\/|\*\/|(?:export )?(?:async )?(?:function\*?|const|let|class|interface|type) [\w$]+)/;

/** Names in `{ a, type B }` or of a default import of Node's; undefined for anything else, `as` included. */
function namesIn(clause, allTypes, from) {
  if (/^[\w$]+$/.test(clause)) return from.startsWith("node:") ? [{ name: clause, whole: true }] : undefined;
  const list = /^\{\s*([^}]*?),?\s*\}$/.exec(clause)?.[1];
  const names = list?.split(/\s*,\s*/).map((one) => /^(type )?([\w$]+)$/.exec(one));
  if (names === undefined || names.includes(null)) return undefined;
  return names.map(([, typed, name]) => ({ name, type: allTypes || typed !== undefined }));
}

/** The module and all that it imports, types included, each behind what it needs. */
function reached(entry, read, found = []) {
  const { imports } = read.get(entry) ?? missing(entry);
  for (const { from } of imports) if (isOurs(from) && !found.includes(from)) reached(from, read, found);
  if (!found.includes(entry)) found.push(entry);
  return found;
}

function missing(file) {
  throw new Error(`runtime/${file} isn't there`);
}

const isOurs = (from) => from.endsWith(".ts");

function exportsOf({ declared, passed }) {
  return [...passed, ...declared.filter(({ exported }) => exported).map(({ name }) => name)];
}

/** What the modules of a file import from elsewhere; each name with the module or package that it comes from. */
function importsOf({ modules }) {
  const own = modules.map(({ file }) => file);
  const across = modules.flatMap(({ imports }) => imports.filter(({ from }) => !own.includes(from)));
  return across.flatMap(({ from, names, passes }) => names.map((one) => ({ ...one, from, passes })));
}

function fileText(file, { entries, holders, exported }) {
  refuseTwice(file);
  const chunks = file.modules.map(({ file: path, body }) => ({
    path,
    list: withPaths(path, body, entries).split(/\n\n(?=\S)/),
  }));
  const kept = withoutUnused(chunks, exported);
  const sections = kept
    .filter(({ list }) => list.join("") !== "")
    .map(({ path, list }) => sectionText(path, list, exported));
  const source = (from) => (isOurs(from) ? `./${holders.get(from)}.js` : from);
  const all = sections.join("\n\n");
  const imports = importsOf(file).filter(({ name, passes }) => !passes && uses(all, name));
  const passed = file.entry.imports.filter(
    ({ passes, from }) => passes && !file.modules.some((one) => one.file === from),
  );
  const head = [
    ...importTexts(imports.map((one) => ({ ...one, from: source(one.from) }))),
    ...passed.map(({ from, names }) => statementText("export", source(from), names)),
  ];
  return `${[head.join("\n"), ...sections].filter((text) => text !== "").join("\n\n")}\n`;
}

const uses = (text, name) => new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`).test(text);

/** Without the declarations that nothing in the file names and nobody imports: the compiler alone uses them. */
function withoutUnused(chunks, exported) {
  const all = chunks.flatMap(({ list }) => list);
  const unused = all.filter((chunk) => {
    const names = [...chunk.matchAll(DECLARATION)].map(([, , name]) => name);
    return (
      names.length === 1 && !exported.has(names[0]) && !all.some((other) => other !== chunk && uses(other, names[0]))
    );
  });
  if (unused.length === 0) return chunks;
  const left = chunks.map(({ path, list }) => ({ path, list: list.filter((chunk) => !unused.includes(chunk)) }));
  return withoutUnused(left, exported);
}

function sectionText(file, list, exported) {
  const text = list.join("\n\n").replace(/^ *\/\/ oxlint-.*\n/gm, "");
  const kept = text.replace(DECLARATION, (all, word, name) =>
    word && !exported.has(name) ? all.slice(word.length) : all,
  );
  return `// ${file.replace(/\.ts$/, "")}\n\n${kept}`;
}

/** The path of another file to be stands for the module that it begins with. */
function withPaths(file, body, entries) {
  return body.replace(/\bimport\(\s*"(\.[^"]*)" as string\s*\)/g, (_, from) => {
    const wanted = path.posix.join(path.posix.dirname(file), from);
    const [name] =
      [...entries].find(([, entry]) => entry === wanted) ?? missing(`${wanted}, which no file begins with,`);
    return `import("./${name}.js" as string)`;
  });
}

/** In one file a name stands for one thing: a declaration of one module, or what one package calls so. */
function refuseTwice(file) {
  const places = new Map();
  const say = (name, place) => {
    if ((places.get(name) ?? place) !== place) throw new Error(`${name} is of ${place} and of ${places.get(name)}`);
    places.set(name, place);
  };
  for (const { file: path, declared } of file.modules) for (const { name } of declared) say(name, `runtime/${path}`);
  for (const { name, from } of importsOf(file)) say(name, isOurs(from) ? `runtime/${from}` : from);
}

/** One statement for each source; a name that is imported as a type everywhere stays one. */
function importTexts(imports) {
  const sources = new Map();
  for (const one of imports) {
    const names = sources.get(one.from) ?? new Map();
    names.set(one.name, { ...one, type: one.type && (names.get(one.name)?.type ?? true) });
    sources.set(one.from, names);
  }
  const order = (from) => `${from.startsWith(".") ? 1 : 0}${from}`;
  const sorted = [...sources].sort(([a], [b]) => (order(a) < order(b) ? -1 : 1));
  return sorted.flatMap(([from, names]) => {
    const whole = [...names.values()].filter((one) => one.whole).map(({ name }) => `import ${name} from "${from}";`);
    const some = [...names.values()].filter((one) => !one.whole);
    return some.length === 0 ? whole : [...whole, statementText("import", from, some)];
  });
}

function statementText(word, from, names) {
  const sorted = names.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const start = sorted.every(({ type }) => type) ? `${word} type {` : `${word} {`;
  const list = sorted.map(({ name, type }) => (type && !start.includes("type") ? `type ${name}` : name));
  const line = `${start} ${list.join(", ")} } from "${from}";`;
  return line.length <= 120 ? line : `${start}\n${list.map((one) => `  ${one},\n`).join("")}} from "${from}";`;
}

export function readModules(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => file.replaceAll("\\", "/"));
  const ours = files.filter((file) => file.endsWith(".ts")).sort();
  return new Map(ours.map((file) => [file, readFileSync(path.join(folder, file), "utf8")]));
}

/** Writes what differs, each file at once: a test may be reading it. */
export function writeRuntime(root, out) {
  const modules = readModules(path.join(root, "runtime"));
  const made = flatten(modules, entriesIn(modules));
  mkdirSync(out, { recursive: true });
  for (const [name, text] of made) {
    const file = path.join(out, `${name}.ts`);
    if (textAt(file) === text) continue;
    writeFileSync(`${file}.${process.pid}`, text);
    renameSync(`${file}.${process.pid}`, file);
  }
  for (const file of readdirSync(out)) {
    if (file.endsWith(".ts") && !made.has(path.basename(file, ".ts"))) rmSync(path.join(out, file));
  }
}

function textAt(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
