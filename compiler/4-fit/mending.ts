import { sorted } from "../base/order.ts";
import type { HostChoice, Server, TemplatePart, Transport } from "../3-plan/types.ts";
import type { HostFacts, Mending } from "./types.ts";

/**
 * What else the project could write of a host that can't be told of a server's connection: something to assume of its
 * variables, as little as does it; else that the server stays away. A default is rather written than left to a variable.
 */
export function mendingFor({ name, connect }: Server, host: HostFacts, choice: HostChoice): Mending {
  for (const transport of connect) {
    const names = decidableIn(transport);
    for (const assume of [those(names, "unset", "set"), those(names, "unset", "unset"), those(names, "set", "set")])
      if (isReached(transport, host, choice, assume))
        return { assume: fewest(transport, host, choice, assume), without: [] };
  }
  return { assume: {}, without: [name] };
}

/** The host's entry with all of these added, as one line of YAML. */
export function mendedEntry(choice: HostChoice, mendings: readonly Mending[]): string {
  const assume = Object.entries({
    ...Object.fromEntries(choice.assumed),
    ...Object.assign({}, ...mendings.map((one) => one.assume)),
  }).map(([name, state]) => `${name}: ${state}`);
  const without = sorted(new Set([...choice.without, ...mendings.flatMap((one) => one.without)]));
  const keys = [
    `id: ${choice.id}`,
    ...(choice.via === "serve" ? ["via: serve"] : []),
    ...(choice.isChosen ? [`whenUnenforceable: ${choice.whenUnenforceable}`] : []),
    ...(assume.length > 0 ? [`assume: { ${assume.join(", ")} }`] : []),
    ...(without.length > 0 ? [`without: [${without.join(", ")}]`] : []),
    ...(choice.role === undefined ? [] : [`role: ${choice.role}`]),
    ...(choice.into === undefined ? [] : [`into: ${yamlText(choice.into)}`]),
    ...storedKeys(choice),
    ...Object.entries(choice.door).flatMap(([key, text]) => (text === undefined ? [] : [`${key}: ${yamlText(text)}`])),
  ];
  return `{ ${keys.join(", ")} }`;
}

function storedKeys({ stored: { project, product, transports } }: HostChoice): string[] {
  const whose = typeof project === "object" ? `{ variable: ${project.variable} }` : project && yamlText(project);
  return [
    ...(whose === undefined ? [] : [`project: ${whose}`]),
    ...(product === undefined ? [] : [`product: ${yamlText(product)}`]),
    ...(transports === undefined ? [] : [`transports: [${transports.join(", ")}]`]),
  ];
}

type Assume = Readonly<Record<string, "set" | "unset">>;
type Decidable = ReadonlyMap<string, "default" | "if-set">;

function those(names: Decidable, forDefault: "set" | "unset", forIfSet: "set" | "unset"): Assume {
  return Object.fromEntries([...names].map(([name, form]) => [name, form === "default" ? forDefault : forIfSet]));
}

function isReached(transport: Transport, host: HostFacts, choice: HostChoice, assume: Assume): boolean {
  const assumed = new Map([...choice.assumed, ...Object.entries(assume)]);
  return host.tell(transport, { ...choice, assumed }).problem === undefined;
}

/** Without what makes no difference. */
function fewest(transport: Transport, host: HostFacts, choice: HostChoice, all: Assume): Assume {
  return Object.keys(all).reduce((kept, name) => {
    const { [name]: _, ...fewer } = kept;
    return isReached(transport, host, choice, fewer) ? fewer : kept;
  }, all);
}

/** Sorted by name; a variable of both forms is taken for the one that asks. */
function decidableIn(transport: Transport): Decidable {
  const templates =
    transport.kind === "stdio"
      ? [...transport.command, ...transport.env.map(({ value }) => value), ...(transport.cwd ? [transport.cwd] : [])]
      : [transport.url, ...transport.headers.map(({ value }) => value)];
  const found = new Map<string, "default" | "if-set">();
  const look = (parts: readonly TemplatePart[]): void => {
    for (const part of parts) {
      if (typeof part === "string") continue;
      if (part.form === "default" || part.form === "if-set")
        found.set(part.name, found.get(part.name) === "if-set" ? "if-set" : part.form);
      look(part.word);
    }
  };
  for (const { parts } of templates) look(parts);
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function yamlText(path: string): string {
  return /^[A-Za-z0-9_./-]+$/.test(path) ? path : JSON.stringify(path);
}
