import { expect, test } from "vitest";
import type { Described } from "../../compiler/diff/describe.ts";
import { gateOf, type DiffException } from "../../compiler/diff/gate.ts";

/** An exception and its last day, which is one of its own, in UTC. */

const change = { direction: "widens", kind: "tool", role: "docs", server: "files", tool: "write" } as const;
const gained = [{ change }] as unknown as readonly Described[];
const exception = (more: Partial<DiffException>): DiffException => ({
  roles: ["docs"],
  tools: ["files.write"],
  direction: "widens",
  reason: "the move",
  until: "2027-01-31",
  ...more,
});
const ended = (today: string, more: Partial<DiffException> = {}) => {
  const failOn = { widens: "all", changed: undefined } as const;
  const gate = gateOf(gained, failOn, { exceptions: [exception(more)], today });
  return [gate.findings.length, gate.passedBy.length, gate.expired.length, gate.unused.length];
};

test.each<[string, string, Partial<DiffException>, number[]]>([
  ["before its last day", "2027-01-30", {}, [0, 1, 0, 0]],
  ["on its last day", "2027-01-31", {}, [0, 1, 0, 0]],
  ["the day after", "2027-02-01", {}, [1, 0, 1, 0]],
  ["of another role", "2027-01-30", { roles: ["lead"] }, [1, 0, 0, 1]],
  ["of another tool", "2027-01-30", { tools: ["write"] }, [1, 0, 0, 1]],
  ["of another direction", "2027-01-30", { direction: "changed" }, [1, 0, 0, 1]],
])("%s", (_, today, more, expected) => expect(ended(today, more)).toEqual(expected));
