import { visible } from "../../base/visible.ts";
import type { Report } from "../../diagnostics/report.ts";
import { readTypeScriptSetup, type TypeScriptSetup } from "../read/typescript-setup.ts";
import type { Shadow } from "./find-shadows.ts";

const MOST_NAMED = 12;

/** All in one: they are mended at once. */
export function tellShadows(found: readonly Shadow[], dir: string, out: string, report: Report): void {
  const [first] = found;
  if (first === undefined) return;
  const setup = readTypeScriptSetup(dir, { out });
  const names = found.map(({ file }) => code(file));
  const more = names.length - MOST_NAMED;
  report.add("output/shadowed", undefined, {
    files: names.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : ""),
    module: found.length === 1 ? code(first.module) : "generated code",
    that: found.length === 1 ? "that" : "it",
    case: caseOf(found, setup),
    config: setup.config ?? "",
    folder: setup.otherFolder,
  });
}

/** What `tsc` makes beside `a.ts` is `a.js` and `a.d.ts`. */
function caseOf(found: readonly Shadow[], { emits }: TypeScriptSetup): "own" | "compiled" | "left" {
  const isCompiled = found.every(({ file, module }) => {
    const name = module.replace(/\.ts$/, "");
    return file === `${name}.js` || file === `${name}.d.ts`;
  });
  if (!isCompiled || emits === undefined) return "own";
  return emits === "beside" ? "compiled" : "left";
}

function code(name: string): string {
  return `\`${visible(name)}\``;
}
