import { fileGlob } from "../base/file-glob.ts";
import type { HostData } from "../base/host-data.ts";
import { sorted } from "../base/order.ts";
import { closedIn, isBelow } from "../base/closed-places.ts";
import { isInvisible } from "../base/visible.ts";
import { plainPath } from "../base/plain-path.ts";
import type { Report } from "../diagnostics/report.ts";
import { DEFAULTS, PROJECT_FILE } from "../base/project-layout.ts";
import type { Project } from "../../schemas/types.ts";
import type { SourceSettings } from "./types.ts";

/** A name with `env` as one of its words: `.env.example`, `example.env`. */
const OF_VARIABLES = /(?:^|[._-])env(?:rc)?(?:[._-]|$)/i;
const OF_ANOTHER_KIND =
  /\.(?:json[5cl]?|ya?ml|toml|lock|xml|html?|s?css|mdx?|[cm]?[jt]sx?|py|rb|go|rs|php|java|kts?|cs|c|h|cpp|swift|sql)$/i;

/** Where rolecall is to write: a slip there would cost somebody's file. `written`: rolecall.yaml as it is. */
export function checkPlaces(
  { out, folder, envExample }: SourceSettings,
  written: Project,
  hosts: readonly HostData[],
  report: Report,
): void {
  const shared = sorted(new Set(hosts.flatMap(({ places }) => places?.shared ?? [])));
  const refuse = (key: "out" | "folder" | "envExample", path: string, problem: NoPlace, usual?: string) =>
    report.add("output/no-place", { file: PROJECT_FILE, path: [key] }, { key, path, ...problem, usual });
  for (const [key, path] of [["out", out] as const, ["folder", folder] as const]) {
    const problem = folderProblem(path, shared);
    if (problem !== undefined) refuse(key, path, problem, DEFAULTS[key]);
  }
  if (isBelow(out, folder))
    report.add(
      "output/among-sources",
      { file: PROJECT_FILE, path: [written.out === undefined ? "folder" : "out"] },
      { out, folder },
    );
  const problem = envExample === undefined ? undefined : exampleProblem(envExample, out, folder, shared);
  if (envExample !== undefined && problem !== undefined) refuse("envExample", envExample, problem);
  checkInto(written, { out, folder, shared, known: hosts }, report);
}

interface Known {
  readonly out: string;
  readonly folder: string;
  readonly shared: readonly string[];
  readonly known: readonly HostData[];
}

function checkInto({ hosts = [], guards = [] }: Project, { out, folder, shared, known }: Known, report: Report): void {
  const outputs = [`${out}/access.json`, ...shared.filter((place) => place.endsWith(".json"))];
  hosts.forEach((host, i) => {
    if (typeof host === "string" || host.into === undefined) return;
    const owner = known.find(({ id }) => id === host.id);
    const fit = owner?.places?.into;
    if (owner === undefined || fit === undefined) return;
    const into = plainPath(host.into);
    outputs.push(into);
    const problem =
      intoProblem(into, out, folder) ??
      (fit.file.test(into) ? undefined : ({ case: "not-of-host", owner: owner.title } as const));
    const at = { file: PROJECT_FILE, path: ["hosts", i, "into"] };
    if (problem !== undefined)
      report.add("output/no-place", at, { key: "into", path: into, ...problem, host: fit.example });
  });
  guards.forEach((glob, i) => {
    const output = guardedOutput(glob, outputs);
    if (output === undefined) return;
    report.add(
      "output/no-place",
      { file: PROJECT_FILE, path: ["guards", i] },
      { key: "guards", path: glob, case: "written", output, others: "nothing else" },
    );
  });
}

type NoPlace =
  | { readonly case: "closed"; readonly closed: string }
  | { readonly case: "shared"; readonly shared: string }
  | { readonly case: "generated" | "sources"; readonly folder: string }
  | { readonly case: "unseen" | "colon" | "project" | "values" | "other-kind" };

function folderProblem(path: string, places: readonly string[]): NoPlace | undefined {
  const closed = closedIn(path);
  if (closed !== undefined) return { case: "closed", closed };
  const shared = places.find((place) => isBelow(place, path) || isBelow(path, place));
  if (shared !== undefined) return { case: "shared", shared };
  if (isInvisible(path)) return { case: "unseen" };
  return path.includes(":") ? { case: "colon" } : undefined;
}

function exampleProblem(example: string, out: string, folder: string, shared: readonly string[]): NoPlace | undefined {
  if (example === PROJECT_FILE) return { case: "project" };
  if (isBelow(example, out)) return { case: "generated", folder: out };
  if (isBelow(example, folder)) return { case: "sources", folder };
  const name = example.slice(example.lastIndexOf("/") + 1);
  if (/^\.env(?:\.local)?$/i.test(name)) return { case: "values" };
  if (!OF_VARIABLES.test(name) || OF_ANOTHER_KIND.test(name)) return { case: "other-kind" };
  return folderProblem(example, shared);
}

function intoProblem(into: string, out: string, folder: string): NoPlace | undefined {
  const closed = closedIn(into);
  if (closed !== undefined) return { case: "closed", closed };
  if (isBelow(into, out)) return { case: "generated", folder: out };
  if (isBelow(into, folder)) return { case: "sources", folder };
  return isInvisible(into) ? { case: "unseen" } : undefined;
}

/** What is written there would be read as a guard by the next build. */
function guardedOutput(glob: string, outputs: readonly string[]): string | undefined {
  return outputs.find(fileGlob(glob));
}
