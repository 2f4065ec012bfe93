import { readFileSync } from "node:fs";
import path from "node:path";
import { examineManifest } from "../1-source/examine-manifest.ts";
import type { Plan, Server } from "../3-plan/types.ts";
import type { JsonObject } from "../base/json.ts";
import { sorted } from "../base/order.ts";
import { compareManifests, isSame } from "../capture/compare-manifests.ts";
import { expandTransport, type Expansion } from "../capture/expand.ts";
import { leakFailure, machineVariables } from "../capture/leaks.ts";
import { manifestText } from "../capture/manifest-text.ts";
import { maskOf } from "../capture/mask.ts";
import { suspicionsIn } from "../capture/poison.ts";
import type { Asked, Captured, Failure, ServerAnswer, Warnings } from "../capture/types.ts";
import { unsteadyTools } from "../capture/unsteady.ts";
import { createReport } from "../diagnostics/report.ts";
import { askServer, type AskOptions } from "../io/ask-server.ts";
import type { Context } from "./command.ts";
import type { NotFound } from "./find-tool.ts";
import { createProgress } from "./progress.ts";
import { version } from "./version.ts";
import { nameThem, notFound } from "./words.ts";

/** One server for each pin: of those that share one, the server named for it, else the first. */
export function chooseServers(plan: Plan, names: readonly string[]): readonly Server[] | NotFound {
  const known = plan.servers.map((server) => server.name as string);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) return { problem: notFound("server", unknown, known), next: nameThem("server", known) };
  const wanted = plan.servers.filter((server) => names.length === 0 || names.includes(server.name));
  const pins = sorted(new Set(wanted.map((server) => server.pin)));
  return pins.map((pin) => {
    const sharing = wanted.filter((server) => server.pin === pin);
    return sharing.find((server) => server.name === pin) ?? sharing[0]!;
  });
}

/** More at once would only make each of them slower. */
const AT_ONCE = 8;
const TICK_MS = 250;

/** Asks all of them, several at once; one that fails doesn't stop the others. In the order given. */
export async function askServers(
  context: Context,
  plan: Plan,
  servers: readonly Server[],
  timeoutMs: number | undefined,
): Promise<Captured[]> {
  const progress = createProgress(context.terminal);
  const open = new Set<string>();
  const results: Captured[] = [];
  const tell = () => progress.tell(`asking ${[...open].join(", ")}`);
  const ticking = context.terminal.err.isTerminal ? setInterval(tell, TICK_MS) : undefined;
  let next = 0;
  const work = async () => {
    for (let i = next++; i < servers.length; i = next++) {
      const server = servers[i]!;
      open.add(server.name);
      results[i] = await captureOne(context, plan, server, timeoutMs);
      open.delete(server.name);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    clearInterval(ticking);
    progress.done();
  }
  return results;
}

async function captureOne(
  context: Context,
  plan: Plan,
  server: Server,
  timeoutMs: number | undefined,
): Promise<Captured> {
  const ways = server.connect.map((transport) => expandTransport(transport, (name) => context.terminal.env[name]));
  const values = ways.flatMap((way) => ("connection" in way ? way.values : []));
  const base = {
    server: server.name,
    pin: server.pin,
    file: `${plan.project.folder}/manifests/${server.pin}.json`,
    mask: maskOf(values.map(({ value }) => value)),
  };
  const options = { dir: context.dir, timeoutMs: timeoutMs ?? server.limits.timeoutMs, clientVersion: version };
  const asked = await askServer(ways, options);
  if ("failure" in asked)
    return { ...base, state: "failed", failure: withWhere(asked.failure, server), tried: asked.tried };
  const way = ways[asked.worked] as Expansion;
  return { ...base, ...(await judge(context, plan, server, base, asked, way, options)) };
}

/** The preset may know where a missing variable comes from. */
function withWhere(failure: Failure, server: Server): Failure {
  if (failure.kind === "needs-auth") return { ...failure, next: `${failure.next}: rolecall login ${server.name}` };
  if (failure.kind !== "missing-variable") return failure;
  const variable = server.variables.find(({ name, url }) => url !== undefined && failure.says.includes(`\`${name}\``));
  return variable === undefined ? failure : { ...failure, next: `${failure.next}; get one at ${variable.url}` };
}

type Judged = Captured extends infer One
  ? One extends Captured
    ? Omit<One, "server" | "pin" | "file" | "mask">
    : never
  : never;

async function judge(
  context: Context,
  plan: Plan,
  server: Server,
  { file, pin }: { readonly file: string; readonly pin: string },
  asked: Extract<Asked, { answer: ServerAnswer }>,
  way: Expansion,
  options: AskOptions,
): Promise<Judged> {
  const { answer, tried } = asked;
  const text = manifestText(pin, answer, way.variables);
  const report = createReport(() => undefined);
  if (examineManifest(pin, file, text, report) === undefined) return { state: "refused", diagnostics: report.sorted() };
  const leak = leakFailure(text, way.values);
  if (leak) return { state: "failed", failure: leak, tried };
  const manifest = JSON.parse(text) as JsonObject;
  const changes = compareManifests(pinnedManifest(path.join(context.dir, file), file, pin), manifest);
  return {
    state: isSame(changes) ? "same" : "changed",
    transport: answer.transport,
    tried,
    toolCount: answer.tools.length,
    text,
    changes,
    warnings: await warningsOf(plan, server, answer, manifest, text, way, options),
  };
}

/** Undefined: there is none, or none that the compiler takes. */
function pinnedManifest(place: string, file: string, pin: string): JsonObject | undefined {
  let text: string;
  try {
    text = readFileSync(place, "utf8").replace(/^\ufeff/, "");
  } catch {
    return undefined;
  }
  const sound = examineManifest(
    pin,
    file,
    text,
    createReport(() => undefined),
  );
  return sound && (JSON.parse(text) as JsonObject);
}

/** The second time over a new connection: what a server makes up at its start differs only then. */
async function warningsOf(
  plan: Plan,
  server: Server,
  answer: ServerAnswer,
  manifest: JsonObject,
  text: string,
  way: Expansion,
  options: AskOptions,
): Promise<Warnings> {
  const again = await askServer([way], options);
  return {
    suspicions: suspicionsIn(manifest, otherTools(plan, server)),
    unsteady: "answer" in again ? unsteadyTools(answer.tools, again.answer.tools) : [],
    askedOnce: "failure" in again ? again.failure.says : undefined,
    machine: machineVariables(text, way.values),
  };
}

function otherTools(plan: Plan, server: Server): { server: string; tool: string }[] {
  return plan.servers
    .filter((other) => other.pin !== server.pin)
    .flatMap((other) => other.tools.map((tool) => ({ server: other.name as string, tool: tool.name as string })));
}
