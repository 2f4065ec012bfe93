import { wrongUsage, type Args, type Command } from "../command.ts";
import { noWords } from "../words.ts";

const help = `rolecall verify: is this true of access? Yes or no, exactly.

usage: rolecall verify [--no-new-access BASE] [--not-granted TOOLS]
                       [--role ROLE] [--compare ROLE OTHER]

Each flag is a question, and all of them are answered; a question may be asked
several times. What doesn't hold comes with the rule that grants it, file and
line, and with one call that passes, judged by the runtime's own code.

TOOLS is a selector as in a policy: "github.merge_*", "*.delete_*",
"github.is:write", label:external. Asked or on conditions, held is held; a
tool counts too that a role reaches by handing work on. A selector that finds no
tool anywhere is an error, so that a slip can't pass.

  rolecall verify --no-new-access main
  rolecall verify --not-granted "github.merge_*" --not-granted is:destructive
  rolecall verify --not-granted label:external --role reader --role scribe
  rolecall verify --compare junior senior

flags:
  --no-new-access BASE  nothing is wider than at BASE: a git revision, or the
                        path of a folder or an access.json, as diff takes it
  --not-granted TOOLS   no role holds any of these tools
  --role ROLE           the roles that --not-granted asks about, not all
  --compare ROLE OTHER  ROLE holds at most what OTHER holds; shows what each
                        has beyond the other
  --project DIR         the folder with rolecall.yaml, when it isn't here
  --json                the answers as JSON
  --quiet               nothing but errors: the exit code tells

What must hold in every build is an invariant of the project; this is for what
is asked from outside, of a change, or once.

Exit codes: 0 all hold, 1 errors in the project, 2 one doesn't hold, 3 one can't
be told and the others hold, 64 a question that can't be asked.
`;

export const verify: Command = {
  help,
  flags: [
    { name: "no-new-access", value: "BASE", isRepeated: true },
    { name: "not-granted", value: "TOOLS", names: "tool", isRepeated: true },
    { name: "role", value: "ROLE", names: "role", isRepeated: true },
    { name: "compare", value: "ROLE", names: "role", and: "OTHER", isRepeated: true },
  ],
  run: async (context, args) => {
    const wrong = noWords("verify", args, context);
    if (wrong !== undefined) return wrong;
    const problem = problemOf(args);
    if (problem !== undefined)
      return wrongUsage(context.terminal, problem, "rolecall verify --help shows the questions");
    const given = (flag: string): string[] => (args.all.get(flag) ?? []).map(([value]) => value!);
    const { answerQuestions } = await import("./run.ts");
    return answerQuestions(context, {
      bases: given("no-new-access"),
      selectors: given("not-granted"),
      roles: given("role"),
      pairs: (args.all.get("compare") ?? []).map(([role, other]) => [role!, other!] as const),
    });
  },
};

function problemOf({ all }: Args): string | undefined {
  if (all.size === 0) return "verify needs a question";
  return all.has("role") && !all.has("not-granted") ? "--role says whom --not-granted asks about" : undefined;
}
