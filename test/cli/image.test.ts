import { expect, test } from "vitest";
import type { Needed } from "../../compiler/3-plan/packages.ts";
import { neededPage } from "../../compiler/cli/image/page.ts";

test("packages are named whole, however narrow the terminal is", () => {
  const names = ["filesystem", "memory", "everything"].map((one) => `@modelcontextprotocol/server-${one}@2026.1.26`);
  const packages = names.map((spec) => ({ manager: "npm", spec, name: spec, version: "1", servers: ["a"] }));
  const needed = { packages, programs: [{ program: "npx", servers: ["a"] }] } as unknown as Needed;
  const page = neededPage(needed, { width: 40, colour: false, ascii: false });
  for (const name of names) expect(page).toContain(name);
});
