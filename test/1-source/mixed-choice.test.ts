import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { findChoice } from "../../compiler/1-source/mixed-choice.ts";
import type { JsonObject } from "../../compiler/base/json.ts";
import { SHARED } from "../support/root.ts";

const choosing = (argument: string, ...values: string[]): JsonObject => ({
  properties: { [argument]: { type: "string", enum: values } },
});

describe("an argument that chooses between reading and writing", () => {
  test.each<[tool: string, argument: string, values: string[], reads: string, writes: string]>([
    ["labels", "method", ["list", "create"], "list", "create"],
    ["auth", "action", ["status", "start_auth", "set_env"], "status", "set_env"],
    ["manageApps", "action", ["deployApp", "getUploadUrl", "deleteApp"], "getUploadUrl", "deleteApp"],
    ["manage-events", "mode", ["show-current", "rename-it"], "show-current", "rename-it"],
    ["curl", "method", ["GET", "POST", "PUT"], "GET", "PUT"],
    ["batch", "ordering", ["search", "create"], "search", "create"],
  ])("%s, %s: %j", (tool, argument, values, reads, writes) => {
    expect(findChoice(tool, choosing(argument, ...values))).toEqual({ argument, reads, writes });
  });
});

describe("an argument that says something else", () => {
  test.each<[tool: string, argument: string, values: string[]]>([
    ["group_stats", "by", ["COUNT_DESC", "CREATED_DESC"]],
    ["shareFile", "for", ["owner", "writer", "reader"]],
    ["shareFile", "role", ["read", "write"]],
    ["share", "permissionLevel", ["view", "edit"]],
    ["pipelines", "order_by", ["status", "update"]],
    ["pipelines", "sortBy", ["status", "update"]],
    ["createCollectionRequest", "method", ["GET", "PUT"]],
    ["update_request", "method", ["GET", "PUT"]],
    ["labels", "method", ["listing", "creation"]],
    ["labels", "method", ["list", "get"]],
  ])("%s, %s: %j", (tool, argument, values) => {
    expect(findChoice(tool, choosing(argument, ...values))).toBeUndefined();
  });
});

const MANIFESTS = path.join(SHARED, "manifests");

test.runIf(existsSync(MANIFESTS))("of real tools, the ones that do both by an argument", () => {
  const found: string[] = [];
  for (const file of readdirSync(MANIFESTS).filter((name) => name.endsWith(".json"))) {
    const { tools } = JSON.parse(readFileSync(path.join(MANIFESTS, file), "utf8")) as {
      readonly tools: readonly { readonly name: string; readonly inputSchema: JsonObject }[];
    };
    for (const { name, inputSchema } of tools) {
      const choice = findChoice(name, inputSchema);
      if (choice) found.push(`${name} ${choice.argument}`);
    }
  }
  expect(found).toEqual([
    "batch_records operation_type",
    "auth action",
    "manageEnv action",
    "manageApps action",
    "curl method",
    "git_branch mode",
    "git_remote mode",
    "git_stash mode",
    "git_tag mode",
    "git_worktree mode",
    "manage_accounts action",
    "interact action",
    "browser_tabs action",
    "browser_tabs action",
    "manage-events action",
  ]);
});
