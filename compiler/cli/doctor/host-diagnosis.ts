import type { NeededVariable, WrongAssumption } from "../../4-fit/needs.ts";
import type { FittedPlan, FittedRole } from "../../4-fit/types.ts";
import type { Diagnosis } from "../../capture/diagnosis.ts";

/** What a role would find if it were started on a host now. */
export interface HostDiagnosis {
  readonly fitted: FittedPlan;
  readonly role: FittedRole;
  readonly variables: readonly NeededVariable[];
  readonly assumptions: readonly WrongAssumption[];
  readonly files: readonly FileFinding[];
  /** Undefined: the host has no command of its own. */
  readonly program: { readonly name: string; readonly found: boolean } | undefined;
  /** Undefined: not asked, since nothing is started while a variable is missing. */
  readonly servers: readonly ServerFinding[] | undefined;
}

export interface FileFinding {
  readonly path: string;
  /**
   * `blocked`: rolecall didn't write it or can't read it, so a build would stop there. `overrules`: it is the
   * team's own, and what it says of a server of the role's would win.
   */
  readonly state: "up-to-date" | "missing" | "differs" | "blocked" | "overrules";
}

export interface ServerFinding {
  readonly diagnosis: Diagnosis;
  /** Tools that are given there, and that the server doesn't have any more. */
  readonly gone: readonly string[];
  /** It asks for a login, and the host may have one of its own, which can't be seen from here. */
  readonly mayHaveLogin: boolean;
}

export function isMissing({ isSet }: NeededVariable): boolean {
  return !isSet;
}

/** What was written as if a variable were set, when it isn't. One that is missing by itself is told as that. */
export function isBroken({ name, assumed }: WrongAssumption, variables: readonly NeededVariable[]): boolean {
  return assumed === "set" && !variables.some((variable) => variable.name === name && isMissing(variable));
}

export function isWell({ diagnosis, gone, mayHaveLogin }: ServerFinding): boolean {
  return gone.length === 0 && (diagnosis.state === "reachable" || mayHaveLogin);
}

export function lacksProgram({ program, fitted }: HostDiagnosis): boolean {
  return program !== undefined && !program.found && !fitted.host.isEditor;
}

export function isReady(found: HostDiagnosis): boolean {
  return (
    !found.variables.some(isMissing) &&
    !found.assumptions.some((one) => isBroken(one, found.variables)) &&
    found.files.every(({ state }) => state === "up-to-date") &&
    !lacksProgram(found) &&
    found.servers !== undefined &&
    found.servers.every(isWell)
  );
}
