import type { Report } from "../diagnostics/report.ts";
import type { Project } from "../../schemas/types.ts";

/** Folders that other programs empty or keep to themselves. Lists of what was written name nothing in them. */
const CLOSED = ["node_modules", ".git", ".rolecall"];
/** A name with `env` as one of its words: `.env.example`, `example.env`. */
const OF_VARIABLES = /(?:^|[._-])env(?:rc)?(?:[._-]|$)/i;
const OF_ANOTHER_KIND =
  /\.(?:json[5cl]?|ya?ml|toml|lock|xml|html?|s?css|mdx?|[cm]?[jt]sx?|py|rb|go|rs|php|java|kts?|cs|c|h|cpp|swift|sql)$/i;

/** Where rolecall is to write: a slip there would cost somebody's file. `file` is the one that says it. */
export function checkPlaces(settings: Project, file: string, report: Report): void {
  const folder = settings.folder ?? "mcp";
  const out = settings.out ?? "src/mcp";
  const refuse = (key: "out" | "folder" | "envExample", path: string, problem: NoPlace, usual?: string) =>
    report.add("output/no-place", { file, path: [key] }, { key, path, ...problem, usual });
  for (const [key, path, usual] of [["out", out, "src/mcp"] as const, ["folder", folder, "mcp"] as const]) {
    const problem = folderProblem(path);
    if (problem !== undefined) refuse(key, path, problem, usual);
  }
  if (isBelow(out, folder))
    report.add(
      "output/among-sources",
      { file, path: [settings.out === undefined ? "folder" : "out"] },
      { out, folder },
    );
  const example = settings.envExample;
  const problem = example === undefined ? undefined : exampleProblem(example, file, out, folder);
  if (example !== undefined && problem !== undefined) refuse("envExample", example, problem);
}

type NoPlace =
  | { readonly case: "closed"; readonly closed: string }
  | { readonly case: "generated" | "sources"; readonly folder: string }
  | { readonly case: "colon" | "project" | "values" | "other-kind" };

function folderProblem(path: string): NoPlace | undefined {
  const closed = CLOSED.find((name) => path.toLowerCase().split("/").includes(name));
  if (closed !== undefined) return { case: "closed", closed };
  return path.includes(":") ? { case: "colon" } : undefined;
}

function exampleProblem(example: string, project: string, out: string, folder: string): NoPlace | undefined {
  if (example === project) return { case: "project" };
  if (isBelow(example, out)) return { case: "generated", folder: out };
  if (isBelow(example, folder)) return { case: "sources", folder };
  const name = example.slice(example.lastIndexOf("/") + 1);
  if (/^\.env(?:\.local)?$/i.test(name)) return { case: "values" };
  if (!OF_VARIABLES.test(name) || OF_ANOTHER_KIND.test(name)) return { case: "other-kind" };
  return folderProblem(example);
}

function isBelow(path: string, folder: string): boolean {
  return `${path}/`.startsWith(`${folder}/`);
}
