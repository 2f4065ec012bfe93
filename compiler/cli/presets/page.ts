import { visible } from "../../base/visible.ts";
import { wrap } from "../../base/wrap.ts";
import { paintWith } from "../../diagnostics/paint.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import type { Variable } from "../../3-plan/types.ts";
import { factLines, page, type LabelledFact } from "../page.ts";
import { tableLines, text } from "../table.ts";
import { limitWords, transportWords } from "../tool-words.ts";
import {
  labelsOf,
  notesOf,
  scopesOf,
  seeAlso,
  serversOf,
  type Gallery,
  type PresetShown,
  type RoleShown,
  type ScopeShown,
} from "./words.ts";

/** `rolecall presets`, and those that fit some words. */
export function galleryPage({ presets, roles }: Gallery, style: Style): string {
  const servers = presets.map((one) => [
    text(one.name),
    text(visible(one.preset.description ?? "")),
    text(verifiedShort(one), one.preset.verified ? undefined : "quiet"),
  ]);
  const columns = [
    { title: "server" },
    { title: "for", mayShrink: true as const },
    { title: "verified against", mayShrink: true as const },
  ];
  return page([
    presets.length === 0 ? [] : tableLines({ columns, rows: servers }, style),
    roles.length === 0 ? [] : roleLines(roles, style),
    ["one of them: rolecall presets NAME", "into the project: rolecall presets NAME --copy"],
  ]);
}

function roleLines(roles: readonly RoleShown[], style: Style): string[] {
  const columns = [{ title: "role" }, { title: "for", mayShrink: true as const }, { title: "of the servers" }];
  const rows = roles.map((one) => [
    text(one.name),
    text(visible(one.role.description ?? "")),
    serversOf(one).map((server) => ({ text: server })),
  ]);
  return tableLines({ columns, rows }, style);
}

/** What it brings, then its file as `--copy` writes it. */
export function presetPage(shown: PresetShown, gallery: Gallery, file: string, style: Style): string {
  const { name, preset, text: yaml } = shown;
  const title = preset.title === undefined ? name : `${name}: ${visible(preset.title)}`;
  return page([
    [
      ...wrap(title, style.width).map((line) => paintWith(style.colour)("strong", line)),
      ...wrap(visible(preset.description ?? ""), style.width),
      ...factLines(presetFacts(shown, gallery), style),
    ],
    fileLines(file, yaml),
  ]);
}

export function rolePage(shown: RoleShown, file: string, style: Style): string {
  const { name, role, text: yaml } = shown;
  return page([
    [
      paintWith(style.colour)("strong", name),
      ...wrap(visible(role.description ?? ""), style.width),
      ...factLines([["of the servers", [serversOf(shown).join(", ")]]], style),
    ],
    fileLines(file, yaml),
  ]);
}

function fileLines(file: string, yaml: string): string[] {
  return [
    `${file}, as --copy writes it`,
    ...yaml
      .trimEnd()
      .split("\n")
      .map((line) => `  ${visible(line)}`.trimEnd()),
  ];
}

function presetFacts(shown: PresetShown, gallery: Gallery): LabelledFact[] {
  const { preset, server } = shown;
  return [
    ["verified against", [verifiedWords(shown)]],
    ["reached by", server.connect.map(transportWords)],
    ["variables", server.variables.flatMap(variableLines)],
    ["limits", [`${limitWords(server.limits).join(", ")} a call`]],
    ["connection", server.connection === "session" ? ["one for each session"] : []],
    ["scopes", scopesOf(preset).map(scopeWords)],
    [
      "labels",
      [
        labelsOf(preset)
          .map(([label, tools]) => `${label} (${tools.length})`)
          .join(", "),
      ],
    ],
    ["policies", (preset.policies ?? []).map((policy, i) => visible(policy.name ?? `the policy ${i + 1}`))],
    ["when down", server.whenDown === undefined ? [] : [visible(server.whenDown)]],
    ["notes", notesOf(preset).map(visible)],
    ["see also", seeAlso(shown, gallery).map((other) => `${other.name}: ${visible(other.preset.description ?? "")}`)],
  ];
}

function verifiedWords({ preset }: PresetShown): string {
  const { verified } = preset;
  if (verified === undefined) return "unverified";
  return visible(verified.version === undefined ? verified.name : `${verified.name} ${verified.version}`);
}

/** The version first, since the end may be cut. */
function verifiedShort(shown: PresetShown): string {
  const { name, version } = shown.preset.verified ?? {};
  return name === undefined || version === undefined ? verifiedWords(shown) : visible(`${version} of ${name}`);
}

function variableLines({ name, required, purpose, url, acceptedNames }: Variable): string[] {
  const says = purpose === undefined ? "" : `: ${visible(purpose)}`;
  return [
    visible(name) + (required ? "" : " (optional)") + says,
    ...(url === undefined ? [] : [`  get it at ${visible(url)}`]),
    ...(acceptedNames.length === 0 ? [] : [`  also accepted: ${acceptedNames.map(visible).join(", ")}`]),
  ];
}

/** `?`: not every version of the server has the tool, or not every way to it. */
function scopeWords({ name, tools }: ScopeShown): string {
  return `${visible(name)}: ${tools.map((tool) => visible(tool.name) + (tool.optional ? "?" : "")).join(", ")}`;
}
