// What the action does: it runs rolecall, and puts what it says where people look. All that is decided is decided by rolecall.
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { inert, putComment } from "./comment.mjs";
import { githubApi } from "./github.mjs";
import { approvalsOf } from "./approvals.mjs";

const COULD_NOT_COMPARE =
  "### Access: couldn't be compared\n\nNothing is known of what this change opens; the job's log says why.\n";

const env = (name) => process.env[name] ?? "";
const wishes = {
  mode: env("ROLECALL_MODE"),
  project: env("ROLECALL_PROJECT") || ".",
  base: env("ROLECALL_BASE"),
  failOn: env("ROLECALL_FAIL_ON"),
  comment: env("ROLECALL_COMMENT") || "changes",
  capture: env("ROLECALL_CAPTURE") === "true",
  sarif: env("ROLECALL_SARIF"),
  report: env("ROLECALL_REPORT") || path.join(env("RUNNER_TEMP") || ".", "rolecall-access"),
  command: env("ROLECALL_COMMAND").split(" ").filter(Boolean),
};
const event = JSON.parse(readFileSync(env("GITHUB_EVENT_PATH"), "utf8"));
const api = githubApi({
  url: env("GITHUB_API_URL") || "https://api.github.com",
  repository: env("GITHUB_REPOSITORY"),
  token: env("ROLECALL_TOKEN"),
});

process.exitCode = wishes.mode === "comment" ? await postReport() : await check();

/** Both sides are compiled, the page is put where it is read, and the gate's answer is the job's. */
async function check() {
  const number = event.pull_request?.number;
  const upToDate = rolecall("build", "--check");
  const stillTrue = wishes.capture ? rolecall("capture", "--check") : undefined;
  const difference = readDifference();
  output("verdict", difference?.verdict ?? "unknown");
  output("digest", difference?.digest ?? "");
  output("report", wishes.report);

  mkdirSync(wishes.report, { recursive: true });
  writeFileSync(path.join(wishes.report, "page.txt"), rolecall("diff", ...base()).printed);
  if (wishes.sarif !== "") writeFileSync(wishes.sarif, rolecall("diff", ...base(), "--sarif").stdout);
  const page = difference === undefined ? COULD_NOT_COMPARE : rolecall("diff", ...base(), "--markdown").stdout;
  summary(page);

  if (number !== undefined && wishes.comment !== "never") {
    tell(await putComment(api, { number, project: wishes.project, page, wanted: isWanted(difference) }));
  }
  return gate(number, upToDate, stillTrue, difference);
}

async function gate(number, upToDate, stillTrue, difference) {
  if (upToDate.exit !== 0)
    return failed("the committed output isn't what the sources say: run rolecall build", upToDate);
  if (stillTrue !== undefined && stillTrue.exit !== 0)
    return failed("a manifest isn't what its server says", stillTrue);
  if (wishes.failOn === "") {
    if (difference === undefined) annotate("warning", "access couldn't be compared: nothing is known of this change");
    return 0;
  }
  const approvals = number === undefined ? [] : await collectApprovals(number);
  const decided = rolecall("diff", ...base(), "--fail-on", wishes.failOn, "--format", "github", ...approvals);
  process.stdout.write(decided.printed);
  return decided.exit;
}

async function collectApprovals(number) {
  const said = await approvalsOf(api, number);
  if (said.problem !== undefined) {
    annotate("warning", `no comment and no label counts as a yes: they couldn't be read (${said.problem})`);
    return [];
  }
  const file = path.join(wishes.report, "approvals.json");
  writeFileSync(file, JSON.stringify(said.value));
  return ["--approvals", file];
}

/**
 * Of a fork's run, which may read only: its page is posted by this one, which may write and has no code of the fork. The fork
 * made that page, so it is shown as text; where it is posted is the event's to say.
 */
async function postReport() {
  const run = event.workflow_run;
  if (run === undefined) return failed("mode comment is for a workflow on workflow_run");
  const number = await pullRequestOf(run);
  if (number === undefined) return 0;
  const text = readPage(path.join(wishes.report, "page.txt"));
  if (text === undefined) return failed(`there is no page in ${wishes.report}`);
  const page = `### Access, as this fork's own run has it\n\n${inert(text)}\n`;
  tell(await putComment(api, { number, project: wishes.project, page, wanted: wishes.comment !== "never" }));
  return 0;
}

/** A link in what a fork uploaded could lead to what this job must not show. */
function readPage(file) {
  if (!existsSync(file) || !lstatSync(file).isFile()) return undefined;
  return readFileSync(file, "utf8");
}

/** The open pull request whose newest commit ran. */
async function pullRequestOf(run) {
  const [known] = run.pull_requests ?? [];
  if (known !== undefined) return known.number;
  const head = encodeURIComponent(`${run.head_repository?.owner?.login}:${run.head_branch}`);
  const open = await api.all(`/pulls?state=open&head=${head}`);
  const found = open.value?.filter((one) => one.head?.sha === run.head_sha) ?? [];
  if (found.length === 1) return found[0].number;
  annotate("notice", `no comment: ${open.problem ?? "this run is of no open pull request, or of more than one"}`);
  return undefined;
}

function readDifference() {
  const { exit, stdout } = rolecall("diff", ...base(), "--json");
  if (exit !== 0) return undefined;
  return JSON.parse(stdout);
}

function base() {
  return wishes.base === "" ? [] : [wishes.base];
}

function isWanted(difference) {
  if (wishes.comment === "always") return true;
  if (wishes.comment === "widens") return difference === undefined || difference.verdict === "widens";
  return difference === undefined || difference.verdict !== "same";
}

/** Never by a shell: a branch's name is an argument. */
function rolecall(...words) {
  const [program = "npx", ...first] = wishes.command;
  const ended = spawnSync(program, [...first, ...words, "--project", wishes.project], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, NO_COLOR: "1", ROLECALL_TOKEN: undefined },
  });
  const { stdout = "", stderr = "" } = ended;
  return { exit: ended.status ?? 3, stdout, printed: `${stdout}${stderr}${ended.error?.message ?? ""}` };
}

function failed(says, run) {
  if (run !== undefined) process.stdout.write(run.printed);
  annotate("error", says);
  return run?.exit || 1;
}

/** A comment that can't be posted decides nothing. */
function tell({ done, problem, status }) {
  if (problem === undefined) return console.log(`comment: ${done}`);
  const fork =
    status === 403 || status === 404 ? "; the run of a fork may not write: action/README.md has the two jobs" : "";
  annotate("warning", `the comment couldn't be posted (${problem})${fork}`);
}

/** A line break would end the command, and what follows would be read as another. */
function annotate(kind, says) {
  console.log(
    `::${kind} title=rolecall::${says.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")}`,
  );
}

function output(name, value) {
  const file = env("GITHUB_OUTPUT");
  if (file !== "") appendFileSync(file, `${name}=${value.replaceAll(/[\r\n]/g, " ")}\n`);
}

function summary(text) {
  const file = env("GITHUB_STEP_SUMMARY");
  if (file !== "") appendFileSync(file, `${text}\n`);
}
