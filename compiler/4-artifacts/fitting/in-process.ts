import { header } from "../header.ts";
import { importSuffix } from "../writer.ts";
import type { Artifact } from "../types.ts";
import { givenModule } from "./given-module.ts";
import { sanitised } from "./host-text.ts";
import type { Abilities, FittedPlan, Host } from "./types.ts";

/** A file of ours that is copied as it is. */
export interface HostSource {
  readonly name: string;
  readonly text: string;
}

export interface InProcess {
  readonly id: Host["id"];
  readonly title: string;
  /** What a program writes, around the role's session. */
  use(session: string): string;
  /** Where the host can be held to a list of its own tools: the list for roles that don't govern them. */
  readonly ownTools: readonly string[] | undefined;
}

/** A host that gets tool objects whose calls go through the session: the runtime holds every rule there. */
export function inProcess({ id, title, use, ownTools }: InProcess, sources: readonly HostSource[]): Host {
  return {
    id,
    title,
    takesAsWritten: true,
    abilities: THROUGH_THE_SESSION,
    joinedName: (server, tool) => `${sanitised(server, "_")}_${sanitised(tool, "_")}`,
    cannotReach: () => undefined,
    start: ({ role }) => ({ code: use(`team().as(${JSON.stringify(role)})`) }),
    emit: (fitted) => hostModule(fitted, ownTools, sources),
  };
}

const THROUGH_THE_SESSION: Abilities = {
  hide: { holds: "enforced" },
  ask: { holds: "asked", but: "by the `ask` of `team()`; without one it is refused" },
  conditions: { holds: "enforced" },
  resources: { holds: "enforced" },
  delegation: { holds: "enforced", but: "an agent has the tools that your program hands it" },
  builtins: { holds: "none" },
  references: { holds: "enforced" },
  pins: { holds: "enforced" },
  limits: { holds: "enforced" },
  roles: true,
  filtersByName: false,
  longestName: 64,
};

/** `<out>/hosts/<host>.ts`, ours as it is, and beside it what is given to whom. */
function* hostModule(
  fitted: FittedPlan,
  ownTools: readonly string[] | undefined,
  sources: readonly HostSource[],
): Iterable<Artifact> {
  const { out, importExtension } = fitted.plan.project;
  const source = sources.find(({ name }) => name === `hosts/${fitted.host.id}.ts`);
  if (source === undefined) throw new Error(`no source for host ${fitted.host.id}`);
  const suffix = importSuffix(importExtension);
  const text = source.text
    .replace(/\r\n?/g, "\n")
    .replaceAll('from "./given.data.ts"', `from "./${fitted.host.id}.data${suffix}"`)
    .replace(/from "\.\.\/([\w/-]+)\.ts"/g, `from "../runtime/$1${suffix}"`);
  yield { path: `${out}/hosts/${fitted.host.id}.ts`, text: `${header}\n${text}` };
  yield { path: `${out}/hosts/${fitted.host.id}.data.ts`, text: givenModule(fitted, ownTools) };
}
