import type { JsonValue } from "../../base/json.ts";
import { keptNames } from "../../4-fit/kept-names.ts";
import { spellTransport, type Spelling, type SpeltTransport } from "../../4-fit/spelling.ts";
import type { Abilities, FittedPlan, HostFacts } from "../../4-fit/types.ts";
import type { Host } from "../target.ts";
import type { Artifact } from "../types.ts";

/**
 * Programs whose file names servers and has no place for a list of tools. They are told of `rolecall serve` alone, which
 * lists what the role holds and nothing else: so all that is enforced there is enforced behind it.
 */
export const SERVED_ALONE: Abilities = {
  hide: { holds: "enforced" },
  ask: { holds: "asked" },
  conditions: { holds: "enforced" },
  resources: { holds: "enforced" },
  delegation: { holds: "enforced", but: "it knows no roles" },
  builtins: { holds: "none" },
  references: { holds: "enforced" },
  pins: { holds: "enforced" },
  limits: { holds: "enforced" },
  roles: false,
  filtersByName: false,
  longestName: undefined,
};

export interface ServedAlone {
  readonly id: string;
  readonly title: string;
  readonly alsoCalled: readonly string[];
  /** In the project; its servers stand under `mcpServers`. */
  readonly file: string;
  /** The pages that say so. */
  readonly seenIn: string;
}

export function servedAlone({ id, title, alsoCalled, file, seenIn }: ServedAlone): Host<SpeltTransport> {
  return {
    id,
    title,
    alsoCalled,
    gateway: "must",
    isEditor: true,
    places: {
      shared: [file],
      keyed: [
        {
          file: new RegExp(`^${file.replaceAll(".", String.raw`\.`)}$`),
          format: "json",
          keys: /^mcpServers\/[^/]+$/,
          holdsServers: true,
          written: file,
        },
      ],
    },
    abilities: SERVED_ALONE,
    kept: keptNames(seenIn, {}),
    joinedName: (server, tool) => `${server}.${tool}`,
    tell: (transport, choice) => spellTransport(transport, NO_REFERENCES, choice),
    start: () => ({ byHand: `open the project in ${title}` }),
    emit: (fitted) => entryIn(file, fitted),
  };
}

export const NO_REFERENCES: Spelling = { plain: (name) => `\${${name}}`, places: [], taken: /\$\{/ };

function* entryIn(file: string, { roles }: FittedPlan<HostFacts, SpeltTransport>): Iterable<Artifact> {
  const keys = roles.flatMap(({ servers }) =>
    servers.map(({ server, told }) => ({ at: ["mcpServers", server.name], value: processEntry(told) })),
  );
  if (keys.length > 0) yield { path: file, format: "json", keys };
}

/** `rolecall serve` is a process, and needs nothing of its environment. */
export function processEntry(told: SpeltTransport): JsonValue {
  const [command = "", ...args] = told.kind === "stdio" ? told.command : [];
  return { command, args };
}
