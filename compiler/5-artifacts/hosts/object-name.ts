import type { Server } from "../../3-plan/types.ts";

/** Letters, digits and dashes within: what Kubernetes takes for a name, and gateways with it. */
const OBJECT_NAME = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * Why a server's name can't be the first half of a joined one there, as the end of "because ...": gateways split at the
 * first `_` or `__`, so that no such name may hold any.
 */
export function unfitName({ name }: Server): string | undefined {
  return OBJECT_NAME.test(name)
    ? undefined
    : `\`${name}\` can't be a name there: it takes lower-case letters, digits, and \`-\` between them, 63 in all`;
}
