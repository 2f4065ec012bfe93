import type { Variable } from "../3-plan/types.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** As the runtime looks: under its own name, then under the other names that its preset accepts. Empty counts as missing. */
export function valueOf(name: string, variables: readonly Variable[], env: Env): string | undefined {
  const others = variables.find((variable) => variable.name === name)?.acceptedNames ?? [];
  return [name, ...others].map((one) => ownValue(one, env)).find((value) => value !== undefined);
}

/** Under this name and no other. */
export function ownValue(name: string, env: Env): string | undefined {
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  return value === "" ? undefined : value;
}
