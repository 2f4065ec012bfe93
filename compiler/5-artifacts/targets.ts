import type { Target } from "./target.ts";
import { accessJson } from "./review/access-json/index.ts";
import { accessMarkdown } from "./review/access-markdown/index.ts";
import { editorSchemas, type GenericSchemas } from "./editor-schemas/index.ts";
import { envExample } from "./env-example/index.ts";
import { gitAttributes } from "./git-attributes/index.ts";
import type { Host } from "../4-fit/types.ts";
import { allHosts } from "./hosts/all-hosts.ts";
import type { RuntimeFile } from "./runtime-file.ts";
import { typedModule } from "./typed-module/typed-module.ts";

/** Texts that come with rolecall and that targets hand on. */
export interface Resources {
  readonly runtime: readonly RuntimeFile[];
  /** `runtime-<host>`, for hosts in the same process. */
  readonly hosts: readonly RuntimeFile[];
  readonly schemas: GenericSchemas;
}

/** Everything that makes files from a plan. A new target is a folder and a line here. */
export function allTargets({ runtime, hosts, schemas }: Resources): readonly (Target | Host)[] {
  return [
    typedModule(runtime),
    accessJson,
    accessMarkdown,
    gitAttributes,
    editorSchemas(schemas),
    envExample,
    ...allHosts(hosts),
  ];
}
