import type { Server } from "../3-plan/types.ts";
import { lastWords, withoutColour } from "../../runtime/last-words.ts";
import { DOWNLOADERS, noPackage } from "./no-package.ts";
import { cutRedactorOf, type Redact } from "./redact.ts";
import type { ReferenceValue } from "./reference-values.ts";
import type { ServerFailure, AskTrouble } from "./types.ts";

/** What went wrong at a transport, in one sentence, with the one next step. `values`: what was read for it. */
export function failureOf(
  trouble: AskTrouble,
  server: Server,
  timeoutMs: number,
  values: readonly ReferenceValue[],
): ServerFailure {
  const { kind, missing, says } = trouble;
  const redact = cutRedactorOf(values.map(({ value }) => value));
  const absent = trouble.transport === "stdio" ? noPackage(trouble.said ?? "", commandsOf(server)) : undefined;
  if (absent !== undefined) return { kind, says: redact(absent.says), next: redact(absent.next) };
  const sentence =
    kind === "missing-variable" ? missingWords(missing, says) : `${short(redact(says))}${saidWords(trouble, redact)}`;
  return { kind, says: sentence, next: nextStep(trouble, server, timeoutMs, values) };
}

/** Whole lines, on one line of ours. */
function saidWords({ said = "", httpStatus }: AskTrouble, redact: Redact): string {
  const shown = redact(withoutColour(said));
  const lines = lastWords(httpStatus === undefined ? shown : shown.slice(0, MOST_OF_BODY), LONGEST_SAID).split(/\n\s*/);
  return lines.join("") === "" ? "" : `, and said: ${lines.join(" / ")}`;
}

const LONGEST_SAID = 400;
/** It begins with what it has to say, where a process ends with it. */
const MOST_OF_BODY = 2_000;

function missingWords(names: readonly string[], message: string): string {
  const are = names.length === 1 ? "isn't" : "aren't";
  return `${names.map((name) => `\`${name}\``).join(" and ")} ${are} set${message === "" ? "" : `: ${message}`}`;
}

function nextStep(trouble: AskTrouble, server: Server, timeoutMs: number, values: readonly ReferenceValue[]): string {
  const { kind, httpStatus } = trouble;
  if (kind === "missing-variable") return setThem(trouble.missing, server);
  if (kind === "bad-reference") return "check its connection, and what its variables hold";
  if (kind === "needs-auth") return `${tokenWords(values)}, or log in: rolecall login ${server.name}`;
  if (httpStatus === 451) return "its owner refuses for legal reasons: check the licence, and where you call from";
  if (kind === "auth-failed") return "check the token: what it may do (its scopes), and the account's licence";
  if (kind === "timeout") return waitLonger(trouble, server, timeoutMs);
  if (kind === "unsound") return "report it to the author of the server; it can't be pinned";
  if (kind === "refused") return "check what the server needs; its own words are above";
  if (trouble.transport === "stdio") return howToStart(trouble, server);
  return howToReach(trouble);
}

/** What a download takes counts too, the first time. */
function waitLonger({ transport }: AskTrouble, server: Server, timeoutMs: number): string {
  const longer = `--timeout ${Math.ceil(timeoutMs / 1000) * 4}s waits longer`;
  const command = transport === "stdio" ? commandsOf(server).find((words) => DOWNLOADERS.has(words[0]!)) : undefined;
  if (command === undefined) return longer;
  return `${longer}; the first time \`${command[0]}\` downloads the server, and without a network waits for it: \`rolecall image\` lists what to install beforehand`;
}

const PROGRAMS: ReadonlyMap<string, string> = new Map([
  ["npx", "install Node.js with npm, which brings `npx`"],
  ["uvx", "install uv, which brings `uvx`"],
  ["docker", "install Docker and start it"],
]);

/** What a runner says of a service that doesn't run. */
const NO_DOCKER = /docker daemon|docker\.sock/i;

function howToStart({ system, says, said = "" }: AskTrouble, server: Server): string {
  if (system === "ENOENT") {
    const program = commandsOf(server).find(([first]) => says.includes(`\`${first}\``))?.[0];
    return PROGRAMS.get(program ?? "") ?? "install it, or check `stdio` and `cwd`";
  }
  if (system !== undefined) return "install it, or check `stdio` and `cwd`";
  return NO_DOCKER.test(said) ? "start Docker and try again" : "run its command by hand to see why";
}

function commandsOf({ connect }: Server): string[][] {
  return connect.flatMap((one) => (one.kind === "stdio" ? [one.command.map(({ written }) => written)] : []));
}

/** What a header was made of was refused: it is old, or another's. */
function tokenWords(values: readonly ReferenceValue[]): string {
  const names = values.filter(({ hidden }) => hidden).map(({ name }) => `\`${name}\``);
  return names.length === 0
    ? "give its token in a header"
    : `renew what ${names.join(" and ")} ${names.length === 1 ? "holds" : "hold"}`;
}

/** A file may come with anybody's change: what serve reads of one waits for a yes, and nothing waits here. The preset may know more. */
function setThem(missing: readonly string[], server: Server): string {
  const known = server.variables.find(({ name, url }) => url !== undefined && missing.includes(name));
  const them = missing.length === 1 ? "it" : "them";
  const set = `set ${them} in the environment and try again; a \`.env\` counts for \`rolecall serve\` alone`;
  return known === undefined ? set : `${set}; get one at ${known.url}`;
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO/;

function howToReach({ httpStatus, system }: AskTrouble): string {
  if (httpStatus === 429) return "wait a while and try again";
  if (httpStatus !== undefined && httpStatus >= 500) return "try again later, or ask whoever runs it";
  if (httpStatus !== undefined && httpStatus < 400) return "write the address that it leads to";
  if (httpStatus !== undefined) return "check its address";
  if (system !== undefined && CERTIFICATE.test(system)) return "check its address: its certificate isn't trusted";
  return "check its address and your network";
}

const LONGEST = 200;

/** On one line. Of a long text the start tells what it is, and the end what was said last. */
function short(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST / 2)}…${line.slice(-LONGEST / 2)}` : line;
}
