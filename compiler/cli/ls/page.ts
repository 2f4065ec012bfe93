import type { Plan, Server, Variable } from "../../3-plan/types.ts";
import type { JsonObject } from "../../base/json.ts";
import { visible } from "../../base/visible.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import { tableLines, text, type TableCell, type Piece, type Table } from "../table.ts";
import { ownValue, valueOf } from "../../live-server/variable-values.ts";
import { holdsAnyOf } from "../access-words.ts";
import { page } from "../page.ts";
import { limitWords } from "../tool-words.ts";

/** `rolecall ls`. The environment is asked for names only: no value of a variable gets into a page. */
type Env = Readonly<Record<string, string | undefined>>;

export function serverList(plan: Plan, env: Env, style: Style): string {
  if (plan.servers.length === 0) return "this project declares no servers\n";
  return page([tableLines(serverTable(plan, env), style)]);
}

export function serverListJson(plan: Plan, env: Env): JsonObject {
  return {
    format: 1,
    project: plan.project.name,
    servers: plan.servers.map((server) => ({
      name: server.name,
      transports: server.connect.map((transport) => transport.kind),
      scopes: server.scopes?.map((scope) => scope.name) ?? null,
      limits: {
        timeoutMs: server.limits.timeoutMs,
        ratePerMinute: server.limits.ratePerMinute ?? null,
        concurrency: server.limits.concurrency ?? null,
      },
      tools: server.tools.length,
      pinned: server.manifest !== undefined,
      roles: rolesOf(plan, server),
      variables: server.variables.map((variable) => ({
        name: variable.name,
        required: variable.required,
        set: isSet(variable, env),
      })),
    })),
  };
}

function serverTable(plan: Plan, env: Env): Table {
  const withScopes = plan.servers.some((server) => server.scopes !== undefined);
  const scopes = (server: Server): TableCell[] =>
    withScopes ? [(server.scopes ?? []).map((scope) => ({ text: visible(scope.name) }))] : [];
  return {
    columns: [
      { title: "server" },
      { title: "reached by" },
      ...(withScopes ? [{ title: "scopes" }] : []),
      { title: "limits" },
      { title: "tools", align: "right" },
      { title: "held by" },
      { title: "variables" },
    ],
    rows: plan.servers.map((server) => [
      text(server.name),
      server.connect.map((transport) => ({ text: transport.kind })),
      ...scopes(server),
      limitWords(server.limits).map((words) => ({ text: words })),
      server.manifest === undefined
        ? [{ text: `${server.tools.length} unpinned`, look: "warning" }]
        : text(String(server.tools.length)),
      rolesPieces(plan, server),
      server.variables.map((variable) => variablePiece(variable, env)),
    ]),
  };
}

function rolesPieces(plan: Plan, server: Server): TableCell {
  const roles = rolesOf(plan, server);
  if (roles.length === 0) return text("no role", "quiet");
  return roles.length <= 3 ? roles.map((role) => ({ text: role })) : text(`${roles.length} roles`);
}

function variablePiece(variable: Variable, env: Env): Piece {
  const name = visible(variable.name);
  const other = variable.acceptedNames.find((one) => ownValue(one, env) !== undefined);
  if (ownValue(variable.name, env) === undefined && other !== undefined)
    return { text: `${name} set as ${visible(other)}` };
  if (isSet(variable, env)) return { text: `${name} set` };
  return variable.required ? { text: `${name} not set`, look: "error" } : { text: `${name} not set, optional` };
}

export function isSet(variable: Variable, env: Env): boolean {
  return valueOf(variable.name, [variable], env) !== undefined;
}

function rolesOf(plan: Plan, server: Server): string[] {
  return plan.roles.filter((role) => holdsAnyOf(role, server)).map((role) => role.name);
}
