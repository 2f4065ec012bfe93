import type { JsonObject } from "../../../base/json.ts";
import { sorted, sortedBy } from "../../../base/order.ts";
import type { FittedPlan, HostFacts, Spelt } from "../../../4-fit/types.ts";
import type { SpeltTransport } from "../../../4-fit/spelling.ts";
import type { Grant, HostChoice, Server, Transport } from "../../../3-plan/types.ts";
import { sqlHeader } from "../../header.ts";
import { mapOf, present } from "../host-text.ts";
import { sqlJson, sqlText } from "./literals.ts";
import { TABLE } from "./migration.ts";

interface Row {
  readonly product: string | undefined;
  readonly name: string;
  readonly server: Server;
  readonly told: SpeltTransport;
  readonly enabled: boolean;
}

type Tell = (transport: Transport, choice: HostChoice) => Spelt<SpeltTransport>;

/** Sorted by product and name; each name once in a product. */
export function rowsOf(fitted: FittedPlan<HostFacts, SpeltTransport>, tell: Tell): Row[] {
  const found = new Map<Server, Pick<Row, "told" | "enabled">>();
  for (const { role, servers } of fitted.roles) {
    for (const { server, told } of servers) found.set(server, { told, enabled: true });
    for (const grant of role.grants.filter(isSwitchedOff)) {
      const told = toldOf(grant.server, fitted, tell);
      if (told !== undefined) found.set(grant.server, { told, enabled: false });
    }
  }
  const rows = [...found].map(([server, row]): Row => ({
    ...row,
    server,
    product: fitted.choice.stored.product ?? server.product.id,
    name: server.product.name ?? server.name,
  }));
  const named = rows.map((row) =>
    rows.some((other) => isAnother(other, row)) ? { ...row, name: row.server.name } : row,
  );
  return sortedBy(named, ({ product = "", name }) => `${product}\0${name}`);
}

/** Two that are called alike there go by their names here, and so do all that could be mistaken for them. */
function isAnother(one: Row, other: Row): boolean {
  if (one.server === other.server || one.product !== other.product) return false;
  return one.name === other.name || one.server.name === other.name || one.name === other.server.name;
}

/** Nothing but `enabled: false` keeps the role from all of it: it can be switched on there and nothing is lost. */
function isSwitchedOff({ decisions, server }: Grant): boolean {
  return (
    server.manifest !== undefined &&
    server.ceilings.some(({ kind }) => kind === "enabled") &&
    decisions.every(({ because }) =>
      because.every(({ rule, written }) => rule === "include" || (rule === "ceiling" && written === "enabled: false")),
    )
  );
}

function toldOf(server: Server, { host, choice }: FittedPlan, tell: Tell): SpeltTransport | undefined {
  if (choice.without.includes(server.name) || host.keepsAway?.(server) !== undefined) return undefined;
  const kinds = host.transports?.(choice) ?? [];
  const ways = server.connect.filter(({ kind }) => kinds.includes(kind));
  return ways.map((way) => tell(way, choice).value).find((told) => told !== undefined);
}

/** Each product's rows by one statement: all of it is done, or nothing. */
export function rowsSql(
  rows: readonly Row[],
  name: string,
  { stored: { project = name, product } }: HostChoice,
): string {
  const whose = typeof project === "string" ? sqlText(project) : `:'${project.variable}'`;
  const products = new Set([...rows.map((row) => row.product), ...(product === undefined ? [] : [product])]);
  const statements = sorted([...products].map((one) => one ?? "")).map((one) => {
    const of = rows.filter((row) => (row.product ?? "") === one);
    return statementFor(of, whose, one === "" ? undefined : one);
  });
  return [
    sqlHeader,
    `-- Rows of ${TABLE}, which migration.sql makes. What else is there of the same project and product`,
    "-- is switched off, and nothing is deleted.",
    ...(typeof project === "string" ? [] : ["", ...asksFor(project.variable)]),
    "",
    statements.join("\n"),
  ].join("\n");
}

function statementFor(rows: readonly Row[], project: string, product: string | undefined): string {
  const names = rows.map((row) => sqlText(row.name)).join(", ");
  const off = [
    `update ${TABLE} set enabled = false`,
    `  where enabled and project_id = ${project} and product_id ${product === undefined ? "is null" : `= ${sqlText(product)}`}`,
    ...(rows.length === 0 ? [] : [`    and name not in (${names})`]),
  ].join("\n");
  if (rows.length === 0) return `${off};\n`;
  return `with switched_off as (
${off}
)
insert into ${TABLE} as stored (project_id, product_id, name, description, transport, config, enabled) values
${rows.map((row) => `  (${valuesOf(row, project)})`).join(",\n")}
on conflict ${product === undefined ? "(project_id, name) where product_id is null" : "(project_id, product_id, name) where product_id is not null"}
do update set description = excluded.description, transport = excluded.transport, config = excluded.config, enabled = excluded.enabled
  where (stored.description, stored.transport, stored.config, stored.enabled)
    is distinct from (excluded.description, excluded.transport, excluded.config, excluded.enabled);
`;
}

function valuesOf({ product, name, server, told, enabled }: Row, project: string): string {
  const texts = [product, name, server.description, told.kind].map(sqlText);
  return [project, ...texts, sqlJson(configOf(told)), String(enabled)].join(", ");
}

function configOf(told: SpeltTransport): JsonObject {
  if (told.kind !== "stdio") return present({ url: told.url, headers: mapOf(told.headers) }) as JsonObject;
  const [command, ...args] = told.command;
  return present({ command, args: args.length === 0 ? undefined : args, env: mapOf(told.env) }) as JsonObject;
}

/** psql goes on with a name in place of a variable that isn't set: it is stopped before that. */
function asksFor(variable: string): string[] {
  return [
    "\\set ON_ERROR_STOP on",
    `\\if :{?${variable}}`,
    "\\else",
    `  \\set ${variable} ''`,
    "\\endif",
    `select set_config('rolecall.project', :'${variable}', false) as rolecall_project \\gset`,
    "do $$ begin",
    "  if current_setting('rolecall.project') = '' then",
    `    raise exception 'the project is not said: psql -v ${variable}=...';`,
    "  end if;",
    "end $$;",
  ];
}
