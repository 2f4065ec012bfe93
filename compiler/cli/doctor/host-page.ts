import { visible } from "../../base/visible.ts";
import { shownFile } from "../../base/shell-word.ts";
import { wrap } from "../../base/wrap.ts";
import { paintWith } from "../../diagnostics/paint.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import { givenTools } from "../../4-fit/given.ts";
import { shellsOf } from "../../4-fit/shells.ts";
import { isBroken, isMissing, isReady, isWell, lacksProgram } from "../../live-server/host-diagnosis.ts";
import type { FileFinding, HostDiagnosis, ServerFinding, ServersBeside } from "../../live-server/host-diagnosis.ts";
import { shellSentence } from "../shell-words.ts";
import { changedLines, probeTable, troubleLines } from "./page.ts";
import { factLines, page } from "../page.ts";
import { tableLines } from "../table.ts";

type NeededVariable = HostDiagnosis["variables"][number];
type WrongAssumption = HostDiagnosis["assumptions"][number];

/** `rolecall doctor --host`: four facts, then what is wrong with each and its next step, variables first. */
export function hostDoctorPage(found: HostDiagnosis, style: Style, standing?: string): string {
  const { fitted, role, servers = [] } = found;
  const paint = paintWith(style.colour);
  const missing = found.variables.filter(isMissing);
  const diagnoses = servers.map(({ diagnosis }) => diagnosis);
  return page([
    [`${role.name} on ${fitted.host.title}`, ...factLines(summary(found), style)],
    ...missing.map((variable) => variableLines(variable, found, style)),
    ...found.assumptions.flatMap((one) => assumptionLines(one, found, style)),
    fileLines(found, style),
    ...found.beside.map((one) => besideLines(one, style)),
    programLines(found, style),
    throughLines(found, style),
    gatewayLines(found, style),
    servers.length === 0 ? [] : tableLines(probeTable(diagnoses), style),
    ...diagnoses.filter(({ state }) => state !== "reachable").map((one) => troubleLines(one, style)),
    ...servers.map((one) => goneLines(one, style)),
    ...diagnoses.map((one) => changedLines(one, style)),
    standing === undefined ? [] : wrap(paint("warning", standing), style.width, "  "),
    [
      isReady(found)
        ? paint("good", "ready to start")
        : `${paint("error", "not ready to start")}${lastWords(found, missing)}`,
    ],
  ]);
}

function lastWords(found: HostDiagnosis, missing: readonly NeededVariable[]): string {
  if (missing.length > 0) return `: set ${missing.length === 1 ? "the variable" : "the variables"} and try again`;
  const isSilentAlone = found.servers?.every(({ gone }) => gone.length === 0) && isReady({ ...found, servers: [] });
  const { host } = found.fitted;
  return isSilentAlone && host.program !== undefined && host.isEditor !== true
    ? `; to start without what can't be reached, run what follows \`&&\` in the line of \`rolecall hosts\``
    : "";
}

function summary(found: HostDiagnosis): (readonly [string, readonly string[]])[] {
  const { variables, files, program, servers } = found;
  const set = variables.length - variables.filter(isMissing).length;
  const current = files.filter(({ state }) => state === "up-to-date").length;
  return [
    ["variables", [variables.length === 0 ? "none is needed" : share(set, variables.length, "set")]],
    ["files", files.length === 0 ? [] : [share(current, files.length, "up to date")]],
    // What stops the start is said below, with its next step.
    [
      "command",
      program === undefined || lacksProgram(found)
        ? []
        : [`${program.name} ${program.found ? "is" : "isn't"} on the PATH`],
    ],
    ["servers", [serverWords(servers)]],
  ];
}

function serverWords(servers: readonly ServerFinding[] | undefined): string {
  if (servers === undefined) return "not asked while a variable is missing";
  if (servers.length === 0) return "none is given there: `rolecall hosts` says why";
  return share(servers.filter(({ diagnosis }) => diagnosis.state === "reachable").length, servers.length, "reachable");
}

function share(count: number, all: number, words: string): string {
  return count === all ? `${count} ${words}` : `${count} of ${all} ${words}`;
}

function variableLines(variable: NeededVariable, found: HostDiagnosis, style: Style): string[] {
  const { name, servers, purpose, url, acceptedNames } = variable;
  const { host, choice, plan } = found.fitted;
  const { but } = host.abilities.references;
  const isServed = choice.via === "serve";
  const isRead = host.takesAsWritten === true || isServed;
  const there = isServed
    ? `; rolecall serve looks for it in ${visible(plan.project.serve.env.file)}, then where it is started`
    : isRead || but === undefined
      ? ""
      : `; there ${but}`;
  return [
    ...wrap(`${paintWith(style.colour)("error", name)} isn't set${there}`, style.width, "  "),
    ...factLines(
      [
        ["for", purpose === undefined ? [] : [visible(purpose)]],
        ["get it at", url === undefined ? [] : [visible(url)]],
        ["needed by", [servers.join(", ")]],
        [
          "other names",
          isRead || acceptedNames.length === 0
            ? acceptedNames.map(visible)
            : [`${acceptedNames.map(visible).join(", ")}: ${host.title} doesn't look under them`],
        ],
      ],
      style,
    ),
  ];
}

function assumptionLines(one: WrongAssumption, found: HostDiagnosis, style: Style): string[][] {
  const { name, assumed, servers } = one;
  const { id, title } = found.fitted.host;
  if (assumed === "set" && !isBroken(one, found.variables)) return [];
  const says =
    assumed === "set"
      ? `${name} isn't set, and what ${title} is told of ${servers.join(", ")} assumes that it is`
      : `${name} is set, and what ${title} is told of ${servers.join(", ")} assumes that it isn't`;
  const now = assumed === "set" ? "unset" : "set";
  const other = assumed === "set" ? "set it, or write" : "write";
  return [
    [
      ...wrap(says, style.width, "  "),
      ...wrap(`  next: ${other} \`assume: { ${name}: ${now} }\` for ${id}, and build`, style.width, "    "),
    ],
  ];
}

const FILE_WORDS = {
  missing: "is missing",
  differs: "is out of date",
  stale: "is left from an earlier build",
  blocked: "isn't rolecall's, or can't be read",
  overrules: "can't be read for sure, and what it says of the role's names would be joined with the role's own",
  moves: "can't be read for sure, and its variables are handed on to what the host starts",
  undoes: "can't be read for sure, and the host puts its settings above what the role is held to",
};

const KEY_WORDS = {
  overrules: "is nothing of rolecall's, and the host would join it with the role's own",
  moves: "would be handed on to what the host starts, and decides what runs there and where it keeps things",
};

const UNDONE = {
  asks: "has the host run what the role asks about without a question",
  "handing over": "lets the role hand work on, and it has no delegates",
  prompt: "is told in place of the role's prompt",
  all: "stands above all that the role is held to",
};

const MOST_FILES = 10;

/** What a person has to look for comes first: of the others there may be many. */
function fileLines({ files, fitted }: HostDiagnosis, style: Style): string[] {
  const late = files.filter(({ state }) => state !== "up-to-date");
  const shown = [...late.filter(isSomebodys), ...late.filter((one) => !isSomebodys(one))];
  const more = late.length - MOST_FILES;
  return [
    ...shown.slice(0, MOST_FILES).flatMap((one) => wrap(fileWords(one), style.width, "  ")),
    ...(more > 0 ? [`and ${more} more`] : []),
    ...fileSteps(late, fitted.host.id),
  ];
}

function isSomebodys({ state }: FileFinding): boolean {
  return state === "overrules" || state === "moves" || state === "undoes";
}

function fileWords({ path, state, key, undoes }: FileFinding): string {
  if (state === "up-to-date") return "";
  const named = key === undefined ? undefined : `\`${visible(key)}\` in ${visible(path)}`;
  if (named !== undefined && state === "undoes") return `${named} ${UNDONE[undoes ?? "all"]}`;
  if (named !== undefined && (state === "overrules" || state === "moves")) return `${named} ${KEY_WORDS[state]}`;
  return `${visible(path)} ${FILE_WORDS[state]}`;
}

function fileSteps(late: readonly FileFinding[], host: string): string[] {
  const unread = late.filter((one) => isSomebodys(one) && one.key === undefined);
  const known = late.filter((one) => !unread.includes(one));
  const isAny = (...wanted: FileFinding["state"][]) => known.some(({ state }) => wanted.includes(state));
  const next = [
    ...(isAny("blocked") ? ["rolecall build says what stands in its way"] : []),
    ...(!isAny("blocked") && isAny("missing", "differs", "stale") ? ["rolecall build"] : []),
    ...(isAny("overrules") ? ["take it out of that file, or call it otherwise there"] : []),
    ...(isAny("undoes")
      ? [
          `take it out of that file${known.some(({ undoes }) => undoes === "asks") ? `, or write \`via: serve\` for ${host}: who is asked is behind its entry then` : ""}`,
        ]
      : []),
    ...unreadSteps(unread),
    ...(isAny("moves") ? ["take it out of that file: set it where you start the host, if it is needed"] : []),
  ];
  return next.map((step) => `  next: ${step}`);
}

function unreadSteps(unread: readonly FileFinding[]): string[] {
  const isAgent = ({ path }: FileFinding) => path.endsWith(".md");
  return [
    ...(unread.every(isAgent) ? [] : ["mend that file, in UTF-8, or take it away"]),
    ...(unread.some(isAgent)
      ? ["write `name:` on a line of its own between two lines `---`, in UTF-8 and without `<<`, `&`, `*` and escapes"]
      : []),
  ];
}

function besideLines({ file, servers }: ServersBeside, style: Style): string[] {
  const names = servers.map((name) => `\`${visible(name)}\``).join(", ");
  const says = `${names} in ${visible(file)} ${servers.length === 1 ? "stays" : "stay"} open to every role`;
  // A person's own folder is named as a shell knows it.
  const home = /^(?:~|\$\w+)\//.exec(file)?.[0] ?? "";
  const next = `  next: rolecall import ${home}${shownFile(file.slice(home.length))}, or take ${servers.length === 1 ? "it" : "them"} out: nothing of what roles hold is about ${servers.length === 1 ? "it" : "them"}`;
  return [...wrap(says, style.width, "  "), ...wrap(next, style.width, "    ")];
}

function programLines(found: HostDiagnosis, style: Style): string[] {
  const { fitted, program } = found;
  if (program === undefined || !lacksProgram(found)) return [];
  return [
    `${paintWith(style.colour)("error", program.name)} isn't on the PATH`,
    `  next: install ${fitted.host.title}, or put its folder on the PATH`,
  ];
}

/** What the gateway holds, and against whom it is none. */
function throughLines({ fitted, role }: HostDiagnosis, style: Style): string[] {
  const behind = givenTools(role).filter(({ through }) => through !== undefined);
  const read = role.servers.flatMap(({ reads = [] }) => reads.map(({ name }) => name));
  if (behind.length + read.length === 0) return [];
  const count = [
    ...(behind.length === 0 ? [] : [`${behind.length} ${behind.length === 1 ? "tool" : "tools"}`]),
    ...(read.length === 0 ? [] : [`resources of ${read.join(", ")}`]),
  ].join(" and ");
  const shells = shellsOf(role, fitted);
  const says = `${count} through rolecall serve, which holds every rule`;
  const but = shells?.length === 0 ? "" : `; ${shellSentence(shells)}`;
  return wrap(`${says}${but}`, style.width, "  ");
}

function gatewayLines({ gateway, fitted }: HostDiagnosis, style: Style): string[] {
  if (gateway?.found !== false) return [];
  const says = `${visible(gateway.name)} isn't found, and ${fitted.host.title}'s files start it`;
  const next = "  next: put it on the PATH, or say how it is started: `serve: { command: [npx, --no, rolecall] }`";
  return [...wrap(says, style.width, "  "), ...wrap(next, style.width, "    ")];
}

function goneLines(one: ServerFinding, style: Style): string[] {
  const { diagnosis, gone } = one;
  if (gone.length === 0 || isWell(one)) return [];
  const says = `${diagnosis.server} doesn't have ${gone.map(visible).join(", ")} any more`;
  return [...wrap(says, style.width, "  "), `  next: rolecall capture ${diagnosis.server}`];
}
