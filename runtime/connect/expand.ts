import type { EnvLookup } from "../api.ts";
import { RolecallError } from "../errors.ts";
import type { AcceptedNames, TemplateData, TemplatePart } from "../server-data.ts";

/** References of one server, asked for anew at each connection and once in it. Nothing is kept beyond. */
export interface References {
  /** Expands what `work` asks for. Rejects when a variable that was needed isn't set, and names all that are missing. */
  gather<Texts>(work: (expand: Expand) => Promise<Texts>): Promise<Texts>;
  /** Variables that were asked for. */
  readonly names: ReadonlySet<string>;
}

/**
 * Undefined: the text came to nothing through `:+`, and what it stands for is left out. `reveal` is told the value of each
 * reference that became part of the text, and what several make together that follow one another.
 */
export type Expand = (template: TemplateData, reveal?: (value: string) => void) => Promise<string | undefined>;

/** Nothing was tried: a variable isn't set, or what is written makes no connection. */
export class Unusable extends Error {
  readonly missing: readonly string[];
  /** The end of a sentence that begins with the server; of a missing variable what its author says of it. */
  readonly why: string;

  constructor(why: string, missing: readonly string[] = []) {
    super(why);
    this.why = why;
    this.missing = missing;
  }
}

export function unusableError(server: string, { missing, why }: Unusable): RolecallError {
  if (missing.length === 0)
    return new RolecallError("server-unavailable", `${server} can't be connected: ${why}`, { server });
  const [variables, are, them] = missing.length === 1 ? ["variable", "isn't", "it"] : ["variables", "aren't", "them"];
  const next = why === "" ? `set ${them} and try again` : why;
  const message = `${server} needs the ${variables} ${missing.join(", ")}, which ${are} set: ${next}`;
  return new RolecallError("missing-variable", message, { server });
}

/** A variable is looked up under its own name, then under the other accepted ones, in order; empty counts as missing. */
export function acceptingEnv(env: EnvLookup, acceptedNames: AcceptedNames = []): EnvLookup {
  if (acceptedNames.length === 0) return env;
  const others = new Map(acceptedNames);
  return async (name) => {
    for (const one of [name, ...(others.get(name) ?? [])]) {
      const value = await env(one);
      if (value !== undefined && value !== "") return value;
    }
    return undefined;
  };
}

export function readReferences(env: EnvLookup): References {
  const values = new Map<string, Promise<string | undefined>>();
  const names = new Set<string>();
  const valueOf = (name: string): Promise<string | undefined> => {
    names.add(name);
    let value = values.get(name);
    if (value === undefined) values.set(name, (value = ask(name, env)));
    return value;
  };
  return {
    names,
    gather: async (work) => {
      const missing = new Map<string, string>();
      const texts = await work((template, reveal = () => {}) => expand(template, { missing, valueOf, reveal }));
      if (missing.size === 0) return texts;
      const said = [...new Set(missing.values())].filter((message) => message !== "");
      throw new Unusable(said.join("; "), [...missing.keys()].sort());
    },
  };
}

async function expand(
  template: TemplateData,
  reading: Omit<Text, "soFar" | "together" | "leftOut">,
): Promise<string | undefined> {
  const text = { soFar: "", together: "", leftOut: false, ...reading };
  await append(text, template);
  return text.soFar === "" && text.leftOut ? undefined : text.soFar;
}

interface Text {
  soFar: string;
  /** The values at its end, with nothing written between them. */
  together: string;
  leftOut: boolean;
  /** By name, what its author wrote for this case. */
  readonly missing: Map<string, string>;
  readonly valueOf: (name: string) => Promise<string | undefined>;
  readonly reveal: (value: string) => void;
}

async function append(text: Text, parts: readonly TemplatePart[]): Promise<void> {
  for (const part of parts) {
    if (typeof part === "string") {
      text.soFar += part;
      if (part !== "") text.together = "";
      continue;
    }
    const value = await text.valueOf(part.name);
    if (part.form === "if-set") {
      if (value === undefined) text.leftOut = true;
      else await append(text, part.word);
    } else if (value !== undefined) {
      text.soFar += value;
      text.reveal(value);
      text.together += value;
      if (text.together !== value) text.reveal(text.together);
    } else if (part.form === "default") {
      await append(text, part.word);
    } else {
      const message = part.form === "required" ? written(part.word) : "";
      text.missing.set(part.name, text.missing.get(part.name) || message);
    }
  }
}

/** A message is for people: it shows names and the defaults that were written, never what a variable holds. */
function written(parts: readonly TemplatePart[]): string {
  return parts
    .map((part) => {
      if (typeof part === "string") return part;
      return part.form === "default" ? written(part.word) : `\${${part.name}}`;
    })
    .join("");
}

/** Empty counts as missing. */
async function ask(name: string, env: EnvLookup): Promise<string | undefined> {
  let value: string | undefined;
  try {
    value = await env(name);
  } catch {
    throw new Unusable("it couldn't be read", [name]);
  }
  return value === "" ? undefined : value;
}
