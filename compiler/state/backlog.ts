import { own, type JsonObject } from "../base/json.ts";
import { objectLines, objectList, wordAt } from "./json-entries.ts";
import { headingIn, markdownLines } from "./markdown.ts";
import type { BacklogItem, Entries } from "./types.ts";

/** In the order of the file. Undefined: it isn't whole. */
export function readBacklog(text: string, form: "markdown" | "json" | "lines"): Entries<BacklogItem> | undefined {
  if (form === "markdown") return { entries: tasksIn(text), unreadable: 0 };
  if (form === "lines") {
    const { entries, unreadable } = objectLines(text);
    return { entries: entries.map(itemOf), unreadable };
  }
  const list = objectList(text, ["items", "backlog", "tasks", "issues"]);
  return list && { entries: list.map(itemOf), unreadable: 0 };
}

function tasksIn(text: string): BacklogItem[] {
  const items: BacklogItem[] = [];
  let section: string | null = null;
  for (const line of markdownLines(text)) {
    section = headingIn(line)?.words ?? section;
    const found = line.isCode ? null : /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\](\s.*)$/s.exec(line.text);
    if (found === null) continue;
    items.push({ title: found[2]!.trim(), isOpen: found[1] === " ", section, id: null, owner: null, status: null });
  }
  return items;
}

const DONE = new Set(["done", "closed", "complete", "completed", "cancelled", "canceled", "resolved", "dropped"]);

function itemOf(entry: JsonObject): BacklogItem {
  const status = wordAt(entry, ["status", "state"]);
  const isDone = ["done", "closed", "completed"].some((key) => own(entry, key) === true);
  return {
    title: wordAt(entry, ["title", "text", "name", "summary", "task"]) ?? "",
    isOpen: !isDone && !DONE.has((status ?? "").toLowerCase()),
    section: wordAt(entry, ["section", "milestone"]),
    id: wordAt(entry, ["id", "number", "key"]),
    owner: wordAt(entry, ["owner", "assignee", "for"]),
    status,
  };
}
