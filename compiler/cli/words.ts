import { nearest } from "../base/nearest.ts";
import { visible } from "../base/visible.ts";
import { wrongUsage, type Args, type Context } from "./command.ts";

/** Wrong usage for a command that takes no words; undefined when there are none. */
export function noWords(command: string, args: Args, context: Context): number | undefined {
  const extra = args.words[0];
  if (extra === undefined) return undefined;
  return wrongUsage(
    context.terminal,
    `${command} takes no names, and \`${visible(extra)}\` is one`,
    `rolecall ${command} --help shows how it is used`,
  );
}

/** ``there is no role `testr`; did you mean `tester`?`` */
export function notFound(kind: string, written: string, known: readonly string[]): string {
  return notThere(kind, written, nearest(written, known));
}

/** As `notFound`, for callers that already know which name was meant. */
export function notThere(kind: string, written: string, near: string | undefined): string {
  return (
    `there is no ${kind} \`${visible(written)}\`` + (near === undefined ? "" : `; did you mean \`${visible(near)}\`?`)
  );
}

/** The next step after a name that isn't there: all the names, while they are few. */
export function nameThem(kind: string, known: readonly string[]): string {
  if (known.length === 0) return `this project has no ${kind}s`;
  const shown = known.slice(0, 12).map(visible).join(", ");
  return `its ${kind}s: ${shown}${known.length > 12 ? ` and ${known.length - 12} more` : ""}`;
}
