import type { KeyPath } from "../../base/place.ts";
import type * as z from "zod/mini";
import { isObject, type JsonValue } from "../../base/json.ts";
import { nearest } from "../../base/nearest.ts";
import { acceptedKeys, schemaAt } from "../schema-walk.ts";

/** What to write for a key that isn't one at its place. */
export function keyAdvice(
  schema: z.ZodMiniType,
  path: KeyPath,
  key: string,
  value: JsonValue | undefined,
  { isForeign = false }: { readonly isForeign?: boolean } = {},
): string | undefined {
  const known = acceptedKeys(schema, path, value);
  if (known.includes(key)) return "these belong to different forms: write each in an entry of its own";
  const said = isForeign ? sameElsewhere(key, known) : wordOfOthers(path, key);
  const inner = path.length === 0 && isObject(value) ? value[key] : undefined;
  if (isObject(inner) && said === undefined && Object.keys(inner).some((one) => known.includes(one)))
    return `take \`${key}\` out: what it holds stands at the top`;
  const letters = said === undefined ? undefined : byForm(schema, path, key, value, said);
  if (said !== undefined) return known.includes(said) ? `did you mean \`${letters ?? said}\`?` : said;
  const deeper = deeperPlace(schema, path, key, known);
  if (deeper !== undefined) return `it stands deeper: \`${deeper}\``;
  const near = nearest(key, known) ?? sameBeginning(key, known);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  return known.length > 0 ? `it takes ${known.map((one) => `\`${one}\``).join(", ")}` : undefined;
}

/** `rules: { tester: ... }` is no list, as policies are: what is nearest by its letters, where the value has that one's form alone. */
function byForm(
  schema: z.ZodMiniType,
  path: KeyPath,
  key: string,
  value: JsonValue | undefined,
  said: string,
): string | undefined {
  const written = isObject(value) ? value[key] : undefined;
  const near = nearest(key, acceptedKeys(schema, path, value));
  const takes = (name: string) => schemaAt(schema, [...path, name])?._zod.def.type;
  const form = Array.isArray(written) ? "array" : isObject(written) ? "record" : undefined;
  return near !== undefined && form !== undefined && takes(near) === form && takes(said) !== form ? near : undefined;
}

/** Programs call one thing by several names; this one's is the advice. */
function sameElsewhere(key: string, known: readonly string[]): string | undefined {
  const names = ELSEWHERE.find((one) => one.includes(key));
  return known.find((one) => names?.includes(one));
}

const ELSEWHERE = [
  "url serverUrl httpUrl uri endpoint",
  "env environment",
  "cwd workingDirectory",
  "headers http_headers",
  "mcpServers mcp_servers servers mcp mcp-servers",
  "enabled_tools includeTools allowedTools tools",
  "disabled_tools excludeTools disabledTools",
].map((names) => names.split(" "));

/** `rate_limit` for `rate_per_min`: of keys of several words the one that begins alike. */
function sameBeginning(key: string, known: readonly string[]): string | undefined {
  const [first, ...more] = key.split(/[-_]/);
  const alike = more.length === 0 ? [] : known.filter((one) => one.split(/[-_]/)[0] === first);
  return alike.length === 1 ? alike[0] : undefined;
}

/** What another language's word for a key is here. */
export function wordOfOthers(path: KeyPath, key: string): string | undefined {
  const said = SAID[kindOf(path) ?? "document"];
  const word = key.replace(/[-_]/g, "").toLowerCase();
  return said && Object.hasOwn(said, word) ? said[word] : undefined;
}

/** A key that one of the keys here takes: `timeout` of a server is in its `limits`. */
function deeperPlace(schema: z.ZodMiniType, path: KeyPath, key: string, known: readonly string[]): string | undefined {
  if (path.length === 0) return undefined;
  for (const outer of known) {
    if (acceptedKeys(schema, [...path, outer], undefined).includes(key)) return `${outer}: { ${key}: … }`;
    const isList = schemaAt(schema, [...path, outer, 0]) !== undefined;
    if (isList && acceptedKeys(schema, [...path, outer, 0], undefined).includes(key))
      return `${outer}: [{ ${outer === "connect" && key !== "env" && key !== "cwd" && key !== "headers" ? "" : "…, "}${key}: … }]`;
  }
  return undefined;
}

type KindOfMap =
  | "document"
  | "role"
  | "entry"
  | "condition"
  | "policy"
  | "invariant"
  | "claim"
  | "server"
  | "host"
  | "other";

function kindOf(path: KeyPath): KindOfMap | undefined {
  const [block] = path;
  if (path.length === 0) return "document";
  if (path.at(-3) === "where" && block === "roles") return "condition";
  if (path.at(-2) === "where" && block === "policies") return "condition";
  if (block === "roles") return path.length === 2 ? "role" : path.length === 4 ? "entry" : undefined;
  if (block === "policies") return path.length === 2 ? "policy" : undefined;
  if (block === "invariants") return path.length === 2 ? "invariant" : "claim";
  if (block === "servers") return path.length === 2 ? "server" : path[2] === "tools" ? "entry" : undefined;
  return block === "hosts" ? "host" : "other";
}

/** Words of other languages, by their letters alone. A value that is no key is the advice itself. */
const SAID: Readonly<Partial<Record<KindOfMap, Readonly<Record<string, string>>>>> = {
  document: {
    ...words("roles", "agent agents subagents profiles"),
    ...words("servers", "mcp mcpservers"),
    ...words("policies", "policy rules permissions"),
    ...words("invariants", "tests assertions guarantees"),
    ...words("project", "name title"),
    ...words("out", "outdir output outputdir dist"),
    ...words("folder", "sources source src dir"),
    ...words("nothing is asked for: write `${NAME}` where the value is used", "inputs"),
  },
  role: {
    ...words("extends", "inherits inherit parent parents base from"),
    ...words("tools", "servers mcp mcpservers permissions grants allow allowed allowedtools access"),
    ...words("delegates", "subagents handoffs agents delegate"),
    ...words("prompt", "instructions system systemprompt charter"),
    ...words("description", "summary desc title"),
    ...words("write `exclude` under the server that has the tools", "deny denied exclude disallowedtools"),
    ...words("write `ask` under the server that has the tools", "ask confirm approval"),
    ...words("write `where` under the server that has the tools", "where when conditions"),
    ...words("the key above it is the name: remove it", "name id"),
  },
  entry: {
    ...words("include", "tools allow allowed only grant grants names"),
    ...words("exclude", "deny denied disallow disallowed block blocked except forbid without not"),
    ...words("ask", "confirm approve approval requireapproval prompt"),
    ...words("where", "when conditions condition args arguments if"),
  },
  condition: {
    ...words("pattern", "regex regexp match matches"),
    ...words("enum", "values oneof in anyof allowed const equals equal value is"),
    ...words("glob", "path paths globs prefix under"),
    ...words("schema", "jsonschema type"),
    ...words("leave it out: an argument must be there unless `optional: true` is written", "required"),
  },
  policy: {
    ...words("effect", "action decision verdict do"),
    ...words("roles", "role who for agents agent"),
    ...words("tools", "tool on match selector selectors"),
    ...words("where", "when conditions condition"),
    ...words("a policy only narrows; a role's own `tools` grant", "allow grant permit"),
    ...words("write `effect: deny`", "deny"),
    ...words("write `effect: ask`", "ask approval requireapproval"),
    ...words("tools are written `server.tool`, under `tools`", "server servers"),
  },
  invariant: {
    ...words("never", "cannot forbid deny not mustnot"),
    ...words("always", "must require"),
    ...words("can", "may allow"),
    ...words("write them under `never`, `always` or `can`", "roles tools together effect"),
  },
  claim: {
    ...words("roles", "role who for"),
    ...words("tools", "tool"),
  },
  server: {
    ...words("tools", "allow allowed allowedtools permissions"),
    ...words("write `tools: { exclude: [...] }`", "exclude deny disallowedtools"),
    ...words("write `enabled: false`", "disabled"),
    ...words("title", "name"),
    ...words("limits", "ratelimit limit"),
    ...words(
      "it stands in `connect`, as `http:`, `sse:` or `stdio:`",
      "url serverurl httpurl command args type transport",
    ),
    ...words("the wire is chosen by the keys of `connect`: `http`, `sse` or `stdio`", "protocol"),
  },
  host: { ...words("id", "name host") },
};

function words(meant: string, list: string): Record<string, string> {
  return Object.fromEntries(list.split(" ").map((word) => [word, meant]));
}

/** Words that other languages have for what a policy does. Nothing that grants is one of them. */
export function wordMeant(value: string, allowed: readonly string[]): string | undefined {
  const plain = value.replace(/[-_ ]/g, "").toLowerCase();
  return allowed.find((word) => Object.hasOwn(VALUES, word) && VALUES[word]!.split(" ").includes(plain));
}

const VALUES: Readonly<Record<string, string>> = {
  deny: "forbid forbidden block blocked reject refuse disallow prohibit never no none off denied false exclude",
  ask: "confirm approve approval requireapproval prompt review askuser askfirst manual",
  "leave-out": "leaveout omit skip ignore drop",
  off: "ignore none silent disable disabled hide hidden skip false",
  warning: "warn",
  session: "persession",
  project: "shared",
};
