import { writeFileSync } from "node:fs";

/** Loaded before a program whose cost is asked for: what it took, into the file that MEASURED_TO names. */
process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  writeFileSync(process.env.MEASURED_TO, JSON.stringify({ cpuMs: (user + system) / 1000 }));
});
