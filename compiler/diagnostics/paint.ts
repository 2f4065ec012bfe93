/**
 * Colour for terminals. Every command asks for a look by its meaning; without colour nothing is added,
 * so no meaning may rest on colour alone.
 */
export interface Paint {
  (look: Look, text: string): string;
}

export type Look = "error" | "warning" | "note" | "good" | "strong" | "quiet";

const CODES: Readonly<Record<Look, readonly [string, string]>> = {
  error: ["1;31", "22;39"],
  warning: ["1;33", "22;39"],
  note: ["1;36", "22;39"],
  good: ["32", "39"],
  strong: ["1", "22"],
  quiet: ["2", "22"],
};

export function paintWith(colour: boolean): Paint {
  return (look, text) => {
    if (!colour || text === "") return text;
    const [on, off] = CODES[look];
    return `\u001b[${on}m${text}\u001b[${off}m`;
  };
}
