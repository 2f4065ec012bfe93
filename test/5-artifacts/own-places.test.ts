import { expect, test } from "vitest";
import { bearsHeader } from "../../compiler/base/bears-header.ts";
import { allHosts } from "../../compiler/5-artifacts/hosts/all-hosts.ts";
import { formatAt, mayHaveBeenOurs } from "../../compiler/base/keyed-places.ts";
import { ownPlaces } from "../../compiler/base/own-places.ts";
import { allTargets } from "../../compiler/5-artifacts/targets.ts";
import type { ManagedKeys } from "../../compiler/5-artifacts/types.ts";
import { sorted } from "../../compiler/base/order.ts";
import { memoryFiles } from "../../compiler/1-source/memory-files.ts";
import { compile } from "../../compiler/compile.ts";
import { lazyLibraries } from "../../compiler/io/libraries.ts";
import { readResources } from "../../compiler/io/read/resources.ts";
import { manifest } from "../support/compiled.ts";
import { doorOf } from "../support/known-hosts.ts";

test("every key that a host keeps in a user's file is one that may be taken out again", () => {
  const hosts = allHosts(readResources().hosts);
  const project = {
    version: 1,
    project: "harbor",
    hosts: hosts.map(({ id, abilities, gateway, places, takes }) => ({
      id,
      ...(gateway === "must" && { via: "serve" }),
      ...(!abilities.roles && { role: "reader" }),
      ...(takes?.includes("transports") && { transports: ["http"] }),
      ...(places?.into && { into: places.into.example }),
      ...doorOf(id),
    })),
    servers: { github: { connect: [{ http: "https://github.example.com/mcp" }] } },
    roles: {
      reader: { tools: { github: "all" }, delegates: ["tester"], prompt: "reader.md" },
      tester: { tools: { github: ["get_issue"] } },
    },
  };
  const files = {
    "rolecall.yaml": JSON.stringify(project),
    "mcp/manifests/github.json": manifest("list_issues", "get_issue"),
    "reader.md": "Read.",
  };
  const { artifacts } = compile(memoryFiles(files), hosts, lazyLibraries());
  const keyed = [...artifacts].filter((artifact): artifact is ManagedKeys => "keys" in artifact);
  expect(keyed.length).toBeGreaterThan(0);
  for (const { path, format, keys } of keyed) {
    expect(formatAt(path, hosts), path).toBe(format);
    expect(
      keys.filter(({ at }) => !mayHaveBeenOurs(path, at, hosts)).map(({ at }) => at.join(".")),
      path,
    ).toEqual([]);
  }
});

test("a file without room for a header lies where its name alone says that it is ours, or is named by the list", () => {
  const hosts = allHosts(readResources().hosts);
  const project = {
    version: 1,
    project: "harbor",
    folder: "agents/mcp",
    hosts: hosts.map(({ id, abilities, gateway, takes }) => ({
      id,
      ...(gateway === "must" && { via: "serve" }),
      ...(!abilities.roles && { role: "reader" }),
      ...(takes?.includes("transports") && { transports: ["http"] }),
      ...doorOf(id),
    })),
    servers: { github: { connect: [{ http: "https://github.example.com/mcp" }] } },
    roles: { reader: { tools: { github: "all" }, prompt: "reader.md" } },
  };
  const files = {
    "rolecall.yaml": JSON.stringify(project),
    "agents/mcp/manifests/github.json": manifest("list_issues", "get_issue"),
    "reader.md": "Read.",
  };
  const { artifacts } = compile(memoryFiles(files), allTargets(readResources()), lazyLibraries());
  const whole = [...artifacts].flatMap((artifact) =>
    "text" in artifact
      ? [[artifact.path, artifact.text] as const]
      : "chunks" in artifact
        ? [[artifact.path, [...artifact.chunks].join("")] as const]
        : [],
  );
  const isOwnPlace = ownPlaces(hosts);
  expect(whole.length).toBeGreaterThan(20);
  const bare = whole.filter(([, text]) => !bearsHeader(text)).map(([file]) => file);
  expect(sorted(bare.filter((file) => !isOwnPlace(file, "agents/mcp")))).toEqual([
    ".mcp/servers/github.json",
    "src/mcp/access.json",
  ]);
  expect(bare.length).toBeGreaterThan(5);
  expect(isOwnPlace("mcp/hosts/opencode/reader.json", "agents/mcp")).toBe(false);
});
