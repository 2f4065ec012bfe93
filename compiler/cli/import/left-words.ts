import { visible } from "../../base/visible.ts";

/** Behind that a server was left out: which of its keys the file says otherwise than the source does. */
export function unlikeWords(unlike: readonly string[], file: string): string {
  if (unlike.length === 0) return "";
  return `; what ${visible(file)} says of its ${unlike.map((key) => `\`${visible(key)}\``).join(", ")} isn't taken over`;
}
