import { wrongUsage, type Args, type Command } from "../command.ts";
import { readTime } from "../arguments.ts";
import type { LoginOptions } from "./run.ts";

const help = `rolecall login: log in to a server that asks for it, in your browser.

usage: rolecall login SERVER [--no-browser] [--scope "READ WRITE"]

Knocks at the server, finds out where one logs in (OAuth), shows what is asked
for, and opens your browser. What comes back is kept in the system's keychain,
or in a file that only you can read, and says which. It is sent to the address
that it was issued for and nowhere else, and is renewed by itself.

The login is for rolecall's own questions: \`capture\` and \`doctor\` use it. A
header \`Authorization\` that the project writes wins over it. Apps and agent
hosts never get it: give an app a token in a variable.

  rolecall login notion
  rolecall login notion --no-browser     prints the address, and waits

flags:
  --no-browser    open nothing; print the address
  --scope "A B"   ask for these scopes instead of those that the server names
  --timeout 5m    how long to wait for your answer in the browser
  --client-id ID  a client that you registered by hand, where servers want that
  --client-secret-from NAME
                  the variable that holds its secret, where it has one
  --port N        the port on this machine that it was registered with:
                  http://127.0.0.1:N/callback
  --project DIR   the folder with rolecall.yaml, when it isn't here or above
  --json          what became of it as JSON; the address goes to standard error
  --no-color      no colours (NO_COLOR does the same)

Exit codes: 0 logged in, or the server doesn't ask for it; 1 no login, with the
other way to give a token. To log out: rolecall logout notion
`;

export const login: Command = {
  help,
  flags: [
    { name: "no-browser" },
    { name: "scope", value: '"A B"' },
    { name: "timeout", value: "5m" },
    { name: "client-id", value: "ID" },
    { name: "client-secret-from", value: "NAME" },
    { name: "port", value: "N" },
  ],
  takes: [["server"]],
  run: async (context, args) => {
    const options = readOptions(args, context.terminal.env);
    if ("problem" in options) return wrongUsage(context.terminal, options.problem, options.next);
    const { logIn } = await import("./run.ts");
    return logIn(context, options);
  },
};

interface Wrong {
  readonly problem: string;
  readonly next: string;
}

function readOptions(args: Args, env: Readonly<Record<string, string | undefined>>): LoginOptions | Wrong {
  const [server, extra] = args.words;
  if (server === undefined || extra !== undefined)
    return { problem: "login takes the name of one server", next: "rolecall ls lists the servers" };
  const timeout = readTime(args, "timeout");
  if (typeof timeout === "object") return { problem: timeout.problem, next: `rolecall login ${server} --timeout 5m` };
  const port = readPort(args.values.get("port"));
  if (typeof port === "object") return port;
  const scopes = args.values
    .get("scope")
    ?.split(/[\s,]+/)
    .filter((scope) => scope !== "");
  const client = readClient(args, env);
  if (client !== undefined && "problem" in client) return client;
  return { server, scopes, port, client, timeoutMs: timeout ?? 300_000, browser: !args.on.has("no-browser") };
}

/** 0 stands for a free one. */
function readPort(written: string | undefined): number | Wrong {
  if (written === undefined) return 0;
  const port = /^\d{1,5}$/.test(written) ? Number(written) : 0;
  if (port >= 1024 && port <= 65_535) return port;
  return { problem: "--port takes a number from 1024 to 65535", next: "the one that the client was registered with" };
}

function readClient(args: Args, env: Readonly<Record<string, string | undefined>>): LoginOptions["client"] | Wrong {
  const id = args.values.get("client-id");
  const from = args.values.get("client-secret-from");
  if (id === undefined) {
    if (from === undefined) return undefined;
    return { problem: "--client-secret-from is for --client-id", next: "give both, or neither" };
  }
  const secret = from !== undefined && Object.hasOwn(env, from) ? env[from] : undefined;
  if (from !== undefined && !secret)
    return { problem: `--client-secret-from names a variable that isn't set`, next: "export it, then log in" };
  return { id, secret };
}
