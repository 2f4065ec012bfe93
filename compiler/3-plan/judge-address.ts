import { isClosedAddress } from "../../runtime/closed-address.ts";
import { uriProblem, uriRefusal } from "../../runtime/resource-uri.ts";
import { matchesUri } from "../../runtime/uri-glob.ts";
import { resourceRules } from "./resource-rules.ts";
import type { AddressRule, PlannedRole } from "./types.ts";

/** What the rules say of one address, by the runtime's own code. */
export interface JudgedAddress {
  readonly role: string;
  readonly uri: string;
  /** Why no role reads such an address. */
  readonly problem: string | undefined;
  /** Those of which some rule speaks of it. */
  readonly servers: readonly {
    readonly server: string;
    readonly isOpen: boolean;
    readonly rules: readonly AddressRule[];
  }[];
}

export function judgeAddress({ name, grants }: PlannedRole, uri: string): JudgedAddress {
  const problem = uriProblem(uri);
  const servers = grants.flatMap(({ server, resources }) => {
    if (resources === undefined || problem !== undefined) return [];
    const { include, exclude, within } = resources;
    const isAbout = ({ written }: AddressRule): boolean => matchesUri(written, uri);
    const beyond = within.filter((list) => !list.some(isAbout)).flat();
    const rules = [
      ...include.filter(isAbout),
      ...exclude.filter(({ written }) => isClosedAddress([written], uri)),
      ...beyond,
    ];
    const isOpen = uriRefusal(uri, resourceRules(resources)) === undefined;
    return rules.length === 0 ? [] : [{ server: server.name, isOpen, rules }];
  });
  return { role: name, uri, problem, servers };
}
