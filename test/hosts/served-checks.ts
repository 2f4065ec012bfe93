import { callOf, everything, key, spoke, type Check } from "./checks.ts";
import type { Seen } from "./observe.ts";
import { enforceable } from "./plan.ts";

/** What more is looked at where a host reaches tools through `rolecall serve`. */

const CONDITION = { tool: "files.write_file", within: "tests/one" };
/** Of the refusal itself: the tool's description says the rule in other words. */
const ADVICE = "doesn't match the glob `tests/**`. Call it with other arguments.";

const refusedExecutesNothing: Check = {
  title: "a refused argument executes nothing, and the model is told what may be",
  roles: ["tester"],
  isFor: ({ served }) => served !== undefined,
  async problems(bench, role) {
    const seen = await bench.watch(everything(bench, role));
    const written = seen.reached.filter(
      (one) => one.did === "call" && key({ ...one, tool: one.tool ?? "" }) === CONDITION.tool,
    );
    const ways = written.map(({ args }) => String(args?.["path"]));
    return [
      ...(ways.join() === CONDITION.within ? [] : [`written: ${ways.join(", ")}`]),
      ...(seen.told.includes(ADVICE) ? [] : ["the model wasn't told what may be"]),
    ];
  },
};

const askedWaits: Check = {
  title: "an asked tool runs after the inbox's yes, once, and not before; after a no it doesn't",
  roles: ["tester"],
  isFor: ({ served }) => served === "all",
  async problems(bench, role) {
    const { host, plan } = bench;
    const asked = enforceable(host, plan, role).filter((one) => one.effect === "ask");
    const calls = asked.map((one) => callOf(host, one, "tests/one"));
    const ran = ({ reached }: Seen) => reached.filter((one) => one.did === "call").length;
    const [yes, no, nobody] = await Promise.all([
      bench.watch({ role, calls, answers: true }),
      bench.watch({ role, calls, answers: false }),
      bench.watch({ role, calls }),
    ]);
    return [
      ...(yes.asked.length === asked.length ? [] : [`${yes.asked.length} were asked about: ${spoke(yes)}`]),
      ...(yes.asked.some(({ before }) => before > 0) ? ["it ran before the yes"] : []),
      ...(ran(yes) === asked.length ? [] : [`after the yes it ran ${ran(yes)} times`]),
      ...(no.asked.length === asked.length && ran(no) === 0 ? [] : [`after the no it ran ${ran(no)} times`]),
      ...(yes.astray.length === 0 ? [] : ["what is kept lies where a variable says that not all have"]),
      ...(ran(nobody) === 0 && nobody.told.includes("the program that answers for them")
        ? []
        : ["nobody was there, and it isn't said"]),
    ];
  },
};

/** Of the answer itself: no description says it. */
const GOES_ON = "Make the same call again, unchanged, to go on waiting.";

const nobodyAnswers: Check = {
  title: "of an asked tool that nobody answers the model is told that nothing was done, before the host's time-out",
  roles: ["tester"],
  isFor: ({ served }) => served === "all",
  async problems(bench, role) {
    const { host, plan } = bench;
    const asked = enforceable(host, plan, role).find((one) => one.effect === "ask");
    const calls = [callOf(host, asked!, "tests/one")];
    const seen = await bench.watch({ role, calls, answers: "never" });
    return [
      ...(seen.asked.length === 1 ? [] : [`${seen.asked.length} were asked about: ${spoke(seen)}`]),
      ...(seen.reached.some(({ did }) => did === "call") ? ["it ran without an answer"] : []),
      ...(seen.told.includes(GOES_ON) ? [] : ["the model wasn't told that the same call goes on waiting"]),
    ];
  },
};

const startedByRolecall: Check = {
  title: "started by `rolecall start`: it writes where it may, is told why elsewhere, and waits for a yes",
  roles: ["tester"],
  isFor: ({ served, startsByRolecall }) => served === "all" && startsByRolecall === true,
  async problems({ host, plan, watch }, role) {
    const of = (tool: string) => enforceable(host, plan, role).filter((one) => one.tool === tool);
    const [write, asked] = [of("write_file"), of("create_issue")];
    const calls = [
      ...write.map((one) => callOf(host, one, "tests/one")),
      ...write.map((one) => callOf(host, one, "src/one")),
      ...asked.map((one) => callOf(host, one, "tests/one")),
    ];
    const seen = await watch({ role, calls, answers: true, byRolecall: true });
    const did = seen.reached
      .filter((one) => one.did === "call")
      .map(({ tool, args }) => `${tool} ${JSON.stringify(args)}`);
    const expected = ['write_file {"path":"tests/one"}', 'create_issue {"title":"tests/one"}'];
    return [
      ...(did.join() === expected.join() ? [] : [`done: ${did.join(", ")}: ${spoke(seen)}`]),
      ...(seen.asked.map(({ before }) => before).join() === "1" ? [] : ["nobody was asked, or too late"]),
      ...(seen.told.includes(ADVICE) ? [] : ["the model wasn't told where it may write"]),
    ];
  },
};

export const SERVED_CHECKS: readonly Check[] = [refusedExecutesNothing, askedWaits, startedByRolecall, nobodyAnswers];
