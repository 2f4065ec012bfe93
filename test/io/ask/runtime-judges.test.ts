import { beforeEach, expect, test, vi } from "vitest";
import type { JsonValue } from "../../../compiler/base/json.ts";
import { runtimeJudges, schemaJudge } from "../../../compiler/io/ask/runtime-judges.ts";
import type { Server } from "../../../compiler/3-plan/types.ts";
import { DISTURBED, type TimeLimit } from "../../../runtime/session/time-limit.ts";

/** How often the machine is busy with something else before there is time for work under a deadline. */
const machine = vi.hoisted(() => ({ busy: 0, asked: 0 }));

vi.mock("../../../runtime/session/time-limit.ts", async (real) => ({
  ...(await real<object>()),
  createTimeLimit: (): TimeLimit => (work) => {
    machine.asked++;
    return machine.busy-- > 0 ? DISTURBED : work();
  },
}));

beforeEach(() => void Object.assign(machine, { busy: 0, asked: 0 }));

const QUICK = { type: "object", required: ["content"] };
/** A reference to itself: the build can't show that it is quick. */
const SLOW = { ...QUICK, properties: { in: { $ref: "#" } } };

async function checkOf(): Promise<(schema: JsonValue, value: JsonValue) => string | undefined> {
  const server = { name: "files", connect: [], root: undefined, variables: [] } as unknown as Server;
  return (await runtimeJudges(server, () => undefined, "/")).check;
}

test("a schema that is quick is judged without a deadline, however busy the machine is", async () => {
  machine.busy = Infinity;
  expect((await checkOf())(QUICK, {})).toBe("must have required property 'content'");
  expect((await schemaJudge())(QUICK, { content: 1 })).toBe(true);
  expect(machine.asked).toBe(0);
});

test("one that may be slow is tried again when the machine was busy, and not for ever", async () => {
  machine.busy = 2;
  expect((await checkOf())(SLOW, {})).toBe("must have required property 'content'");
  expect(machine.asked).toBe(3);
  machine.busy = 2;
  expect((await schemaJudge())(SLOW, { content: 1 })).toBe(true);
  machine.busy = Infinity;
  expect((await checkOf())(SLOW, {})).toContain("try again");
});
