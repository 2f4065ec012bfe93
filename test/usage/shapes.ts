/** `T` is the whole of tester, `T.tracker` a server of it, `T.tracker.get_issue` a tool. What isn't listed is unused. */
export interface Shape {
  readonly name: string;
  readonly code: string;
  readonly used?: readonly string[];
  readonly possibly?: readonly string[];
  readonly model?: readonly string[];
  readonly file?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Without the lines that make the sessions. */
  readonly bare?: true;
}

const GET = ["T.tracker.get_issue"];
const LIST = ["T.tracker.list_issues"];

export const SHAPES: readonly Shape[] = [
  { name: "nothing", code: "" },
  { name: "a property", code: "await tester.tracker.get_issue();", used: GET },
  { name: "an optional property", code: "await tester?.tracker?.get_issue?.();", used: GET },
  { name: "a literal element", code: 'await tester["tracker"]["get_issue"]();', used: GET },
  { name: "a constant element", code: 'const K = "get_issue"; await tester.tracker[K]();', used: GET },
  {
    name: "an element of a union",
    code: 'const k = Math.random() > 0.5 ? "get_issue" : "list_issues"; await tester.tracker[k]();',
    used: [...GET, ...LIST],
  },
  {
    name: "an element made at run time",
    code: "const k = process.argv[2] as string; await (tester.tracker as any)[k]();",
    possibly: ["T.tracker"],
  },
  {
    name: "a dynamic key of the type",
    code: "declare const k: keyof typeof tester.tracker; await tester.tracker[k]();",
    used: ["T.tracker"],
  },
  {
    name: "a dynamic server",
    code: "declare const k: string; await (tester as Record<string, any>)[k].get_issue();",
    possibly: ["T"],
  },
  { name: "an alias of a server", code: "const gh = tester.tracker; await gh.get_issue();", used: GET },
  { name: "an alias of a tool", code: "const get = tester.tracker.get_issue; await get();", used: GET },
  { name: "destructured", code: "const { tracker } = tester; await tracker.get_issue();", used: GET },
  {
    name: "destructured, nested and renamed",
    code: "const { tracker: { get_issue: g } } = tester; await g();",
    used: GET,
  },
  {
    name: "destructured from a server",
    code: "const { get_issue, list_issues: l } = tester.tracker;",
    used: [...GET, ...LIST],
  },
  {
    name: "a rest of a session",
    code: "const { files, ...rest } = tester; await rest.tracker.get_issue();",
    used: GET,
    possibly: ["T.tracker"],
  },
  {
    name: "a rest of a server",
    code: "const { get_issue, ...others } = tester.tracker; await others.list_issues();",
    used: GET,
    possibly: ["T.tracker"],
  },
  {
    name: "destructured in a parameter",
    code: "async function f({ tracker }: typeof tester) { await tracker.get_issue(); } await f(tester);",
    used: GET,
  },
  {
    name: "destructured by a computed name",
    code: 'const K = "get_issue"; const { [K]: g } = tester.tracker; await g();',
    used: GET,
  },
  {
    name: "destructured by an unknown name",
    code: "declare const k: keyof typeof tester.tracker; const { [k]: g } = tester.tracker;",
    possibly: ["T.tracker"],
  },
  { name: "an assignment that takes apart", code: "let tracker: any; ({ tracker } = tester);", possibly: ["T"] },
  { name: "await using", code: 'await using s = t.as("tester"); await s.tracker.get_issue();', used: GET },
  { name: "by the role's value", code: "await t.as(testerRole).tracker.get_issue();", used: GET },
  {
    name: "the light door",
    code: 'import { tester } from "./mcp/roles/tester.js"; import { team } from "./mcp/runtime.js"; await team().as(tester).tracker.get_issue();',
    bare: true,
    used: GET,
  },
  { name: "$call with literals", code: 'await tester.$call("tracker", "get_issue");', used: GET },
  {
    name: "$call with constants",
    code: 'const S = "tracker"; const T = { get: "get_issue" } as const; await tester.$call(S, T.get);',
    used: GET,
  },
  {
    name: "$call with an enum",
    code: 'enum N { Get = "get_issue" } await tester.$call("tracker" as any, N.Get as any);',
    used: GET,
  },
  {
    name: "$call with a union",
    code: 'const k = Math.random() > 0.5 ? "get_issue" as const : "list_issues" as const; await tester.$call("tracker", k);',
    used: [...GET, ...LIST],
  },
  {
    name: "$call with a tool made at run time",
    code: 'declare const k: string; await tester.$call("tracker", k);',
    possibly: ["T.tracker"],
  },
  {
    name: "$call with both made at run time",
    code: "declare const k: string; await tester.$call(k, k);",
    possibly: ["T"],
  },
  {
    name: "$call with a server made at run time",
    code: 'declare const k: string; await tester.$call(k, "get_issue");',
    possibly: GET,
  },
  { name: "$call taken away", code: 'const call = tester.$call; await call("tracker", "get_issue");', possibly: ["T"] },
  { name: "$call taken out", code: "const { $call } = tester;", possibly: ["T"] },
  {
    name: "$call with a spread",
    code: 'const a = ["tracker", "get_issue"] as const; await tester.$call(...a);',
    possibly: ["T"],
  },
  {
    name: "a typed parameter",
    code: "async function f(s: typeof tester) { await s.tracker.get_issue(); } await f(tester);",
    used: GET,
  },
  {
    name: "a parameter of the servers' type",
    code: 'import type { TesterServers } from "./mcp/index.js"; async function f(s: TesterServers) { await s.tracker.get_issue(); } await f(tester);',
    used: GET,
  },
  {
    name: "a parameter of a server's type",
    code: "async function f(s: typeof tester.tracker) { await s.get_issue(); } await f(tester.tracker);",
    used: GET,
  },
  {
    name: "a narrower parameter",
    code: 'async function f(s: Pick<typeof tester.tracker, "get_issue">) { await s.get_issue(); } await f(tester.tracker);',
    used: GET,
  },
  {
    name: "a parameter of a shape of its own",
    code: "async function f(s: { get_issue(): Promise<unknown> }) { await s.get_issue(); } await f(tester.tracker);",
    possibly: ["T.tracker"],
  },
  {
    name: "a generic parameter",
    code: "async function f<S>(s: S) { return s; } await (await f(tester)).tracker.get_issue();",
    used: GET,
    possibly: ["T"],
  },
  {
    name: "a bound generic parameter",
    code: "async function f<S extends typeof tester>(s: S) { await s.tracker.get_issue(); } await f(tester);",
    used: GET,
  },
  {
    name: "two roles through one parameter",
    code: "async function f(s: { readonly get_issue: typeof tester.tracker.get_issue }) { await s.get_issue(); } await f(tester.tracker); await f(lead.tracker);",
    possibly: ["T.tracker", "L.tracker"],
  },
  {
    name: "two roles through a picked parameter",
    code: 'async function f(s: Pick<typeof tester.tracker, "get_issue">) { await s.get_issue(); } await f(tester.tracker); await f(lead.tracker);',
    used: ["T.tracker.get_issue", "L.tracker.get_issue"],
  },
  {
    name: "one role as another",
    code: 'type S = { tracker: Pick<typeof lead.tracker, "get_issue"> }; async function f(s: S) { await s.tracker.get_issue(); } await f(tester); await f(lead);',
    used: ["T.tracker.get_issue", "L.tracker.get_issue"],
  },
  {
    name: "one of two roles",
    code: "const s = Math.random() > 0.5 ? tester : lead; await s.tracker.get_issue();",
    used: ["T.tracker.get_issue", "L.tracker.get_issue"],
  },
  {
    name: "one of two servers",
    code: "const s = Math.random() > 0.5 ? tester.tracker : lead.tracker; await s.get_issue();",
    used: ["T.tracker.get_issue", "L.tracker.get_issue"],
  },
  { name: "a variable that changes", code: "let s = tester.tracker; await s.get_issue();", used: GET },
  { name: "in an object", code: "const ctx = { s: tester }; await ctx.s.tracker.get_issue();", used: GET },
  { name: "in an object that is lost", code: "const ctx = { s: tester }; console.log(ctx);", possibly: ["T"] },
  { name: "a server in an object", code: "const ctx = { gh: tester.tracker }; await ctx.gh.get_issue();", used: GET },
  {
    name: "in a list",
    code: "for (const s of [tester, lead]) await s.tracker.get_issue();",
    used: ["T.tracker.get_issue", "L.tracker.get_issue"],
  },
  { name: "in a map", code: 'const m = new Map([["a", tester]]); await m.get("a")?.tracker.get_issue();', used: GET },
  { name: "in a promise", code: "await Promise.resolve(tester).then((s) => s.tracker.get_issue());", used: GET },
  {
    name: "a callback that takes any",
    code: "await Promise.resolve(tester).then((s: any) => s.tracker.get_issue());",
    possibly: ["T"],
  },
  {
    name: "a function that takes any",
    code: "function f(s: any) { return s[process.argv[2]!]; } [tester].map(f);",
    possibly: ["T"],
  },
  { name: "returned", code: 'const make = () => t.as("tester"); await make().tracker.get_issue();', used: GET },
  {
    name: "returned as a promise",
    code: "async function make() { return tester; } await (await make()).tracker.get_issue();",
    used: GET,
  },
  {
    name: "returned as anything",
    code: "function make(): any { return tester; } await make().tracker.get_issue();",
    possibly: ["T"],
  },
  {
    name: "a field of a class",
    code: "class A { constructor(private s: typeof tester) {} run() { return this.s.tracker.get_issue(); } } await new A(tester).run();",
    used: GET,
  },
  {
    name: "a field without a type",
    code: "class A { s = tester; run() { return this.s.tracker.get_issue(); } } await new A().run();",
    used: GET,
  },
  {
    name: "a method that takes more than its interface",
    code: "interface R { run(s: typeof tester): unknown } class A implements R { run(s: any) { return s[process.argv[2]!]; } } const r: R = new A(); r.run(tester);",
    possibly: ["T"],
  },
  { name: "any", code: "const s: any = tester; await s.tracker.get_issue();", possibly: ["T"] },
  { name: "unknown", code: "const s: unknown = tester;", possibly: ["T"] },
  { name: "a spread", code: "const s = { ...tester }; await s.tracker.get_issue();", used: GET, possibly: ["T"] },
  { name: "JSON", code: "JSON.stringify(tester);", possibly: ["T"] },
  { name: "Object.values", code: "for (const f of Object.values(tester.tracker)) await f();", possibly: ["T.tracker"] },
  { name: "Reflect.get", code: 'Reflect.get(tester.tracker, "get_issue");', possibly: ["T.tracker"] },
  { name: "a cast that is read", code: "await (tester as any).tracker.get_issue();", possibly: ["T"] },
  { name: "a cast of a server that is read", code: "await (tester.tracker as any).get_issue();", used: GET },
  {
    name: "looked at and no more",
    code: 'if (tester && "tracker" in tester) await tester.$ready(); tester.$health();',
  },
  { name: "$tools", code: "await tester.$tools();", model: ["T"] },
  { name: "$hooks", code: "const h = tester.$hooks;", model: ["T"] },
  { name: "aiTools", code: 'import { aiTools } from "./mcp/hosts/ai-sdk.js"; await aiTools(tester);', model: ["T"] },
  {
    name: "aiTools by another name",
    code: 'import * as ai from "./mcp/hosts/ai-sdk.js"; await ai.aiTools(tester);',
    model: ["T"],
  },
  { name: "aiPrompt alone", code: 'import { aiPrompt } from "./mcp/hosts/ai-sdk.js"; aiPrompt(tester);' },
  {
    name: "a name made at run time",
    code: 'declare const r: "tester" | "lead"; await t.as(r).tracker.get_issue();',
    used: ["T.tracker.get_issue", "L.tracker.get_issue"],
  },
  {
    name: "a name of which nothing is known",
    code: "declare const r: any; const s: any = t.as(r);",
    possibly: ["T", "L"],
  },
  { name: "the team is lost", code: "const x: any = t;", possibly: ["T", "L"] },
  {
    name: "exported and used elsewhere",
    code: "export const gh = tester.tracker;",
    files: { "src/other.ts": 'import { gh } from "./app.js"; await gh.get_issue();' },
    used: GET,
  },
  {
    name: "exported again",
    code: "export { tester as agent };",
    files: {
      "src/other.ts": 'export { agent as again } from "./app.js";',
      "src/third.ts": 'import * as o from "./other.js"; await o.again.tracker.get_issue();',
    },
    used: GET,
  },
  {
    name: "imported when needed",
    code: 'const m = await import("./mcp/index.js"); await m.team().as("tester").tracker.get_issue();',
    bare: true,
    used: GET,
  },
  {
    name: "required without types",
    code: 'import { createRequire } from "node:module"; const r = createRequire(import.meta.url); r("./mcp/index.js").team();',
    bare: true,
    possibly: ["T", "L"],
  },
  {
    name: "JavaScript",
    file: "src/app.js",
    code: 'await tester.tracker.get_issue(); await tester.$call("tracker", "list_issues");',
    used: [...GET, ...LIST],
  },
  {
    name: "a function in JavaScript",
    file: "src/app.js",
    code: "function f(s) { return s.tracker.get_issue(); } await f(tester);",
    possibly: ["T"],
  },
  {
    name: "mistakes in the code",
    code: "await tester.tracker.get_issue(; const x = { list_issues",
    used: GET,
    possibly: ["T.tracker.list_issues", "L.tracker.list_issues", "L.tracker.get_issue"],
  },
  {
    name: "an app in a framework's file",
    file: "src/app.vue",
    bare: true,
    code: '<script setup>\nimport { team } from "./mcp/index.js";\n</script>',
    possibly: ["T", "L"],
  },
  {
    name: "types alone",
    code: 'import type { TesterServers } from "./mcp/index.js"; type A = keyof TesterServers["tracker"];',
  },
];
