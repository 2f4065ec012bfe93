import { visible } from "../base/visible.ts";

/** What somebody who runs commands could do all the same: a role is chosen by whoever starts `rolecall serve`. */
export function shellSentence(shells: readonly string[] | undefined): string {
  const has =
    shells === undefined
      ? "a tool of the host's own that runs commands, if it has one,"
      : shells.map(visible).join(", ");
  return `${has} can start rolecall serve as another role, or say yes in rolecall asks`;
}
