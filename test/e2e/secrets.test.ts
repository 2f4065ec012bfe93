import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { safeVariables } from "../../runtime/connect/library.ts";
import { errorOf } from "../support/generated-team.ts";
import { childrenNamed, harborProject, type Harbor } from "../support/harbor.ts";
import { startFault } from "../support/linked.ts";

/** Secrets of a project at work: where they may be seen, and everywhere else. */

const TOKEN = "an-invented-token-of-web";
const KEY = "an-invented\nkey of the vault";
const FOREIGN = "an-invented-secret-of-the-app";
const SPELLINGS = [TOKEN, KEY, KEY.split("\n")[1]!, FOREIGN, encodeURIComponent(TOKEN), encodeURIComponent(KEY)];
const shown = (text: string): string[] => SPELLINGS.filter((secret) => text.includes(secret));

let harbor: Harbor;
beforeAll(async () => {
  harbor = await harborProject();
  vi.stubEnv("APP_SECRET", FOREIGN);
});
afterEach(() => harbor.goHome());
afterAll(() => {
  vi.unstubAllEnvs();
  harbor.remove();
});

describe.runIf(process.platform === "linux")("what the system shows of a child", () => {
  test("its arguments are the written ones, its environment the safe variables and its own", async () => {
    const { sailor } = harbor.sail({ VAULT_KEY: KEY, CHILD: "{}", TOKEN });
    await Promise.all(["vault", "child", "steady"].map((server) => sailor.$call(server, "seen", {})));
    const servers = childrenNamed("fault-server.mjs");
    expect(servers).toHaveLength(3);
    const safe = Object.entries(await safeVariables()).map(([name, value]) => `${name}=${value}`);
    const own = servers.map(({ words, env }) => {
      expect(words.slice(2)).toEqual(["{}"]);
      return env.filter((line) => !safe.includes(line));
    });
    expect(own.filter((lines) => lines.length > 0)).toEqual([[`VAULT_KEY=${KEY}`]]);
  });

  test("the shell that waits for our end knows nothing but where to find its commands", async () => {
    const { sailor } = harbor.sail({ VAULT_KEY: KEY });
    await sailor.$call("vault", "echo", {});
    const [guardian, ...more] = childrenNamed("while read");
    expect(more).toEqual([]);
    expect(shown(guardian!.words.join(" "))).toEqual([]);
    expect(
      guardian!.env.map((line) => line.split("=")[0]).filter((name) => !/^(PATH|PWD|SHLVL|_)$/.test(name!)),
    ).toEqual([]);
  });
});

test("errors, advice, events and the record show none, whatever a server says", async () => {
  const server = await startFault({});
  const record = path.join(harbor.dir, "calls.jsonl");
  const { sailor, events, close } = harbor.sail({ WEB: server.url, TOKEN, VAULT_KEY: KEY, CHILD: "{}" }, { record });
  const told: string[] = [];
  const note = async (call: Promise<unknown>): Promise<void> => {
    const error = await errorOf(call);
    told.push(error.message, error.advice, error.stack ?? "", JSON.stringify(error), JSON.stringify(error.cause) ?? "");
  };
  // What was really sent came through: the server knows it, and says it back.
  const { meta } = await sailor.$call("web", "seen", {});
  expect(JSON.stringify(meta.raw)).toContain(`Bearer ${TOKEN}`);
  await note(sailor.$call("web", "status", { status: 418, body: `Bearer ${TOKEN} isn't known here` }));
  await note(sailor.$call("web", "status", { status: 503, body: encodeURIComponent(`${TOKEN}`) }));
  await sailor.$call("vault", "echo", { [TOKEN]: [`Bearer ${TOKEN}`, KEY] });
  await note(sailor.$call("vault", `no ${TOKEN}`, {}));
  await note(sailor.$call("child", "echo", [KEY] as never));
  await server.kill();
  await note(sailor.$call("web", "echo", { text: TOKEN }));
  await close();
  expect(shown(told.join("\n"))).toEqual([]);
  expect(told.join("\n")).toContain("***");
  expect(shown(JSON.stringify(events))).toEqual([]);
  const lines = readFileSync(record, "utf8");
  expect(lines.trim().split("\n")).toHaveLength(7);
  expect(shown(lines)).toEqual([]);
  expect(
    shown(
      JSON.parse(`[${lines.trim().replaceAll("\n", ",")}]`)
        .map(String)
        .join(),
    ),
  ).toEqual([]);
  expect(lines).toContain('{"***":["Bearer ***","***"]}');
});

test("what is generated holds names alone", () => {
  const files = ["index.ts", "servers/web.data.ts", "servers/vault.data.ts", "access.json", "ACCESS.md"];
  const text = files.map((file) => harbor.read(`src/mcp/${file}`)).join("\n");
  expect(text).toContain("VAULT_KEY");
  expect(shown(text)).toEqual([]);
});
