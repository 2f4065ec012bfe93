import type { HostChoice } from "../../../3-plan/types.ts";
import { sqlHeader } from "../../header.ts";

export const TABLE = "kb.project_mcp_servers";

/** Makes the table where there is none, and adds what is missing; as often as it is run. */
export function migrationSql({ stored: { transports = [] } }: HostChoice): string {
  const kinds = [...new Set(["stdio", "sse", ...transports])];
  return `${sqlHeader}
-- For PostgreSQL 13 and later. It may be run again and again; what is there stays.

create schema if not exists kb;

do $$ begin
  create type kb.mcp_transport as enum (${kinds.map((kind) => `'${kind}'`).join(", ")});
exception when duplicate_object then null;
end $$;
${kinds.map((kind) => `alter type kb.mcp_transport add value if not exists '${kind}';`).join("\n")}

create table if not exists ${TABLE} (
  id uuid primary key default gen_random_uuid(),
  project_id text not null,
  product_id text,
  name text not null,
  description text,
  transport kb.mcp_transport not null,
  config jsonb not null,
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create unique index if not exists project_mcp_servers_of_product
  on ${TABLE} (project_id, product_id, name) where product_id is not null;
create unique index if not exists project_mcp_servers_of_project
  on ${TABLE} (project_id, name) where product_id is null;

create or replace function kb.project_mcp_servers_changed() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;
drop trigger if exists project_mcp_servers_changed on ${TABLE};
create trigger project_mcp_servers_changed before update on ${TABLE}
  for each row when (old is distinct from new) execute function kb.project_mcp_servers_changed();
`;
}
