import type { KeyPath } from "../../../base/place.ts";
import { nearNames } from "../near-names.ts";
import type { Translation } from "../types.ts";
import type { VscodeInput } from "./schema.ts";

/** What `${input:id}` is here: a variable, which has to be set, whatever default the question offers. */
export type Asked = (id: string, written: KeyPath) => string | undefined;

export function inputsOf(inputs: readonly VscodeInput[], made: Translation): Asked {
  const variables = new Map<string, string>();
  const ids = new Map<string, string>();
  inputs.forEach(({ id }, i) => {
    const variable = variableOf(id);
    const other = variable === undefined ? undefined : ids.get(variable);
    if (variable === undefined || (other !== undefined && other !== id))
      made.refuse(
        ["inputs", i, "id"],
        variable === undefined ? `an input \`${id}\`` : `\`${id}\` beside \`${other}\``,
        "an input becomes a variable, in capital letters: give it a name of its own in these",
      );
    else {
      variables.set(id, variable);
      ids.set(variable, id);
    }
  });
  const nearTo = nearNames(variables.keys());
  return (id, written) => {
    const variable = variables.get(id);
    if (variable !== undefined) {
      made.leave(written, `the question for \`${id}\``, `nobody is asked: set the variable \`${variable}\``);
      return `\${${variable}}`;
    }
    const near = nearTo(id);
    const help =
      near === undefined ? "add it to `inputs`, or write `${env:NAME}`" : `did you mean \`\${input:${near}}\`?`;
    made.refuse(written, `\`\${input:${id}}\``, help);
    return undefined;
  };
}

function variableOf(id: string): string | undefined {
  const name = id
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toUpperCase()
    .replace(/[^A-Z0-9_]+/g, "_")
    .replace(/^[^A-Z]+|_+$/g, "");
  return name === "" ? undefined : name;
}
