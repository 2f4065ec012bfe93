import type { Respell } from "./connection.ts";
import { ENDLESS, isEndless, plain } from "./references.ts";
import type { Translation } from "./types.ts";

/** For formats that know `${NAME}` and nothing more: any other dollar is a dollar, and what looks like more is an error. */
export function plainReferences(made: Translation): Respell {
  return (text, written) => {
    if (isEndless(text)) {
      made.refuse(written, ENDLESS, "write it as `${NAME}`");
      return plain(text);
    }
    return text.replace(/\$\{[^}]{0,4000}\}|\$/g, (found) => {
      if (/^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/.test(found)) return found;
      if (found.length > 1) made.refuse(written, `\`${found}\``, "write it as `${NAME}`");
      return `$$${found.slice(1)}`;
    });
  };
}
