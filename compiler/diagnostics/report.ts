import { byName } from "../base/order.ts";
import type { Locate, Place, Span } from "../base/place.ts";
import { bounded } from "../base/visible.ts";
import { withoutTokens } from "../base/never-shown.ts";
import { beginning } from "../base/secret-patterns.ts";
import { catalogue, type DiagnosticCode } from "./catalogue.ts";
import { showing, type Show, type Shown } from "./show-line.ts";
import type { CatalogueEntry, Diagnostic, HostRemarks, Severity } from "./types.ts";

type Slots<Text extends string> = Text extends `${string}{${infer Slot}}${infer Rest}` ? Slot | Slots<Rest> : never;
type HelpOf<C extends DiagnosticCode> = (typeof catalogue)[C] extends { help: infer H extends string }
  ? H
  : (typeof catalogue)[C] extends { help: readonly (infer H extends string)[] }
    ? H
    : "";
type SaysOf<C extends DiagnosticCode> = (typeof catalogue)[C]["says"];

type CasesOf<C extends DiagnosticCode> = (typeof catalogue)[C] extends { cases: infer Cases } ? Cases : never;

/**
 * What a code needs: every slot of its sentence, and its case where it has several; slots of its help alone may be left out,
 * and the help goes with them.
 */
export type Params<C extends DiagnosticCode> = [CasesOf<C>] extends [never] ? Filling<SaysOf<C>, HelpOf<C>> : CaseOf<C>;

/** A case of a code with what fills it; `Known` are slots that somebody else fills. */
export type CaseOf<C extends DiagnosticCode, Known extends string = never> = {
  [Case in keyof CasesOf<C>]: { readonly case: Case } & Omit<FillingOf<C, CasesOf<C>[Case]>, Known>;
}[keyof CasesOf<C>];

/** What a selector that finds nothing most likely means. */
export type SelectorAdvice = CaseOf<"role/matches-nothing", "written" | "nearest">;

type FillingOf<C extends DiagnosticCode, Fixed> = Omit<Filling<SaysOf<C>, HelpOf<C>>, keyof Fixed> &
  Filling<TextOf<Fixed, Slots<SaysOf<C>>>, TextOf<Fixed, Exclude<keyof Fixed, Slots<SaysOf<C>>>>>;

/** Texts of a case that stand in these slots. */
type TextOf<Fixed, Slot> = Extract<Fixed[keyof Fixed & Slot], string>;

type Filling<Says extends string, Help extends string> = { readonly [S in Slots<Says>]: string } & {
  readonly [S in Exclude<Slots<Help>, Slots<Says>>]?: string | undefined;
};

export interface Related {
  readonly says: string;
  readonly at: Place;
}

/** What a diagnostic says, and where else to look. */
export interface Words<C extends DiagnosticCode> {
  readonly params: Params<C>;
  readonly also?: readonly Related[];
}

/** Collects everything that is wrong in one run; it only grows, and is sorted once at the end. */
export interface Report {
  add<C extends DiagnosticCode>(code: C, at: Place | undefined, params: Params<C>, also?: readonly Related[]): void;
  /** The same of what there may be thousands of: what is more than anybody is told is only counted, and its words aren't made. */
  addIfShown<C extends DiagnosticCode>(code: C, at: Place | undefined, words: () => Words<C>): void;
  /** The same of an agent host, with everything that it is about. */
  addOfHost<C extends DiagnosticCode>(code: C, at: Place, params: Params<C>, host: HostRemarks<Place>): void;
  /** Applies `severities:`; only codes that the catalogue marks adjustable come here. */
  adjust(severities: Readonly<Record<string, Severity | "off">>): void;
  readonly failed: boolean;
  /** Whether one of these has been said. */
  said(...codes: readonly DiagnosticCode[]): boolean;
  /** How much has been said so far. */
  readonly count: number;
  sorted(): Diagnostic[];
}

interface Found {
  readonly code: DiagnosticCode;
  readonly at: Place | undefined;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly also: readonly Related[];
  readonly host?: HostRemarks<Place>;
  /** How many others it stands for. */
  readonly others?: number;
}

export function createReport(locate: Locate): Report {
  const found: Found[] = [];
  let adjusted: Readonly<Record<string, Severity | "off">> = {};
  const codesUntold = new Set<DiagnosticCode>();
  let [certain, untold] = [0, 0];
  const severityOf = (code: DiagnosticCode): Severity | "off" => adjusted[code] ?? catalogue[code].severity;
  const add: Report["add"] = (code, at, params, also = []) => {
    found.push({ code, at, params, also });
    if (isCertainError(code)) certain++;
  };
  return {
    add,
    addIfShown: (code, at, words) => {
      if (certain >= MOST && isCertainError(code)) {
        untold++;
        codesUntold.add(code);
      } else {
        const { params, also } = words();
        add(code, at, params, also);
      }
    },
    addOfHost: (code, at, params, host) => void found.push({ code, at, params, also: [], host }),
    adjust: (severities) => void (adjusted = severities),
    get failed() {
      return found.some((f) => severityOf(f.code) === "error");
    },
    said: (...codes) => found.some((f) => codes.includes(f.code)) || codes.some((code) => codesUntold.has(code)),
    get count() {
      return found.length + untold;
    },
    sorted: () => {
      const show = showing(
        found.flatMap(({ at }) => at ?? []),
        locate,
      );
      const told = gravestFirst(onceEach(found), severityOf);
      const finished = told.slice(0, MOST).map(([f, severity]): Finished => [finish(f, severity, show), f.at?.hide]);
      const all = withoutRepeats(withoutEchoes(finished).sort(byPlace));
      const more = told.length + untold - MOST;
      return more > 0 ? [...all, tooMany(more)] : all;
    },
  };
}

/** More than anybody reads; each one costs a look for its line. */
const MOST = 1000;

/** Whatever is adjusted or settled by one step, it is told where it was said, before what was said after it. */
function isCertainError(code: DiagnosticCode): boolean {
  const { severity, adjustable, once }: CatalogueEntry = catalogue[code];
  return severity === "error" && adjustable === undefined && once === undefined;
}

/** Of those that one step settles, the first in its place. */
function onceEach(found: readonly Found[]): Found[] {
  const first = new Map<string, { readonly at: number; readonly places: Set<string> }>();
  const kept: Found[] = [];
  for (const one of found) {
    const slot = (catalogue[one.code] as CatalogueEntry).once;
    const key = slot === undefined ? undefined : JSON.stringify([one.code, one.params[slot]]);
    const known = key === undefined ? undefined : first.get(key);
    if (key === undefined || known === undefined) kept.push(one);
    if (key === undefined) continue;
    const place = JSON.stringify([one.at?.file, one.at?.path]);
    if (known === undefined) first.set(key, { at: kept.length - 1, places: new Set([place]) });
    else known.places.add(place);
  }
  for (const { at, places } of first.values()) kept[at] = { ...kept[at]!, others: places.size - 1 };
  return kept;
}

/** What is told at all, errors before the rest: however many remarks there are, none of them pushes an error out. */
function gravestFirst(
  found: readonly Found[],
  severityOf: (code: DiagnosticCode) => Severity | "off",
): (readonly [Found, Severity])[] {
  const of = (wanted: Severity) => found.filter((f) => severityOf(f.code) === wanted).map((f) => [f, wanted] as const);
  return [...of("error"), ...of("warning"), ...of("note")];
}

function tooMany(more: number): Diagnostic {
  const found: Found = { code: "source/too-many", at: undefined, params: { more: String(more) }, also: [] };
  return finish(found, catalogue["source/too-many"].severity, () => undefined);
}

function finish(found: Found, severity: Severity, show: Show): Diagnostic {
  const entry: CatalogueEntry = catalogue[found.code];
  const shown = found.at && show(found.at);
  const params = withCase(found.params, entry);
  const words = (template: string, most = MOST_IN_A_SLOT) => masked(fill(template, params, most), shown, found.code);
  return {
    code: found.code,
    severity,
    says: words(entry.says, 1000) + othersWords(found.others),
    help: [entry.help ?? []]
      .flat()
      .filter((help) => isFilled(help, params))
      .map((help) => words(help))[0],
    at: shown?.span,
    ...(entry.together !== undefined && { together: words(`{${entry.together}}`) }),
    also: found.also.map((r) => ({ says: shortSlot(r.says, MOST_IN_A_SLOT), at: show(r.at)?.span })),
    ...(found.host && { host: shownHost(found.host, show, shown, found.code) }),
  };
}

function othersWords(others = 0): string {
  return others === 0 ? "" : `; the same in ${others} more place${others === 1 ? "" : "s"}`;
}

function withCase(params: Found["params"], { cases }: CatalogueEntry): Found["params"] {
  const fixed = cases?.[params["case"] ?? ""];
  if (fixed === undefined) return params;
  const filled = Object.entries(fixed).map(([slot, text]) => [slot, fill(text, params, MOST_IN_A_SLOT)]);
  return { ...params, ...Object.fromEntries(filled) };
}

/** Of a declaration that is broken nobody knows what is a name: there whatever was hidden isn't quoted either. */
function masked(text: string, hidden: Hidden | undefined, code: DiagnosticCode): string {
  if (hidden === undefined) return withoutTokens(text);
  const known = hidden.masked.reduce((shown, secret) => shown.replaceAll(secret, beginning(secret)), text);
  return withoutTokens(
    hidden.quoted.length === 0 || !code.startsWith("source/")
      ? known
      : known.replace(QUOTED, (span) => maskedIn(span, hidden.quoted)),
  );
}

type Hidden = Pick<Shown, "masked" | "quoted">;

const QUOTED = /`[^`]*`|"[^"]*"/g;

/** Whole words of it: a short secret stands in many a word. */
function maskedIn(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => {
    const escaped = secret.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    return shown.replace(new RegExp(`(?<![\\w])${escaped}(?![\\w])`, "g"), () => beginning(secret));
  }, text);
}

function shownHost(
  { remarks, ...host }: HostRemarks<Place>,
  show: Show,
  hidden: Hidden | undefined,
  code: DiagnosticCode,
): HostRemarks {
  const words = (text: string) => bounded(masked(text, hidden, code));
  return {
    ...host,
    remarks: remarks.map(({ roles, names, says, causes }) => ({
      roles,
      names: names.map(words),
      says: words(says),
      causes: causes.flatMap((at) => show(at)?.span ?? []),
    })),
  };
}

/** `{slot}`; the braces of a reference such as `${NAME}` are none. */
const SLOT = /(?<!\$)\{(\w+)\}/g;

function fill(text: string, params: Readonly<Record<string, string | undefined>>, most: number): string {
  return text.replace(SLOT, (_, slot: string) => shortSlot(params[slot] ?? "", most));
}

/** Masked before it is cut: half a token isn't known as one. */
function shortSlot(text: string, most: number): string {
  return text.length > most ? bounded(withoutTokens(text)) : text;
}

/** Advice may be a whole entry to write, or a list of roles. */
const MOST_IN_A_SLOT = 4000;

function isFilled(text: string, params: Readonly<Record<string, string | undefined>>): boolean {
  return [...text.matchAll(SLOT)].every(([, slot]) => (params[slot!] ?? "") !== "");
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  return (
    byName(a.at?.file ?? "", b.at?.file ?? "") ||
    (a.at?.line ?? 0) - (b.at?.line ?? 0) ||
    (a.at?.column ?? 0) - (b.at?.column ?? 0) ||
    byName(a.code, b.code) ||
    byName(a.says, b.says)
  );
}

function withoutRepeats(sorted: readonly Diagnostic[]): Diagnostic[] {
  return sorted.filter((d, i) => {
    const before = sorted[i - 1];
    return !before || byPlace(before, d) !== 0 || sameSpan(before.at, d.at) === false;
  });
}

type Finished = readonly [diagnostic: Diagnostic, hide: Place["hide"]];

/** A secret that a connection holds is said of the connection, which names the variable, and not of the file again. */
function withoutEchoes(finished: readonly Finished[]): Diagnostic[] {
  const key = ([{ at }, hide]: Finished): string => JSON.stringify([at?.file, at?.line, hide]);
  const known = new Set(finished.filter(([{ code }, hide]) => hide !== undefined && code !== IN_A_FILE).map(key));
  return finished.filter((one) => one[0].code !== IN_A_FILE || !known.has(key(one))).map(([diagnostic]) => diagnostic);
}

const IN_A_FILE: DiagnosticCode = "source/secret";

function sameSpan(a: Span | undefined, b: Span | undefined): boolean {
  return a?.file === b?.file && a?.line === b?.line && a?.column === b?.column;
}
