import type { Call } from "./dialects.ts";
import type { Host, ServerTool } from "./host.ts";
import type { Seen, Setting } from "./observe.ts";
import { HANDED_OVER } from "./observe.ts";
import { enforceable, reachable } from "./plan.ts";
import type { Held, Plan } from "./plan.ts";

/** A host with its files in place. `watch` runs it once for each setting, however many checks look at the same. */
export interface Bench {
  readonly host: Host;
  readonly plan: Plan;
  watch(setting: Omit<Setting, "project" | "packages">): Promise<Seen>;
}

/** What doesn't hold, in words; none: it holds. */
export type Problems = readonly string[];

export interface Check {
  readonly title: string;
  /** Roles that the check looks at; those of the project, unless a check speaks of one that isn't there. */
  problems(bench: Bench, role: string): Promise<Problems>;
  readonly roles: "each" | readonly string[];
  /** Left out: for every host. */
  isFor?(host: Host): boolean;
}

const GROWN = ["grown_at_start", "grown_later"];
const SERVERS = ["tracker", "files", "vault", "wiki"];
/** Names that one of the hosts keeps for itself. */
const KEPT = ["external", "workspace", "codex_apps", "github-mcp-server"];
/** From a project's folder, and what stands in it. */
const OUTSIDE = { file: "../home/outside.txt", text: "what lies outside of the project" };

/** The one argument that a fixture's tool takes. */
const ARGUMENT: Readonly<Record<string, string>> = {
  list_issues: "state",
  get_issue: "id",
  create_issue: "title",
  merge_change: "id",
  read_file: "path",
  write_file: "path",
  delete_file: "path",
  list_secrets: "prefix",
  get_secret: "name",
  "rotate-key": "name",
  "search-pages": "text",
  "page.read": "id",
  "page.write": "id",
  directory: "id",
  look: "id",
  tidy: "id",
  open_app: "id",
  get_me: "id",
};

export const callOf = (host: Host, tool: ServerTool, value: string): Call => {
  const argument = ARGUMENT[tool.tool];
  return { name: host.shown(tool), args: argument === undefined ? {} : { [argument]: value } };
};

/** As they would be reached by these roles, whether these hold them or not. */
const every = (plan: Plan, roles: readonly string[]): readonly ServerTool[] => {
  const tools = [...plan.tools, ...[...SERVERS, ...KEPT].flatMap((server) => GROWN.map((tool) => ({ server, tool })))];
  return roles.flatMap((role) => tools.map((one) => ({ ...one, role })));
};

/** Each name once: most hosts show a tool alike to all roles. */
const callsOf = (host: Host, tools: readonly ServerTool[], value: string): readonly Call[] => {
  const calls = tools.map((one) => callOf(host, one, value));
  return [...new Map(calls.map((one) => [one.name, one])).values()];
};

export const key = ({ server, tool }: ServerTool) => `${server}.${tool}`;

const isServers = (host: Host) => (name: string) =>
  host.isOurs?.(name) === true ||
  [...SERVERS, ...KEPT].some((server) => name.startsWith(host.shown({ server, tool: "" })));

/** A role's session, in which the model tries everything: what is held first, what is asked last, since some hosts stop there. */
export function everything({ host, plan }: Bench, role: string): Omit<Setting, "project" | "packages"> {
  const held = enforceable(host, plan, role);
  const keys = new Set(held.map(key));
  const free = held.filter((one) => one.effect === "allow");
  return {
    role,
    state: { grow: true },
    calls: [
      ...free.map((one) => callOf(host, one, "tests/one")),
      ...free.filter((one) => one.conditioned).map((one) => callOf(host, one, "src/one")),
      ...every(plan, [role])
        .filter((one) => !keys.has(key(one)))
        .map((one) => callOf(host, one, "tests/one")),
      ...SERVERS.flatMap((server) => host.readResource(server)),
      ...held.filter((one) => one.effect === "ask").map((one) => callOf(host, one, "tests/one")),
      ...(host.outside ? [host.outside(OUTSIDE.file)] : []),
    ],
  };
}

const offeredAsPlanned: Check = {
  title: "the tools offered are the plan's",
  roles: "each",
  async problems(bench, role) {
    const { host, plan } = bench;
    const seen = await bench.watch(everything(bench, role));
    const [first] = seen.offered;
    if (first === undefined) return [spoke(seen)];
    const expected = enforceable(host, plan, role).filter((one) => host.askedShows || one.effect === "allow");
    const builtins = plan.roles.get(role)?.builtins[host.installedAs ?? host.id];
    // What reads resources is judged by whether it does.
    const readers = host.readResource("").map((one) => one.name);
    const own = first.filter((name) => !isServers(host)(name) && !readers.includes(name));
    return [
      ...differences(new Set(expected.map((one) => host.shown(one))), new Set(first.filter(isServers(host)))),
      ...(builtins === undefined ? (host.ownTools ?? []).filter((name) => !own.includes(name)) : []).map(lost),
      ...(builtins === undefined ? [] : own.filter((name) => !builtins.includes(name)).map((name) => `offers ${name}`)),
    ];
  },
};

const deniedExecutesNothing: Check = {
  title: "a denied tool called anyway executes nothing",
  roles: "each",
  async problems(bench, role) {
    const seen = await bench.watch(everything(bench, role));
    const free = enforceable(bench.host, bench.plan, role).filter((one) => one.effect === "allow");
    const leaked = seen.told.includes(OUTSIDE.text)
      ? ["a file outside of the project was read without a question"]
      : [];
    return [...notWithin(seen, free), ...free.flatMap((one) => onceAsAllowed(seen, one)), ...leaked];
  },
};

const delegationWithin: Check = {
  title: "delegation stays within the role's own set",
  roles: "each",
  async problems(bench, role) {
    const { host, plan } = bench;
    const agents = [...new Set([...(plan.roles.get(role)?.delegates ?? []), ...host.ownAgents, ...plan.roles.keys()])];
    const seen = await bench.watch({
      role,
      calls: agents.map((agent) => host.handOver(agent, HANDED_OVER)),
      callsOfOthers: callsOf(host, every(plan, [role, ...plan.roles.keys()]), "src/one"),
    });
    if (seen.offered.length === 0) return [spoke(seen)];
    const all = reachable(host, plan, role);
    const names = new Set(all.map((one) => host.shown(one)));
    const wider = seen.offeredToOthers.flat().filter((name) => isServers(host)(name) && !names.has(name));
    const expected = host.delegation === "opened" && (plan.roles.get(role)?.delegates ?? []).length > 0;
    return [
      ...[...new Set(wider)].map((name) => `another agent is offered ${name}`),
      ...notWithin(
        seen,
        all.filter((one) => one.effect === "allow" && !one.conditioned),
      ),
      ...(expected && seen.offeredToOthers.length === 0 ? ["the delegate wasn't reached"] : []),
    ];
  },
};

const grownNowhere: Check = {
  title: "a tool that the server adds later appears nowhere",
  roles: "each",
  async problems(bench, role) {
    const seen = await bench.watch(everything(bench, role));
    if (seen.offered.length === 0) return [spoke(seen)];
    const shown = new Set(seen.offered.flat().filter((name) => GROWN.some((tool) => name.endsWith(tool))));
    const reached = seen.reached.filter((one) => one.did === "call" && GROWN.includes(one.tool ?? ""));
    return [
      ...[...shown].map((name) => `offers ${name}`),
      ...reached.map((one) => `${one.server}.${one.tool} was called`),
    ];
  },
};

const resourcesClosed: Check = {
  title: "resources are closed",
  roles: "each",
  async problems(bench, role) {
    const seen = await bench.watch(everything(bench, role));
    if (seen.offered.length === 0) return [spoke(seen)];
    return [
      ...seen.reached.filter((one) => one.did === "read").map((one) => `a resource of ${one.server} was read`),
      ...SERVERS.filter((server) => seen.told.includes(`a-note-of-${server}`)).map(
        (one) => `resources of ${one} are listed`,
      ),
    ];
  },
};

const unknownGetsNothing: Check = {
  title: "an unknown role gets nothing",
  roles: ["nobody"],
  async problems(bench, role) {
    const { host, plan } = bench;
    const calls = callsOf(host, every(plan, ["tester", ...plan.roles.keys()]), "tests/one");
    const none = await bench.watch({ role, calls });
    const others = host.rolesByName ? [await bench.watch({ role, calls, filesOf: "tester" })] : [];
    // Of a host that can't start at all this would be true too.
    const known = await bench.watch(everything(bench, "tester"));
    if (known.offered.length === 0) return [spoke(known)];
    return [none, ...others].flatMap((seen) => [
      ...new Set(
        seen.offered
          .flat()
          .filter(isServers(host))
          .map((name) => `offers ${name}`),
      ),
      ...notWithin(seen, []),
    ]);
  },
};

const faultsStayAlone: Check = {
  title: "a dead or hung server doesn't widen or stop the others",
  roles: ["tester"],
  async problems(bench, role) {
    const { host, plan } = bench;
    const held = enforceable(host, plan, role).filter((one) => one.effect === "allow" && !one.conditioned);
    const calls = [...held.filter((one) => one.server === "files"), ...held.filter((one) => one.server !== "files")];
    const names = new Set(enforceable(host, plan, role).map((one) => host.shown(one)));
    const withFault = async (fault: "dead" | "hung" | "dies") => {
      const seen = await bench.watch({
        role,
        state: { faults: { files: fault } },
        calls: calls.map((one) => callOf(host, one, "tests/one")),
      });
      if (seen.offered.length === 0) return [`files ${fault}: ${spoke(seen)}`];
      const wider = new Set(seen.offered.flat().filter((name) => isServers(host)(name) && !names.has(name)));
      const stopped = held.filter((one) => one.server !== "files").flatMap((one) => onceAsAllowed(seen, one));
      const late = seen.exit === null ? ["it had to be ended"] : [];
      return [...[...wider].map((name) => `offers ${name}`), ...stopped, ...late].map(
        (one) => `files ${fault}: ${one}`,
      );
    };
    return (await Promise.all([withFault("dead"), withFault("hung"), withFault("dies")])).flat();
  },
};

const promptTold: Check = {
  title: "the role's prompt is told as it is written",
  roles: ["tester"],
  async problems(bench, role) {
    const seen = await bench.watch(everything(bench, role));
    if (seen.offered.length === 0) return [spoke(seen)];
    const prompt = JSON.stringify(bench.plan.prompt).slice(1, -1);
    return seen.told.includes(prompt) ? [] : ["the model wasn't told it"];
  },
};

/** It comes last: those of `rolecall serve` have their numbers. */
export const overruledOpensNothing: Check = {
  title: "somebody else's agent of the role's name opens no tool that is pinned, and `rolecall start` doesn't go on",
  roles: ["tester"],
  isFor: ({ overrule }) => overrule !== undefined,
  async problems(bench, role) {
    const { host, plan } = bench;
    const [seen, started] = await Promise.all([
      bench.watch({ ...everything(bench, role), state: {}, overruled: true }),
      bench.watch({ role, overruled: true, byRolecall: true }),
    ]);
    if (seen.offered.length === 0) return [spoke(seen)];
    const held = new Set(enforceable(host, plan, role).map((one) => host.shown(one)));
    const wider = new Set(seen.offered.flat().filter((name) => isServers(host)(name) && !held.has(name)));
    const own = ["Bash", "Write", "Agent", "Workflow"].filter((name) => seen.offered.flat().includes(name));
    return [
      ...[...wider, ...own].map((name) => `offers ${name}`),
      ...notWithin(
        seen,
        enforceable(host, plan, role).filter((one) => one.effect === "allow"),
      ),
      ...(started.offered.length > 0 || started.exit !== 1 ? ["rolecall start went on"] : []),
      ...(started.stderr.includes("aaa.md") ? [] : ["it doesn't say why"]),
    ];
  },
};

/** Of every host; those of hosts behind `rolecall serve` are in served-checks.ts. */
export const CHECKS: readonly Check[] = [
  offeredAsPlanned,
  deniedExecutesNothing,
  delegationWithin,
  grownNowhere,
  resourcesClosed,
  unknownGetsNothing,
  faultsStayAlone,
  promptTold,
];

function differences(expected: ReadonlySet<string>, offered: ReadonlySet<string>): Problems {
  return [
    ...[...offered].filter((name) => !expected.has(name)).map((name) => `offers ${name}`),
    ...[...expected].filter((name) => !offered.has(name)).map((name) => `doesn't offer ${name}`),
  ];
}

/** Calls that reached a server and shouldn't have. A conditioned tool may be reached with what its condition lets through. */
function notWithin(seen: Seen, free: readonly Held[]): Problems {
  const allowed = new Map(free.map((one) => [key(one), one]));
  return seen.reached
    .filter((one) => one.did === "call")
    .filter((one) => {
      const held = allowed.get(`${one.server}.${one.tool}`);
      return held === undefined || (held.conditioned && JSON.stringify(one.args).includes("src/"));
    })
    .map((one) => `${one.server}.${one.tool} ${JSON.stringify(one.args)} was executed`);
}

/** Else a host that executes nothing at all would pass. */
function onceAsAllowed(seen: Seen, { server, tool }: ServerTool): Problems {
  const reached = seen.reached.some((one) => one.did === "call" && one.server === server && one.tool === tool);
  return reached ? [] : [`${server}.${tool} wasn't executed though it is allowed`];
}

const lost = (name: string) => `doesn't offer its own ${name}`;

export const spoke = (seen: Seen) => `never spoke to the model (exit ${seen.exit}): ${seen.stderr.slice(0, 400)}`;
