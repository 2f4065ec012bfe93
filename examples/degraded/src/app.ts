import { rmSync, writeFileSync } from "node:fs";
import { team } from "./mcp/index.js";

/** The keeper works on while the weather server is killed and comes back. Ends with 1 when anything is otherwise. */
const lighthouse = team({
  root: process.cwd(),
  on: (event) => console.log(`  (${event.type} ${"server" in event ? event.server : ""})`),
});
const keeper = lighthouse.as("keeper");

async function watch(hour: number): Promise<string> {
  try {
    const wind = await keeper.weather.wind();
    await keeper.logbook.write_line({ text: `${hour}: wind ${wind.text}` });
    return "known";
  } catch (error) {
    const advice = error instanceof Error && "advice" in error ? String(error.advice) : String(error);
    console.log(`  told: ${advice}`);
    await keeper.logbook.write_line({ text: `${hour}: wind not known` });
    return "not known";
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const seen: string[] = [];
try {
  seen.push(await watch(1));
  writeFileSync("storm", "");
  process.kill(Number((await keeper.weather.process()).text), "SIGKILL");
  await pause(200);
  seen.push(await watch(2));
  rmSync("storm");
  for (let tries = 0; seen.at(-1) !== "known" && tries < 100; tries++) {
    await pause(100);
    seen.push(await watch(3));
  }
  console.log((await keeper.logbook.read_lines()).text);
} finally {
  rmSync("storm", { force: true });
  await lighthouse.close();
}
const fine = seen[0] === "known" && seen[1] === "not known" && seen.at(-1) === "known";
console.log(fine ? "the keeper worked on" : "it was otherwise than expected");
process.exitCode = fine ? 0 : 1;
