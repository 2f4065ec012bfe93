import type { ServeKey } from "./serve-key.ts";
import type { SharedRedis } from "./shared-redis.ts";

/**
 * Asks as they lie in a Redis that several doors share. Nothing here is believed: what is read may be anybody's, and whether
 * it is a door's is told by its seal. Who writes there may lose what waits, and can't make it.
 */
export interface AskStore {
  /** Somebody who can answer is there, at this door, for the next seconds. */
  attend(): Promise<void>;
  isAttended(): Promise<boolean>;
  /** Of the ask that a call of this name would join, and whatever answers it. */
  idOf(name: string): Promise<string | undefined>;
  lookAt(asks: readonly NamedAsk[]): Promise<readonly AskSeen[]>;
  /** Fewer than were asked for: there is no room for the others this time. */
  texts(ids: readonly string[]): Promise<readonly (string | undefined)[]>;
  answersTo(ids: readonly string[]): Promise<readonly AnswerSeen[]>;
  /** Those whose time isn't over, answered ones that nobody came for among them; the first to end first. */
  waiting(): Promise<readonly { readonly id: string; readonly role: string }[]>;
  /** False: there is one of that name, and it isn't `instead`. */
  begin(ask: BegunAsk, leftMs: number, instead: string | undefined): Promise<boolean>;
  /** False: there is an answer, and it stays unless `instead`; or the ask has ended. */
  answer(id: string, text: string, leftMs: number, instead: boolean): Promise<boolean>;
  /** Once, whoever says it first. */
  use(id: string, leftMs: number): Promise<boolean>;
  giveBack(id: string): Promise<void>;
  end(ask: NamedAsk): Promise<void>;
}

export interface AnswerSeen {
  readonly answer: string | undefined;
  /** Its answer was taken, and may be gone. */
  readonly isUsed: boolean;
}

export interface NamedAsk {
  readonly name: string;
  readonly id: string;
  readonly role: string;
}

export interface BegunAsk extends NamedAsk {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

export interface AskSeen {
  /** Of the ask that has its name now. */
  readonly id: string | undefined;
  readonly answer: string | undefined;
}

const ATTENDED_MS = 5_000;
/** Doors' clocks differ: what one has forgotten another may still look for. */
const SLACK_MS = 60_000;

/** Of what is read at once; a role has 20 asks. Whoever writes more there has doors lose some of it, and holds up none. */
const MOST_READ = 1_000;
const LONGEST_MEMBER = 500;
/** Of one name or answer, and of one ask or all that are read at once. */
const SHORT_BYTES = 16 * 1024;
const READ_BYTES = 16 * 1024 * 1024;

/** As far as there is room for it; what is too long, or no text, isn't there. */
const READ = `
local most, left, found = tonumber(ARGV[1]), tonumber(ARGV[2]), {}
for i, key in ipairs(KEYS) do
  local size = redis.pcall("strlen", key)
  found[i] = false
  if type(size) == "number" and size > 0 and size <= most then
    if size > left then found[i] = nil break end
    left = left - size
    found[i] = redis.call("get", key)
  end
end
return found`;
const WAITING = `
local from, most, longest = unpack(ARGV)
local found = {}
for _, member in ipairs(redis.call("zrangebyscore", KEYS[1], from, "+inf", "limit", 0, most)) do
  if #member <= tonumber(longest) then found[#found + 1] = member end
end
return found`;
/** In one piece: whoever finds one part finds all. KEYS: its name, its text, all that wait. */
const BEGIN = `
local id, member, text, expires, ms, slack, instead = unpack(ARGV)
local named = redis.pcall("get", KEYS[1])
if type(named) == "string" and #named <= ${SHORT_BYTES} and named ~= instead then return 0 end
redis.call("set", KEYS[1], id, "PX", ms)
redis.call("set", KEYS[2], text, "PX", ms)
redis.call("zadd", KEYS[3], expires, member)
redis.call("pexpire", KEYS[3], ms + slack)
return 1`;
/** What has ended meanwhile isn't answered. KEYS: its text, its answer. */
const ANSWER = `
local text, ms, instead = unpack(ARGV)
if redis.call("exists", KEYS[1]) == 0 then return 0 end
if instead == "" and redis.call("exists", KEYS[2]) == 1 then return 0 end
redis.call("set", KEYS[2], text, "PX", ms)
return 1`;
/** Another may have taken the name. KEYS: as above, and its answer. */
const END = `
if redis.pcall("get", KEYS[1]) == ARGV[1] then redis.call("del", KEYS[1]) end
redis.call("zrem", KEYS[3], ARGV[2])
return redis.call("del", KEYS[2], KEYS[4])`;

export interface AskPlace {
  readonly project: string;
  readonly key: ServeKey;
}

export function askStore(redis: SharedRedis, { project, key }: AskPlace, now: () => number): AskStore {
  // Doors with another key have asks of their own: nobody at one of them could read these.
  const space = `rolecall:${project}:asks:${key.nameOf("space").slice(0, 16)}`;
  const at = (kind: string, of: string): string => `${space}:${kind}:${of}`;
  const waiting = `${space}:waiting`;
  const attended = `${space}:attended`;
  const memberOf = ({ role, id }: Pick<NamedAsk, "role" | "id">): string => `${role} ${id}`;
  const all = async (keys: readonly string[], most = SHORT_BYTES): Promise<(string | undefined)[]> => {
    if (keys.length === 0) return [];
    const found = await redis.eval(READ, keys.length, ...keys, String(most), String(READ_BYTES));
    return (found as readonly (string | null)[]).map((text) => text ?? undefined);
  };
  return {
    async attend() {
      await redis.set(attended, "1", "PX", ATTENDED_MS);
    },
    isAttended: async () => (await redis.exists(attended)) > 0,
    idOf: async (name) => (await all([at("of", name)]))[0],
    async lookAt(asks) {
      const found = await all(asks.flatMap(({ name, id }) => [at("of", name), at("answer", id)]));
      return asks.map((_, i) => ({ id: found[2 * i], answer: found[2 * i + 1] }));
    },
    texts: (ids) =>
      all(
        ids.map((id) => at("ask", id)),
        READ_BYTES,
      ),
    async answersTo(ids) {
      const found = await all(ids.flatMap((id) => [at("answer", id), at("used", id)]));
      return ids.map((_, i) => ({ answer: found[2 * i], isUsed: found[2 * i + 1] !== undefined }));
    },
    async waiting() {
      await redis.zremrangebyscore(waiting, "-inf", now() - SLACK_MS);
      const given = [now(), MOST_READ, LONGEST_MEMBER].map(String);
      return ((await redis.eval(WAITING, 1, waiting, ...given)) as readonly string[]).map((member) => {
        const [role = "", id = ""] = member.split(" ");
        return { role, id };
      });
    },
    async begin(ask, leftMs, instead) {
      const { id, name, text, expires } = ask;
      const given = [id, memberOf(ask), text, expires, leftMs, SLACK_MS, instead ?? ""].map(String);
      return (await redis.eval(BEGIN, 3, at("of", name), at("ask", id), waiting, ...given)) === 1;
    },
    async answer(id, text, leftMs, instead) {
      const given = [text, String(leftMs), instead ? "yes" : ""];
      return (await redis.eval(ANSWER, 2, at("ask", id), at("answer", id), ...given)) === 1;
    },
    use: async (id, leftMs) => (await redis.set(at("used", id), "1", "PX", leftMs + SLACK_MS, "NX")) === "OK",
    async giveBack(id) {
      await redis.del(at("used", id));
    },
    async end(ask) {
      const { id, name } = ask;
      await redis.eval(END, 4, at("of", name), at("ask", id), waiting, at("answer", id), id, memberOf(ask));
    },
  };
}
