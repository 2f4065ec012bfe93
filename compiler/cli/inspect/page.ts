import { serverJson, whereJson } from "../../3-plan/plan-json.ts";
import type { Plan, Scope, Server, Tool, Variable } from "../../3-plan/types.ts";
import type { JsonObject, JsonValue } from "../../base/json.ts";
import type { Locate } from "../../base/place.ts";
import { visible } from "../../base/visible.ts";
import { wrap } from "../../base/wrap.ts";
import { paintWith } from "../../diagnostics/paint.ts";
import { jsonText } from "../../diagnostics/render-json.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import { tableLines, text, type TableCell, type Table } from "../table.ts";
import { effectOf, holdersOf, howWords, type RoleStanding } from "../access-words.ts";
import { factLines, page, placeWords, type LabelledFact } from "../page.ts";
import { aboutOf, durationWords, hintWords, limitWords, toolWords, transportWords } from "../tool-words.ts";

/** `rolecall inspect <server>`: the server's facts, then its tools. */
export function serverPage(plan: Plan, server: Server, locate: Locate, style: Style): string {
  const strong = (line: string) => paintWith(style.colour)("strong", line);
  const title = server.title === undefined ? server.name : `${server.name}: ${visible(server.title)}`;
  const tools = server.tools.length;
  return page([
    [...wrap(title, style.width).map(strong), ...factLines(serverFacts(server, locate), style)],
    tools === 0
      ? ["it has no tools"]
      : [`${tools} tool${tools === 1 ? "" : "s"}`, ...tableLines(toolTable(plan, server), style)],
  ]);
}

/** `rolecall inspect <server> --tool NAME`: one tool with its schemas. */
export function oneToolPage(plan: Plan, server: Server, tool: Tool, style: Style): string {
  const strong = (line: string) => paintWith(style.colour)("strong", line);
  const { inputSchema, outputSchema } = tool.definition();
  const schemas: (readonly [string, JsonValue | undefined])[] = [
    ["arguments", inputSchema],
    [tool.resultFrom === "project" ? "result, as the project says" : "result", outputSchema],
  ];
  return page([
    [
      ...wrap(visible(`${server.name}.${tool.name}`), style.width).map(strong),
      ...factLines(toolFacts(plan, tool), style),
    ],
    descriptionLines(tool, style),
    ...schemas.map(([title, schema]) => (schema === undefined ? [] : [title, jsonText(schema).trimEnd()])),
  ]);
}

export function serverPageJson(plan: Plan, server: Server, locate: Locate): JsonObject {
  const tools = server.tools.map((tool) => oneToolJson(plan, tool));
  return { format: 1, ...serverJson(server, locate), tools };
}

export function oneToolJson(plan: Plan, tool: Tool): JsonObject {
  const { title, description, inputSchema, outputSchema } = tool.definition();
  return {
    name: tool.name,
    title: title ?? null,
    description: description ?? null,
    digest: tool.digest,
    hints: { ...tool.hints },
    labels: tool.labels,
    inputSchema,
    outputSchema: outputSchema ?? null,
    resultFrom: tool.resultFrom ?? null,
    heldBy: holdersOf(plan, tool).map(({ role, decision }) => ({
      role: role.name,
      effect: effectOf(decision),
      where: whereJson(decision?.where ?? []),
    })),
  };
}

function serverFacts(server: Server, locate: Locate): LabelledFact[] {
  const { breaker, manifest } = server;
  const version = manifest?.serverVersion === undefined ? "" : ` (version ${visible(manifest.serverVersion)})`;
  return [
    [
      "declared in",
      [placeWords(server.place, locate) + (server.preset === undefined ? "" : `, preset ${server.preset}`)],
    ],
    ["owner", saidText(server.owner)],
    ["what for", saidText(server.description)],
    ["version", saidText(server.version)],
    ["notes", server.notes.flatMap((note) => saidText(note.trim()))],
    ["reached by", server.connect.map(transportWords)],
    ["variables", server.variables.map(variableWords)],
    ["limits", [`${limitWords(server.limits).join(", ")} a call`]],
    [
      "breaker",
      [
        `opens after ${breaker.failures} failure${breaker.failures === 1 ? "" : "s"} for ${durationWords(breaker.cooldownMs)}`,
      ],
    ],
    ["cache", server.cacheMs === undefined ? [] : [`answers of read-only tools, for ${durationWords(server.cacheMs)}`]],
    [
      "connection",
      [
        server.connection === "session" ? "one for each session" : "one for the project",
        ...(server.mustConnect ? ["a session can't start without it"] : []),
      ],
    ],
    [
      "manifest",
      [manifest === undefined ? "none captured: its tools are untyped and unpinned" : visible(manifest.file) + version],
    ],
    ["scopes", (server.scopes ?? []).map(scopeWords)],
    ["when down", saidText(server.whenDown)],
  ];
}

function saidText(text: string | undefined): string[] {
  return text === undefined ? [] : [visible(text)];
}

function variableWords(variable: Variable): string {
  const purpose = variable.purpose === undefined ? "" : `: ${visible(variable.purpose)}`;
  return visible(variable.name) + (variable.required ? "" : " (optional)") + purpose;
}

function scopeWords(scope: Scope): string {
  return `${visible(scope.name)} (${scope.tools.length} tool${scope.tools.length === 1 ? "" : "s"})`;
}

function toolTable(plan: Plan, server: Server): Table {
  const labelled = server.tools.some((tool) => tool.labels.length > 0);
  const labels = (tool: Tool): TableCell[] => (labelled ? [tool.labels.map((label) => ({ text: label }))] : []);
  return {
    columns: [
      { title: "tool", mayShrink: true },
      { title: "hints" },
      ...(labelled ? [{ title: "labels" }] : []),
      { title: "held by" },
      { title: "about", mayShrink: true },
    ],
    rows: server.tools.map((tool) => [
      text(toolWords(tool)),
      hintWords(tool.hints).map((words) => ({ text: words })),
      ...labels(tool),
      holderPieces(holdersOf(plan, tool)),
      text(visible(aboutOf(tool)), "quiet"),
    ]),
  };
}

function holderPieces(holders: readonly RoleStanding[]): TableCell {
  if (holders.length === 0) return text("no role", "quiet");
  if (holders.length > 4) return text(`${holders.length} roles`);
  return holders.map(({ role, decision }) => {
    const bounds = [
      ...(effectOf(decision) === "ask" ? ["asked"] : []),
      ...((decision?.where.length ?? 0) > 0 ? ["where"] : []),
    ];
    return { text: bounds.length === 0 ? role.name : `${role.name} (${bounds.join(", ")})` };
  });
}

function toolFacts(plan: Plan, tool: Tool): LabelledFact[] {
  const holders = holdersOf(plan, tool);
  const { title } = tool.texts();
  return [
    ["title", title === undefined ? [] : [visible(title)]],
    ["hints", [hintWords(tool.hints).join(", ")]],
    ["labels", tool.labels.length === 0 ? [] : [tool.labels.join(", ")]],
    ["pinned as", [tool.digest ?? "not pinned"]],
    [
      "held by",
      holders.length === 0 ? ["no role"] : holders.map(({ role, decision }) => `${role.name}, ${howWords(decision)}`),
    ],
  ];
}

/** The whole description, with its line breaks. */
function descriptionLines(tool: Tool, style: Style): string[] {
  const { description } = tool.texts();
  if (description === undefined || description.trim() === "") return [];
  const lines = description.trim().split(/\r?\n/);
  return ["description", ...lines.flatMap((line) => wrap(`  ${visible(line)}`, style.width, "  "))];
}
