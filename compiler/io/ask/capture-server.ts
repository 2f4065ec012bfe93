import path from "node:path";
import type { TransportData } from "../../../runtime/server-data.ts";
import type { Plan, Server } from "../../3-plan/types.ts";
import { judgeAnswer, type AnswerToJudge } from "../../capture/judge-answer.ts";
import type { Captured, NoAnswer } from "../../capture/types.ts";
import { warningsOf } from "../../capture/warnings.ts";
import { failureOf } from "../../live-server/failures.ts";
import { cutRedactorOf, redactorOf } from "../../live-server/redact.ts";
import type { ReferenceValue } from "../../live-server/reference-values.ts";
import type { ServerFailure, TriedTransport } from "../../live-server/types.ts";
import { transportData } from "../../runtime-data/transport.ts";
import { readPlainText } from "../bytes.ts";
import { askOver, type AskOptions } from "./ask-server.ts";

/** Asks a server for its manifest and judges the answer. Nothing is written. It never rejects because of the server. */
export async function captureServer(plan: Plan, server: Server, options: AskOptions): Promise<Captured> {
  const { read, ...asked } = await askInOrder(server, options);
  const secrets = [...read.map(({ value }) => value), ...(options.login?.secrets() ?? [])];
  const base = {
    server: server.name,
    pin: server.pin,
    file: `${plan.project.folder}/manifests/${server.pin}.json`,
    redact: redactorOf(secrets),
  };
  if ("failure" in asked) return { ...base, state: "failed", ...asked };
  const judged = judgeAnswer(base, asked, textAt(path.join(options.dir, base.file)));
  if (judged.state === "refused" || judged.state === "failed") return { ...base, ...judged };
  // Over a new connection: what a server makes up at its start differs only then.
  const again = await askOver(asked.entry, options);
  const about = { server, timeoutMs: options.timeoutMs };
  const { manifest: _, ...answer } = judged;
  const warnings = warningsOf(plan, about, asked, judged, again.said);
  // Half of a value isn't known as one, and these are cut.
  const clean = cutRedactorOf(secrets);
  const suspicions = warnings.suspicions.map((one) => ({ ...one, excerpt: clean(one.excerpt) }));
  return { ...base, ...answer, warnings: { ...warnings, suspicions } };
}

interface Answered extends AnswerToJudge {
  /** The transport that answered. */
  readonly entry: TransportData;
}

/** One transport after the other, as the runtime tries them. `read`: the variables that any of them needed. */
async function askInOrder(
  server: Server,
  options: AskOptions,
): Promise<{ readonly read: readonly ReferenceValue[] } & (Answered | Omit<NoAnswer, "state">)> {
  const tried: TriedTransport[] = [];
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

const NO_CONNECTION: ServerFailure = {
  kind: "unreachable",
  says: "it has no connection",
  next: "write `connect` for it",
};

function textAt(file: string): string | undefined {
  return readPlainText(file)?.replace(/^\ufeff/, "");
}
