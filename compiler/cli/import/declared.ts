import { flowYaml } from "../../base/flow-yaml.ts";
import { isObject, own, type JsonObject, type JsonValue } from "../../base/json.ts";
import { stableText } from "../../base/stable-text.ts";
import { visible } from "../../base/visible.ts";
import type { SourceDocument } from "../../1-source/types.ts";
import type { ListedImport, TranslatedSource } from "../../translate.ts";
import { unlikeWords } from "./left-words.ts";

/** A server of the file that a source declares already, reached in the same way. */
export interface DeclaredAlready {
  readonly server: string;
  readonly file: string;
  /** What else the imported file says of it, and the source doesn't say, or says otherwise. */
  readonly unlike: readonly string[];
}

export interface Beside {
  readonly translated: TranslatedSource;
  readonly left: readonly DeclaredAlready[];
}

export interface Clash {
  readonly problem: string;
  readonly next: string;
}

/** What is left of a file beside the project's other documents: nothing may be declared twice. */
export function besideDeclared(
  translated: TranslatedSource,
  listed: ListedImport,
  documents: readonly SourceDocument[],
): Beside | Clash {
  const left: DeclaredAlready[] = [];
  const kept: Record<string, JsonValue> = {};
  for (const [name, server] of Object.entries(blockOf(translated, "servers"))) {
    const there = documents.find(({ blocks }) => blocks.servers !== undefined && Object.hasOwn(blocks.servers, name));
    const declared = there?.blocks.servers?.[name] as JsonValue | undefined;
    if (there === undefined || declared === undefined) kept[name] = server;
    else if (reachedBy(declared) === reachedBy(server))
      left.push({ server: name, file: there.file, unlike: unlikeIn(server, declared) });
    else return otherServer(name, there.file, translated, listed, documents);
  }
  const role = roleTwice(translated, listed, documents);
  if (role !== undefined) return role;
  const { servers: _, ...others } = translated.blocks;
  const blocks = Object.keys(kept).length > 0 ? { ...translated.blocks, servers: kept } : others;
  if (left.length > 0 && Object.keys(blocks).length === 0) return nothingLeft(left, listed.file);
  return { translated: { ...translated, blocks }, left };
}

function blockOf({ blocks }: TranslatedSource, key: string): JsonObject {
  const block = own(blocks, key);
  return isObject(block) ? block : {};
}

function reachedBy(server: JsonValue): string {
  return saidOf(server, "connect");
}

function saidOf(server: JsonValue, key: string): string {
  return stableText((isObject(server) ? own(server, key) : undefined) ?? null);
}

function unlikeIn(server: JsonValue, declared: JsonValue): string[] {
  return isObject(server) ? Object.keys(server).filter((key) => saidOf(server, key) !== saidOf(declared, key)) : [];
}

function otherServer(
  name: string,
  file: string,
  { origins }: TranslatedSource,
  listed: ListedImport,
  documents: readonly SourceDocument[],
): Clash {
  const written = origins.find(([made]) => made.length === 2 && made[0] === "servers" && made[1] === name)?.[1].at(-1);
  const taken = new Set(documents.flatMap(({ blocks }) => Object.keys(blocks.servers ?? {})));
  let free = `${name}-2`;
  for (let i = 3; taken.has(free); i++) free = `${name}-${i}`;
  const entry = { ...listed, servers: { ...listed.servers, [typeof written === "string" ? written : name]: free } };
  return {
    problem: `server \`${name}\` is declared already, in ${visible(file)}, and reached otherwise there`,
    next: `give it another name: write \`imports: [${visible(flowYaml(entry as unknown as JsonObject))}]\` in rolecall.yaml, and import it again`,
  };
}

function roleTwice(
  translated: TranslatedSource,
  listed: ListedImport,
  documents: readonly SourceDocument[],
): Clash | undefined {
  // What several files of one system give to a role adds up.
  const others = documents.filter(({ rolesAddUp }) => rolesAddUp !== true);
  for (const name of Object.keys(blockOf(translated, "roles"))) {
    const there = others.find(({ blocks }) => blocks.roles !== undefined && Object.hasOwn(blocks.roles, name));
    if (there === undefined) continue;
    const isNamedHere = name === (listed.role ?? "agent");
    return {
      problem: `role \`${name}\` is declared already, in ${visible(there.file)}`,
      next: isNamedHere
        ? "give it another name: --role NAME"
        : `give one of them another name, or leave ${visible(listed.file)} as it is and list it under \`layers:\``,
    };
  }
  return undefined;
}

function nothingLeft(left: readonly DeclaredAlready[], file: string): Clash {
  const names = left
    .map((one) => `\`${one.server}\` in ${visible(one.file)}${unlikeWords(one.unlike, file)}`)
    .join(", ");
  return {
    problem: `all that ${visible(file)} declares is declared already: ${names}`,
    next: "nothing was written; rolecall build is next",
  };
}
