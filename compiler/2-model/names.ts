import type { HostData } from "../base/host-data.ts";
import { nearest } from "../base/nearest.ts";
import type { Place } from "../base/place.ts";
import type { Report } from "../diagnostics/report.ts";

/** What is declared, and what was declared with a wrong shape: naming the latter is no second error. */
export interface KnownNames {
  readonly hosts: readonly HostData[];
  readonly servers: ReadonlySet<string>;
  readonly roles: ReadonlySet<string>;
  readonly broken: ReadonlySet<string>;
}

export function checkServerName(
  server: string,
  owner: string,
  place: Place,
  known: KnownNames,
  report: Report,
): boolean {
  if (known.servers.has(server)) return true;
  if (!excused("servers", server, known))
    report.add("server/unknown", place, { case: "unclear", owner, server, nearest: nearest(server, known.servers) });
  return false;
}

export function checkRoleName(role: string, owner: string, place: Place, known: KnownNames, report: Report): boolean {
  if (known.roles.has(role)) return true;
  if (!excused("roles", role, known))
    report.add("role/unknown", place, {
      case: "unclear",
      owner,
      role,
      nearest: nearest(
        role,
        [...known.roles].filter((name) => owner !== `role \`${name}\``),
      ),
      glob: place.origins === undefined ? undefined : "skills/**/SKILL.md",
    });
  return false;
}

export function excused(block: "servers" | "roles", name: string, known: KnownNames): boolean {
  return known.broken.has("*") || known.broken.has(`${block}.${name}`);
}
