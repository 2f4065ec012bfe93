import { describe, expect, test } from "vitest";
import { openBeside, ourNames, overrulings, type FoundName, type OurNames } from "../../compiler/4-fit/merged.ts";
import { allHosts } from "../../compiler/5-artifacts/hosts/all-hosts.ts";

/** What of all that hosts find beside our files is a name of ours. */
const host = (id: string) => allHosts([]).find((one) => one.id === id)!;
const OURS: OurNames = {
  servers: ["my-files", "rolecall"],
  agents: ["tester"],
  held: new Set(["all", "asks"]),
  written: new Set(),
};
const name = (more: Partial<FoundName>): FoundName => ({
  file: "opencode.json",
  of: "servers",
  at: ["mcp", more.name ?? ""],
  name: "other",
  isOpen: false,
  ...more,
});
const keys = (found: FoundName, id = "opencode", ours = OURS) =>
  overrulings([found], ours, host(id)).map(({ key }) => key);

describe("a name of ours", () => {
  test("as the host joins it", () => {
    expect(keys(name({ name: "my-files" }))).toEqual(["mcp.my-files"]);
    expect(keys(name({ name: "my_files" }))).toEqual([]);
    expect(keys(name({ name: "my_files" }), "codex")).toEqual(["mcp.my_files"]);
    expect(keys(name({ name: "rolecall" }))).toEqual(["mcp.rolecall"]);
  });

  test("agents and servers apart", () => {
    expect(keys(name({ of: "agents", at: ["mode", "tester"], name: "tester" }))).toEqual(["mode.tester"]);
    expect(keys(name({ of: "agents", at: ["name"], name: " tester " }))).toEqual([" tester "]);
    expect(keys(name({ name: "tester" }))).toEqual([]);
    expect(keys(name({ of: "agents", name: "my-files" }))).toEqual([]);
  });

  test("what may be any counts", () => {
    expect(keys(name({ name: undefined }))).toEqual([undefined]);
    expect(keys(name({ name: "{file:./k}" }))).toEqual(["mcp.{file:./k}"]);
    expect(keys(name({ name: "{file:./k}" }), "codex")).toEqual([]);
  });

  test("what a build puts there itself doesn't", () => {
    const made = [{ path: "opencode.json", keys: [{ at: ["mcp", "rolecall"] }] }, { path: "a.json" }];
    const ours = { ...OURS, written: ourNames([], made).written };
    expect(keys(name({ name: "rolecall" }), "opencode", ours)).toEqual([]);
    expect(keys(name({ name: "rolecall", file: ".opencode/opencode.json" }), "opencode", ours)).toEqual([
      "mcp.rolecall",
    ]);
    expect(openBeside([name({ name: "rolecall", isOpen: true })], new Set(), ours)).toEqual([]);
  });
});

describe("a setting", () => {
  const setting = (undoes: FoundName["undoes"]) =>
    name({ of: "settings", at: ["a", "b"], name: "a.b", ...(undoes && { undoes }) });

  test("counts where what it undoes is held", () => {
    expect([keys(setting("asks")), keys(setting("all"))]).toEqual([["a.b"], ["a.b"]]);
    expect([keys(setting("handing over")), keys(setting("prompt"))]).toEqual([[], []]);
  });

  test("doesn't where a build puts it there itself", () => {
    const { written } = ourNames([], [{ path: "opencode.json", keys: [{ at: ["a", "b"] }] }]);
    expect(keys(setting("asks"), "opencode", { ...OURS, written })).toEqual([]);
  });
});

test.each([
  ["HOME", true],
  ["XDG_STATE_HOME", true],
  ["NODE_OPTIONS", true],
  ["LD_PRELOAD", true],
  ["Path", true],
  ["npm_config_node_options", true],
  ["NPM_CONFIG_USERCONFIG", true],
  ["npm_config_script-shell", true],
  ["pnpm_config_registry", true],
  ["YARN_IGNORE_PATH", true],
  ["UV_INDEX_URL", true],
  ["BASH_ENV", true],
  ["SHELL", true],
  ["ComSpec", true],
  ["PYTHONPATH", true],
  ["PERL5OPT", true],
  ["RUBYOPT", true],
  ["JAVA_TOOL_OPTIONS", true],
  ["NODE_EXTRA_CA_CERTS", true],
  ["NODE_TLS_REJECT_UNAUTHORIZED", true],
  ["SSL_CERT_FILE", true],
  ["GIT_DIR", true],
  ["GIT_CONFIG_KEY_0", true],
  ["GIT_SSH_COMMAND", true],
  ["DOCKER_HOST", true],
  ["GITHUB_TOKEN", false],
  ["MY_HOME", false],
  ["HOMEPAGE", false],
  ["NPM_TOKEN", false],
  ["NODE_ENV", false],
  ["ENV", false],
  ["GIT_TOKEN", false],
  ["GIT_COMMIT", false],
  ["GIT_SSH_KEY", false],
  ["PYTHONUNBUFFERED", false],
  ["PYTHON_VERSION", false],
  ["JAVA_OPTS", false],
  ["DATABASE_URL", false],
  ["DOCKER_PASSWORD", false],
  ["SSL_CERT", false],
  ["HTTPS_PROXY", false],
  ["BROWSER", false],
  ["PATH_PREFIX", false],
])("the variable %s moves what is started: %s", (variable, moves) =>
  expect(keys(name({ of: "variables", at: [variable], name: variable }), "gemini-cli")).toEqual(
    moves ? [variable] : [],
  ),
);

test.each([
  ["NODE_OPTIONS", true],
  ["npm_config_registry", true],
  ["NODE_EXTRA_CA_CERTS", false],
  ["SSL_CERT_FILE", false],
])("the variable %s of a file that a person has for all projects counts: %s", (variable, counts) =>
  expect(keys(name({ of: "own variables", at: [variable], name: variable }), "gemini-cli")).toEqual(
    counts ? [variable] : [],
  ),
);
