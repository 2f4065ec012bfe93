import type { JsonValue } from "../contract.ts";
import type { LinkInfo, LinkResult } from "../link.ts";

/**
 * Answers of read-only tools, for as long as their server's `cache` says. They come after every check of a call: what is
 * kept here spares the wire and nothing else.
 */
export interface Answers {
  place(key: string, standing: Standing, ms: number): AnswerPlace;
}

/** What must still be so when an answer is given again. */
export interface Standing {
  /** The connection. */
  readonly link: object;
  /** How often its list was compared. */
  readonly compared: number;
  /** How often others called what isn't read-only. */
  readonly writes: number;
}

/** Where the answer of one call is kept. */
export interface AnswerPlace {
  find(): LinkResult | undefined;
  keep(result: LinkResult): void;
}

interface Kept extends Standing {
  readonly until: number;
  /** As text: what a caller does to his result changes nobody else's. */
  readonly text: string;
  readonly info: LinkInfo;
}

const MOST = 1_000;
const MOST_CHARACTERS = 16_000_000;

export function createAnswers(now: () => number): Answers {
  // A map keeps the order of entering: what was used last stands last.
  const all = new Map<string, Kept>();
  let characters = 0;
  const take = (key: string): Kept | undefined => {
    const kept = all.get(key);
    if (kept === undefined) return undefined;
    all.delete(key);
    characters -= kept.text.length;
    return kept;
  };
  const enter = (key: string, kept: Kept): void => {
    all.set(key, kept);
    characters += kept.text.length;
    for (const [oldest] of all) {
      if (all.size <= MOST && characters <= MOST_CHARACTERS) return;
      take(oldest);
    }
  };
  return {
    place(key, standing, ms) {
      const until = now() + ms;
      return {
        find() {
          const kept = take(key);
          if (kept === undefined || kept.until <= now() || !stands(kept, standing)) return undefined;
          enter(key, kept);
          return { raw: JSON.parse(kept.text) as JsonValue, info: kept.info, httpStatus: undefined };
        },
        keep({ raw, info }) {
          take(key);
          const text = textToKeep(raw);
          if (text !== undefined) enter(key, { ...standing, until, text, info });
        },
      };
    },
  };
}

/** What can't be kept was a good answer all the same. */
function textToKeep(raw: JsonValue): string | undefined {
  try {
    return JSON.stringify(raw);
  } catch {
    return undefined;
  }
}

function stands(kept: Standing, { link, compared, writes }: Standing): boolean {
  return kept.link === link && kept.compared === compared && kept.writes === writes;
}
