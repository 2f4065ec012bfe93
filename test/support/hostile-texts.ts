import { visibleJson } from "../../compiler/base/visible.ts";
import { manifest } from "./compiled.ts";

/** What a stranger may put into a name or a text, and a manifest may hold. */
export const HOSTILE: readonly string[] = [
  "*/ alert(1) /*",
  "`${process.exit()}`",
  "a\nb\r\nc",
  "\u2028\u2029",
  "\u202Egpj.exe",
  "__proto__",
  "constructor",
  "",
  '"]}',
  "\\",
  "a|b",
  "<script>",
  "[x](javascript:0)",
  "\u0000\u001b[31m",
  "zero\u200bwidth",
  "\u{E0041}tag",
  "# <<< rolecall <<<",
  "' \" `",
  "$(rm -rf /)",
];

/** As a list in a source, where nothing unseen may stand. */
export const hostileList: string = visibleJson(JSON.stringify(HOSTILE));

/** A tool by each of these names, that takes a `path`. */
export const hostileManifest: string = manifest(...HOSTILE.map((name) => ({ name, arguments: ["path"] })));
