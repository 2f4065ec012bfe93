import { describe, expect, test } from "vitest";
import { compiled, decision, errors } from "../support/compiled.ts";

/** What a guard or a preset's policy matches is never made less by `hints`, `scopes` or `labels` of the project. */

const MANIFEST = JSON.stringify({
  tools: [
    { name: "read_file", annotations: { readOnlyHint: true, openWorldHint: false } },
    { name: "write_file", annotations: { destructiveHint: true, idempotentHint: true } },
  ].map((tool) => ({ ...tool, inputSchema: { type: "object" } })),
});

interface Sketch {
  /** Keys of server `f`, in flow. */
  readonly server?: string;
  readonly guard?: string;
  /** The whole preset; the server then uses it. */
  readonly preset?: string;
}

function project({ server = "", guard, preset }: Sketch): ReturnType<typeof compiled> {
  return compiled({
    "rolecall.yaml": `version: 1\nproject: test\n${guard === undefined ? "" : "guards: [guards/*.yaml]\n"}`,
    "mcp/team.yaml": `servers:
  f: { ${preset === undefined ? "" : "preset: p, "}connect: [{ http: "https://f.example.com/mcp" }]${server && `, ${server}`} }
roles:
  r: { tools: { f: all } }
`,
    "mcp/manifests/f.json": MANIFEST,
    ...(guard !== undefined && { "guards/g.yaml": guard }),
    ...(preset !== undefined && { "mcp/presets/p.yaml": preset }),
  });
}

function denying(selector: string): string {
  return `policies:\n  - { name: guard, roles: ["*"], tools: ["${selector}"], effect: deny }\n`;
}

function effects(sketch: Sketch): Record<string, string | undefined> {
  const compilation = project(sketch);
  expect(errors(compilation)).toEqual([]);
  return Object.fromEntries(
    ["read_file", "write_file"].map((tool) => [tool, decision(compilation, "r", "f", tool)?.effect]),
  );
}

describe("`hints` lift no guard, whichever class it names", () => {
  const lifts = [
    ["f.is:read-only", "read_file", "readOnly: false"],
    ["f.is:read-only", "read_file", "destructive: true"],
    ["f.is:idempotent", "write_file", "idempotent: false"],
    ["f.is:destructive", "write_file", "destructive: false"],
    ["f.is:open-world", "write_file", "openWorld: false"],
    ["f.*_file & is:read-only", "read_file", "readOnly: false"],
    ["f.is:read-only & r*", "read_file", "readOnly: false"],
    ["is:idempotent & is:destructive", "write_file", "idempotent: false, destructive: false"],
  ] as const;

  test.each(lifts)("a guard of %s keeps %s against { %s }", (selector, tool, hint) => {
    expect(effects({ guard: denying(selector), server: `hints: { ${tool}: { ${hint} } }` })[tool]).toBe("deny");
  });

  test.each(lifts)("a preset's policy of %s keeps %s against { %s }", (selector, tool, hint) => {
    const preset = `id: p\nserver: { limits: { timeout: 9s } }\n${denying(selector.replace(/^f\./, "p."))}`;
    expect(effects({ preset, server: `hints: { ${tool}: { ${hint} } }` })[tool]).toBe("deny");
  });

  test("what the author says adds", () => {
    const guard = denying("f.is:read-only");
    expect(effects({ guard, server: "hints: { write_file: { readOnly: true, destructive: false } }" })).toEqual({
      read_file: "deny",
      write_file: "deny",
    });
  });

  test("a preset's own hints aren't taken back either", () => {
    const preset = `id: p\nserver: { hints: { write_file: { openWorld: false }, read_file: { openWorld: true } } }\n${denying("p.is:open-world")}`;
    expect(effects({ preset, server: "hints: { read_file: { openWorld: false } }" })["read_file"]).toBe("deny");
  });

  test.each([
    ["never", "never: { roles: [r], tools: [f.is:read-only] }", "invariant/never"],
    ["always", "always: { roles: [r], tools: [f.is:read-only], effect: ask }", "invariant/always"],
    ["together", "never: { roles: [r], together: [f.is:read-only, f.is:idempotent] }", "invariant/together"],
  ])("an invariant that says %s", (_, claim, code) => {
    const guard = `invariants:\n  - { name: guard, ${claim} }\n`;
    const server = "hints: { read_file: { readOnly: false }, write_file: { idempotent: false } }";
    expect(errors(project({ guard }))).toEqual([code]);
    expect(errors(project({ guard, server }))).toEqual([code]);
  });

  test("`can` demands that something is held: there a tool counts when everybody says so", () => {
    const guard = `policies:
  - { name: none reads, roles: ["*"], tools: [f.write_file], effect: deny }
invariants:
  - { name: guard, can: { roles: [r], tools: [f.is:read-only] } }
`;
    const server = "hints: { write_file: { readOnly: true, destructive: false } }";
    expect(errors(project({ guard, server }))).toEqual([]);
  });
});

describe("what a guard says of a scope or a label isn't moved by the project", () => {
  const moved = 'scopes: { "write:x": [read_file], "read:x": [write_file] }';
  const preset = `id: p
server:
  scopes: { "write:x": [write_file], "read:x": [read_file] }
  labels: { danger: [is:destructive] }
`;

  test.each([
    ["f.scope:write:x", moved],
    ["f.*_file & scope:write:x", moved],
    ["f.scope:write:x", 'scopes: { "read:x": [read_file, write_file] }'],
    ["f.label:danger", "hints: { write_file: { destructive: false } }"],
    ["f.label:danger", "labels: { danger: [read_file] }"],
  ])("%s against %s, where a preset says it", (selector, server) => {
    const guard = denying(selector);
    expect(effects({ preset, guard, server })["write_file"]).toBe("deny");
    expect(effects({ preset: `${preset}${denying(selector.replace(/^f\./, "p."))}`, server })["write_file"]).toBe(
      "deny",
    );
    expect(warned({ preset, guard, server })).toEqual([]);
  });

  test("a list of scopes has its meaning from the server's word too", () => {
    const server = 'scopes: ["write:x", "read:x"], hints: { write_file: { readOnly: true, destructive: false } }';
    expect(effects({ guard: denying("f.scope:write:x"), server })["write_file"]).toBe("deny");
  });

  test.each([
    ["f.scope:write:x", 'scopes: { "write:x": [write_file], "read:x": [read_file] }'],
    ["f.*_file & label:danger", "labels: { danger: [write_file] }"],
  ])("%s that only the project declares is told", (selector, server) => {
    expect(warned({ guard: denying(selector), server })).toEqual([expect.stringContaining("`f`")]);
    expect(effects({ guard: denying(selector), server })["write_file"]).toBe("deny");
  });

  function warned(sketch: Sketch): string[] {
    return project(sketch)
      .diagnostics.filter(({ code }) => (code as string) === "policy/guard-by-project-words")
      .map(({ says }) => says);
  }
});
