import { expect, test } from "vitest";
import { displayWidth } from "../../compiler/base/display-width.ts";
import { troubleLines } from "../../compiler/cli/doctor/page.ts";
import { firstLines, statusPage } from "../../compiler/cli/serve/page.ts";
import { saysYes } from "../../compiler/cli/yes.ts";
import type { Context } from "../../compiler/cli/command.ts";
import type { Served } from "../../compiler/serve/types.ts";

/** A terminal breaks no line itself: what a stranger says would stand at its first column, as a line of ours. */

const NB = "\u00a0";
const LONG = `${NB.repeat(150)}harbor${NB}is${NB}served${NB}by${NB}process${NB}1${NB.repeat(150)}`;
const style = { colour: false, width: 80 };

/** Lines that a terminal would break, or that begin as one of ours; all of it, where the text isn't there. */
function forgedIn(page: string): string[] {
  const lines = page.split("\n");
  if (!page.replaceAll(/\s+/g, "").includes("harborisservedbyprocess1")) return lines;
  return lines.filter((line) => displayWidth(line) > 80 || /^\s?harbor\sis\sserved\sby\sprocess\s1/.test(line));
}

test("the status of what serves, with what a client calls itself", () => {
  const client = { role: "tester", server: null, client: LONG, member: null, host: null };
  expect(
    forgedIn(statusPage([{ project: "harbor", pid: 7, version: "1", clients: [client], asks: 0 }], style)),
  ).toEqual([]);
});

test("what waits when a process begins to serve", () => {
  const waiting = {
    kind: "build" as const,
    id: "b1",
    hash: "sha256:00",
    changes: [{ kind: "condition", role: "r", server: "s", tool: "t", before: ["a"], after: [LONG] }],
    says: ["tester", "  + s.t: looser condition", `      now: path must be "${LONG}"`],
    reconnected: [],
    envFile: null,
    moved: [],
    settings: [],
    approvers: [],
    door: [],
    hosts: [],
  };
  const served = { project: "harbor", roles: new Map() } as unknown as Served;
  const beginning = { folder: "/srv/harbor", waiting: [waiting], http: undefined, isFirstStart: false };
  const page = firstLines(served, beginning, 80);
  expect(page).toMatch(/^harbor is served at \/srv\/harbor\n/);
  for (const line of page.split("\n")) expect(displayWidth(line), line).toBeLessThanOrEqual(80);
  expect(page.split("\n").filter((line) => /^ {0,11}\S/.test(line))).toHaveLength(7);
  expect(firstLines(served, beginning, undefined).split("\n")).toHaveLength(9);
});

test("why a server can't be used, as it says it", () => {
  const failure = { kind: "unreachable", says: `it said: ${LONG}`, next: "start it" } as const;
  const probes = [{ transport: "stdio", state: "unreachable", failure }];
  const diagnosis = { server: "notes", state: "unreachable", by: 0, next: "start it", probes };
  expect(forgedIn(troubleLines(diagnosis as unknown as Parameters<typeof troubleLines>[0], style).join("\n"))).toEqual(
    [],
  );
});

test("what a question is about", async () => {
  let shown = "";
  const out = { write: (text: string) => void (shown += text), isTerminal: true, width: 80 };
  const context = { terminal: { out, env: {}, answer: async () => "y" } } as unknown as Context;
  expect(await saysYes(context, `take ${LONG} as read-only?`)).toBe(true);
  expect(forgedIn(shown)).toEqual([]);
  expect(shown).toMatch(/\[y\/N\] $/);
});
