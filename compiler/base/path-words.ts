import type { KeyPath } from "./place.ts";
import { visibleJson } from "./visible.ts";

/** A way through a document as one says it: `servers.github.connect[0].http`. */
export function pathWords(path: KeyPath): string {
  return path
    .map((step, i) => {
      if (typeof step === "number") return `[${step}]`;
      if (!/^[\w-]+$/.test(step)) return `[${visibleJson(JSON.stringify(step))}]`;
      return i === 0 ? step : `.${step}`;
    })
    .join("");
}
