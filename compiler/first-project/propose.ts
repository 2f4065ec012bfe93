import { dependsOn } from "../base/depends-on.ts";
import { flowYaml } from "../base/flow-yaml.ts";
import { firstOf } from "../base/list-words.ts";
import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import { DEFAULTS, PROJECT_FILE } from "../base/project-layout.ts";
import { shownFile } from "../base/shell-word.ts";
import { codeSteps } from "./code-steps.ts";
import { formatterEdits } from "./formatters.ts";
import { ignoreEdit } from "./ignored.ts";
import { NOTES_SERVER } from "./notes-server.ts";
import { sourceFiles, sourceText } from "./native-source.ts";
import { freeName, isSource, serversOf, settleNames, type NamedForeign, type SettledNames } from "./settle-names.ts";
import type { FoundFolder, FoundForeign, FoundHost, Proposal, ProposedFile, ReadBy, SetKey } from "./types.ts";

/** A first project from what a folder holds: few files, short, and none that is there already. */
export function propose(found: FoundFolder, packageText: string | undefined, setKey: SetKey): Proposal {
  const { together, apart } = byRoles(found.foreign.filter(({ secrets }) => secrets.length === 0));
  const settled = settleNames(together);
  const { foreign } = settled;
  const sources = [...sourcesOf(foreign), ...refinedSource(settled)];
  const roles = foreign.flatMap((one) => namesIn(one.blocks, "roles"));
  const isEmpty =
    foreign.every((one) => namesIn(one.blocks, "servers").length === 0) &&
    found.leftAlone.length === 0 &&
    found.foreign.length === 0;
  const held = isEmpty ? ["notes"] : [...new Set(foreign.flatMap((one) => switchedOn(one.blocks)))];
  const firstRole = roles[0] ?? freeName("reader", found.agents);
  const edited = packageEdit(found, packageText, setKey);
  const ignored = ignoreEdit(found);
  const formatters = formatterEdits(
    found.formatters,
    found.hosts.flatMap(({ written }) => written),
    setKey,
  );
  return {
    files: [
      file(
        PROJECT_FILE,
        projectText(found, { foreign, apart }, roles.length + held.length > 0 ? firstRole : undefined),
      ),
      ...(roles.length > 0 || held.length === 0 ? [] : [file(ROLES_FILE, rolesText(firstRole, held))]),
      ...(isEmpty ? [file(`${DEFAULTS.folder}/servers.yaml`, SERVERS), file("servers/notes.mjs", NOTES_SERVER)] : []),
      ...sources.map(({ path, text }) => file(path, text)),
      ...[edited, ignored].filter((one) => one !== undefined),
      ...formatters.files,
    ],
    says: [
      ["TypeScript", typescriptWords(found)],
      ["hosts", found.hosts.map(({ title, sign }) => `${title}, since there is ${sign}`)],
      ["reads", foreign.map((one) => foreignWords(one, sources, firstRole))],
      ["one server", firstSaid(settled.same.map(sameWords))],
      ["not looked at", found.passedBy],
      ["first role", roles.length > 0 || held.length === 0 ? [] : [`${firstRole}: reads, and changes nothing`]],
      ["first server", isEmpty ? ["notes, a small one of your own in servers/notes.mjs"] : []],
    ],
    byHand: [
      ...found.leftAlone.map(({ file: path, why }) => `${path} is left alone: ${why}`),
      ...found.foreign.flatMap(secretWords),
      ...apart.map((one) => apartWords(one, found.foreign)),
      ...firstSaid(settled.apart.map(otherServerWords)),
      ...firstSaid(settled.tooMany.map(tooManyWords)),
      ...ungranted(foreign, roles),
      ...formatters.byHand,
    ],
    forCode: codeSteps(found),
    isToInstall: edited !== undefined && namesOwn(found),
    taken: new Map(foreign.filter(({ taken }) => taken.length > 0).map((one) => [one.file, new Set(one.taken)])),
    captured: isEmpty ? ["notes"] : [],
    toImport: foreign.length > 0 ? [] : [...found.leftAlone, ...found.foreign].map((one) => one.file),
  };
}

function isSkillBelow(folder: string, path: string): boolean {
  return path.startsWith(`${folder}/`) && path.endsWith("/SKILL.md");
}

function file(path: string, text: string): ProposedFile {
  return { path, before: undefined, text };
}

interface NewSource {
  readonly from: string;
  readonly path: string;
  readonly text: string;
}

const SAME_FILE = `${DEFAULTS.folder}/same-servers.yaml`;

/** Of servers that files have which are read as they are. */
function refinedSource({ refined }: SettledNames): NewSource[] {
  if (Object.keys(refined).length === 0) return [];
  const from = "several files that have the same server";
  return [{ from, path: SAME_FILE, text: sourceText({ format: { title: from }, blocks: refined }, from) }];
}

const MOST_SAID = 5;

function firstSaid(lines: readonly string[]): string[] {
  const more = lines.length - MOST_SAID;
  return more > 0 ? [...lines.slice(0, MOST_SAID), `and ${more} more servers, likewise`] : [...lines];
}

function listed(names: readonly string[]): string {
  return names.length > 6 ? firstOf(names) : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function sameWords({ names, isOneEach }: SettledNames["same"][number]): string {
  const whole = `what is taken away of one is taken away of ${names.length === 2 ? "both" : "all"}`;
  return `${listed(names)}: ${isOneEach ? whole : "what a file takes away of one is taken away of those of other files"}`;
}

function tooManyWords(names: readonly string[]): string {
  return `say in ${DEFAULTS.folder}/ what is taken away of each of ${listed(names)}: they are one server, and it is too much to write`;
}

function otherServerWords({ server, other, isAlike }: SettledNames["apart"][number]): string {
  const how = isAlike
    ? `reached nearly as ${other.name} is (with other values, or of another folder)`
    : `reached otherwise than ${other.name}`;
  return `${server.name} is \`${server.called}\` of ${server.file}, ${how}: what is taken away of one isn't taken away of the other`;
}

const ROLES_FILE = `${DEFAULTS.folder}/roles.yaml`;

/** In place of what files of other systems said, where these aren't read as they are. */
function sourcesOf(foreign: readonly NamedForeign[]): NewSource[] {
  const written = foreign.filter(isSource).flatMap(({ file: from, title, blocks }) => {
    const { servers: _, ...others } = blocks;
    const said = namesIn(blocks, "servers").length === 0 ? others : blocks;
    return Object.keys(said).length === 0
      ? []
      : [{ from, text: sourceText({ format: { title }, blocks: said }, from) }];
  });
  const froms = written.map(({ from }) => from);
  const places = sourceFiles(froms, DEFAULTS.folder, [ROLES_FILE, SAME_FILE]);
  return written.map(({ from, text }) => ({ from, path: places.get(from)!, text }));
}

/** Whoever has roles says himself who holds what a host's file brings. */
function ungranted(foreign: readonly NamedForeign[], roles: readonly string[]): string[] {
  const servers = foreign
    .filter(isSource)
    .flatMap(({ blocks }) =>
      Object.entries(serversOf(blocks)).flatMap(([name, block]) => (isNew(block) ? [name] : [])),
    );
  if (roles.length === 0 || servers.length === 0) return [];
  return [`no role holds ${servers.join(", ")} yet: name them under the \`tools\` of a role`];
}

/** A source may also say more of a server that another file brings. */
function isNew(block: JsonValue): boolean {
  return !isObject(block) || block["from"] === undefined;
}

/** Files that give the same role lie over each other, and only a person knows which is the later one. */
function byRoles(foreign: readonly FoundForeign[]): { together: FoundForeign[]; apart: FoundForeign[] } {
  const taken = new Set<string>();
  const [together, apart]: [FoundForeign[], FoundForeign[]] = [[], []];
  for (const one of foreign) {
    const roles = namesIn(one.blocks, "roles");
    (roles.some((role) => taken.has(role)) ? apart : together).push(one);
    for (const role of roles) taken.add(role);
  }
  return { together, apart };
}

function apartWords({ file: path, blocks }: FoundForeign, all: readonly FoundForeign[]): string {
  const mine = namesIn(blocks, "roles");
  const other = all.find(
    (one) => one.file !== path && namesIn(one.blocks, "roles").some((role) => mine.includes(role)),
  );
  const role = mine.find((name) => other !== undefined && namesIn(other.blocks, "roles").includes(name));
  // A format without roles has the one that its entry names.
  const renamed = role === "agent" ? `list it under \`imports:\` as { file: ${path}, role: NAME }, or ` : "";
  return `${path} has the role \`${role}\`, as ${other?.file} has: ${renamed}list both under \`layers:\`, the later over the earlier`;
}

function secretWords({ file: path, secrets }: FoundForeign): string[] {
  if (secrets.length === 0) return [];
  return [
    ...secrets.map(({ variable, at }) => `put the secret at ${at} of ${path} into your environment, as ${variable}`),
    `then run: rolecall import ${shownFile(path)}`,
  ];
}

function namesIn(blocks: JsonObject, block: string): string[] {
  const held = own(blocks, block);
  return isObject(held) ? Object.keys(held) : [];
}

/** Nobody holds a server that is switched off. */
function switchedOn(blocks: JsonObject): string[] {
  return Object.entries(serversOf(blocks)).flatMap(([name, block]) =>
    isObject(block) && block["enabled"] === false ? [] : [name],
  );
}

function foreignWords(
  { file: path, title, blocks, taken, readBy, heeded }: NamedForeign,
  sources: readonly NewSource[],
  role: string,
): string {
  const [servers, roles] = [namesIn(blocks, "servers"), namesIn(blocks, "roles")];
  const held = [
    ...(servers.length > 0 ? [`${servers.length} server${servers.length === 1 ? "" : "s"}`] : []),
    ...(roles.length > 0 ? [`${roles.length} role${roles.length === 1 ? "" : "s"}`] : []),
  ];
  const source = sources.find(({ from }) => from === path);
  const place = source === undefined ? "" : `, sources from now on, in ${source.path}`;
  const becomes =
    taken.length > 0 && readBy !== undefined ? `, sources from now on: ${nextWords(readBy, role)}` : place;
  const less =
    heeded.length === 0 ? "" : `, without what ${heeded.join(" and ")} ${heeded.length === 1 ? "takes" : "take"} away`;
  return `${path}${title === path ? "" : ` (${title})`}: ${held.length === 0 ? "nothing that isn't known already" : held.join(" and ")}${less}${becomes}`;
}

/** Skills of a folder by one glob, so that the next one is read too. */
function importsOf(read: readonly NamedForeign[], folders: readonly string[]): string[] {
  const entries = read.map(({ file: path, renamed }) => {
    const folder = folders.find((one) => isSkillBelow(one, path));
    if (folder !== undefined) return flowYaml(`${folder}/**/SKILL.md`);
    return flowYaml(Object.keys(renamed).length === 0 ? path : { file: path, servers: renamed });
  });
  return [...new Set(entries)].map((entry) => `  - ${entry}`);
}

/** What the next build does to the file. */
function nextWords({ id, title, isWritten }: ReadBy, role: string): string {
  return isWritten
    ? `the next build leaves there what roles hold and ${title} can be given, and takes out the others`
    : `the next build takes them out of there; then start ${title} with \`rolecall start ${role} --host ${id}\``;
}

function projectText(
  { name, manifest, hosts: all, typescript: { imports }, skillFolders }: FoundFolder,
  { foreign, apart }: { readonly foreign: readonly NamedForeign[]; readonly apart: readonly FoundForeign[] },
  role: string | undefined,
): string {
  // Without a role a host that knows none has nobody to be for.
  const hosts = all.filter(({ needsRole }) => role !== undefined || !needsRole);
  const named = own(manifest ?? {}, "name");
  const lines = [
    "# Who may use which tool of which server: rolecall compiles what stands here and in mcp/.",
    "version: 1",
    `project: ${flowYaml(typeof named === "string" && named !== "" ? named : name)}`,
  ];
  if (imports !== DEFAULTS.importExtension) lines.push(`importExtension: ${imports} # ${IMPORTS[imports]}`);
  const read = foreign.filter((one) => !isSource(one));
  if (read.length > 0)
    lines.push(
      "imports: # read as they are; `rolecall import FILE` turns one into sources of yours",
      ...importsOf(
        read,
        skillFolders.filter((folder) => !apart.some(({ file: path }) => isSkillBelow(folder, path))),
      ),
    );
  if (hosts.length > 0)
    lines.push(
      "hosts: # programs that run your agents: each gets its own files",
      ...hosts.map((host) => `  - ${hostText(host, role ?? "")}`),
    );
  return `${lines.join("\n")}\n`;
}

/** Who finds generated modules by it. */
const IMPORTS = {
  js: "./x.js, as TypeScript for Node writes it",
  ts: "./x.ts, as Node runs TypeScript, and where the compiler allows it",
  none: "./x, as bundlers find it",
} as const;

function typescriptWords({ typescript: { config, imports } }: FoundFolder): string[] {
  if (config === undefined) return [];
  return [`${config}: generated modules import each other as ${imports === "none" ? "./x" : `./x.${imports}`}`];
}

function hostText({ id, needsRole }: FoundHost, role: string): string {
  return needsRole ? `${flowYaml({ id, role })} # it knows no roles: whoever works there is this one` : id;
}

function rolesText(role: string, servers: readonly string[]): string {
  return `roles:
  ${role}:
    description: Reads, and changes nothing.
    tools:
${servers.map((server) => `      ${server}: read-only # or a list: [one_tool, "list_*"]`).join("\n")}
`;
}

const SERVERS = `servers:
  notes:
    connect:
      - stdio: [node, servers/notes.mjs]
`;

/** Scripts that are there stay as they are. */
function packageEdit(found: FoundFolder, text: string | undefined, setKey: SetKey): ProposedFile | undefined {
  const { manifest, own: self } = found;
  if (manifest === undefined || text === undefined) return undefined;
  const scripts = own(manifest, "scripts");
  const known = isObject(scripts) ? scripts : {};
  const missing = [
    ...Object.entries(SCRIPTS)
      .filter(([name]) => !Object.hasOwn(known, name))
      .map(([name, command]) => [["scripts", name], command] as const),
    ...(namesOwn(found) ? [[["devDependencies", "rolecall"], self!] as const] : []),
  ];
  if (missing.length === 0) return undefined;
  const edited = missing.reduce((json, [key, value]) => setKey(json, key, value), text);
  return { path: "package.json", before: text, text: edited };
}

/** The scripts call what lies in node_modules. */
function namesOwn({ manifest, own: self }: FoundFolder): boolean {
  return manifest !== undefined && self !== undefined && !dependsOn(manifest, "rolecall");
}

const SCRIPTS = { rolecall: "rolecall build", "rolecall:check": "rolecall build --check" };
