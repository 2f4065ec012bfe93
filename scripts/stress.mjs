// Runs the tests that start processes again and again while the processors are kept busy, and says which of them failed
// how often: what passes alone and fails then is a race. Whatever it started ends with it.
//   npm run stress                          30 runs, at most 60 minutes
//   npm run stress -- --runs 5 --minutes 10 --busy 1 runtime/connect
// A word names the test files whose path contains it.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

const ROOT = path.join(import.meta.dirname, "..");
/** Support that starts processes. */
const STARTS =
  /\/(?:linked|generated-team|harbor|capture-project|fault-team|oauth-server|bundled-cli)\.|node:child_process/;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "30" },
    minutes: { type: "string", default: "60" },
    busy: { type: "string", default: String(availableParallelism()) },
  },
});
const runs = wholeNumber("runs");
const files = filesToRun();
const end = Date.now() + wholeNumber("minutes") * 60_000;
const folder = mkdtempSync(path.join(tmpdir(), "rolecall-stress-"));
const failures = new Map();
const started = new Set();
process.on("exit", () => started.forEach((child) => child.kill("SIGKILL")));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));

console.log(`${files.length} files, ${runs} runs, ${values.busy} processes that keep the processors busy`);
for (let i = wholeNumber("busy"); i > 0; i--) start(["-e", "for (;;);"], "ignore");
let done = 0;
for (; done < runs && Date.now() < end; done++) {
  const failed = await run(done);
  for (const { name } of failed) failures.set(name, (failures.get(name) ?? 0) + 1);
  const said = failed.map(({ name, why }) => `\n  ${name}\n    ${why}`);
  console.log(`run ${done + 1}: ${failed.length === 0 ? "green" : `${failed.length} failed${said.join("")}`}`);
}
rmSync(folder, { recursive: true, force: true });
for (const [name, times] of failures) console.log(`failed ${times} of ${done} times: ${name}`);
console.log(`${done} of ${runs} runs, ${failures.size === 0 ? "all green" : `${failures.size} tests failed`}`);
process.exit(failures.size === 0 && done > 0 ? 0 : 1);

function wholeNumber(flag) {
  const number = Number(values[flag]);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  console.error(`--${flag} takes a whole number`);
  process.exit(64);
}

function filesToRun() {
  const found = readdirSync(path.join(ROOT, "test"), { recursive: true })
    .map((name) => `test/${name.replaceAll(path.sep, "/")}`)
    .filter((name) => name.endsWith(".test.ts") && !name.startsWith("test/cases/"))
    .filter((name) => positionals.length === 0 || positionals.some((word) => name.includes(word)))
    .filter((name) => STARTS.test(readFileSync(path.join(ROOT, name), "utf8")));
  if (found.length > 0) return found;
  console.error("no test file that starts processes has such a name");
  process.exit(64);
}

/** The tests that failed. One that is too slow on a busy machine says nothing of a race: it gets four times as long. */
async function run(number) {
  const report = path.join(folder, `${number}.json`);
  const child = start(
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--testTimeout=120000",
      "--hookTimeout=240000",
      "--reporter=json",
      `--outputFile=${report}`,
      ...files,
    ],
    "ignore",
  );
  const late = setTimeout(() => child.kill("SIGKILL"), Math.max(0, end - Date.now()) + 60_000);
  await new Promise((resolve) => child.once("close", resolve));
  clearTimeout(late);
  started.delete(child);
  return failedIn(report);
}

function failedIn(report) {
  let suites;
  try {
    suites = JSON.parse(readFileSync(report, "utf8")).testResults;
  } catch {
    return [{ name: "the run", why: "it didn't end by itself" }];
  }
  return suites.flatMap(({ name, message, assertionResults }) => {
    const file = path.relative(ROOT, name);
    const tests = assertionResults.filter(({ status }) => status === "failed");
    if (tests.length === 0 && message !== "") return [{ name: file, why: firstLine(message) }];
    return tests.map(({ fullName, failureMessages }) => ({
      name: `${file}: ${fullName}`,
      why: firstLine(failureMessages[0] ?? ""),
    }));
  });
}

function firstLine(text) {
  return text.split("\n")[0];
}

function start(args, stdio) {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio });
  started.add(child);
  return child;
}
