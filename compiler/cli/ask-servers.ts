import { readFileSync } from "node:fs";
import path from "node:path";
import { examineManifest } from "../1-source/examine-manifest.ts";
import type { TransportData } from "../../runtime/server-data.ts";
import type { Plan, Server } from "../3-plan/types.ts";
import { transportData } from "../runtime-data/transport.ts";
import type { JsonObject } from "../base/json.ts";
import { sorted } from "../base/order.ts";
import { manifestFile } from "../base/project-layout.ts";
import { compareManifests, isSame } from "../capture/compare-manifests.ts";
import { failureOf } from "../capture/failures.ts";
import { leakFailure, machineVariables } from "../capture/leaks.ts";
import { manifestText } from "../capture/manifest-text.ts";
import { maskOf } from "../capture/mask.ts";
import { suspicionsIn } from "../capture/poison.ts";
import type { ReferenceValue } from "../capture/reference-values.ts";
import type { Captured, Failure, NoAnswer, ServerAnswer, Try, Warnings } from "../capture/types.ts";
import { unsteadyTools } from "../capture/unsteady.ts";
import { createReport } from "../diagnostics/report.ts";
import { askOver, type AskOptions } from "../io/ask/ask-server.ts";
import { openLogins } from "../io/login/logins.ts";
import { privateFolder } from "../io/login/private-file.ts";
import { openSignIn } from "../io/login/sign-in.ts";
import type { Context } from "./command.ts";
import { valueOf } from "./variable-values.ts";
import type { NotFound } from "./find-tool.ts";
import { severalAtOnce } from "./several.ts";
import { nameThem, notFound } from "./words.ts";

export function serversNamed(plan: Plan, names: readonly string[]): readonly Server[] | NotFound {
  const known = plan.servers.map((server) => server.name as string);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) return { problem: notFound("server", unknown, known), next: nameThem("server", known) };
  return plan.servers.filter((server) => names.length === 0 || names.includes(server.name));
}

/** One server for each pin: of those that share one, the server named for it, else the first. */
export function chooseServers(plan: Plan, names: readonly string[]): readonly Server[] | NotFound {
  const wanted = serversNamed(plan, names);
  if ("problem" in wanted) return wanted;
  const pins = sorted(new Set(wanted.map((server) => server.pin)));
  return pins.map((pin) => {
    const sharing = wanted.filter((server) => server.pin === pin);
    return sharing.find((server) => server.name === pin) ?? sharing[0]!;
  });
}

/** Asks all of them, several at once; one that fails doesn't stop the others. In the order given. */
export function askServers(
  context: Context,
  plan: Plan,
  servers: readonly Server[],
  timeoutMs: number | undefined,
): Promise<Captured[]> {
  return severalAtOnce(context, "asking", servers, nameOf, (server) => captureOne(context, plan, server, timeoutMs));
}

function nameOf(server: Server): string {
  return server.name;
}

async function captureOne(
  context: Context,
  plan: Plan,
  server: Server,
  timeoutMs: number | undefined,
): Promise<Captured> {
  const options = askOptions(context, server, timeoutMs);
  const { read, ...asked } = await askInOrder(server, options);
  const base = {
    server: server.name,
    pin: server.pin,
    file: manifestFile(plan.project.folder, server.pin),
    mask: maskOf([...read.map(({ value }) => value), ...(options.login?.secrets() ?? [])]),
  };
  if ("failure" in asked) return { ...base, state: "failed", ...asked };
  return { ...base, ...(await judge(context, plan, server, base, asked, options)) };
}

export function askOptions(context: Context, server: Server, timeoutMs: number | undefined): AskOptions {
  const set = context.terminal.env;
  return {
    dir: context.dir,
    timeoutMs: timeoutMs ?? server.limits.timeoutMs,
    env: (name) => valueOf(name, server.variables, set),
    login: openSignIn(server.name, openLogins(privateFolder(set))),
  };
}

type Asked = { readonly read: readonly ReferenceValue[] } & (Answered | Omit<NoAnswer, "state">);

/** One transport after the other, as the runtime tries them. `read`: by whichever of them. */
async function askInOrder(server: Server, options: AskOptions): Promise<Asked> {
  const tried: Try[] = [];
  const read: ReferenceValue[] = [];
  for (const [i, transport] of server.connect.entries()) {
    const entry = transportData(transport);
    const { said, values, tokens } = await askOver(entry, options);
    read.push(...values);
    if ("tools" in said) return { answer: said, entry, values, tokens, tried, read };
    const failure = failureOf(said, server, options.timeoutMs, values);
    if (!said.goesOn || i === server.connect.length - 1) return { failure, tried, read };
    tried.push({ transport: entry.kind, failure });
  }
  return { failure: NO_CONNECTION, tried, read };
}

const NO_CONNECTION: Failure = { kind: "unreachable", says: "it has no connection", next: "write `connect` for it" };

interface Answered {
  readonly answer: ServerAnswer;
  readonly tried: readonly Try[];
  readonly entry: TransportData;
  readonly values: readonly ReferenceValue[];
  readonly tokens: readonly string[];
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
  asked: Answered,
  options: AskOptions,
): Promise<Judged> {
  const { answer, tried, values } = asked;
  const text = manifestText(pin, answer, sorted(values.map(({ name }) => name)));
  const report = createReport(() => undefined);
  if (examineManifest(pin, file, text, report) === undefined) return { state: "refused", diagnostics: report.sorted() };
  const secrets = asked.tokens.map((value) => ({ name: "the token of your login", value, hidden: true }));
  const leak = leakFailure(text, [...values, ...secrets]);
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
    warnings: await warningsOf(plan, server, asked, manifest, text, options),
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
  { answer, entry, values }: Answered,
  manifest: JsonObject,
  text: string,
  options: AskOptions,
): Promise<Warnings> {
  const { said } = await askOver(entry, options);
  return {
    suspicions: suspicionsIn(manifest, otherTools(plan, server)),
    unsteady: "tools" in said ? unsteadyTools(answer.tools, said.tools) : [],
    askedOnce: "tools" in said ? undefined : failureOf(said, server, options.timeoutMs, values).says,
    machine: machineVariables(text, values),
  };
}

function otherTools(plan: Plan, server: Server): { server: string; tool: string }[] {
  return plan.servers
    .filter((other) => other.pin !== server.pin)
    .flatMap((other) => other.tools.map((tool) => ({ server: other.name as string, tool: tool.name as string })));
}
