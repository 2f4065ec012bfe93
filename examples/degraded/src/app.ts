import { rmSync, writeFileSync } from "node:fs";
import { team } from "./mcp/index.js";
import { RolecallError, type RuntimeEvent } from "./mcp/runtime.js";

/** The keeper works on while the weather server is killed and comes back. Ends with 1 when anything is otherwise. */
const lighthouse = team({ root: process.cwd(), on: tell });
const keeper = lighthouse.as("keeper");

const HOUR_MS = 300;
const STORM = "storm";
const seen: string[] = [];
const toldBefore = new Set<string>();

rmSync(STORM, { force: true });
try {
  console.log("A keeper on watch: reads the weather, keeps the logbook.\n");
  await watch(1);
  await killWeather();
  await watch(2);
  await watch(3);
  rmSync(STORM);
  say("! the storm is over");
  for (let hour = 4; seen.at(-1) === "not known" && hour < 40; hour++) await watch(hour);
  console.log(`\nThe logbook, kept all the while:\n\n${indented((await keeper.logbook.read_lines()).text)}\n`);
} finally {
  rmSync(STORM, { force: true });
  await lighthouse.close();
}

const kept = seen.length > 3 && seen[0] === seen.at(-1) && seen[1] === "not known" && seen[2] === "not known";
console.log(kept ? "The keeper worked on." : "It was otherwise than expected.");
process.exitCode = kept ? 0 : 1;

/** One hour: the wind, or what the keeper is told instead, and a line in the logbook either way. */
async function watch(hour: number): Promise<void> {
  const { wind, told } = await readWind();
  seen.push(wind);
  console.log(`  hour ${String(hour).padEnd(3)} wind ${wind}`);
  for (const sentence of told.filter((one) => !toldBefore.has(one))) say(`> ${sentence}`);
  for (const sentence of told) toldBefore.add(sentence);
  await keeper.logbook.write_line({ text: `${hour}: wind ${wind}` });
  await pause(HOUR_MS);
}

async function readWind(): Promise<{ wind: string; told: string[] }> {
  try {
    return { wind: (await keeper.weather.wind()).text, told: [] };
  } catch (error) {
    if (!(error instanceof RolecallError)) throw error;
    return { wind: "not known", told: error.advice.split(/(?<=\.) /) };
  }
}

/** From outside, as a crash would; while the file is there the server doesn't start again. */
async function killWeather(): Promise<void> {
  const { text } = await keeper.weather.process();
  say("! a storm: the weather server is killed, and doesn't start again");
  writeFileSync(STORM, "");
  process.kill(Number(text), "SIGKILL");
  await pause(HOUR_MS);
}

function tell(event: RuntimeEvent): void {
  if (event.type === "connected") say(`. ${event.server} is connected, over ${event.transport}`);
  if (event.type === "down") say(`. ${event.server} is down: ${event.why}`);
}

function say(text: string): void {
  console.log(`           ${text}`);
}

function indented(text: string): string {
  return text.replace(/^/gm, "  ");
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
