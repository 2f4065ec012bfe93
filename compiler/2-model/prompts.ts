import { within } from "../base/place.ts";
import { plainPath } from "../base/plain-path.ts";
import type { Report } from "../diagnostics/report.ts";
import type { RoleBlock } from "../../schemas/types.ts";
import type { Declared } from "./declarations.ts";
import { lineageOf, type Parents } from "./lineage.ts";
import type { Prompt } from "./types.ts";

interface Prompts {
  readonly roles: ReadonlyMap<string, Declared<RoleBlock>>;
  readonly prompts: ReadonlyMap<string, Prompt | undefined>;
  readonly parents: Parents;
  readonly report: Report;
}

/**
 * The prompt of a role: its own, else the one that it inherits. A prompt stands in place of those of the ancestors of the
 * role that says it; if two different ones are left, neither is chosen: `extends` has no order.
 */
export function linkPrompts({ roles, prompts, parents, report }: Prompts) {
  return (role: Declared<RoleBlock>, lineage: readonly string[]): Prompt | undefined => {
    const { prompt: own } = role.block;
    if (own !== undefined) return prompts.get(plainPath(own));
    const said = lineage.flatMap((name) => {
      const { block, place } = roles.get(name)!;
      return block.prompt === undefined ? [] : [{ name, file: plainPath(block.prompt), at: within(place, "prompt") }];
    });
    const isReplaced = (name: string) =>
      said.some((other) => other.name !== name && lineageOf(other.name, parents).includes(name));
    const left = said.length < 2 ? said : said.filter(({ name }) => !isReplaced(name));
    const [first] = left;
    const second = left.find(({ file }) => file !== first?.file);
    if (first === undefined) return undefined;
    if (second === undefined) return prompts.get(first.file);
    report.add(
      "role/prompts-differ",
      within(role.place, "extends"),
      { role: role.name, one: first.file, first: first.name, other: second.file, second: second.name },
      [first, second].map(({ name, at }) => ({ says: `\`${name}\` has it here`, at })),
    );
    return undefined;
  };
}
