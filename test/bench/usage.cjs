// Preloaded into a measured Node process: says at its end what it used. CommonJS, for it loads fastest.
const { writeFileSync } = require("node:fs");

process.on("exit", () => {
  const used = process.resourceUsage();
  const cpu = (used.userCPUTime + used.systemCPUTime) / 1000;
  writeFileSync(process.env.BENCH_USAGE, JSON.stringify({ cpu, rss: used.maxRSS / 1024 }));
});
