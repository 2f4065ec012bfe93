import { expect, test } from "vitest";
import { openBuilds, type Builds } from "../../compiler/cli/serve/builds.ts";
import { fitHosts } from "../../compiler/4-fit/fit.ts";
import { trouble } from "../../compiler/io/login/types.ts";
import { openInbox } from "../../compiler/io/serve/inbox.ts";
import type { InboxItem } from "../../compiler/serve/inbox-lines.ts";
import { servePlan } from "../../compiler/serve/serve-plan.ts";
import type { Served } from "../../compiler/serve/types.ts";
import { manifest, planned } from "../support/compiled.ts";

/** A yes is to what was shown, whatever was built since and couldn't be judged. */

const built = (tools: string) => {
  const { plan, locate } = planned({
    "rolecall.yaml": "version: 1\nproject: test\n",
    "mcp/servers.yaml": "servers:\n  files: { connect: [{ stdio: [files] }] }\n",
    "mcp/manifests/files.json": manifest(...["one", "two", "three"].map((name) => ({ name }))),
    "mcp/roles.yaml": `roles:\n  tester: { tools: { files: ${tools === "" ? "none" : `[${tools}]`} } }\n`,
  });
  return { lookedAt: undefined, served: servePlan(plan, fitHosts(plan, [])), plan, locate };
};
const accepted = built("one").served;
const [A, B] = [built("one, two"), built("one, two, three")];

function begun(isWhollyKnown = true) {
  const inbox = openInbox({ holdMs: 1_000, now: Date.now });
  let kept: Served = accepted;
  let isReadable = true;
  let served: Served | undefined;
  const builds: Builds = openBuilds({
    accepted: {
      read() {
        if (!isReadable) throw trouble("it can't be read", "look");
        return kept;
      },
      standing: () => undefined,
      isWhollyKnown: () => isWhollyKnown,
      keep: (one) => void (kept = one.served),
      ways: () => undefined,
      keepWays: () => {},
    },
    waysOf: async () => new Map(),
    inbox,
    isThere: () => true,
    serve: (one) => void (served = one),
    said: () => {},
  });
  return {
    builds,
    waiting: () => inbox.waiting()[0],
    yes: ({ id, hash }: InboxItem) => inbox.answer({ id, hash, yes: true, by: "terminal" }),
    left: () => kept.left && toolsOf(kept.left),
    breaks: () => void (isReadable = false),
    acceptsElsewhere: (one: Served) => void (kept = one),
    opened: () => ({ kept: toolsOf(kept), served: served && toolsOf(served) }),
  };
}

const toolsOf = ({ access }: Served): string[] =>
  access.roles.flatMap(({ servers }) => servers.flatMap(({ tools }) => tools.map(({ name }) => name)));

test("what waits is what a yes opens, while a newer build can't be judged", async () => {
  const { builds, waiting, yes, breaks, opened } = begun();
  await builds.take(A);
  const asked = waiting()!;
  breaks();
  await expect(builds.take(B)).rejects.toEqual(trouble("it can't be read", "look"));
  expect(yes(asked)).toBeUndefined();
  expect(opened()).toEqual({ kept: ["one", "two"], served: ["one", "two"] });
});

test("and it waits no more once the newer one is known to lie there", async () => {
  const { builds, waiting, yes, breaks, opened } = begun();
  await builds.take(A);
  const asked = waiting()!;
  breaks();
  await builds.take(B).catch(() => builds.takeAway([B.served.access], true));
  expect(waiting()).toBeUndefined();
  expect(yes(asked)).toContain("nothing with this id waits");
  expect(opened()).toEqual({ kept: ["one"], served: undefined });
});

test("what gives the same as what counts isn't known to be it, where nobody could look", async () => {
  const { builds } = begun();
  await builds.take(built("one"));
  await builds.takeAway([accepted.access], false);
  expect(builds.standing).toBe("counts");
  await builds.takeAway([accepted.access], true);
  expect(builds.standing).toBe("unjudged");
  await builds.take(built("one"));
  expect(builds.standing).toBe("counts");
});

test.each([
  [true, []],
  [false, undefined],
])("what is kept is narrowed by what can't be judged, where all of it is known (%j)", async (isWhollyKnown, left) => {
  const { builds, left: leftNow } = begun(isWhollyKnown);
  await builds.take(built("one"));
  const served = await builds.takeAway([{ ...accepted.access, roles: [] }], false);
  expect([toolsOf(served), leftNow()]).toEqual([[], left]);
});

test("what another process accepts while this one looks isn't less by what was seen before that", async () => {
  const { builds, left, acceptsElsewhere, opened } = begun();
  await builds.take(built("one"));
  const none = [{ ...accepted.access, roles: [] }];
  builds.looks();
  const taken = builds.takeAway(none, false);
  acceptsElsewhere({ ...B.served, out: "elsewhere" });
  await taken;
  expect([opened().kept, left(), builds.isBehind()]).toEqual([["one", "three", "two"], undefined, true]);
  expect(builds.looks()).toBe("elsewhere");
  await builds.takeAway(none, false);
  expect(left()).toEqual([]);
});

test("a yes gives nothing back that lies at another place without it, and can't be judged", async () => {
  const { builds, waiting, yes, left, opened } = begun();
  await builds.take(A);
  const asked = waiting()!;
  await builds.takeAway([A.served.access, { ...A.served.access, roles: [] }], false);
  expect(yes(asked)).toBeUndefined();
  expect([opened(), left()]).toEqual([{ kept: ["one", "two"], served: [] }, []]);
});

test.each([
  ["what it doesn't give back stays away, though that place has it again", true],
  ["it gives nothing back that was taken since it was asked about, though it lies there again", false],
])("and %s", async (_, isFirst) => {
  const { builds, waiting, yes, left, opened } = begun();
  await builds.take(A);
  await builds.take(built("one, two"));
  const asked = waiting()!;
  const say = (): void => expect(yes(asked)).toBeUndefined();
  await builds.takeAway([A.served.access, { ...A.served.access, roles: [] }], false);
  if (isFirst) say();
  const served = await builds.takeAway([A.served.access], false);
  if (!isFirst) say();
  expect([toolsOf(served), left(), opened().served]).toEqual([[], [], []]);
});

test("a yes to what was asked before another process took something away is none, and it is asked anew", async () => {
  const { builds, waiting, yes, left, acceptsElsewhere, opened } = begun();
  await builds.take(A);
  const asked = waiting()!;
  expect(builds.hasNews()).toBe(false);
  acceptsElsewhere({ ...accepted, left: built("").served });
  for (const isLooking of [false, true]) {
    if (isLooking) builds.looks();
    expect(builds.hasNews()).toBe(!isLooking);
    expect(yes(asked)).toContain("it couldn't be kept");
    expect([opened(), left(), waiting()]).toEqual([{ kept: ["one"], served: undefined }, [], asked]);
  }
  await builds.take(A);
  expect(yes(waiting()!)).toBeUndefined();
  expect(opened()).toEqual({ kept: ["one", "two"], served: ["one", "two"] });
});

test("a yes that another process was given as well counts here too", async () => {
  const { builds, waiting, yes, acceptsElsewhere, opened } = begun();
  await builds.take(A);
  acceptsElsewhere({ ...A.served });
  expect(yes(waiting()!)).toBeUndefined();
  expect(opened().served).toEqual(["one", "two"]);
});
