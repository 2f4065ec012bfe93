import { packageEntry, serverNameOf, serverNameOfUrl, urlEntry } from "../../adding/server-entry.ts";
import type { KnownPreset, NotToAdd, PackageToAdd } from "../../adding/types.ts";
import { whatToAdd } from "../../adding/what-to-add.ts";
import { isObject, own, type JsonObject, type JsonValue } from "../../base/json.ts";
import { downloadedBy, withoutVersion } from "../../base/package-runner.ts";
import { visible } from "../../base/visible.ts";
import { askNpm, type NpmAnswer } from "../../io/ask/ask-npm.ts";
import type { Shipped } from "../../io/read/shipped-presets.ts";
import type { Plan } from "../../3-plan/types.ts";
import type { Context } from "../command.ts";
import { inParallel } from "../in-parallel.ts";
import type { AddOptions } from "./options.ts";

/** A server that is to be in the project. */
export interface Wanted {
  readonly name: string;
  /** What stands below its name under `servers`. */
  readonly entry: JsonObject;
  /** Undefined: no preset knows it. */
  readonly preset: Shipped | undefined;
  /** It is declared already, and so. */
  readonly isThere: boolean;
}

/** All of them, or why one can't be added. Nothing was written yet. */
export async function wantedServers(
  context: Context,
  { words, as }: AddOptions,
  shipped: readonly Shipped[],
  plan: Plan,
): Promise<readonly Wanted[] | NotToAdd> {
  const known = shipped.map(knownPreset);
  const wanted: Wanted[] = [];
  for (const word of new Set(words)) {
    const found = await wantedServer(context, word, as, shipped, known);
    if ("problem" in found) return found;
    const checked = againstPlan(found, plan);
    if ("problem" in checked) return checked;
    wanted.push(checked);
  }
  return wanted;
}

type Found = Omit<Wanted, "isThere">;

async function wantedServer(
  context: Context,
  word: string,
  as: string | undefined,
  shipped: readonly Shipped[],
  known: readonly KnownPreset[],
): Promise<Found | NotToAdd> {
  const meant = whatToAdd(word, known);
  if ("problem" in meant) return meant;
  if (meant.kind === "preset") {
    const preset = shipped.find(({ name, kind }) => name === meant.name && kind === "server");
    return { name: as ?? meant.name, entry: { preset: meant.name }, preset };
  }
  if (meant.kind === "url")
    return { name: as ?? serverNameOfUrl(meant.url), entry: urlEntry(meant.url), preset: undefined };
  const version = await versionOf(context, meant);
  if (typeof version === "object") return version;
  return { name: as ?? serverNameOf(meant.name), entry: packageEntry(meant, version), preset: undefined };
}

const NAME = /^[a-z][a-z0-9_-]*$/;

function againstPlan(found: Found, { servers }: Plan): Wanted | NotToAdd {
  const { name, preset } = found;
  if (!NAME.test(name))
    return {
      problem: `\`${visible(name)}\` can't be the name of a server: small letters, digits, \`-\` and \`_\``,
      next: "name it with --as",
    };
  const there = servers.find((server) => server.name === name);
  const isSame = there !== undefined && preset !== undefined && there.preset === preset.name;
  if (there === undefined || isSame) return { ...found, isThere: isSame };
  return {
    problem: `there is a server \`${name}\` already, in ${visible(there.place.file)}`,
    next: `rolecall capture ${name}, if it is the one that you mean; another one needs a name of its own: --as ${name}-2`,
  };
}

const NPM_MS = 20_000;

/** The exact version, by npm where it can be asked. What isn't there is known before anything is written. */
async function versionOf(context: Context, meant: PackageToAdd): Promise<string | NotToAdd> {
  const { runner, name, version, isExact } = meant;
  if (runner === "uvx") return version!;
  const named = version === undefined ? name : `${name}@${version}`;
  const { env } = context.terminal;
  const ask = () => askNpm(named, { env, cwd: context.dir, timeoutMs: NPM_MS });
  const answer = (await inParallel(context, "asking npm about", [named], visible, ask))[0]!;
  if (answer.state === "found") return answer.version;
  return isExact && answer.state !== "missing" ? version! : withoutAnswer(named, name, answer);
}

function withoutAnswer(named: string, name: string, answer: Exclude<NpmAnswer, { state: "found" }>): NotToAdd {
  switch (answer.state) {
    case "missing":
      return {
        problem: `npm has no package \`${visible(named)}\``,
        next: `check its name, as with: npm search ${visible(serverNameOf(name))} mcp`,
      };
    case "no-npm":
      return {
        problem: "`npm` isn't on your PATH, so the newest version can't be found out",
        next: `install Node.js with npm, or name a version: rolecall add npx:${visible(name)}@1.2.3`,
      };
    case "unknown":
      return {
        problem: `the newest version of \`${visible(name)}\` can't be found out: ${visible(answer.says)}`,
        next: `try again, or pin one that you know: rolecall add npx:${visible(name)}@1.2.3`,
      };
  }
}

function knownPreset({ name, kind, value }: Shipped): KnownPreset {
  const server = own(value, "server");
  const connect = isObject(server) ? own(server, "connect") : undefined;
  return { name, kind, packages: Array.isArray(connect) ? connect.flatMap(packageIn) : [] };
}

function packageIn(transport: JsonValue): string[] {
  const words = isObject(transport) ? own(transport, "stdio") : undefined;
  const named = Array.isArray(words) ? downloadedBy(words.map(String)) : undefined;
  return named === undefined ? [] : [withoutVersion(named.name)];
}
