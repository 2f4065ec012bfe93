import type { Command } from "../command.ts";
import { wrongUsage } from "../command.ts";

const help = `rolecall diff: what access changed, for the reviewer of a change.

usage: rolecall diff [BASE] [--fail-on widens|changed]

Compares what each role may do now with a git revision: where this branch left
the default one, when none is named. BASE may also be the path of a folder with
a project, or of an access.json, written as a path: ./before. Each widening
comes with the line that grants it and with one call that passes now and didn't
before. Both sides are compiled from their sources: nothing else has to be
committed.

  rolecall diff
  rolecall diff HEAD~1
  rolecall diff --fail-on widens      in CI: exit 2 when access widened
  rolecall diff --markdown            for a comment

flags:
  --fail-on WHAT  widens, or changed: exit 2 when there is such a change
  --markdown      a page for a pull request
  --digest        a digest of the change alone, for an approval of it
  --project DIR   the folder with rolecall.yaml, when it isn't here or above
  --json          the changes as JSON
  --quiet         nothing but errors: the exit code tells

Exit codes: 0 compared, 1 errors in the project, 2 what --fail-on names was
found, 3 the base can't be read: nothing is known then.
`;

const LEVELS = ["widens", "changed"] as const;

export const diff: Command = {
  help,
  flags: [{ name: "fail-on", value: "WHAT" }, { name: "markdown" }, { name: "digest" }],
  takes: [["file"]],
  run: async (context, { words, values, on }) => {
    const [base, another] = words;
    if (another !== undefined)
      return wrongUsage(context.terminal, "diff compares with one base", "rolecall diff HEAD~1");
    if (base === "")
      return wrongUsage(
        context.terminal,
        "the base is empty",
        "name a revision, or leave it out: rolecall diff HEAD~1",
      );
    const written = values.get("fail-on");
    const failOn = LEVELS.find((level) => level === written);
    if (written !== undefined && failOn === undefined)
      return wrongUsage(
        context.terminal,
        `--fail-on takes widens or changed, not \`${written}\``,
        "rolecall diff --help",
      );
    const { compareWith } = await import("./run.ts");
    return compareWith(context, { base, failOn, markdown: on.has("markdown"), digest: on.has("digest") });
  },
};
