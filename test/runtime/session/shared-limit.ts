import { Redis } from "ioredis";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { fakeRole, fakeServer, fakeTeam } from "../../support/fake-link.ts";

/** One of several processes that share a limit: <port> <rate> <calls>. It prints how many calls came through. */

const [port, rate, calls] = process.argv.slice(2).map(Number) as [number, number, number];
const storeClient = new Redis({ port, host: "127.0.0.1" });
const notes = fakeServer("notes", { search: {} }, { ratePerMinute: rate, timeoutMs: 900 });
const role = fakeRole("reader", [[notes, { tools: { search: "allow" } }]]);
const { as, team } = fakeTeam([notes], [role], {
  limiter: (server, ratePerMinute) =>
    new RateLimiterRedis({ storeClient, keyPrefix: server, points: ratePerMinute, duration: 60 }),
});
const reader = as("reader");
const outcomes = await Promise.allSettled(Array.from({ length: calls }, () => reader.$call("notes", "search")));
const refused = outcomes
  .filter((outcome) => outcome.status === "rejected")
  .map(({ reason }) => reason.message as string);
console.log(JSON.stringify({ sent: notes.sent.length, refused: refused.length, why: [...new Set(refused)] }));
await team.close();
storeClient.disconnect();
