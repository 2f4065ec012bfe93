import { createRequire } from "node:module";
import path from "node:path";
import type { RateLimiter } from "../../../runtime/index.ts";
import type { Served } from "../../serve/types.ts";
import { mayLookFor } from "../package-files.ts";
import { packageRoot } from "../package-root.ts";
import { trouble } from "../login/types.ts";
import type { ServeVariables } from "./variables.ts";

/** What several of `serve --http` share. A Redis that gives no answer lets no call through: the runtime holds that. */
export interface Shared {
  readonly limiter: (server: string, ratePerMinute: number) => RateLimiter;
  readonly redis: SharedRedis;
  close(): void;
}

/** Of its commands those that are used. */
export interface SharedRedis {
  set(key: string, value: string, unit: "PX", ms: number, once?: "NX"): Promise<"OK" | null>;
  exists(key: string): Promise<number>;
  del(key: string): Promise<number>;
  zremrangebyscore(key: string, from: string, to: number): Promise<number>;
  eval(script: string, keys: number, ...given: readonly string[]): Promise<unknown>;
}

/** One that is there, and says nothing. */
const NO_ANSWER_MS = 5_000;

export function openShared(
  dir: string,
  { project, settings }: Served,
  { env }: ServeVariables,
  said: (line: string) => void,
): Shared {
  const limits = settings.http.limits ?? "";
  const url = env[limits] ?? "";
  if (!/^rediss?:\/\//.test(url))
    throw trouble(
      `\`${limits}\`, which \`serve: { limits }\` names, ${url === "" ? "isn't set" : "is no address of a Redis"}`,
      "set it as redis://HOST:6379, or take `limits` out",
    );
  const { Redis } = load<{ Redis: new (url: string, options: object) => RedisClient }>("ioredis", dir);
  const { RateLimiterRedis } = load<{ RateLimiterRedis: new (options: object) => RateLimiter }>(
    "rate-limiter-flexible",
    dir,
  );
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: NO_ANSWER_MS,
    commandTimeout: NO_ANSWER_MS,
  });
  // Its words may hold the address, and that a password.
  redis.on("error", (problem) => said(`the Redis of \`${limits}\`: ${problem.code ?? problem.name}`));
  return {
    limiter: (_, points) =>
      new RateLimiterRedis({ storeClient: redis, keyPrefix: `rolecall:${project}`, points, duration: 60 }),
    redis,
    close: () => redis.disconnect(),
  };
}

interface RedisClient extends SharedRedis {
  disconnect(): void;
  on(event: "error", hear: (problem: NodeJS.ErrnoException) => void): unknown;
}

/** The project's own, or what lies beside rolecall: who shares nothing installs neither. */
function load<T>(name: string, dir: string): T {
  const own = mayLookFor(name, dir) ? [path.join(dir, "package.json")] : [];
  for (const from of [...own, packageRoot()])
    try {
      return createRequire(from)(name) as T;
    } catch {
      // The next place.
    }
  throw trouble(`\`serve: { limits }\` needs the package ${name}`, "npm install rate-limiter-flexible ioredis");
}
