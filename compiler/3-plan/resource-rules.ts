import { sorted } from "../base/order.ts";
import type { ResourceRules } from "../../runtime/contract.ts";
import type { AddressRule, ResourceGrant } from "./types.ts";

/** What is judged by: globs alone, sorted, each once. */
export function resourceRules({ include, exclude, within }: ResourceGrant): ResourceRules {
  const globs = (rules: readonly AddressRule[]): string[] => sorted(new Set(rules.map(({ written }) => written)));
  const out = globs(exclude);
  const lists = new Map(within.map((list) => [globs(list).join("\n"), globs(list)]));
  return {
    include: globs(include),
    ...(out.length > 0 && { exclude: out }),
    ...(lists.size > 0 && { within: sorted(lists.keys()).map((key) => lists.get(key)!) }),
  };
}
