import type { JsonValue } from "../../base/json.ts";
import { explainYaml } from "./explain-yaml.ts";
import { tooLongValue } from "./limits.ts";
import { parseYaml } from "./parse-yaml.ts";
import type { DocumentProblem } from "./problem.ts";
import { valueOf } from "./value-of.ts";
import type { YamlError, YamlModule } from "./yaml-module.ts";

/** Reads all of YAML that the language takes, and says what is wrong with the rest. Slow: the fast readers come first. */
export function readFullYaml(
  text: string,
  yaml: YamlModule,
): { readonly value: JsonValue; readonly problems: readonly DocumentProblem[] } {
  const { document, errors, refused } = parseYaml(text, yaml);
  // A tag that the package doesn't know is a warning there; valueOf refuses it with its place.
  const telling = errors.filter(
    ({ name, code }) => !document || name !== "YAMLWarning" || code !== "TAG_RESOLVE_FAILED",
  );
  const found = [...independent(telling, refused)].map((error) => explainYaml(text, error));
  if (refused) found.push(refused);
  if (!document && found.length === 0) found.push(tooLongValue);
  if (found.length > 0 || !document) return { value: null, problems: found };
  return valueOf(document, text, yaml);
}

/** After a slip the package misreads what follows: only errors that can't follow from an earlier one are worth telling. */
function* independent(errors: readonly YamlError[], refused: DocumentProblem | undefined): Iterable<YamlError> {
  const before = refused?.at[0] ?? Infinity;
  const inOrder = errors.filter(({ pos }) => pos[0] < before).sort((a, b) => a.pos[0] - b.pos[0]);
  let tabs = 0;
  for (const error of inOrder.slice(0, 20)) {
    const isTab = error.code === "TAB_AS_INDENT";
    if (!isTab || ++tabs === 1) yield error;
    if (!isTab && error.code !== "BAD_SCALAR_START" && error.code !== "BAD_DQ_ESCAPE") return;
  }
}
