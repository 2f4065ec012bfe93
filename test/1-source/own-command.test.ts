import { describe, expect, test } from "vitest";
import { compiled, errors } from "../support/compiled.ts";

/** How what a build writes starts rolecall itself: as `serve: { command }` says, else as it works in the project. */

const PROJECT = "version: 1\nproject: harbor\nroles: { lead: { tools: { squad: all } } }\n";
const started = (written: string, manifest?: object, more: Readonly<Record<string, string>> = {}) => {
  const compilation = compiled({
    "rolecall.yaml": PROJECT + written,
    ...(manifest && { "package.json": JSON.stringify(manifest) }),
    ...more,
  });
  expect(errors(compilation)).toEqual([]);
  const { plan, diagnostics } = compilation;
  const [connection] = plan.servers.find(({ name }) => name === "squad")!.connect;
  return {
    state: connection!.kind === "stdio" ? connection!.command.map(({ written: word }) => word).join(" ") : "",
    serve: plan.project.serve.command.join(" "),
    codes: diagnostics.map(({ code }) => code).filter((code) => code.startsWith("server/")),
  };
};
const STATE = "state: { name: squad }\n";
const DEPENDENT = { devDependencies: { rolecall: "^0.1.0" } };

describe("the entries of hosts and of the team's state", () => {
  test.each<[what: string, written: string, manifest: object | undefined, serve: string, state: string]>([
    ["nothing known", STATE, undefined, "rolecall", "rolecall state"],
    ["another project's package.json", STATE, { devDependencies: { zod: "4" } }, "rolecall", "rolecall state"],
    ["a dependency of the project", STATE, DEPENDENT, "npx --no rolecall", "npx --no rolecall state"],
    ["said once, for both", `${STATE}serve: { command: [our, cli] }\n`, DEPENDENT, "our cli", "our cli state"],
    [
      "said of the state alone",
      "state: { name: squad, command: [ours] }\nserve: { command: [our, cli] }\n",
      undefined,
      "our cli",
      "ours",
    ],
    ["of a package.json that is none", STATE, [], "rolecall", "rolecall state"],
  ])("%s", (_, written, manifest, serve, state) => {
    expect(started(written, manifest)).toEqual({ serve, state, codes: [] });
  });
});

test.each([
  ["[npx, --no, rolecall]", []],
  ["[npx, --no-install, rolecall]", []],
  ["[npm, exec, --no, --, rolecall]", []],
  // Behind the package it is the program's own.
  ["[npx, rolecall, --no]", ["server/npx-may-prompt", "server/unpinned-package"]],
  ["[uvx, --no, rolecall]", ["server/unpinned-package"]],
])("%s downloads nothing where npm is told not to", (command, codes) => {
  expect(started(`${STATE}serve: { command: ${command} }\n`).codes.toSorted()).toEqual(codes);
});
