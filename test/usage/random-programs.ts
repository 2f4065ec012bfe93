import ts from "typescript-6";
import { HOLDS } from "./app.ts";

/** Small programs, made of shapes that real ones have, and run on sessions that write down what is called. */

export interface Program {
  readonly text: string;
  /** `role.server.tool` of every call that was made. */
  ran(): Promise<ReadonlySet<string>>;
}

/** `pick(n)`: a number below n; the same ones make the same program. */
export type Pick = (n: number) => number;

const TOOLS = ["get_issue", "list_issues", "create_issue", "merge", "read_file", "write_file"];

const PRELUDE = `import { team, tester as testerRole, lead as leadRole } from "./mcp/index.js";
const t = team();
`;

const HELPERS = `
const yes = process.argv.length > 0;
function dyn(k: string): any { return k; }
function id<X>(x: X): X { return x; }
function open(x: any): any { return x; }
function same(x: unknown): any { return x; }
class Box<X> { constructor(readonly x: X) {} get(): X { return this.x; } }
class Anything { held: any; constructor(x: any) { this.held = x; } }
function hasTracker<X extends { readonly tracker: object }>(x: X): X { return x; }
type Narrow = { readonly tracker: { get_issue(): Promise<unknown> } };
function narrow(x: Narrow): Narrow { return x; }
type Reads = Pick<typeof tester0.tracker, "get_issue">;
function reads(x: Reads): Reads { return x; }
function asTester(x: { readonly tracker: Reads }): { readonly tracker: Reads } { return x; }
function apart({ tracker }: { readonly tracker: Reads }): Reads { return tracker; }
const store: { last?: any; s?: typeof tester0 } = {};
`;

type Way = (value: string, other: string) => string;

/** Through what a session or a server may go, and is the same behind it. */
const THROUGH: readonly Way[] = [
  (v) => `(${v})`,
  (v) => `(${v})!`,
  (v) => `(await Promise.resolve(${v}))`,
  (v) => `[${v}][0]!`,
  (v) => `({ v: ${v} }).v`,
  (v) => (v.includes("await") ? v : `(() => ${v})()`),
  (v) => `(await (async () => ${v})())`,
  (v) => `id(${v})`,
  (v) => `open(${v})`,
  (v) => `same(${v})`,
  (v) => `new Box(${v}).get()`,
  (v) => `new Box(${v}).x`,
  (v) => `new Anything(${v}).held`,
  (v) => `(${v} as any)`,
  (v) => `({ ...${v} })`,
  (v) => `(({ ...r }) => r)(${v})`,
  (v) => `Object.assign({}, ${v})`,
  (v) => `new Map([["a", ${v}]]).get("a")!`,
  (v) => `[...new Set([${v}])][0]!`,
  (v, o) => `(yes ? ${v} : ${o})`,
  (v, o) => `(yes ? ${o} : ${v})`,
  (v, o) => `[${v}, ${o}].at(-1)!`,
  (v, o) => `[${o}, ${v}].find(() => yes)!`,
  (v) => `[${v}].map((x) => x)[0]!`,
  (v) => `[${v}].map((x: any) => x)[0]!`,
  (v) => `[${v}].reduce((a: any, x) => x, undefined)`,
  (v) => `(store.last = ${v})`,
  (v) => (v.includes("await") ? v : `(await new Promise<any>((done) => done(${v})))`),
  (v) => `(function () { return arguments[0]; })(${v})`,
  (v) => (v.includes("await") ? v : `((x = ${v}) => x)()`),
  (v) => `Object.values({ a: ${v} })[0]!`,
  (v) => `Reflect.get({ a: ${v} }, "a")`,
  (v) => `(({ a: { b } }) => b)({ a: { b: ${v} } })`,
  (v) => `(([x]) => x)([${v}])`,
  (v) => `((...xs: any[]) => xs[0])(${v})`,
  (v) => `((...xs) => xs[0])(${v})`,
];

const SESSION_THROUGH: readonly Way[] = [
  ...THROUGH,
  (v) => `narrow(${v} as any)`,
  (v) => `asTester(${v})`,
  (v) => `hasTracker(${v})`,
  (v) => `narrow(${v})`,
];

/** From a session to its tracker. */
const TRACKER: readonly Way[] = [
  (v) => `(${v}).tracker`,
  (v) => `(${v})?.tracker`,
  (v) => `(${v})["tracker"]`,
  (v) => `(${v})[dyn("tracker")]`,
  (v) => `(({ tracker }) => tracker)(${v})`,
  (v) => `(({ tracker: gh, ...rest }) => gh)(${v})`,
  (v) => `apart(${v})`,
  (v) => `Object.values(${v}).find((x: any) => x?.get_issue) as any`,
];

const SERVER_THROUGH: readonly Way[] = [...THROUGH, (v) => `reads(${v})`];

/** Calls of a server. */
const CALLS: readonly ((value: string, tool: string) => string)[] = [
  (v, tool) => `await (${v} as any)?.${tool}?.();`,
  (v, tool) => `await (${v}).${tool}?.();`,
  (v, tool) => `await (${v})["${tool}"]?.();`,
  (v, tool) => `{ const K = "${tool}"; await (${v})[K]?.(); }`,
  (v, tool) => `await (${v})[dyn("${tool}")]?.();`,
  (v, tool) => `{ const { ${tool}: f } = ${v}; await f?.(); }`,
  (v, tool) => `{ const f = (${v}).${tool}; await f?.(); }`,
  (v) => `for (const f of Object.values(${v}) as any[]) await f();`,
  (v, tool) => `for (const k in ${v}) if (k === "${tool}") await (${v} as any)[k]();`,
];

const SESSION_CALLS: readonly ((value: string, tool: string) => string)[] = [
  (v, tool) => `await (${v}).$call?.("tracker", "${tool}");`,
  (v, tool) => `await (${v}).$call?.(dyn("tracker"), dyn("${tool}"));`,
  (v, tool) => `{ const N = { tool: "${tool}" } as const; await (${v}).$call?.("tracker", N.tool as any); }`,
  (v, tool) => `{ const { $call: c } = ${v}; await c?.("tracker", "${tool}" as any); }`,
  (v, tool) => `await (${v}).files?.${tool}?.();`,
];

export function randomProgram(pick: Pick): Program {
  const lines: string[] = [];
  const sessions = ["tester0", "lead0", "t.as(testerRole)", 't.as(yes ? "tester" : "lead")'];
  const servers: string[] = [];
  const one = <Item>(items: readonly Item[]): Item => items[pick(items.length)]!;
  const through = (value: string, ways: readonly Way[], others: readonly string[]): string => {
    let made = value;
    for (let i = pick(3); i > 0; i--) made = one(ways)(made, one(others));
    return made;
  };
  const keep = (value: string, among: string[]): void => {
    const name = `v${lines.length}`;
    lines.push(`${one(["const", "let", "const"])} ${name} = ${value};`);
    among.push(name);
  };
  for (let i = 2 + pick(5); i > 0; i--) {
    const session = through(one(sessions), SESSION_THROUGH, sessions);
    const what = pick(4);
    if (what === 0) keep(session, sessions);
    else if (what === 1) lines.push(one(SESSION_CALLS)(session, one(TOOLS)));
    else {
      const tracker = through(one([one(TRACKER)(session, ""), ...servers]), SERVER_THROUGH, [
        ...servers,
        "tester0.tracker",
      ]);
      if (what === 2) keep(tracker, servers);
      else lines.push(one(CALLS)(tracker, one(TOOLS)));
    }
  }
  const starts = 'const tester0 = t.as("tester");\nconst lead0 = t.as("lead");\n';
  const body = `${starts}${HELPERS}${lines.map((line) => `try { ${line.replace(/^(?:const|let) /, "var ")} } catch {}`).join("\n")}\n`;
  const shown = `${starts}${HELPERS}${lines.join("\n")}\n`;
  return { text: `${PRELUDE}${shown}export {};\n`, ran: () => run(body) };
}

async function run(body: string): Promise<ReadonlySet<string>> {
  const called = new Set<string>();
  const session = (role: keyof typeof HOLDS): object => {
    const servers = Object.entries(HOLDS[role]).map(([server, tools]) => {
      const functions = tools.map((tool: string) => [tool, async () => void called.add(`${role}.${server}.${tool}`)]);
      return [server, Object.fromEntries(functions) as Record<string, () => Promise<void>>] as const;
    });
    const held = Object.fromEntries(servers);
    return { ...held, $role: role, $call: async (server: string, tool: string) => held[server]?.[tool]?.() };
  };
  const fake = {
    as: (role: keyof typeof HOLDS | { name: keyof typeof HOLDS }) =>
      session(typeof role === "string" ? role : role.name),
  };
  const { outputText } = ts.transpileModule(body, {
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
  });
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
    ...text: string[]
  ) => (...args: object[]) => Promise<void>;
  await new AsyncFunction("t", "testerRole", "leadRole", outputText.replace(/^export .*$/m, ""))(
    fake,
    { name: "tester" },
    { name: "lead" },
  );
  return called;
}
