import { nearest } from "../../base/nearest.ts";
import type { Place } from "../../base/place.ts";
import type { Report } from "../../diagnostics/report.ts";
import { formAdvice, type SelectorList, sayNegated } from "./advice.ts";
import { classMeant, classNames, parseSelector, type Selector } from "./parse.ts";
import { unjoined } from "./joined.ts";
import type { RestrictionItem } from "./restriction.ts";

/** A selector that has a meaning; undefined where that it has none was reported. `gives`: a tool is held by it. */
export function readSelector(
  item: Pick<RestrictionItem, "written" | "place">,
  list: SelectorList,
  report: Report,
  gives = false,
): Selector | undefined {
  if (sayNegated(item, list, report)) return undefined;
  const asWritten = parseSelector(item.written, list.under === undefined ? "server.tool" : "tool");
  const selector = mayBeJoined(item.place, gives) ? unjoined(asWritten, item.written, list) : asWritten;
  if (selector === undefined) {
    const suggestion = formAdvice(item.written, list.servers);
    report.add("policy/selector", item.place, { written: item.written, suggestion });
    return undefined;
  }
  for (const text of selector.meaningless) {
    if (text === "") report.add("source/empty-selector", item.place, {});
    else
      report.add("source/unknown-class", item.place, {
        written: text,
        nearest: nearestClass(text.slice("is:".length)),
      });
  }
  return selector.meaningless.length === 0 ? selector : undefined;
}

/** What another system's file takes away counts in all the spellings that hosts have. */
function mayBeJoined({ origins, givesAsShown, path }: Place, gives: boolean): boolean {
  return origins !== undefined && (!gives || givesAsShown === path[0]);
}

function nearestClass(word: string): string | undefined {
  return classMeant(word)?.slice("is:".length) ?? nearest(word, classNames);
}
