import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadTypeScript } from "../../compiler/io/read/typescript-library.ts";
import { openApp, standings, usageIn, type App } from "../usage/app.ts";

/**
 * 200 files of an app, each of which sees the roles, in at most 3 s on a machine with nothing else to do: no more than
 * twice what the same TypeScript takes to check a program of them, which is a figure that a busy machine doesn't move.
 */

const FILES = 200;
const ROUNDS = 2;

function fileOf(i: number): string {
  const head = `import { team, tester as role } from "../mcp/index.js";
${i > 0 ? `import { step${i - 1} } from "./f${i - 1}.js";\n` : ""}export interface Item${i} { id: number; name: string; tags: readonly string[] }
export const open${i} = () => team().as(role);
export async function step${i}(s: ReturnType<typeof open${i}>, items: readonly Item${i}[]): Promise<number> {
  const found = await s.tracker.list_issues({});
  return items.length + found.text.length${i > 0 ? ` + (await step${i - 1}(s, []))` : ""};
}
`;
  const service = (k: number): string => `
export class Service${i}_${k} {
  readonly #items = new Map<string, Item${i}>();
  constructor(private readonly session: ReturnType<typeof open${i}>, private readonly name: string) {}
  add(item: Item${i}): this { this.#items.set(item.name, item); return this; }
  total(): number { return [...this.#items.values()].map(({ id }) => id).filter((id) => id > ${k}).reduce((a, b) => a + b, 0); }
  async run(): Promise<string> {
    const total = await step${i}(this.session, [...this.#items.values()]);
    return \`\${this.name} \${total + this.total()}\`;
  }
}
`;
  return head + [0, 1, 2, 3, 4, 5].map(service).join("");
}

let app: App;
beforeAll(async () => {
  app = await openApp();
  app.write(Object.fromEntries(Array.from({ length: FILES }, (_, i) => [`src/app/f${i}.ts`, fileOf(i)])));
});
afterAll(() => app.close());

test("200 files are read in less than twice the time that TypeScript checks them in", { timeout: 600_000 }, () => {
  const { ts, libFolder, readLib } = loadTypeScript(path.resolve(import.meta.dirname, "../.."))!;
  const check = (): number => {
    const options = {
      strict: true,
      noEmit: true,
      types: [],
      lib: ["lib.esnext.d.ts"],
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ESNext,
      skipLibCheck: true,
    };
    const host = ts.createCompilerHost(options, true);
    const names = Array.from({ length: FILES }, (_, i) => path.join(app.dir, `src/app/f${i}.ts`));
    const program = ts.createProgram(names, options, {
      ...host,
      getDefaultLibLocation: () => libFolder,
      getSourceFile: (file, how, ...more) =>
        file.startsWith(`${libFolder}/`)
          ? ts.createSourceFile(file, readLib(file) ?? "", how)
          : host.getSourceFile(file, how, ...more),
    });
    return program.getSemanticDiagnostics().length;
  };
  const taken = (work: () => unknown): number => {
    const start = process.cpuUsage();
    work();
    return process.cpuUsage(start).user / 1000;
  };
  expect(standings(usageIn(app.dir))).toEqual({ "tester.tracker.list_issues": "used" });
  check();
  const rounds = Array.from({ length: ROUNDS }, () => ({ ours: taken(() => usageIn(app.dir)), theirs: taken(check) }));
  const [ours, theirs] = [Math.min(...rounds.map((one) => one.ours)), Math.min(...rounds.map((one) => one.theirs))];
  console.log(`read ${ours.toFixed(0)} ms, TypeScript's own check ${theirs.toFixed(0)} ms of processor time`);
  expect(ours / theirs).toBeLessThan(2);
});
