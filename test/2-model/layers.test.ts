import { fc } from "../support/generated.ts";
import { describe, expect, test } from "vitest";
import { accessOf } from "../../compiler/3-plan/access.ts";
import { compareAccess } from "../../compiler/3-plan/compare-access.ts";
import type { Compilation } from "../../compiler/compile.ts";
import { compiled, errors, heldBy, manifest } from "../support/compiled.ts";

/** Files of another system, one over the other: the last one says how a server is reached, all of them restrict it. */

const local = (command: string, more: object = {}) => ({ type: "local", command: [command], enabled: true, ...more });
const TOOLS = ["click", "look", "type"];
const PRESET = `id: playwright
title: A browser
server:
  connect: [{ stdio: [browser-server] }]
  connection: session
  labels: { untrusted-content: [look] }
  limits: { timeout: 20s, concurrency: 2 }
policies: [{ name: typing is asked, roles: ["*"], tools: [playwright.type], effect: ask }]
`;
const MANIFESTS = {
  "mcp/manifests/playwright.json": manifest(...TOOLS),
  "mcp/manifests/tracker.json": manifest(...TOOLS),
};

type Layer = Readonly<Record<string, object | null>>;

function stacked(layers: readonly Layer[], { base = false, own = "" } = {}): Compilation {
  return compiledLayers(
    layers.map((servers) => ({ mcp_servers: servers })),
    { base, own },
  );
}

function compiledLayers(layers: readonly object[], { base = false, own = "" } = {}): Compilation {
  const files = layers.map((layer, i) => [`layer-${i}.json`, JSON.stringify(layer)] as const);
  const listed = [...(base ? ["mcp/presets/playwright.yaml"] : []), ...files.map(([file]) => file)];
  return compiled({
    "rolecall.yaml": `version: 1\nproject: test\nlayers: [${listed.join(", ")}]\n${own}`,
    "mcp/presets/playwright.yaml": PRESET,
    ...MANIFESTS,
    ...Object.fromEntries(files),
  });
}

function commandOf({ plan }: Compilation, name: string): string[] {
  const [connect] = plan.servers.find((server) => server.name === name)?.connect ?? [];
  return connect?.kind === "stdio" ? connect.command.map(({ written }) => written) : [];
}

const all = (server: string): string[] => TOOLS.map((tool) => `${server}.${tool}`);

describe("layers", () => {
  test("what a prebuild gives, a session that doesn't name it has too", () => {
    const compilation = stacked([{ tracker: local("tracker-server") }, {}]);
    expect(errors(compilation)).toEqual([]);
    expect(heldBy(compilation)).toEqual(all("tracker"));
  });

  test("the last one says how a server is reached, whole", () => {
    const compilation = stacked([
      { tracker: local("tracker-server", { env: { A: "1" } }) },
      { tracker: local("other-server", { env: { B: "2" } }) },
    ]);
    expect(commandOf(compilation, "tracker")).toEqual(["other-server"]);
    const [connect] = compilation.plan.servers[0]!.connect;
    expect(connect?.kind === "stdio" && connect.env.map(({ name }) => name)).toEqual(["B"]);
  });

  test("what several allow is what each of them allows", () => {
    const compilation = stacked([
      { tracker: local("tracker-server", { allowedTools: ["look", "click"] }) },
      { tracker: local("tracker-server") },
      { tracker: local("tracker-server", { allowedTools: ["look", "type"] }) },
    ]);
    expect(errors(compilation)).toEqual([]);
    expect(heldBy(compilation)).toEqual(["tracker.look"]);
  });

  test.each([
    ["`enabled: false`", local("tracker-server", { enabled: false })],
    ["null", null],
  ])("%s takes a server out for good, and that narrows", (_, out) => {
    const given = { tracker: local("tracker-server") };
    const before = stacked([given]);
    const after = stacked([given, { tracker: out }]);
    expect(errors(after)).toEqual([]);
    expect(heldBy(after)).toEqual([]);
    expect(heldBy(stacked([given, { tracker: out }, given]))).toEqual([]);
    const changes = compareAccess(accessOf(before.plan), accessOf(after.plan), ["tracker"]);
    expect(changes.map(({ tool, after: now }) => [tool, now.effect])).toEqual(TOOLS.map((tool) => [tool, "deny"]));
  });

  test("null for what no layer below brings is an error with the nearest name", () => {
    const { diagnostics } = stacked([{ tracker: local("tracker-server") }, { traker: null }]);
    const [wrong, ...more] = diagnostics.filter(({ severity }) => severity === "error");
    expect(more).toEqual([]);
    expect([wrong?.code, wrong?.help]).toEqual(["import/takes-out-nothing", "did you mean `tracker`?"]);
  });

  test("a server of ours refines what the layers come to, and lifts nothing", () => {
    const own = "servers: { tracker: { from: layer-1.json, tools: [look, type], whenDown: Wait. } }\n";
    const layers = [
      { tracker: local("tracker-server", { allowedTools: ["look", "click"] }) },
      { tracker: local("other-server") },
    ];
    const compilation = stacked(layers, { own });
    expect(errors(compilation)).toEqual([]);
    expect(heldBy(compilation)).toEqual(["tracker.look"]);
    expect(commandOf(compilation, "tracker")).toEqual(["other-server"]);
    expect(compilation.plan.servers[0]?.whenDown).toBe("Wait.");
  });
});

describe("a preset as the lowest layer", () => {
  const server = (compilation: Compilation) => compilation.plan.servers.find(({ name }) => name === "playwright");

  test("is there with all that it says, whatever the others name", () => {
    const compilation = stacked([{ tracker: local("tracker-server") }], { base: true });
    expect(errors(compilation)).toEqual([]);
    expect(heldBy(compilation)).toEqual([...all("playwright"), ...all("tracker")]);
    expect(server(compilation)).toMatchObject({ title: "A browser", connection: "session", givesWay: true });
    expect(server(compilation)?.labels).toEqual(["untrusted-content"]);
    const asked = compilation.plan.roles[0]!.grants[0]!.decisions.map(({ effect }) => effect);
    expect(asked).toEqual(["allow", "allow", "ask"]);
  });

  test("a user's entry of its name says how it is reached, and what the preset says beside that stays", () => {
    const compilation = stacked([{ playwright: local("my-browser", { allowedTools: ["look", "type"] }) }], {
      base: true,
    });
    expect(errors(compilation)).toEqual([]);
    expect(commandOf(compilation, "playwright")).toEqual(["my-browser"]);
    expect(heldBy(compilation)).toEqual(["playwright.look", "playwright.type"]);
    expect(server(compilation)).toMatchObject({
      connection: "session",
      limits: { timeoutMs: 20_000 },
      givesWay: false,
    });
  });

  test.each([
    ["`enabled: false`", local("browser-server", { enabled: false })],
    ["null", null],
  ])("%s switches it off", (_, out) => {
    const compilation = stacked([{ playwright: out }], { base: true });
    expect(errors(compilation)).toEqual([]);
    expect(heldBy(compilation)).toEqual([]);
  });
});

/** What the product's own words come to, without a line of the compiler's. */
function naive(layers: readonly Layer[], names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const said = layers.flatMap((layer) => (Object.hasOwn(layer, name) ? [layer[name] as Said | null] : []));
    if (said.some((one) => one === null || !one.enabled)) return [];
    if (said.length === 0) return [];
    return TOOLS.filter((tool) => said.every((one) => one!.allowedTools?.includes(tool) ?? true)).map(
      (tool) => `${name}.${tool}`,
    );
  });
}

interface Said {
  readonly enabled: boolean;
  readonly allowedTools?: readonly string[];
}

const said = fc.record(
  {
    type: fc.constant("local"),
    command: fc.array(fc.constantFrom("tracker-server", "--all", "${TEAM}", "a b; rm"), { minLength: 1, maxLength: 3 }),
    enabled: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    allowedTools: fc.uniqueArray(fc.constantFrom(...TOOLS)),
    env: fc.dictionary(fc.constantFrom("A", "B"), fc.constantFrom("1", "${TEAM}", "$")),
    description: fc.constantFrom("", "For the harbour"),
  },
  { requiredKeys: ["type", "command", "enabled"] },
);
const layer = fc.dictionary(
  fc.constantFrom("playwright", "tracker"),
  fc.oneof({ weight: 8, arbitrary: said }, { weight: 1, arbitrary: fc.constant(null) }),
);

test("over any layers a role holds what none of them takes away, and nothing else", () => {
  let seen = 0;
  fc.assert(
    fc.property(fc.array(layer, { minLength: 1, maxLength: 4 }), fc.boolean(), (layers, base) => {
      const compilation = stacked(layers, { base });
      const whole: readonly Layer[] = base ? [{ playwright: { enabled: true } }, ...layers] : layers;
      const expected = naive(whole, ["playwright", "tracker"]);
      const isLost = ["playwright", "tracker"].some(
        (name) => whole.find((one) => Object.hasOwn(one, name))?.[name] === null,
      );
      expect(errors(compilation)).toEqual(isLost ? expect.arrayContaining(["import/takes-out-nothing"]) : []);
      if (isLost) return;
      expect(heldBy(compilation)).toEqual(expected);
      if (expected.length > 0) seen++;
    }),
    { numRuns: 150 },
  );
  expect(seen).toBeGreaterThan(15);
});

const tools = fc.uniqueArray(fc.constantFrom(...TOOLS));
const squadLayer = fc.record({
  servers: fc.record({
    tracker: fc.record({ command: fc.constant("tracker-server"), tools: tools }, { requiredKeys: ["command"] }),
  }),
  agentServers: fc.record({ tester: fc.constantFrom<string[]>([], ["tracker"]) }),
  toolRestrictions: fc.record({
    tester: fc.record({ tracker: fc.record({ include: tools, exclude: tools }, { requiredKeys: [] }) }),
  }),
});

test("over any layers with roles of their own, too", () => {
  let seen = 0;
  fc.assert(
    fc.property(fc.array(squadLayer, { minLength: 1, maxLength: 4 }), (layers) => {
      const speaking = layers.filter(({ agentServers }) => agentServers.tester.length > 0);
      const naively = TOOLS.filter(
        (tool) =>
          speaking.length > 0 &&
          layers.every(({ servers }) => servers.tracker.tools?.includes(tool) ?? true) &&
          speaking.every(({ toolRestrictions: { tester } }) => {
            const { include = TOOLS, exclude = [] } = tester.tracker;
            return include.includes(tool) && !exclude.includes(tool);
          }),
      );
      const compilation = compiledLayers(layers);
      const held = heldBy(compilation, "tester");
      expect(held.filter((one) => !naively.includes(one.slice("tracker.".length)))).toEqual([]);
      if (errors(compilation).length > 0) return;
      expect(held).toEqual(naively.map((tool) => `tracker.${tool}`));
      if (held.length > 0) seen++;
    }),
    { numRuns: 150 },
  );
  expect(seen).toBeGreaterThan(8);
});
