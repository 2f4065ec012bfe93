import { EXIT, wrongUsage, type Args, type Command, type Context } from "../command.ts";
import { notFound } from "../words.ts";

const help = `rolecall completion: a script that lets a shell complete rolecall's words.

usage: rolecall completion bash|zsh|fish

The script completes commands, flags, roles, servers, tools, hosts, presets and
codes. Names come from what the last build wrote, so that a completion takes a
moment; without a build the project is compiled. Errors are never shown.

  rolecall completion bash >> ~/.bashrc
  rolecall completion zsh > ~/.zsh/completions/_rolecall
  rolecall completion fish > ~/.config/fish/completions/rolecall.fish

flags:
  --words         what the scripts ask: the words to complete stand behind \`--\`,
                  the candidates come a line each
  --line          the same for a line of bash, and the part that it replaces
  --project DIR   the folder with rolecall.yaml, when it isn't here or above
  --json          no difference here: a script is a script

Exit codes: 0 fine, 64 wrong usage.
`;

const SHELLS = ["bash", "zsh", "fish"] as const;

export const completion: Command = {
  help,
  flags: [{ name: "words" }, { name: "line" }],
  forPrograms: true,
  takes: [["shell"]],
  handsOn: true,
  staysSilent: true,
  run: async (context, args) => {
    const { out } = context.terminal;
    if (args.on.has("words") || args.on.has("line")) {
      for (const candidate of await quietly(args, context)) out.write(`${candidate}\n`);
      return EXIT.fine;
    }
    const [word, extra] = args.words;
    const shell = SHELLS.find((one) => one === word);
    if (shell === undefined || extra !== undefined)
      return wrongUsage(
        context.terminal,
        word === undefined || shell !== undefined ? "completion takes one shell" : notFound("script for", word, SHELLS),
        "rolecall completion bash, zsh or fish",
      );
    const { completionScripts } = await import("./scripts.ts");
    out.write(completionScripts[shell]);
    return EXIT.fine;
  },
};

/** Somebody is typing: whatever is wrong with the project, this is no place to say so. */
async function quietly({ on, behind }: Args, context: Context): Promise<readonly string[]> {
  try {
    const { candidates, candidatesOfLine } = await import("./run.ts");
    return on.has("line") ? await candidatesOfLine(behind, context) : await candidates(behind, context);
  } catch {
    return [];
  }
}
