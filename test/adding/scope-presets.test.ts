import { describe, expect, test } from "vitest";
import { scopePreset, withScopePresets } from "../../compiler/adding/scope-presets.ts";
import type { JsonObject } from "../../compiler/base/json.ts";

/** Which preset says what the scopes of an imported server cover. */

const preset = (name: string, reached: string, ...scopes: string[]) =>
  scopePreset(name, {
    id: name,
    server: {
      connect: [{ stdio: ["npx", "-y", `${reached}@1.0.0`] }],
      scopes: Object.fromEntries(scopes.map((scope) => [scope, ["a"]])),
    },
  });
const GITHUB = preset("github", "github-mcp", "read:issues", "write:issues");
const server = (more: JsonObject = {}): JsonObject => ({
  connect: [{ stdio: ["npx", "-y", "github-mcp@2.0.0"] }],
  scopes: ["read:issues"],
  ...more,
});
const servers = (block: JsonObject): JsonObject => ({ servers: { hub: block }, roles: { a: {} } });

describe("a server that lists scopes", () => {
  test("names the preset that has its map, before all else, and keeps what it says itself", () => {
    const { blocks, used } = withScopePresets(servers(server()), [], [preset("other", "other-mcp"), GITHUB]);
    expect(used).toEqual([{ server: "hub", preset: "github", isForScopes: true }]);
    expect(blocks).toEqual(servers({ preset: "github", ...server() }));
    expect(Object.keys((blocks["servers"] as Record<string, JsonObject>)["hub"]!)[0]).toBe("preset");
  });

  test("takes the project's own before rolecall's, whatever it is called", () => {
    const ours = preset("ours", "github-mcp", "read:issues");
    expect(withScopePresets(servers(server()), [ours], [GITHUB]).used[0]!.preset).toBe("ours");
    // A person has to say which.
    expect(withScopePresets(servers(server()), [ours, GITHUB], [GITHUB]).used).toEqual([]);
  });

  test.each<
    [string, JsonObject, readonly [readonly ReturnType<typeof preset>[], readonly ReturnType<typeof preset>[]]]
  >([
    ["reaches something else", server({ connect: [{ stdio: ["npx", "-y", "gitlab-mcp"] }] }), [[], [GITHUB]]],
    ["lists one that the map lacks", server({ scopes: ["read:issues", "read:wikis"] }), [[], [GITHUB]]],
    ["lists none", server({ scopes: [] }), [[], [GITHUB]]],
    ["has a map of its own", server({ scopes: { "read:issues": ["a"] } }), [[], [GITHUB]]],
    ["has no connection", { scopes: ["read:issues"] }, [[], [GITHUB]]],
    ["would take one of a name that the project uses", server(), [[preset("github", "x")], [GITHUB]]],
  ])("stays as it is where it %s", (_, block, [there, brought]) => {
    expect(withScopePresets(servers(block), there, brought)).toEqual({ blocks: servers(block), used: [] });
  });
});

describe("a server that names a preset", () => {
  test("needs it brought where the project lacks it and rolecall has it", () => {
    const blocks = servers({ preset: "github" });
    const used = [{ server: "hub", preset: "github", isForScopes: false }];
    expect(withScopePresets(blocks, [], [GITHUB])).toEqual({ blocks, used });
    expect(withScopePresets(blocks, [GITHUB], [GITHUB]).used).toEqual([]);
    expect(withScopePresets(servers({ preset: "mine" }), [], [GITHUB]).used).toEqual([]);
  });
});

test("files without servers, and presets of any other form, are left as they are", () => {
  expect(withScopePresets({ roles: {} }, [], [GITHUB])).toEqual({ blocks: { roles: {} }, used: [] });
  for (const value of [undefined, null, [], { server: [] }, { server: { connect: 1, scopes: [] } }])
    expect(scopePreset("a", value)).toEqual({ name: "a", reached: [], scopes: [] });
});
