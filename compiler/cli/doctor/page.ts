import { visible } from "../../base/visible.ts";
import { wrap, wrapWithin } from "../../base/wrap.ts";
import type { Diagnosis, Probe, Reachability } from "../../live-server/diagnosis.ts";
import { paintWith, type Look } from "../../diagnostics/paint.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import type { TypeScriptSetup } from "../../io/read/typescript-setup.ts";
import { tableLines, text, type TableCell, type Table } from "../table.ts";
import type { Server } from "../../3-plan/types.ts";
import { switchedOffWords } from "../find-tool.ts";
import { page, wrapped } from "../page.ts";

export interface Examined {
  readonly found: readonly Diagnosis[];
  /** Not asked, since they are switched off. */
  readonly off: readonly Server[];
  /** Undefined: not looked at. */
  readonly setup: TypeScriptSetup | undefined;
  /** Files with rolecall's header that no build of this project makes. */
  readonly strays: readonly string[];
}

/** `rolecall doctor`: a line for each transport, what is wrong and the next step, and the count. */
export function doctorPage({ found, off, setup, strays }: Examined, style: Style): string {
  const notAsked = off.length === 0 ? [] : wrapped([switchedOffWords(off)], style);
  const around = [notAsked, setupLines(setup, style), strayLines(strays, style)];
  if (found.length === 0) return page([off.length > 0 ? [] : ["this project declares no servers"], ...around]);
  const troubles = found.filter(({ probes }) => probes.length === 0 || probes.some((probe) => probe.failure));
  return page([
    tableLines(probeTable(found), style),
    ...troubles.map((diagnosis) => troubleLines(diagnosis, style)),
    ...found.map((diagnosis) => changedLines(diagnosis, style)),
    ...around,
    [countWords(found, style)],
  ]);
}

/** The servers that can't be used, and nothing of the others. */
export function doctorTroubles(found: readonly Diagnosis[], style: Style): string {
  const troubles = found.filter(({ state }) => state !== "reachable");
  return troubles.length === 0 ? "" : page(troubles.map((diagnosis) => troubleLines(diagnosis, style)));
}

const LOOKS: Readonly<Record<Reachability, Look>> = {
  reachable: "good",
  "needs-auth": "warning",
  "auth-failed": "warning",
  unreachable: "error",
};

export function probeTable(found: readonly Diagnosis[]): Table {
  const hasSessions = found.some(({ probes }) => probes.some((probe) => probe.sessionId !== undefined));
  return {
    columns: [
      { title: "server" },
      { title: "over" },
      { title: "state" },
      { title: "http", align: "right" },
      { title: "time", align: "right" },
      { title: "tools", align: "right" },
      { title: "protocol" },
      ...(hasSessions ? [{ title: "session", mayShrink: true } as const] : []),
    ],
    rows: found.flatMap(({ server, probes }) =>
      probes.map((probe, i) => [
        text(i === 0 ? server : ""),
        text(probe.transport),
        text(probe.state, LOOKS[probe.state]),
        ...factCells(probe),
        ...(hasSessions ? [text(visible(probe.sessionId ?? ""))] : []),
      ]),
    ),
  };
}

function factCells({ httpStatus, ms, state, tools, protocolVersion }: Probe): TableCell[] {
  return [
    text(httpStatus === undefined ? "" : String(httpStatus)),
    text(`${(ms / 1000).toFixed(1)} s`),
    text(state === "reachable" ? String(tools.length) : ""),
    text(visible(protocolVersion ?? "")),
  ];
}

/** The next step stands below what it is about. */
export function troubleLines({ server, state, by, next, probes }: Diagnosis, style: Style): string[] {
  const step = next === undefined ? [] : wrap(`  next: ${visible(next)}`, style.width, "    ");
  const lines = probes.flatMap(({ transport, failure }, i) => [
    ...(failure ? wrapWithin(`  ${transport}: ${visible(failure.says)}`, style.width, "    ") : []),
    ...(i === (by ?? 0) ? step : []),
  ]);
  const over = state === "reachable" ? ` over ${probes[by ?? 0]!.transport}` : "";
  return [`${server}: ${paintWith(style.colour)(LOOKS[state], state)}${over}`, ...(probes.length === 0 ? step : lines)];
}

/** Reached, and closed all the same: what was captured is what counts. */
export function changedLines({ server, state, by, probes }: Diagnosis, style: Style): string[] {
  const { tools, changed } = probes[by ?? 0] ?? { tools: [], changed: [] };
  if (state !== "reachable" || changed.length === 0) return [];
  const which = changed.length === tools.length ? "all its tools" : `${changed.length} of its ${tools.length} tools`;
  const few =
    changed.length > MOST_NAMED || changed.length === tools.length ? "" : ` (${changed.map(visible).join(", ")})`;
  const be = changed.length === 1 && tools.length > 1 ? "isn't" : "aren't";
  const says = `${server}: ${which}${few} ${be} what was captured, and calls of them are refused where pins are held`;
  const paint = paintWith(style.colour);
  return [
    ...wrapWithin(says, style.width, "  ").map((line) => paint("warning", line)),
    `  next: rolecall capture ${server}`,
  ];
}

const MOST_NAMED = 5;

function setupLines(setup: TypeScriptSetup | undefined, style: Style): string[] {
  if (setup === undefined) return [];
  const { config, version, problems } = setup;
  if (config === undefined && problems.length === 0)
    return wrapped(["TypeScript: no tsconfig.json covers the generated code, so nothing was checked"], style);
  const head = `TypeScript${version === undefined ? "" : ` ${visible(version)}`}${config === undefined ? "" : `, ${visible(config)}`}`;
  if (problems.length === 0) return [`${head}: ready for the generated code`];
  const lines = problems.flatMap(({ says, next }) => [says, `next: ${visible(next)}`]);
  return [
    `${head}: ${paintWith(style.colour)("warning", "not ready")}`,
    ...lines.flatMap((line) => wrap(`  ${line}`, style.width, "    ")),
  ];
}

const MOST_STRAYS = 10;

function strayLines(strays: readonly string[], style: Style): string[] {
  if (strays.length === 0) return [];
  const more = strays.length - MOST_STRAYS;
  const head = `${strays.length} ${strays.length === 1 ? "file bears" : "files bear"} rolecall's header, and no build of this project makes ${strays.length === 1 ? "it" : "them"}`;
  return [
    paintWith(style.colour)("warning", head),
    ...strays.slice(0, MOST_STRAYS).map((file) => `  ${visible(file)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...wrap(
      "  next: delete them if `out` or `folder` was something else once; nothing keeps them up to date",
      style.width,
      "    ",
    ),
  ];
}

function countWords(found: readonly Diagnosis[], style: Style): string {
  const count = found.filter(({ state }) => state === "reachable").length;
  const words = `${count} of ${found.length} ${found.length === 1 ? "server" : "servers"} reachable`;
  return paintWith(style.colour)(count === found.length ? "good" : "error", words);
}
