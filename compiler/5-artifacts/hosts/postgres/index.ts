import { spellTransport, type Spelling, type SpeltTransport } from "../../../4-fit/spelling.ts";
import type { Spelt } from "../../../4-fit/types.ts";
import type { HostChoice, Transport } from "../../../3-plan/types.ts";
import type { Host } from "../../target.ts";
import { EVERY_LIMIT, limitsWithoutPlace } from "../limits.ts";
import { KEPT } from "./kept-names.ts";
import { isStorable } from "./literals.ts";
import { migrationSql } from "./migration.ts";
import { rowsOf, rowsSql } from "./rows.ts";

/** A table in a product's database: a row for each server, and the migration that makes the table. */
export const postgres: Host<SpeltTransport> = {
  id: "postgres",
  title: "PostgreSQL",
  alsoCalled: ["postgresql", "psql", "pg"],
  isData: true,
  takes: ["project", "product", "transports"],
  abilities: {
    hide: { holds: "none", but: "a row holds no list of tools: a server is stored where the role holds all of it" },
    ask: { holds: "none" },
    conditions: { holds: "none" },
    resources: { holds: "enforced", but: "who reads the rows asks servers for tools alone" },
    delegation: { holds: "enforced", but: "data" },
    builtins: { holds: "enforced", but: "data" },
    references: { holds: "enforced", but: "an unset variable fails the connection" },
    pins: { holds: "none", but: "it never compares definitions: run `rolecall capture --check`" },
    limits: { holds: "none", but: "a row holds no limit: a server with one stays away" },
    roles: false,
    filtersByName: false,
    longestName: undefined,
  },
  kept: KEPT,
  joinedName: (server, tool) => `${server}.${tool}`,
  transports: ({ stored }) => stored.transports ?? ["stdio", "sse"],
  keepsAway: (server) => limitsWithoutPlace(server, "a row", EVERY_LIMIT),
  tell,
  start: ({ folder }) => ({
    byHand: ["migration", "rows"]
      .map((name) => `psql -1 -v ON_ERROR_STOP=1 -f ${folder}/hosts/postgres/${name}.sql`)
      .join(" && "),
  }),
  emit: function* (fitted) {
    const { plan, choice } = fitted;
    const folder = `${plan.project.folder}/hosts/postgres`;
    yield { path: `${folder}/migration.sql`, text: migrationSql(choice) };
    yield { path: `${folder}/rows.sql`, text: rowsSql(rowsOf(fitted, tell), plan.project.name, choice) };
  },
};

/** Of references a row has `${NAME}` alone. */
const spelling: Spelling = {
  plain: (name) => `\${${name}}`,
  places: ["url", "headers", "env", "command"],
  taken: /\$\{/,
};

function tell(transport: Transport, choice: HostChoice): Spelt<SpeltTransport> {
  const spelt = spellTransport(transport, spelling, choice);
  if (spelt.problem !== undefined) return spelt;
  if (spelt.value.kind === "stdio" && spelt.value.cwd !== undefined)
    return { problem: "has no place for the folder that a process starts in" };
  if (!textsOf(spelt.value).every(isStorable)) return { problem: "can't hold U+0000, and there is one in it" };
  return spelt;
}

function textsOf(told: SpeltTransport): string[] {
  return told.kind === "stdio" ? [...told.command, ...told.env.flat()] : [told.url, ...told.headers.flat()];
}
