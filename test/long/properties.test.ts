import { fc } from "../support/generated.ts";
import { describe, expect, test } from "vitest";
import { arbitraryClaims, arbitraryProject, type SampleProject } from "../support/arbitrary/project.ts";
import { someArguments, someInnerArguments } from "../support/arbitrary/tools.ts";
import { build, RANK, type Built } from "../support/built-project.ts";
import { diceOf, tapes, type Dice } from "../support/dice.ts";
import { accessJsonLines, accessPageLines, dataLines, line, plannedLines, typedLines } from "./emitted-access.ts";
import { misspelt, narrowed } from "../support/project-edits.ts";
import { filesOf, shuffledFiles } from "../support/project-layout.ts";
import { readReference } from "../support/reference/files.ts";
import { brokenInvariants } from "../support/reference/invariants.ts";
import type { Tool } from "../support/reference/shapes.ts";
import { may, roles, tools, verdict } from "../support/reference/reference.ts";
import { callingModule } from "./typed-calls.ts";
import { temporaryProject, typeCheck } from "../types/tsc.ts";

/** Properties of every project, over generated ones. ROLECALL_PROPERTY_RUNS multiplies how many. */
const MORE = Number(process.env["ROLECALL_PROPERTY_RUNS"] ?? 1);
/** Of what is generated, so much must be fit to be judged. */
const MOST = 0.6;
const TIMEOUT = 60_000 * Math.max(1, MORE);

interface Sample {
  readonly project: SampleProject;
  /** Choices besides the project. */
  readonly tape: readonly number[];
}

const samples: fc.Arbitrary<Sample> = fc.record({ project: arbitraryProject, tape: tapes(500) }).map(shownAsFiles);
const claims: fc.Arbitrary<Sample> = fc.record({ project: arbitraryClaims, tape: fc.constant([]) }).map(shownAsFiles);

/** A failure is read as a user would have written it. */
function shownAsFiles(sample: Sample): Sample {
  const text = (): string =>
    Object.entries(filesOf(sample.project))
      .map(([path, file]) => `== ${path}\n${file}`)
      .join("\n");
  return Object.defineProperty(sample, fc.toStringMethod, {
    value: () => `${text()}\ntape: ${sample.tape.join(" ")}\n`,
  });
}

/** The share of samples that a property was about. It is asked to be most of them, or nothing much would have been tested. */
function used(runs: number, arbitrary: fc.Arbitrary<Sample>, property: (sample: Sample) => "used" | "unfit"): number {
  let all = 0;
  let fit = 0;
  const judged = fc.property(arbitrary, (sample) => {
    all++;
    fc.pre(property(sample) === "used");
    fit++;
  });
  // The limit is for shrinking: a failure that isn't the smallest is worth more than none.
  fc.assert(judged, { numRuns: Math.ceil(runs * MORE), maxSkipsPerRun: 20, interruptAfterTimeLimit: TIMEOUT / 6 });
  return fit / all;
}

/** The same, of projects that build. */
function usedOfBuilt(
  runs: number,
  property: (built: Built, sample: Sample) => "unfit" | void,
  emitting = false,
): number {
  return used(runs, samples, (sample) => {
    const built = build(filesOf(sample.project), emitting);
    return built.errors.length > 0 ? "unfit" : (property(built, sample) ?? "used");
  });
}

interface Call {
  readonly role: string;
  readonly server: string;
  readonly tool: string;
  readonly args: unknown;
}

/** Calls of tools that are held with conditions, and a few of others. */
function calls(
  { plan }: Built,
  project: SampleProject,
  dice: Dice,
  make: (dice: Dice, tool: Tool) => unknown,
  each: number,
): Call[] {
  return plan.roles.flatMap((role) =>
    role.grants.flatMap(({ server, decisions }) =>
      server.tools.flatMap((tool) => {
        const { effect, where } = decisions[tool.index]!;
        const pinned = project.manifests[server.pin]?.find((one) => one.name === tool.name) ?? { name: tool.name };
        const count = where.length > 0 ? each : effect !== "deny" || dice.chance(20) ? 1 : 0;
        return Array.from({ length: count }, () => ({
          role: role.name,
          server: server.name,
          tool: tool.name,
          args: make(dice, pinned),
        }));
      }),
    ),
  );
}

function shown({ role, server, tool, args }: Call, verdict: string): string {
  return `${role} ${server}.${tool}(${JSON.stringify(args)?.slice(0, 200)}): ${verdict}`;
}

describe("the plan says what the second opinion says", () => {
  test(
    "of every role and tool",
    () => {
      const share = usedOfBuilt(500, (built, { project }) => {
        const p = readReference(filesOf(project));
        const everything = roles(p).flatMap((role) =>
          tools(p).map(({ server, tool }) => line(role, server, tool, verdict(p, role, server, tool))),
        );
        expect(plannedLines(built.plan)).toEqual(everything.filter((one) => !one.endsWith('"deny"]')).sort());
      });
      expect(share).toBeGreaterThanOrEqual(MOST);
    },
    TIMEOUT,
  );

  test(
    "of every call",
    () => {
      const share = usedOfBuilt(300, (built, { project, tape }) => {
        const p = readReference(filesOf(project));
        const made = calls(built, project, diceOf(tape), someArguments, 10);
        const ours = made.map((call) => shown(call, built.may(call.role, call.server, call.tool, call.args)));
        const theirs = made.map((call) => shown(call, may(p, call.role, call.server, call.tool, call.args)));
        expect(ours).toEqual(theirs);
      });
      expect(share).toBeGreaterThanOrEqual(MOST);
    },
    TIMEOUT,
  );

  test(
    "of what lies inside of arguments",
    () => {
      const share = usedOfBuilt(100, (built, { project, tape }) => {
        const p = readReference(filesOf(project));
        const made = calls(built, project, diceOf(tape), someInnerArguments, 4);
        const ours = made.map((call) => shown(call, built.may(call.role, call.server, call.tool, call.args)));
        const theirs = made.map((call) => shown(call, may(p, call.role, call.server, call.tool, call.args)));
        expect(ours).toEqual(theirs);
      });
      expect(share).toBeGreaterThanOrEqual(MOST);
    },
    TIMEOUT,
  );

  test(
    "of what invariants are broken",
    () => {
      const share = used(500, claims, ({ project }) => {
        const files = filesOf(project);
        const { errors } = build(files);
        if (errors.some((error) => !error.startsWith("invariant/"))) return "unfit";
        const ours = errors.map(
          (error) => /invariant `(i\d)` is broken: role `([^`]+)`/.exec(error)?.slice(1).join(" ") ?? error,
        );
        const theirs = brokenInvariants(readReference(files)).map(({ name, role }) => `${name} ${role}`);
        expect([...new Set(ours)].sort()).toEqual([...new Set(theirs)].sort());
        return "used";
      });
      expect(share).toBeGreaterThanOrEqual(MOST);
    },
    TIMEOUT,
  );
});

describe("everything that a build writes says what the plan says", () => {
  test(
    "types, data, access.json and ACCESS.md",
    () => {
      const share = usedOfBuilt(
        200,
        ({ plan, artifacts }) => {
          const planned = plannedLines(plan);
          expect(typedLines(artifacts)).toEqual(
            planned.map((one) => one.replace(/"(?:allow|ask)"\]$/, '"held"]')).sort(),
          );
          expect(dataLines(artifacts)).toEqual(planned);
          expect(accessJsonLines(artifacts)).toEqual(planned);
          expect(accessPageLines(artifacts)).toEqual(planned);
        },
        true,
      );
      expect(share).toBeGreaterThanOrEqual(MOST);
    },
    TIMEOUT,
  );

  test(
    "calls compile when the tool is held, and not otherwise",
    async () => {
      const twenty = fc.array(samples, { minLength: 26, maxLength: 26 });
      await fc.assert(
        fc.asyncProperty(twenty, async (many) => {
          const app = temporaryProject();
          try {
            const made = many
              .map(({ project }) => ({ project, built: build(filesOf(project), true) }))
              .filter(({ built }) => built.errors.length === 0);
            expect(made.length).toBeGreaterThanOrEqual(16);
            for (const [i, { project, built }] of made.entries()) {
              for (const [path, text] of built.artifacts) if (path.endsWith(".ts")) app.write(`p${i}/${path}`, text);
              app.write(`p${i}/app.ts`, callingModule(project, built));
            }
            expect(await typeCheck(app, "7.0", ["p*/**/*.ts"])).toEqual([]);
          } finally {
            app.remove();
          }
        }),
        { numRuns: Math.ceil(MORE), endOnFailure: true },
      );
    },
    TIMEOUT,
  );

  test(
    "whatever file a block is in, in whatever order, spelling and line ends",
    () => {
      const share = usedOfBuilt(
        200,
        ({ artifacts }, { project, tape }) => {
          const other = build(shuffledFiles(diceOf(tape), project), true);
          expect(other.errors).toEqual([]);
          expect(Object.fromEntries(other.artifacts)).toEqual(Object.fromEntries(artifacts));
        },
        true,
      );
      expect(share).toBeGreaterThanOrEqual(MOST);
    },
    TIMEOUT,
  );
});

describe("nothing widens", () => {
  test(
    "by one more restriction, wherever it is added",
    () => {
      const share = usedOfBuilt(800, (before, { project, tape }) => {
        const dice = diceOf(tape);
        const edited = narrowed(dice, project);
        const after = edited && build(filesOf(edited));
        if (after === undefined || after.errors.length > 0) return "unfit";
        expect(widened(before, after, project, dice)).toEqual([]);
      });
      expect(share).toBeGreaterThanOrEqual(MOST);
    },
    TIMEOUT,
  );

  test(
    "by a slip of the pen in a place that restricts",
    () => {
      const share = usedOfBuilt(800, (before, { project, tape }) => {
        const dice = diceOf(tape);
        const slip = misspelt(dice, project);
        if (slip === undefined) return "unfit";
        const after = build(filesOf(slip.project));
        const unsaid = slip.argument
          ? widened(before, after, project, dice)
          : [`${slip.written} became ${slip.instead}, and nothing was said`];
        expect(after.errors.length > 0 ? [] : unsaid).toEqual([]);
      });
      expect(share).toBeGreaterThanOrEqual(MOST);
    },
    TIMEOUT,
  );
});

/** What is allowed after and wasn't so before. */
function widened(before: Built, after: Built, project: SampleProject, dice: Dice): string[] {
  const effects = after.plan.roles.flatMap((role) =>
    role.grants.flatMap(({ server }) =>
      server.tools.map((tool) => ({ role: role.name, server: server.name, tool: tool.name })),
    ),
  );
  const wider = effects.filter(
    ({ role, server, tool }) =>
      role !== "watcher" && RANK[after.effect(role, server, tool)] > RANK[before.effect(role, server, tool)],
  );
  const called = [before, after].flatMap((built) => calls(built, project, dice, someArguments, 4));
  const freer = called.filter(
    ({ role, server, tool, args }) =>
      role !== "watcher" && RANK[after.may(role, server, tool, args)] > RANK[before.may(role, server, tool, args)],
  );
  return [
    ...wider.map((one) => `${one.role} ${one.server}.${one.tool}`),
    ...freer.map((call) => shown(call, after.may(call.role, call.server, call.tool, call.args))),
  ];
}
