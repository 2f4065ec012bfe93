import type { Needed, NeededPackage } from "../../3-plan/packages.ts";
import { visible } from "../../base/visible.ts";
import { wrap } from "../../base/wrap.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import { page } from "../page.ts";
import { tableLines, text, type TableCell } from "../table.ts";

export function neededPage({ packages, programs }: Needed, style: Style): string {
  if (programs.length === 0) return "no role holds a server that is started as a process\n";
  const pinned = packages.filter(({ version }) => version !== undefined);
  const unpinned = packages.filter(({ version }) => version === undefined);
  const warning = wrap("without a version: each start takes whatever is newest", style.width);
  return page([
    packageLines(pinned, style),
    unpinned.length === 0 ? [] : [...warning, ...packageLines(unpinned, style)],
    tableLines(
      {
        columns: [{ title: "program", mayShrink: true }, { title: "servers" }],
        rows: programs.map(({ program, servers }) => [text(visible(program)), names(servers)]),
      },
      style,
    ),
  ]);
}

function packageLines(packages: readonly NeededPackage[], style: Style): string[] {
  if (packages.length === 0) return [];
  const columns = [{ title: "package" }, { title: "from" }, { title: "servers" }];
  const rows = packages.map(({ manager, spec, servers }) => [text(visible(spec)), text(manager), names(servers)]);
  return tableLines({ columns, rows }, style);
}

function names(servers: readonly string[]): TableCell {
  return servers.map((name) => ({ text: name }));
}
