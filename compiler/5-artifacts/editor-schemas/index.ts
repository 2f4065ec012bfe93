import type { JsonObject } from "../../base/json.ts";
import type { Plan } from "../../3-plan/types.ts";
import { madeWhenAsked } from "../made-when-asked.ts";
import type { Target } from "../target.ts";
import type { Artifact } from "../types.ts";
import { definitionsFor, type Definitions } from "./definitions.ts";
import { schemaText } from "./schema-text.ts";

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
