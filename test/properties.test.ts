import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryProject, referenceOf, type SampleProject } from "./support/arbitrary-project.ts";
import { someArguments } from "./support/arbitrary-tools.ts";
import { build, type Built } from "./support/built-project.ts";
import { diceOf, tapes } from "./support/dice.ts";
import { filesOf } from "./support/project-layout.ts";
import { readReference } from "./support/reference-files.ts";
import { may, roles, tools, verdict } from "./support/reference.ts";

const RUNS = Number(process.env["ROLECALL_PROPERTY_RUNS"] ?? 1);

describe("the plan and the second opinion agree", () => {
  test("scratch", () => {
    const seen = new Map<string, string>();
    let used = 0, all = 0, calls = 0;
    for (const [project, tape] of fc.sample(fc.tuple(arbitraryProject, tapes(200, 400)), { numRuns: 600 * RUNS, seed: Number(process.env["SEED"] ?? 1) })) {
      const files = filesOf(project);
      const built = build(files);
      all++;
      if (built.errors.length > 0) continue;
      used++;
      const p = readReference(files);
      for (const role of roles(p)) {
        for (const { server, tool } of tools(p)) {
          const ours = built.effect(role, server, tool), theirs = verdict(p, role, server, tool);
          if (ours !== theirs) { const k = `effect ${ours} ${theirs}`; if (!seen.has(k)) seen.set(k, `${role} ${server}.${tool}\n${JSON.stringify(project)}`); }
        }
      }
      const dice = diceOf(tape);
      for (const r of built.plan.roles) for (const g of r.grants) for (const t of g.server.tools) {
        const d = g.decisions[t.index]!;
        if (d.effect === "deny" || (d.where.length === 0 && !dice.chance(10))) continue;
        const sample = project.manifests[g.server.pin]?.find((x) => x.name === t.name) ?? { name: t.name };
        for (let i = 0; i < 12; i++) {
          const args = someArguments(dice, sample);
          calls++;
          const ours = built.may(r.name, g.server.name, t.name, args), theirs = may(p, r.name, g.server.name, t.name, args);
          if (ours !== theirs) { const k = `may ours=${ours} reference=${theirs} ${JSON.stringify(d.where)} ${JSON.stringify(args).slice(0, 200)}`; if (!seen.has(k)) seen.set(k, ``); }
        }
      }
    }
    console.log({ used, all, calls });
    const keys = [...seen.keys()];
    console.log(keys.length, keys.sort((a, b) => a.length - b.length).slice(0, 60).map((k) => k + "  " + seen.get(k)!.slice(0, 3000)).join("\n"));
  }, 100000);
});
