import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writingWord } from "../../compiler/base/verbs.ts";
import { captureProject, NOTES, tool, type CaptureProject } from "../support/capture-project.ts";
import { SHARED } from "../support/root.ts";

/** a tool that its server calls read-only, and whose name says otherwise. */

describe("the verb of a name", () => {
  test.each([
    ["delete_customer", "delete"],
    ["deleteCustomer", "delete"],
    ["crm-delete-customer", "delete"],
    ["crm.customer.delete", "delete"],
    ["VPS_deleteFirewallV1", "delete"],
    ["APIDeleteKey", "delete"],
    ["volume-resize", "resize"],
    ["db-cluster-update-user", "update"],
    ["update_status", "update"],
    ["browser_start_video", "start"],
    ["get_and_delete_message", "delete"],
    ["find-or-create", "create"],
    ["send", "send"],
    ["add_comment", "add"],
  ])("%s writes: %s", (name, word) => expect(writingWord(name)).toBe(word));

  test.each([
    "get_deleted_items",
    "list_updates",
    "search_create_options",
    "getWorkspaceUpdate",
    "list_merge_requests",
    "domain-record-get",
    "firebase_deploy_status",
    "preview_delete",
    "can_delete",
    "start_search",
    "postman",
    "sender_details",
    "undeletable",
    "add",
    "create_sql_query",
    "__proto__",
    "",
    "查询",
  ])("%s doesn't", (name) => expect(writingWord(name)).toBeUndefined());

  test.each<[name: string, description: string, word: string | undefined]>([
    ["create_guide", "Provides documentation for the calendar service.", undefined],
    ["create_issue", "Creates an issue and returns it.", "create"],
    ["delete_issue", "Returns nothing and generates documentation, read-only.", "delete"],
    ["manage_models", "Lists models (read-only).", undefined],
    ["manage_models", "Lists and removes models.", "manage"],
  ])("%s, described as %j: %s", (name, description, word) => expect(writingWord(name, description)).toBe(word));
});

const MANIFESTS = path.join(SHARED, "manifests");

/** Judged by their descriptions: each starts, stops, saves, creates or sets up something. */
const OF_REAL_SERVERS = [
  "attio: manage-list-entry (manage)",
  "browserstack: setupBrowserStackAutomateTests (setup)",
  "browserstack: addPercySnapshotCommands (add)",
  "browserstack: setupBrowserStackAppAutomateTests (setup)",
  "playwright-all-caps: browser_pdf_save (save)",
  "playwright-all-caps: browser_start_recording (start)",
  "playwright-all-caps: browser_stop_recording (stop)",
  "playwright-all-caps: browser_start_tracing (start)",
  "playwright-all-caps: browser_stop_tracing (stop)",
  "playwright-all-caps: browser_start_video (start)",
  "playwright-all-caps: browser_stop_video (stop)",
  "salesforce: create_lwc_component_from_prd (create)",
  "salesforce: create_lightning_type (create)",
  "trigger-dev: start_dev_server (start)",
  "trigger-dev: stop_dev_server (stop)",
];

test.runIf(existsSync(MANIFESTS))("of 1,203 tools that real servers call read-only, these say otherwise", () => {
  const found: string[] = [];
  let readOnly = 0;
  let writing = 0;
  let told = 0;
  for (const { server, name, description, annotations = {} } of realTools()) {
    const word = writingWord(name, description);
    if (annotations.readOnlyHint === true && annotations.destructiveHint !== true) {
      readOnly++;
      if (word !== undefined) found.push(`${server}: ${name} (${word})`);
    } else if (annotations.readOnlyHint === false) {
      writing++;
      if (word !== undefined) told++;
    }
  }
  expect(found).toEqual(OF_REAL_SERVERS);
  // Had they lied: so many of those that say they write would be told by their names.
  expect({ readOnly, writing, told }).toEqual({ readOnly: 1203, writing: 937, told: 735 });
});

interface RealTool {
  readonly server: string;
  readonly name: string;
  readonly description?: string;
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean };
}

function realTools(): RealTool[] {
  const files = readdirSync(MANIFESTS).filter((file) => file.endsWith(".json"));
  return files.flatMap((file) => {
    const { tools } = JSON.parse(readFileSync(path.join(MANIFESTS, file), "utf8")) as {
      tools: Omit<RealTool, "server">[];
    };
    return tools.map((one) => ({ server: file.replace(/\.json$/, ""), ...one }));
  });
}

describe("capture", () => {
  let project: CaptureProject;
  beforeEach(() => void (project = captureProject()));
  afterEach(() => project.remove());
  const READS = { annotations: { readOnlyHint: true } };
  const lying = { pages: [[tool("delete_note", READS), tool("get_note", READS)]] };
  const MARK = "delete_note says that it only reads, and its name says `delete`";
  const QUESTION = "take delete_note as read-only, although its name says otherwise? [y/N]";
  const WRITE = `write ${NOTES}? [y/N]`;

  test("marks such a tool, and asks for it by itself before it asks for the rest", async () => {
    project.notes(lying);
    const { exit, out } = await project.run(["capture"], { types: ["y", "y"] });
    expect(exit).toBe(0);
    expect(joined(out)).toContain(MARK);
    expect(out.indexOf(QUESTION)).toBeGreaterThan(0);
    expect(out.indexOf(WRITE)).toBeGreaterThan(out.indexOf(QUESTION));
    expect(project.has(NOTES)).toBe(true);
  });

  test("writes nothing after a no to it, and asks no further", async () => {
    project.notes(lying);
    const { exit, out } = await project.run(["capture"], { types: ["n", "y"] });
    expect(exit).toBe(2);
    expect(out).not.toContain(WRITE);
    expect(project.has(NOTES)).toBe(false);
  });

  test("takes it with --accept, marked in text and in JSON", async () => {
    project.notes(lying);
    const shown = await project.run(["capture", "--json"]);
    const { servers } = JSON.parse(shown.out) as { servers: { contradictions: unknown }[] };
    expect(servers[0]!.contradictions).toEqual([{ tool: "delete_note", word: "delete" }]);
    const { exit, out } = await project.run(["capture", "--accept"]);
    expect(exit).toBe(0);
    expect(joined(out)).toContain(MARK);
    expect(project.has(NOTES)).toBe(true);
    const again = await project.run(["capture"]);
    expect(again.out).toBe("notes: the same, 2 tools\n");
  });

  test.each(["true", "false"])("is silent where the author has said `readOnly: %s`", async (said) => {
    const connect = project.fake("notes", lying);
    project.declare({ notes: `{ connect: ${connect}, hints: { delete_note: { readOnly: ${said} } } }` });
    const { out } = await project.run(["capture"], { types: ["y"] });
    expect(out).not.toContain("otherwise");
    expect(project.has(NOTES)).toBe(true);
  });
});

/** Without what a narrow page breaks. */
function joined(text: string): string {
  return text.replace(/\s+/g, " ");
}
