import { describe, expect, test } from "vitest";
import { propose } from "../../compiler/first-project/propose.ts";
import type { FoundFolder } from "../../compiler/first-project/types.ts";
import type { JsonObject } from "../../compiler/base/json.ts";
import { jsonFormat } from "../../compiler/5-artifacts/managed/json.ts";
import { keyLibraries } from "../../compiler/io/libraries.ts";

/** What `init` would write into a package.json. */

const EMPTY: FoundFolder = {
  name: "harbor",
  manifest: undefined,
  hosts: [],
  agents: new Set(),
  foreign: [],
  skillFolders: [],
  leftAlone: [],
  passedBy: [],
  formatters: [],
  ignores: undefined,
  typescript: { config: undefined, imports: "ts", emits: undefined, otherFolder: "", problems: [] },
  own: "1.2.3",
};
const { set } = jsonFormat(keyLibraries().jsonc());

function proposed(manifest: JsonObject | undefined, own: string | undefined = "1.2.3") {
  const text = manifest && `${JSON.stringify(manifest, null, 4)}\n`;
  const proposal = propose({ ...EMPTY, manifest, own }, text, set);
  const file = proposal.files.find(({ path }) => path === "package.json");
  return { ...proposal, manifest: file && (JSON.parse(file.text) as JsonObject), text: file?.text };
}

const SCRIPTS = { rolecall: "rolecall build", "rolecall:check": "rolecall build --check" };

describe("package.json", () => {
  test("gains the scripts, and rolecall, pinned to this version", () => {
    const { manifest, text, isToInstall, forCode } = proposed({ name: "a", devDependencies: { ms: "2" } });
    expect(manifest).toEqual({ name: "a", devDependencies: { ms: "2", rolecall: "1.2.3" }, scripts: SCRIPTS });
    expect(text).toContain('\n        "rolecall": "1.2.3"\n');
    expect(isToInstall).toBe(true);
    expect(forCode.join()).not.toContain("rolecall");
  });

  test.each(["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"])(
    "that has rolecall under `%s` keeps it so",
    (kind) => {
      const { manifest, isToInstall } = proposed({ [kind]: { rolecall: "^1" } });
      expect(manifest).toEqual({ [kind]: { rolecall: "^1" }, scripts: SCRIPTS });
      expect(isToInstall).toBe(false);
    },
  );

  test("isn't touched where nothing is missing, nor made where none is", () => {
    expect(proposed({ devDependencies: { rolecall: "1" }, scripts: SCRIPTS }).manifest).toBeUndefined();
    const { manifest, forCode, isToInstall } = proposed(undefined);
    expect(manifest).toBeUndefined();
    expect(isToInstall).toBe(false);
    expect(forCode).toContain("npm install --save-dev --save-exact rolecall@1.2.3");
  });

  test("gains no version that a registry may not have", () => {
    const found = propose({ ...EMPTY, own: undefined, manifest: { name: "a" } }, '{ "name": "a" }', set);
    expect(found.files.find(({ path }) => path === "package.json")!.text).not.toContain("devDependencies");
    expect(found.forCode.join()).toContain("npm pack");
  });
});
