/** An app that starts a server and then ends without closing anything, in the way that its argument says. */
import { openLink } from "../../../runtime/connect/open-link.ts";
import { createSecrets } from "../../../runtime/secrets.ts";

const [faultServer = "", how = ""] = process.argv.slice(2);
const config = JSON.stringify({ ignoreEnd: true, child: true });
const link = openLink(
  {
    format: 1,
    server: "faulty",
    connect: [{ kind: "stdio", command: [[process.execPath], [faultServer], [config]], env: [] }],
    timeoutMs: 5_000,
    breaker: { failures: 3, cooldownMs: 60_000 },
    connection: "project",
    mustConnect: false,
    tools: {},
  },
  {
    env: () => undefined,
    root: process.cwd(),
    clock: { now: Date.now, sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) },
    on: () => {},
    secrets: createSecrets(),
  },
);

const { raw } = await link.call("seen", {}, { timeoutMs: 5_000 });
const { pid, childPid } = (raw as { structuredContent: { pid: number; childPid: number } }).structuredContent;
let heard = 0;
if (how === "listen") process.on("SIGINT", () => (heard += 1) === 2 && process.exit(5));
console.log(JSON.stringify([pid, childPid]));
if (how === "exit") process.exit(0);
if (how === "throw") throw new Error("careless");
if (how === "reject") void Promise.reject(new Error("careless"));
