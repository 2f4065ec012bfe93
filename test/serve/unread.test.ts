import { expect, test } from "vitest";
import { statusJson } from "../../compiler/cli/serve/json.ts";
import { whyItWaits } from "../../compiler/io/serve/carried-out.ts";
import type { JsonObject } from "../../compiler/base/json.ts";

type Facts = Parameters<typeof statusJson>[0];

test("where the access of the last build can't be read, --status and a call that is refused say it in one sentence", async () => {
  const served = {
    project: "harbor",
    roles: new Map(),
    variables: [],
    shells: new Map(),
    waits: new Set(["files"]),
    isUnread: true,
  };
  const facts = {
    gateway: { served, clients: [], health: () => [] },
    builds: { standing: null },
    inbox: {},
    answering: { waiting: async () => [], approvers: [] },
    variables: { file: null, isAsRead: () => true },
  } as unknown as Facts;
  const [server] = (await statusJson(facts))["servers"] as JsonObject[];
  const says = "what this project built last can't be read by the rolecall that serves it, so nothing is called";
  expect(server!["why"]).toBe(`${says}: \`rolecall build\``);
  expect(whyItWaits({ isUnread: true, inbox: "" })).toContain(says);
});
