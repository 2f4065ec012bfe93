import type { JsonValue } from "../../../base/json.ts";
import type { KeyPath, Place, Stretch } from "../../../base/place.ts";
import type { DocumentProblem } from "../problem.ts";
import type { TomlNode } from "./nodes.ts";
import { parseToml } from "./parse-toml.ts";

export function isTomlFile(file: string): boolean {
  return /\.toml$/i.test(file);
}

/** The value of a document; dates and times are text. It counts only when there is no problem. */
export function readToml(text: string): { readonly value: JsonValue; readonly problem: DocumentProblem | undefined } {
  const { root, problem } = parseToml(text);
  return { value: problem === undefined ? valueOf(root) : null, problem };
}

/** No key is `__proto__`, and every other is a plain property. */
function valueOf({ content }: TomlNode): JsonValue {
  if (content.kind === "scalar") return content.value;
  if (content.kind === "list") return content.items.map(valueOf);
  return Object.fromEntries([...content.entries].map(([key, node]) => [key, valueOf(node)]));
}

/** Of the place, or of the nearest thing around it that was written. */
export function stretchInToml(root: TomlNode, place: Place): Stretch {
  let found: TomlNode = root;
  let written: Stretch | undefined;
  let isWhole = true;
  for (const step of place.path) {
    const next = enter(found, step);
    if (next === undefined) {
      isWhole = false;
      break;
    }
    found = next;
    written = next.range ?? next.key ?? written;
  }
  const wanted = isWhole && place.at === "key" ? found.key : undefined;
  return wanted ?? written ?? [0, 0];
}

function enter({ content }: TomlNode, step: KeyPath[number]): TomlNode | undefined {
  if (content.kind === "table") return content.entries.get(String(step));
  return content.kind === "list" && typeof step === "number" ? content.items[step] : undefined;
}
