import type { JsonObject } from "../../base/json.ts";
import { firstOf } from "../../base/list-words.ts";
import { visible } from "../../base/visible.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import { page } from "../page.ts";
import { wrap } from "../../base/wrap.ts";

/** What became of one preset. */
export interface Copied {
  readonly name: string;
  readonly kind: "server" | "role";
  /** Where it belongs, relative to the project. */
  readonly file: string;
  readonly state: "copied" | "same" | "differs" | "declared" | "failed";
  /** Keys that differ; of `declared` the file that has the role. */
  readonly differs: readonly string[];
  /** Servers of a role that the project doesn't declare: comments in the copy. */
  readonly without: readonly string[];
  /** A server of the project is made of it. */
  readonly isUsed: boolean;
}

export function copiedPage(copied: readonly Copied[], style: Style): string {
  const unused = copied.filter(({ kind, state, isUsed }) => kind === "server" && state !== "failed" && !isUsed);
  const next =
    unused.length === 0
      ? []
      : [
          "next, under `servers:` of a source file",
          ...unused.map(({ name }) => `  ${name}: { preset: ${name} }`),
          `and then: rolecall capture ${unused.map(({ name }) => name).join(" ")}`,
        ];
  return page([stateLines(copied, style), next]);
}

/** For `--quiet`: what wasn't done, and no next step. */
export function wrongPage(wrong: readonly Copied[], style: Style): string {
  return page([stateLines(wrong, style)]);
}

function stateLines(copied: readonly Copied[], style: Style): string[] {
  return copied.flatMap((one) => wrap(stateWords(one), style.width, "  "));
}

function stateWords({ file, state, differs, without }: Copied): string {
  const path = visible(file);
  switch (state) {
    case "copied":
      return without.length === 0
        ? `copied ${path}`
        : `copied ${path}, with comments in place of servers that the project doesn't declare: ${without.join(", ")}`;
    case "same":
      return `${path} is there, as rolecall brings it`;
    case "differs":
      return `${path} is there and was left as it is; it differs in ${firstOf(differs)}`;
    case "declared":
      return `the role is declared in ${visible(differs[0] ?? "")}, so ${path} wasn't written`;
    case "failed":
      return `${path} couldn't be written`;
  }
}

export function copiedJson(copied: readonly Copied[]): JsonObject {
  return {
    format: 1,
    copied: copied.map(({ name, kind, file, state, differs, without }) => ({
      name,
      kind,
      file,
      state,
      differs: [...differs],
      without: [...without],
    })),
  };
}
