import { isObject, type JsonObject, type JsonValue } from "../../../base/json.ts";
import { nearest } from "../../../base/nearest.ts";
import type { KeyPath } from "../../../base/place.ts";
import { exactly } from "../exact.ts";
import type { Format, Translation } from "../types.ts";
import { governanceDocument, type GovernanceDocument } from "./schema.ts";

/** Files of MAGSAG's catalog: agents and skills with the servers that they need, and policies about tools. */
export const magsagGovernance: Format<GovernanceDocument> = {
  id: "magsag-governance",
  title: "MAGSAG's catalog",
  givesAsShown: "roles",
  recognises: (value) => !HOLDS_SERVERS.some((key) => key in value) && (isOfSomebody(value) || isPolicies(value)),
  schema: governanceDocument,
  read: (document, made) => {
    const role = isOfSomebody(document as JsonObject) ? readRole(document, made) : undefined;
    readPolicies(document.policies?.tools ?? {}, role === undefined ? ["*"] : [role], made);
    sayNearKeys(document, made);
  },
};

/** Files of other formats have ids and permissions too. */
const HOLDS_SERVERS = ["transport", "servers", "mcp", "mcpServers", "mcp_servers"];

/** An agent or a skill. */
function isOfSomebody(value: JsonObject): boolean {
  const { requires, permissions, depends_on: needs, id } = value;
  return (
    (isObject(requires) && "mcp" in requires) ||
    Array.isArray(permissions) ||
    (isObject(needs) && "skills" in needs) ||
    typeof value["slug"] === "string" ||
    (typeof id === "string" && id.startsWith("skill."))
  );
}

function isPolicies({ policies }: JsonObject): boolean {
  return isObject(policies) && isObject(policies["tools"]);
}

function readRole(document: GovernanceDocument, made: Translation): string {
  const key = (["slug", "id", "name"] as const).find((one) => document[one] !== undefined);
  const role = made.roleName(key === undefined ? made.stem : document[key]!, key === undefined ? [] : [key]);
  made.put(["roles", role, "description"], document.description, ["description"]);
  const { requires, permissions = [], skills = [], depends_on: needs } = document;
  (requires?.mcp ?? []).forEach((server, i) => made.grantServer(role, server, ["requires", "mcp", i]));
  permissions.forEach((permission, i) => readPermission(role, permission, ["permissions", i], made));
  const used = [
    ...skills.map((skill, i) => ({ skill, at: ["skills", i] })),
    ...(needs?.skills ?? []).map((skill, i) => ({ skill, at: ["depends_on", "skills", i] })),
  ];
  const parents = new Map(
    used.flatMap(({ skill, at }) => {
      const parent = made.roleMeant(bare(skill), at);
      return parent === undefined ? [] : [[parent, at] as const];
    }),
  );
  [...parents].forEach(([parent, at], i) => made.put(["roles", role, "extends", i], parent, at));
  return role;
}

/** `magsag://skill.x@>=0.1.0` is `skill.x`. */
function bare(skill: string): string {
  return skill.replace(/^magsag:\/\//, "").replace(/@.*$/, "");
}

/** Other permissions are about other things. */
function readPermission(role: string, permission: string, at: KeyPath, made: Translation): void {
  const [, kind = "", server = ""] = /^([^:]*):(.*)$/s.exec(permission) ?? [];
  if (kind === "mcp") made.grantServer(role, server, at);
  else if (nearest(kind, ["mcp"]) !== undefined && kind.length <= 4)
    made.remark(at, `\`${permission}\``, `did you mean \`mcp:${server}\`? it grants nothing as it stands`);
}

function readPolicies(
  tools: NonNullable<GovernanceDocument["policies"]>["tools"],
  roles: readonly string[],
  made: Translation,
): void {
  let count = 0;
  for (const [written, word] of Object.entries(tools)) {
    const at = ["policies", "tools", written];
    const selectors = selectorsOf(written, at, made);
    if (word === "allow") {
      for (const selector of selectors) made.mention(selector, roles, at);
      continue;
    }
    if (selectors.length === 0) continue;
    const to = ["policies", count++];
    made.put(to, { name: `${made.file}: ${written}`, roles: [...roles], effect: word === "deny" ? "deny" : "ask" }, at);
    // A pattern may find none of its own, where the project calls what it finds by other names.
    selectors.forEach((selector, i) =>
      made.put([...to, "tools", i], i === 0 && selectors.length > 1 ? { optional: selector } : selector, at),
    );
    if (word === "require-approval") for (const selector of selectors) made.asks(selector, roles, at);
  }
}

/** Stars are globs: in a place that restricts the wider reading is the safe one. */
function selectorsOf(written: string, at: KeyPath, made: Translation): readonly string[] {
  const dot = written.indexOf(".");
  if (dot <= 0) return [written];
  const tool = written.slice(dot + 1);
  const selector = /[*?]/.test(tool) ? tool : exactly(tool);
  return made.serversMeant(written.slice(0, dot), at).map((server) => `${server}.${selector}`);
}

/** A key that is nearly one that grants or restricts. */
function sayNearKeys(document: GovernanceDocument, made: Translation): void {
  const known = ["requires", "permissions", "policies", "depends_on"];
  for (const key of Object.keys(document)) {
    if (known.includes(key) || key in KNOWN_BESIDE) continue;
    const near = saysEffects((document as JsonObject)[key]) ? "policies" : nearest(key, known);
    if (near !== undefined) made.refuse([key], `\`${key}\``, `did you mean \`${near}\`?`);
  }
  for (const key of Object.keys(document.requires ?? {}))
    if (key !== "mcp" && nearest(key, ["mcp"]) !== undefined && key.length <= 4)
      made.refuse(["requires", key], `\`requires.${key}\``, "did you mean `requires.mcp`?");
}

/** Whatever it is called, what holds effects by tool is a restriction. */
function saysEffects(value: JsonValue | undefined): boolean {
  const tools = isObject(value) ? value["tools"] : undefined;
  return isObject(tools) && Object.values(tools).some((one) => one === "deny" || one === "require-approval");
}

const KNOWN_BESIDE: Readonly<Record<string, true>> = { skills: true, role: true };
