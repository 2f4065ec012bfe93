import { isObject, own, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { KeyPath } from "../../base/place.ts";
import type { TakenBeside } from "../../base/taken-beside.ts";
import { exactly } from "./exact.ts";
import { NOT_HELD } from "./passed-by.ts";
import { shownAs } from "./shown-names.ts";

/** Settings of the same program in files beside the one that has its servers: what they take away of these. */
export interface SettingsBeside {
  /** Whose settings they are. */
  readonly program: string;
  /** Its rules name tools as it shows them, with `_` in place of other characters. */
  readonly namesAsShown?: true;
  /** From the folder in which the program works; globs. */
  readonly files: readonly string[];
  /** Never called without one, nor where the file has no servers. */
  read(found: readonly FoundSettings[], made: Narrowing): void;
}

export interface FoundSettings {
  readonly file: string;
  readonly value: JsonObject;
}

export interface Written {
  readonly file: string;
  readonly path: KeyPath;
}

/** What such settings come to. Servers go by the names that the program's file gives them. */
export interface Narrowing {
  readonly servers: readonly string[];
  /** A person's own settings are among those that are read: what these would undo is known. */
  readonly knowsOwn: boolean;
  /** There for no role. */
  putAway(server: string, written: Written): void;
  /** Stars in the name of a tool stand for any text. */
  exclude(server: string, tool: string, written: Written, how?: HowNamed): void;
  /** `*`: all of its tools. */
  ask(server: string, tool: string, written: Written, how?: HowNamed): void;
  /** Nothing here that it could become: a warning. */
  leave(written: Written, what: string, help: string): void;
}

export interface HowNamed {
  /** The rule is about more servers, which may lack the tool. */
  readonly isForAny?: boolean;
  /** So many of its first letters are the tool's own, whatever the program shows. */
  readonly exact?: number;
}

export interface NarrowedBlocks {
  readonly blocks: JsonObject;
  /** Theirs, each with ours. */
  readonly servers: ReadonlyMap<string, string>;
  readonly put: (made: KeyPath, value: JsonValue, written: Written) => void;
  readonly leave: Narrowing["leave"];
}

/** Tools of servers that a program's rules or lists may come to: beyond it they are told or refused, so that no file takes hours. */
export const MOST_NAMED = 100_000;

/** On top of what the file itself says. `program`: who asks, in the name of a policy. */
export function narrowing(
  { blocks, servers, put, leave }: NarrowedBlocks,
  { program, namesAsShown }: Pick<SettingsBeside, "program" | "namesAsShown">,
): Narrowing {
  const selectorOf = selecting(namesAsShown);
  const count = (held: JsonValue | undefined): number => (Array.isArray(held) ? held.length : 0);
  const blockOf = (server: string): JsonObject => {
    const block = isObject(blocks["servers"]) ? own(blocks["servers"], servers.get(server)!) : undefined;
    return isObject(block) ? block : {};
  };
  const asked = new Map<string, number>();
  const out = new Map<string, Set<string>>();
  const excludedOf = (server: string, excluded: JsonValue | undefined): Set<string> => {
    const texts = (): string[] => (Array.isArray(excluded) ? excluded.map((one) => JSON.stringify(one)) : []);
    const known = out.get(server) ?? new Set(texts());
    out.set(server, known);
    return known;
  };
  let named = 0;
  const told = new Set<Written>();
  const isTooMuch = (written: Written): boolean => {
    if (++named <= MOST_NAMED) return false;
    if (!told.has(written)) leave(written, "a rule about so many tools of so many servers", NOT_HELD);
    told.add(written);
    return true;
  };
  return {
    servers: [...servers.keys()],
    knowsOwn: true,
    putAway: (server, written) => {
      if (blockOf(server)["enabled"] !== false) put(["servers", servers.get(server)!, "enabled"], false, written);
    },
    exclude: (server, tool, written, how) => {
      const { enabled, tools } = blockOf(server);
      if (enabled === false || tools === "none" || isTooMuch(written)) return;
      const excluded = isObject(tools) ? tools["exclude"] : undefined;
      const selector = selectorOf(tool, "", how);
      const known = excludedOf(server, excluded);
      const text = JSON.stringify(selector);
      if (known.has(text)) return;
      known.add(text);
      put(["servers", servers.get(server)!, "tools", "exclude", count(excluded)], selector, written);
    },
    ask: (server, tool, written, how) => {
      if (isTooMuch(written)) return;
      const name = servers.get(server)!;
      const at = asked.get(server) ?? count(blocks["policies"]);
      const selector = selectorOf(tool, `${name}.`, how);
      if (!asked.has(server)) {
        put(["policies", at, "name"], `${program} asks about ${name}`, written);
        put(["policies", at, "roles"], ["*"], written);
        put(["policies", at, "tools"], [selector], written);
        put(["policies", at, "effect"], "ask", written);
        asked.set(server, at);
        return;
      }
      const tools = ((blocks["policies"] as JsonValue[])[at] as JsonObject)["tools"];
      put(["policies", at, "tools", count(tools)], selector, written);
    },
    leave,
  };
}

/** What isn't held, to be told where a role has it all the same. What has no like here is told where the file is taken over. */
export function noting(
  servers: NarrowedBlocks["servers"],
  { program, namesAsShown, file }: Pick<SettingsBeside, "program" | "namesAsShown"> & { readonly file: string },
  found: (taken: TakenBeside) => void,
): Narrowing {
  let named = 0;
  const coarse = new Set<string>();
  const note = (effect: TakenBeside["effect"], theirs: string, tool: string, place: Written): void => {
    // Of so many each may be about any tool.
    const isTooMuch = ++named > MOST_NAMED;
    if (isTooMuch && coarse.has(`${effect} ${theirs}`)) return;
    if (isTooMuch) coarse.add(`${effect} ${theirs}`);
    found({
      program,
      file,
      server: servers.get(theirs)!,
      tools: isTooMuch ? "*" : globOf(tool),
      namesAsShown: namesAsShown === true,
      effect,
      place,
    });
  };
  return {
    servers: [...servers.keys()],
    knowsOwn: false,
    putAway: (server, written) => note("deny", server, "*", written),
    exclude: (server, tool, written) => note("deny", server, tool, written),
    ask: (server, tool, written) => note("ask", server, tool, written),
    leave: () => {},
  };
}

function globOf(tool: string, isShown = false): string {
  return tool
    .split("*")
    .map(isShown ? shownAs : exactly)
    .join("*");
}

/** With stars it may find nothing: nobody says that it finds one. */
function selecting(isShown: boolean | undefined) {
  return (tool: string, server: string, { isForAny, exact = 0 }: HowNamed = {}): JsonValue => {
    if (tool === "*") return `${server}*`;
    const selector = server + globOf(tool.slice(0, exact)) + globOf(tool.slice(exact), isShown);
    return isForAny === true || tool.includes("*") ? { optional: selector } : selector;
  };
}
