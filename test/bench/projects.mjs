import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * The projects that are built: one made by the generator of workloads, and a copy for each way of building it, so
 * that no way finds what another left behind.
 */
export function makeProjects(size, { folder, tools, cli }) {
  const source = path.join(folder, size, "source");
  run([path.join(tools, "workload.mjs"), size, source]);
  const before = filesOf(source);
  const copy = (name) => {
    const to = path.join(folder, size, name);
    cpSync(source, to, { recursive: true });
    return to;
  };
  const built = copy("built");
  build(cli, built);
  const written = filesOf(built).filter((file) => !before.includes(file) && !file.startsWith(".rolecall"));
  if (written.length === 0) throw new Error(`building ${size} wrote nothing`);
  const outline = path.join(folder, size, "outline");
  outlineOf(built, written, outline);
  const [warm, changed] = [copy("warm"), copy("changed")];
  for (const project of [warm, changed]) build(cli, project);
  const repository = copy("repository");
  build(cli, repository);
  makeRepository(repository, written);
  const other = copy("other");
  changeEveryTool(other);
  return {
    size,
    source,
    built,
    repository,
    other,
    written,
    outline,
    cold: copy("cold"),
    warm,
    changed,
    scratch: path.join(folder, size, "scratch"),
  };
}

/** What was built isn't committed, as what is made of sources often isn't. */
function makeRepository(folder, written) {
  writeFileSync(path.join(folder, ".gitignore"), [...written, ".rolecall"].map((file) => `/${file}\n`).join(""));
  const git = (...words) => {
    const { status, stderr } = spawnSync("git", words, { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(`git ${words[0]}: ${stderr}`);
  };
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "all");
}

/** Empty files of the same sizes: the floor asks only how much is to be written where. */
function outlineOf(built, written, outline) {
  for (const file of written) {
    const to = path.join(outline, file);
    mkdirSync(path.dirname(to), { recursive: true });
    writeFileSync(to, "");
    truncateSync(to, statSync(path.join(built, file)).size);
  }
}

/** Paths relative to the folder, with `/`. */
function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      path
        .relative(folder, path.join(entry.parentPath ?? entry.path, entry.name))
        .split(path.sep)
        .join("/"),
    );
}

export function removeOutputs(project, written) {
  for (const file of written) rmSync(path.join(project, file), { force: true });
}

export function removeCache(project) {
  rmSync(path.join(project, ".rolecall"), { recursive: true, force: true });
}

/** One tool of one manifest gets another description, a new one each time. */
export function manifestChanger(project) {
  const folder = path.join(project, "mcp", "manifests");
  const file = path.join(folder, readdirSync(folder).sort()[0]);
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  const description = manifest.tools[0].description;
  let time = 0;
  return () => {
    manifest.tools[0].description = `${description} ${++time}`;
    writeFileSync(file, `${JSON.stringify(manifest, null, 1)}\n`);
  };
}

function changeEveryTool(project) {
  const folder = path.join(project, "mcp", "manifests");
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    const manifest = JSON.parse(readFileSync(file, "utf8"));
    for (const tool of manifest.tools) tool.description += " Another one.";
    writeFileSync(file, `${JSON.stringify(manifest, null, 1)}\n`);
  }
}

function build(cli, project) {
  run([cli, "build", "--project", project]);
}

function run(args) {
  const ended = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (ended.status !== 0)
    throw new Error(`node ${args.join(" ")} ended with ${ended.status}:\n${ended.stdout}${ended.stderr}`);
}
