import type { JsonObject } from "../../base/json.ts";
import { sorted } from "../../base/order.ts";
import { visibleJson } from "../../base/visible.ts";
import type { Plan } from "../../3-plan/types.ts";
import { jsonHeader } from "../header.ts";
import { madeWhenAsked } from "../made-when-asked.ts";
import type { Target } from "../target.ts";
import type { Artifact } from "../types.ts";
import { definitionsFor, type Definitions } from "./definitions.ts";

/** The documents as JSON Schema while no project is known: schemas/json, made from the zod schemas. */
export interface GenericSchemas {
  readonly project: JsonObject;
  readonly source: JsonObject;
  readonly preset: JsonObject;
}

/** `<folder>/schema/*.json`: what an editor needs to complete this project's names, and to show a slip in red. */
export function editorSchemas(generic: GenericSchemas): Target {
  return {
    id: "editor-schemas",
    title: "schemas for editors",
    emit: function* (plan: Plan): Iterable<Artifact> {
      const folder = `${plan.project.folder}/schema`;
      // A preset serves many projects: it knows none of this one's names.
      yield madeWhenAsked(`${folder}/preset.json`, "generic", () => schemaText(generic.preset, {}));
      let definitions: Definitions | undefined;
      for (const document of ["project", "source"] as const) {
        yield madeWhenAsked(`${folder}/${document}.json`, plan.fingerprint, () =>
          schemaText(generic[document], (definitions ??= definitionsFor(plan, generic.source))),
        );
      }
    },
  };
}

/** The schema with definitions replaced or added, one definition to a line. */
function schemaText(generic: JsonObject, exact: Definitions): string {
  const defs = { ...(generic["$defs"] as Definitions), ...exact };
  const lines = sorted(Object.keys(defs)).map((name) => `    ${JSON.stringify(name)}: ${text(defs[name])}`);
  const keys = Object.keys(generic).filter((key) => key !== "$defs");
  const head = keys.map((key) => `  ${JSON.stringify(key)}: ${text(generic[key])},\n`);
  return `{\n  ${jsonHeader},\n${head.join("")}  "$defs": {\n${lines.join(",\n")}\n  }\n}\n`;
}

function text(value: unknown): string {
  return visibleJson(JSON.stringify(value));
}
