import { writeSync } from "node:fs";
import type { Role } from "../../../runtime/contract.ts";
import { createTeam } from "../../../runtime/index.ts";
import type { ServerData } from "../../../runtime/server-data.ts";

/**
 * An app that calls one tool again and again, tells each call that has ended on a line (its number and the time), and ends
 * in the way that its argument says. `refused`: it calls what it doesn't hold, and so has no child.
 */
const [record = "", faultServer = "", traffic = "", how = ""] = process.argv.slice(2);
const server: ServerData = {
  format: 1,
  server: "faulty",
  connect: [{ kind: "stdio", command: [[process.execPath], [faultServer], ["{}"]], env: [] }],
  timeoutMs: 5_000,
  breaker: { failures: 3, cooldownMs: 60_000 },
  connection: "project",
  mustConnect: false,
  tools: { echo: { digest: null, inputSchema: { type: "object" }, readOnly: true, idempotent: true, labels: [] } },
};
const data = { format: 1, role: "caller", delegates: [], servers: { faulty: { tools: { echo: "allow" } } } };
const caller: Role<"caller", object> = {
  name: "caller",
  data: JSON.stringify(data),
  load: { faulty: async () => ({ data: JSON.stringify(server) }) },
};
const team = createTeam<{ caller: object }>({ caller }, { record, run: String(process.pid) });
const session = team.as("caller");
const call = session.$call as unknown as (server: string, tool: string, args: object) => Promise<unknown>;
const AFTER = 100;

if (how === "listen") process.on("SIGTERM", () => process.exit(5));
if (how === "close") process.on("SIGTERM", () => void team.close().then(() => process.exit(6)));
for (let n = 0; ; n++) {
  await call("faulty", traffic === "refused" ? "fail" : "echo", { n }).catch(() => {});
  writeSync(1, `${n} ${Date.now()}\n`);
  // Signals have their turn, also where nothing is waited for.
  await new Promise((resolve) => setTimeout(resolve, 1));
  if (n !== AFTER) continue;
  if (how === "exit") process.exit(3);
  if (how === "throw") setImmediate(() => undefinedFunction());
  if (how === "reject") void Promise.reject(new Error("careless"));
  if (how === "end") break;
}
if (traffic === "held") await team.close();

function undefinedFunction(): never {
  throw new Error("careless");
}
