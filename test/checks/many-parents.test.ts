import { expect, test } from "vitest";
import { build } from "../support/built-project.ts";
import { compiled } from "../support/compiled.ts";

/** What took 25 seconds and more: each parent is held against each other one, with all that it inherits. */
test("300 roles with 60 parents each, each with an exclude", { timeout: 120_000 }, () => {
  const parents = (i: number) => Array.from({ length: Math.min(i, 60) }, (_, j) => `r${i - 1 - j}`);
  const roles = Array.from({ length: 300 }, (_, i) => [
    `r${i}`,
    { ...(i > 1 ? { extends: parents(i) } : {}), tools: { s: { include: ["a"], exclude: ["b"] } } },
  ]);
  const began = performance.now();
  const { errors } = build({
    "rolecall.yaml": "version: 1\nproject: p\n",
    "mcp/a.json": JSON.stringify({
      servers: { s: { connect: [{ stdio: ["node", "x"] }] } },
      roles: Object.fromEntries(roles),
    }),
    "mcp/manifests/s.json": JSON.stringify({
      server: "s",
      tools: ["a", "b"].map((name) => ({ name, inputSchema: { type: "object" } })),
    }),
  });
  expect(errors).toEqual([]);
  expect(performance.now() - began).toBeLessThan(20_000);
});

/** What told the same exclude once for each pair of parents: three million times, in 2 GB. */
test("in a lattice of roles, each exclude is told once for what it takes", () => {
  const names = Array.from({ length: 40 }, (_, i) => `t${i}`);
  const roles = Array.from({ length: 40 }, (_, i) => [
    `r${i}`,
    {
      ...(i > 0 && { extends: Array.from({ length: Math.min(i, 20) }, (__, j) => `r${i - 1 - j}`) }),
      tools: { s: i === 0 ? "all" : { exclude: [names[i]] } },
    },
  ]);
  const { diagnostics } = compiled({
    "rolecall.yaml": "version: 1\nproject: p\n",
    "mcp/a.json": JSON.stringify({
      servers: { s: { connect: [{ stdio: ["node", "x"] }] } },
      roles: Object.fromEntries(roles),
    }),
    "mcp/manifests/s.json": JSON.stringify({
      server: "s",
      tools: names.map((name) => ({ name, inputSchema: { type: "object" } })),
    }),
  });
  const told = diagnostics.filter(({ code }) => code === "role/parents-disagree");
  const role = told.filter(({ says }) => says.startsWith("role `r39` "));
  // Each parent excludes another tool, which all older ones hold; the oldest has none that is older.
  expect(role).toHaveLength(19);
});
