import { expect, test } from "vitest";
import { memoryFiles } from "../../../compiler/1-source/memory-files.ts";
import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import { DEFAULTS } from "../../../compiler/base/project-layout.ts";
import { lazyLibraries } from "../../../compiler/io/libraries.ts";
import { translate } from "../../../compiler/translate.ts";
import { CURSOR, server } from "../../support/settings-beside.ts";

test("a rule of Cursor's is told where it may name a server with a comma or a colon in it", () => {
  for (const [name, rule] of [
    ["tracker,eu", "Mcp(tracker,eu, drop)"],
    ["tracker:eu", "Mcp( tracker:eu:drop)"],
  ] as const) {
    const files = memoryFiles({
      [CURSOR[0]]: JSON.stringify({ mcpServers: { tracker: server, [name]: server } }),
      ".cursor/cli.json": JSON.stringify({ permissions: { deny: [rule] } }),
    });
    const { diagnostics } = translate(
      { file: CURSOR[0] },
      { files, project: DEFAULTS, hosts: allHosts([]) },
      lazyLibraries(),
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(["import/left-behind"]);
  }
});
