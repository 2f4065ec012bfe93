import type { Args, Command } from "../command.ts";
import { wrongUsage } from "../command.ts";
import type { DiffOptions } from "./options.ts";

const help = `rolecall diff: what access changed, for the reviewer of a change.

usage: rolecall diff [BASE] [--fail-on WHAT] [--markdown | --sarif | --digest]

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
  --fail-on WHAT     exit 2 when there is such a change: widens, changed (and
                     what widens), or kinds of one: changed:schema,hints
  --author LOGIN     with --fail-on: who opened the change and who pushed, with
                     a comma between; an approval of one's own isn't taken
  --approvals FILE   with --fail-on: comments and labels, as CI read them
  --markdown         a page for a pull request
  --format github    each change at its line, for a workflow's log
  --sarif            each change at its line, as SARIF 2.1.0
  --digest           a digest of the change alone, for an approval of it
  --project DIR      the folder with rolecall.yaml, when it isn't here or above
  --json             the changes as JSON
  --quiet            nothing but errors: the exit code tells

What --fail-on finds passes with an approval of exactly this change, or with an
exception in rolecall.yaml; both count from the base, not from the change that
brings them. docs/access-changes.md says how.

Exit codes: 0 compared, 1 errors in the project, 2 what --fail-on names was
found, 3 it couldn't be compared: nothing is known then.
`;

const FORMS = ["markdown", "digest", "sarif"] as const;

export const diff: Command = {
  help,
  flags: [
    { name: "fail-on", value: "WHAT" },
    { name: "author", value: "LOGIN" },
    { name: "approvals", value: "FILE", names: "file" },
    { name: "format", value: "FORM" },
    ...FORMS.map((name) => ({ name })),
  ],
  takes: [["file"]],
  run: async (context, args) => {
    const wrong = wrongWords(args);
    if (wrong !== undefined) return wrongUsage(context.terminal, wrong.problem, wrong.next);
    const { words, values } = args;
    const failOn = await failOnOf(values.get("fail-on"));
    if (failOn !== undefined && "problem" in failOn)
      return wrongUsage(context.terminal, failOn.problem, "rolecall diff --help");
    const { compareWith } = await import("./run.ts");
    return compareWith(context, {
      base: words[0],
      failOn,
      as: formOf(args),
      authors: values
        .get("author")
        ?.split(",")
        .filter((login) => login !== ""),
      approvals: values.get("approvals"),
      today: new Date().toISOString().slice(0, 10),
    });
  },
};

function wrongWords({ words: [base, another], values, on }: Args) {
  if (another !== undefined) return { problem: "diff compares with one base", next: "rolecall diff HEAD~1" };
  if (base === "")
    return { problem: "the base is empty", next: "name a revision, or leave it out: rolecall diff HEAD~1" };
  const format = values.get("format");
  if (format !== undefined && format !== "github")
    return { problem: `--format takes github, not \`${format}\``, next: "rolecall diff --help" };
  const forms = [...FORMS.filter((name) => on.has(name)).map((name) => `--${name}`), ...(format ? ["--format"] : [])];
  return forms.length > 1 ? { problem: `it's one of ${forms.join(" and ")}`, next: "run it once for each" } : undefined;
}

function formOf({ on, values }: Args): DiffOptions["as"] {
  if (values.has("format")) return "github";
  return FORMS.find((name) => on.has(name)) ?? "page";
}

async function failOnOf(written: string | undefined) {
  if (written === undefined) return undefined;
  const { parseFailOn } = await import("../../diff/fail-on.ts");
  const names = parseFailOn(written);
  return "problem" in names ? names : { written, names };
}
