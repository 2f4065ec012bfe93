import { runtimeArtifacts, type RuntimeFile } from "../runtime-file.ts";
import type { Artifact } from "../types.ts";
import { hostDoor, type HostDoor } from "./host-door.ts";
import { sanitised } from "./host-text.ts";
import type { Abilities, FittedPlan, KeptNames } from "../../4-fit/types.ts";
import type { Host } from "../target.ts";

export interface InProcess {
  readonly id: Host["id"];
  readonly title: string;
  readonly alsoCalled?: Host["alsoCalled"];
  readonly signs: NonNullable<Host["signs"]>;
  /** What a program writes, around the role's session. */
  use(session: string): string;
  /** What the team is started with; nothing when left out. */
  readonly options?: string;
  /** Where the host can be held to a list of its own tools: the list for roles that don't govern them. */
  readonly ownTools: readonly string[] | undefined;
  readonly kept: KeptNames;
  readonly door: HostDoor;
}

/** A host that gets tool objects whose calls go through the session: the runtime holds every rule there. */
export function inProcess(
  { id, title, alsoCalled = [], signs, use, options = "", ownTools, kept, door }: InProcess,
  runtime: readonly RuntimeFile[],
): Host {
  return {
    id,
    title,
    alsoCalled,
    signs,
    takesAsWritten: true,
    kept,
    abilities: THROUGH_THE_SESSION,
    joinedName: (server, tool) => `${sanitised(server, "_")}_${sanitised(tool, "_")}`,
    tell: () => ({ value: undefined }),
    start: ({ role }) => ({ code: use(`team(${options}).as(${JSON.stringify(role)})`) }),
    emit: (fitted) => hostModules(fitted, ownTools, door, runtime),
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

/** `<out>/hosts/<host>.ts`, which a program imports, and what it runs on. */
function* hostModules(
  fitted: FittedPlan,
  ownTools: readonly string[] | undefined,
  door: HostDoor,
  runtime: readonly RuntimeFile[],
): Iterable<Artifact> {
  const { project } = fitted.plan;
  const { id } = fitted.host;
  const file = runtime.find(({ name }) => name === `runtime-${id}`);
  if (file === undefined) throw new Error(`no runtime for host ${id}`);
  yield { path: `${project.out}/hosts/${id}.ts`, text: hostDoor(fitted, ownTools, door) };
  yield* runtimeArtifacts([file], project);
}
