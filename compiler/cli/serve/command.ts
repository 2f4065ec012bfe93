import { noWords } from "../words.ts";
import { wrongUsage, type Args, type Command, type Context } from "../command.ts";

const help = `rolecall serve: one MCP server for a role, which holds every rule of the plan.

usage: rolecall serve --role R [--server S] [--member NAME] [--host H] [--of P]
       rolecall serve [--status | --stop | --accept]
       rolecall serve --http HOST:PORT [--roles a,b]
       rolecall serve --decide HOST:PORT

With a role it is what an agent host's file names in place of the servers. It
lists what the role holds, from the pins, and each call is judged before a
server sees it. One process serves all hosts of a project, so that ten agents
share one set of servers: the first one starts it, and it ends by itself.

  rolecall serve --role tester
  rolecall serve --status

Without one it is that process, in the foreground.

flags:
  --role R        serve this role on standard input and output
  --server S      its tools of this server alone, under their own names
  --member NAME   who of the team it is, for \`--status\`
  --host H        which host of the project asks: what it is given, and no more
  --of P          whose entry it is: in another project it is refused
  --status        roles, clients, servers, and where each variable comes from
  --stop          end the project's process, and its servers
  --accept        what is built now counts, without a person's yes in
                  \`rolecall asks\`: for machines that have none
  --http HOST:PORT  the same process, which serves roles over HTTP as well, each
                  at /mcp/<role>, to whoever has its token
  --roles a,b     these roles alone over HTTP
  --decide HOST:PORT  answers POST /decision of a gateway on this machine, such
                  as ToolHive: may this call be made? No server is reached
  --project DIR   the folder with rolecall.yaml, when it isn't here or above
  --json          the status as JSON

Exit codes: 0 its input has ended, or it was told to end, 1 errors in the
project, 2 the sources aren't those of the last build, 3 nothing is served
(\`--status\`), 64 wrong usage.
`;

export const serve: Command = {
  help,
  flags: [
    { name: "role", value: "R", names: "role" },
    { name: "server", value: "S", names: "server" },
    { name: "member", value: "NAME" },
    { name: "host", value: "H", names: "host" },
    { name: "of", value: "P" },
    { name: "status" },
    { name: "stop" },
    { name: "http", value: "HOST:PORT" },
    { name: "roles", value: "a,b" },
    { name: "decide", value: "HOST:PORT" },
    { name: "accept" },
  ],
  staysSilent: true,
  run: async (context, args) => wrongIn(context, args) ?? chosen(context, args),
};

async function chosen(context: Context, { on, values }: Args): Promise<number> {
  if (on.has("status")) return (await import("./told.ts")).showStatus(context);
  if (on.has("stop")) return (await import("./told.ts")).stop(context);
  if (on.has("accept")) return (await import("./accept.ts")).accept(context);
  const role = values.get("role");
  const http = values.get("http");
  if (http !== undefined) return (await import("./http.ts")).serveHttp(context, http, values.get("roles"));
  const decide = values.get("decide");
  if (decide !== undefined) return (await import("./decide.ts")).serveDecisions(context, decide);
  const project = values.get("of");
  if (role === undefined) return (await import("./daemon.ts")).runDaemon(context, undefined, project);
  const { serveRole } = await import("./shim.ts");
  return serveRole(context, {
    role,
    server: values.get("server"),
    member: values.get("member"),
    host: values.get("host"),
    project,
  });
}

function wrongIn(context: Context, args: Args): number | undefined {
  const { on, values } = args;
  const isGiven = (flag: string): boolean => on.has(flag) || values.has(flag);
  const [one, other] = Object.keys(WAYS).filter(isGiven);
  if (one !== undefined && other !== undefined)
    return wrongUsage(
      context.terminal,
      `--${one} and --${other} are two things`,
      `rolecall serve --${one}, or --${other}`,
    );
  // The process behind the roles is begun with it too.
  const isAlone = (flag: string): boolean => flag === "of" && one === undefined;
  const [way, flag] = GOING_ALONG.find(([of, along]) => isGiven(along) && !isGiven(of) && !isAlone(along)) ?? [];
  if (flag !== undefined)
    return wrongUsage(context.terminal, `--${flag} goes with --${way}`, `rolecall serve --${way} ... --${flag} ...`);
  return noWords("serve", args, context);
}

/** What it can be asked for, one at a time, and what may be said about it. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  role: ["server", "member", "host", "of"],
  http: ["roles"],
  decide: [],
  status: [],
  stop: [],
  accept: [],
};
const GOING_ALONG = Object.entries(WAYS).flatMap(([way, flags]) => flags.map((flag) => [way, flag] as const));
