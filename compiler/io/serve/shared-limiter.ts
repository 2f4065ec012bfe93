import { createRequire } from "node:module";
import path from "node:path";
import type { RateLimiter } from "../../../runtime/index.ts";
import type { Served } from "../../serve/types.ts";
import { packageRoot } from "../package-root.ts";
import { trouble } from "../login/types.ts";
import type { ServeVariables } from "./variables.ts";

export interface SharedLimiter {
  readonly limiter: (server: string, ratePerMinute: number) => RateLimiter;
  close(): void;
}

/** Rates that several of `serve --http` share. A Redis that gives no answer lets no call through: the runtime holds that. */
export function sharedLimiter(
  dir: string,
  { project, settings }: Served,
  { env }: ServeVariables,
  said: (line: string) => void,
): SharedLimiter | undefined {
  const { limits } = settings.http;
  if (limits === undefined) return undefined;
  const url = env[limits] ?? "";
  if (!/^rediss?:\/\//.test(url))
    throw trouble(
      `\`${limits}\`, which \`serve: { limits }\` names, is no address of a Redis`,
      "set it as redis://HOST:6379, or take `limits` out",
    );
  const { Redis } = load<{ Redis: new (url: string, options: object) => RedisClient }>("ioredis", dir);
  const { RateLimiterRedis } = load<{ RateLimiterRedis: new (options: object) => RateLimiter }>(
    "rate-limiter-flexible",
    dir,
  );
  const client = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, connectTimeout: 5_000 });
  // Its words may hold the address, and that a password.
  client.on("error", (problem) => said(`the Redis of \`${limits}\`: ${problem.code ?? problem.name}`));
  return {
    limiter: (_, points) =>
      new RateLimiterRedis({ storeClient: client, keyPrefix: `rolecall:${project}`, points, duration: 60 }),
    close: () => client.disconnect(),
  };
}

interface RedisClient {
  disconnect(): void;
  on(event: "error", hear: (problem: NodeJS.ErrnoException) => void): unknown;
}

/** The project's own, or what lies beside rolecall: who shares no limits installs neither. */
function load<T>(name: string, dir: string): T {
  for (const from of [path.join(dir, "package.json"), packageRoot()])
    try {
      return createRequire(from)(name) as T;
    } catch {
      // The next place.
    }
  throw trouble(`\`serve: { limits }\` needs the package ${name}`, "npm install rate-limiter-flexible ioredis");
}
