import type { EnvLookup } from "../api.ts";
import { RolecallError } from "../errors.ts";
import type { TemplateData, TemplatePart } from "../server-data.ts";

/** References of one server, asked for anew at each connection and once in it. Nothing is kept beyond. */
export interface References {
  /** Undefined: the text came to nothing through `:+`, and what it stands for is left out. */
  expand(template: TemplateData, reveal?: (value: string) => void): Promise<string | undefined>;
  /** Variables that were asked for. */
  readonly names: ReadonlySet<string>;
}

/** `reveal` is told the value of each reference that became part of the text. */
export function readReferences(server: string, env: EnvLookup): References {
  const values = new Map<string, Promise<string | undefined>>();
  const names = new Set<string>();
  const valueOf = (name: string): Promise<string | undefined> => {
    names.add(name);
    let value = values.get(name);
    if (value === undefined) values.set(name, (value = ask(server, name, env)));
    return value;
  };
  const expand = async (template: TemplateData, reveal: (value: string) => void = () => {}) => {
    const text = { soFar: "", leftOut: false, server, valueOf, reveal };
    await append(text, template);
    return text.soFar === "" && text.leftOut ? undefined : text.soFar;
  };
  return { expand, names };
}

interface Text {
  soFar: string;
  leftOut: boolean;
  readonly server: string;
  readonly valueOf: (name: string) => Promise<string | undefined>;
  readonly reveal: (value: string) => void;
}

async function append(text: Text, parts: readonly TemplatePart[]): Promise<void> {
  for (const part of parts) {
    if (typeof part === "string") {
      text.soFar += part;
      continue;
    }
    const value = await text.valueOf(part.name);
    if (part.form === "if-set") {
      if (value === undefined) text.leftOut = true;
      else await append(text, part.word);
    } else if (value !== undefined) {
      text.soFar += value;
      text.reveal(value);
    } else if (part.form === "default") {
      await append(text, part.word);
    } else {
      throw missingVariable(text.server, part.name, part.form === "required" ? written(part.word) : "");
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

export function missingVariable(server: string, name: string, message: string = ""): RolecallError {
  const says = message === "" ? "set it and try again" : message;
  return new RolecallError("missing-variable", `${server} needs the variable ${name}, which isn't set: ${says}`, {
    server,
  });
}

/** Empty counts as missing. */
async function ask(server: string, name: string, env: EnvLookup): Promise<string | undefined> {
  let value: string | undefined;
  try {
    value = await env(name);
  } catch {
    throw missingVariable(server, name, "it couldn't be read");
  }
  return value === "" ? undefined : value;
}
