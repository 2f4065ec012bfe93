import type { Report } from "../diagnostics/report.ts";
import { CLOSED_FOLDERS, DEFAULTS, PROJECT_FILE } from "../base/project-layout.ts";
import type { SourceSettings } from "./types.ts";

/** A name with `env` as one of its words: `.env.example`, `example.env`. */
const OF_VARIABLES = /(?:^|[._-])env(?:rc)?(?:[._-]|$)/i;
const OF_ANOTHER_KIND =
  /\.(?:json[5cl]?|ya?ml|toml|lock|xml|html?|s?css|mdx?|[cm]?[jt]sx?|py|rb|go|rs|php|java|kts?|cs|c|h|cpp|swift|sql)$/i;

/** Where rolecall is to write: a slip there would cost somebody's file. `namesOut`: `out` is written. */
export function checkPlaces({ out, folder, envExample }: SourceSettings, namesOut: boolean, report: Report): void {
  const refuse = (key: "out" | "folder" | "envExample", path: string, problem: string, help: string) =>
    report.add("output/no-place", { file: PROJECT_FILE, path: [key] }, { key, path, problem, help });
  for (const [key, path] of [["out", out] as const, ["folder", folder] as const]) {
    const problem = folderProblem(path);
    if (problem !== undefined) refuse(key, path, problem, `choose another folder, such as ${DEFAULTS[key]}`);
  }
  if (isBelow(out, folder))
    report.add("output/among-sources", { file: PROJECT_FILE, path: [namesOut ? "out" : "folder"] }, { out, folder });
  const problem = envExample === undefined ? undefined : exampleProblem(envExample, out, folder);
  if (envExample !== undefined && problem !== undefined)
    refuse("envExample", envExample, problem, "choose a file of variables, such as .env.example");
}

function folderProblem(path: string): string | undefined {
  const closed = CLOSED_FOLDERS.find((name) => path.toLowerCase().split("/").includes(name));
  if (closed !== undefined) return `\`${closed}\` is no place for a project's files`;
  return path.includes(":") ? "not every system has names with `:`" : undefined;
}

function exampleProblem(example: string, out: string, folder: string): string | undefined {
  if (example === PROJECT_FILE) return "it is the project itself";
  if (isBelow(example, out)) return `all that lies in \`${out}\` is generated`;
  if (isBelow(example, folder)) return `all that lies in \`${folder}\` is read as sources`;
  const name = example.slice(example.lastIndexOf("/") + 1);
  if (/^\.env(?:\.local)?$/i.test(name)) return "it holds the values themselves, which a build would blank";
  if (!OF_VARIABLES.test(name) || OF_ANOTHER_KIND.test(name)) return "by its name it holds no variables";
  return folderProblem(example);
}

function isBelow(path: string, folder: string): boolean {
  return `${path}/`.startsWith(`${folder}/`);
}
