import { isObject, own, type JsonObject } from "./json.ts";

const KINDS = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

/** Whether a package.json names a package, in whichever way. */
export function dependsOn(manifest: JsonObject | undefined, name: string): boolean {
  return KINDS.some((kind) => {
    const listed = own(manifest ?? {}, kind);
    return isObject(listed) && Object.hasOwn(listed, name);
  });
}
