import * as z from "zod/mini";
import {
  backlogPath,
  claimName,
  commandWord,
  domainName,
  doorUrl,
  duration,
  filePath,
  folderPath,
  keysUrl,
  listOf,
  listPath,
  mapOf,
  memberPath,
  name,
  notEmpty,
  objectName,
  optional,
  recordPath,
  schemeName,
  storedText,
  text,
  variableName,
  variableReference,
} from "./parts.ts";
import { invariant, policy } from "./policy.ts";
import { approval, diff } from "./review.ts";
import { role } from "./role.ts";
import { server } from "./server.ts";

const version = z.literal(1);
const rules = {
  policies: optional(listOf(policy)),
  invariants: optional(listOf(invariant)),
};
const blockShape = {
  servers: optional(mapOf(name, server)),
  roles: optional(mapOf(name, role)),
  ...rules,
  approved: optional(
    listOf(approval),
    "Changes of access that `rolecall diff` lets pass; it changes nothing that is built.",
  ),
};

/** Any source file of a project. All of them together are one program. */
export const blocks = z.strictObject({ version: optional(version), ...blockShape });

/** A file of `guards`: only what narrows. */
export const guard = z.strictObject({ version: optional(version), ...rules });

const GATEWAYS = "agentgateway and envoy-ai-gateway";

const host = z.union([
  text,
  z.strictObject({
    id: text,
    via: optional(
      z.literal("serve"),
      "The host reaches nothing but `rolecall serve` for its role, which holds every rule.",
    ),
    whenUnenforceable: optional(
      z.enum(["leave-out", "error", "gateway"]),
      "What becomes of a tool whose restriction the host can't hold: it stays away, stops the build, or goes through `rolecall serve`; leave-out when left out.",
    ),
    assume: optional(
      mapOf(variableName, z.enum(["set", "unset"])),
      "Takes NAME for set or unset in this host's files, for `${NAME:+text}` and `${NAME:-text}`; for `:+` unset when left out.",
    ),
    without: optional(listOf(name), "Servers that stay away from this host."),
    role: optional(name, "The only role that the host's files are for; a host that knows no roles needs it."),
    into: optional(filePath, "A file of yours that gets the host's keys; opencode only."),
    project: optional(
      z.union([storedText, z.strictObject({ variable: variableName })]),
      "The project_id of the rows, or the psql variable that has it; the project's name when left out. postgres only.",
    ),
    product: optional(storedText, "The product_id of all rows; each server's own when left out. postgres only."),
    transports: optional(
      listOf(z.enum(["stdio", "sse", "http"])),
      "What the column holds; stdio and sse when left out. postgres only.",
    ),
    issuer: optional(storedText, `The issuer of the tokens that clients bring. ${GATEWAYS} only.`),
    audience: optional(storedText, `For whom the tokens have to be made out. ${GATEWAYS} only.`),
    jwks: optional(keysUrl, `Where the issuer's keys are. ${GATEWAYS} only.`),
    claim: optional(claimName, `The claim that names the role; role when left out. ${GATEWAYS} only.`),
    url: optional(doorUrl, `Where clients reach the gateway. ${GATEWAYS} only.`),
    gateway: optional(objectName, "The Gateway of Kubernetes that the routes belong to. envoy-ai-gateway only."),
  }),
]);

/** A path inside the project, or a glob. */
const imported = z.union([
  text,
  z.strictObject({
    file: text,
    as: optional(text, "The format, where the file's own keys leave it open."),
    servers: optional(mapOf(text, name), "What servers of the file are called here."),
    role: optional(name, "What the file's one role is called here; agent when left out."),
  }),
]);

const ownTokens = z.strictObject({
  tokens: mapOf(name, variableReference),
});

const issued = z.strictObject({
  issuer: keysUrl,
  audience: optional(
    storedText,
    "For whom tokens have to be made out; the address of the role, below `url`, when left out.",
  ),
  rolesClaim: optional(storedText, "The claim that names the roles, a text or a list; roles when left out."),
  jwks: optional(
    z.union([keysUrl, filePath]),
    "Where the issuer's keys are: a URL, or a file of the project; what the issuer says of itself when left out.",
  ),
});

const serving = z
  .strictObject({
    command: optional(
      listOf(commandWord),
      "How hosts' files start rolecall, word by word, as seen from the project's folder; when left out rolecall, by npx --no where package.json has it.",
    ),
    idle: optional(duration, "How long its process waits after its last client before it ends; 10m when left out."),
    env: optional(filePath, "A file with variables of servers; .env, where it is there, when left out."),
    record: optional(
      recordPath,
      "Where the record of calls goes, {run} being the run's id; .runs/{run}/calls.jsonl when left out.",
    ),
    askHold: optional(duration, "How long a call that is asked waits for a person at once; 45s when left out."),
    askTimeout: optional(duration, "How long a person is asked about a call; 10m when left out."),
    approvers: optional(
      z.array(z.enum(["terminal", "page", "program"])),
      "From where a yes is taken; the terminal and the page when left out.",
    ),
    prompt: optional(z.boolean(), "true: clients are told the role's prompt, behind its description."),
    auth: optional(
      z.union([ownTokens, issued]),
      "Whose tokens `--http` takes; one that it makes for each role, and loopback alone, when left out.",
    ),
    hosts: optional(listOf(domainName), "Names by which clients reach `--http`, beside those of this machine."),
    url: optional(doorUrl, "Where clients reach `--http` from outside."),
    limits: optional(
      variableReference,
      "The address of a Redis in which several of `--http` share the rates of servers.",
    ),
    key: optional(
      variableReference,
      "32 bytes that several of `--http` have in common, so that a person can be asked at any of them.",
    ),
  })
  .check(
    z.refine(notEmpty, "empty"),
    z.refine(({ key, limits }) => key === undefined || limits !== undefined, { path: ["limits"] }),
  );

const member = z.strictObject({
  role: name,
  charter: optional(filePath, "What the member is told, as a path."),
});

const state = z
  .strictObject({
    name: optional(
      schemeName,
      "What the server is called, and the scheme of its addresses; the project's name when left out.",
    ),
    command: optional(
      listOf(text),
      "How hosts and `rolecall serve` start it; as `command` of `serve` says, with state behind it, when left out.",
    ),
    members: optional(mapOf(name, member), "Agents by name; one for each role when left out."),
    decisions: optional(listPath, "Markdown with a `##` for each, or JSON lines; .squad/decisions.md when left out."),
    backlog: optional(
      backlogPath,
      "A list of tasks in Markdown, or JSON, or JSON lines; .squad/backlog.md when left out.",
    ),
    history: optional(memberPath, "A member's notes; .squad/agents/{name}/history.md when left out."),
  })
  .check(z.refine(notEmpty, "empty"));

/** rolecall.yaml. */
export const project = z.strictObject({
  version,
  project: text,
  out: optional(folderPath, "Where generated TypeScript and JSON go; src/mcp when left out."),
  folder: optional(folderPath, "Where sources, manifests and presets lie; mcp when left out."),
  hosts: optional(z.array(host), "Programs that run the agents, each with its own files."),
  imports: optional(z.array(imported), "Files of other systems, read as they are."),
  layers: optional(z.array(imported), "The same, one over the other: connections are replaced, restrictions add up."),
  guards: optional(
    z.array(text),
    "Globs of files with policies and invariants that nothing in the project can switch off.",
  ),
  severities: optional(z.record(z.string(), z.enum(["off", "note", "warning", "error"]))),
  importExtension: optional(z.enum(["js", "ts", "none"])),
  runtime: optional(
    z.enum(["files", "package"]),
    "Where generated code has its runtime from: files in `out`, or the package rolecall; files when left out.",
  ),
  envExample: optional(filePath, "A marked block in this file is kept up to date."),
  serve: optional(serving, "How `rolecall serve` serves the project's roles."),
  state: optional(state, "The team's state, as a server of the project: `rolecall state`."),
  diff: optional(diff, "What `rolecall diff` passes by, and who may approve."),
  ...blockShape,
});

const presetVariable = z.strictObject({
  name: text,
  for: optional(text),
  url: optional(text, "Where to get it."),
  also: optional(listOf(text), "Other names that are accepted."),
});

/** mcp/presets/<id>.yaml. */
export const preset = z.strictObject({
  id: name,
  version: optional(text, 'Changes with what the preset says; text, such as "1".'),
  title: optional(text),
  description: optional(text, "What the server is for, in a sentence."),
  variables: optional(listOf(presetVariable)),
  verified: optional(z.strictObject({ name: text, version: optional(text) })),
  notes: optional(z.union([text, listOf(text)])),
  server: z.omit(server, { preset: true }),
  policies: optional(listOf(policy)),
});
