import { reasonJson } from "../../3-plan/plan-json.ts";
import type { JsonObject, JsonValue } from "../../base/json.ts";
import type { Locate } from "../../base/place.ts";
import { cutToWidth } from "../../base/display-width.ts";
import { visible } from "../../base/visible.ts";
import { wrap } from "../../base/wrap.ts";
import { paintWith } from "../../diagnostics/paint.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import type { Trial } from "../../3-plan/try-arguments.ts";
import { effectOf, reasonWords, type RoleStanding } from "../access-words.ts";
import { lineWords } from "../page.ts";

export interface TriedArguments extends Trial {
  /** Why the server's root isn't known here; undefined where that refused nothing, or where none is written. */
  readonly rootless: string | undefined;
  /** The server that would need a root for one of the conditions, and has none. */
  readonly needsRoot: string | undefined;
}

/** `--args` of `rolecall explain`: do these arguments pass, and if not, what refuses and which line wrote it. */
export function argumentLines(tried: TriedArguments, standing: RoleStanding, locate: Locate, style: Style): string[] {
  const paint = paintWith(style.colour);
  const effect = effectOf(standing.decision);
  if (effect === "deny") return [paint("error", "no arguments pass: the role doesn't hold the tool")];
  if (tried.pass)
    return [paint("good", effect === "ask" ? "these arguments pass, and the call is asked" : "these arguments pass")];
  return [
    paint("error", "these arguments are refused"),
    ...tried.refusedBy.flatMap(({ why, from }) => [
      ...wrap(`  ${visible(why)}`, style.width, "    "),
      ...from.flatMap(({ reason, place }) => [
        ...wrap(`    ${reasonWords(reason)}`, style.width, "      "),
        paint("quiet", cutToWidth(`    ${lineWords(place, locate)}`, style.width ?? 160, style.ascii ? "..." : "…")),
      ]),
    ]),
    ...(tried.rootless === undefined
      ? []
      : wrap(
          `  absolute paths are refused, since the root isn't known here: ${visible(tried.rootless)}`,
          style.width,
          "    ",
        )),
    ...(tried.needsRoot === undefined
      ? []
      : wrap(
          `  next: write \`root:\` of server \`${tried.needsRoot}\`, the folder that its paths are relative to`,
          style.width,
          "    ",
        )),
  ];
}

export function argumentsJson({ pass, refusedBy, rootless, needsRoot }: TriedArguments, locate: Locate): JsonObject {
  return {
    pass,
    refusedBy: refusedBy.map(({ argument, condition, why, from }) => ({
      argument,
      condition: (condition ?? null) as JsonValue,
      why,
      because: from.map(({ reason, place }) => reasonJson({ ...reason, from: place }, locate)),
    })),
    ...(rootless !== undefined && { rootless }),
    ...(needsRoot !== undefined && { needsRoot }),
  };
}
