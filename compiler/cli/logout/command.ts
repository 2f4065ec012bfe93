import { wrongUsage, type Command } from "../command.ts";

const help = `rolecall logout: give tokens back, and delete them here.

usage: rolecall logout [server] [--all]

Revokes the tokens of \`rolecall login\` where the server takes them back, and
deletes them from the keychain or the file that holds them. Without a name: all
logins of yours, after asking. It needs no project.

  rolecall logout notion
  rolecall logout           shows all logins, and asks
  rolecall logout --all     where nobody can be asked

flags:
  --all           every login, without asking
  --json          what became of each as JSON; never asks
  --no-color      no colours (NO_COLOR does the same)

Exit codes: 0 logged out, 1 something couldn't be revoked or deleted.
`;

export const logout: Command = {
  help,
  flags: [{ name: "all" }],
  takes: [["server"]],
  run: async (context, args) => {
    const [server, extra] = args.words;
    if (extra !== undefined || (server !== undefined && args.on.has("all")))
      return wrongUsage(
        context.terminal,
        "logout takes the name of one server, or none for all",
        "rolecall logout shows your logins, and asks",
      );
    const { logOut } = await import("./run.ts");
    return logOut(context, server, args.on.has("all"));
  },
};
