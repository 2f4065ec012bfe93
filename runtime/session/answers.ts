import type { JsonValue } from "../contract.ts";
import type { LinkInfo, LinkResult } from "../link.ts";

/**
 * Answers of read-only tools, for as long as their server's `cache` says. They come after every check of a call: what is
 * kept here spares the wire and nothing else.
 */
export interface Answers {
  /** `key`: of the call, among those of its server. */
  place(server: string, key: string, standing: Standing, ms: number): AnswerPlace;
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

/** Of one server: whatever it answers, no other's are pushed out by it. */
const MOST = 1_000;
const MOST_CHARACTERS = 16_000_000;
/** Of all servers of a team together; then the one that has the most gives way. */
const MOST_OF_TEAM = 128_000_000;

export function createAnswers(now: () => number): Answers {
  const shelves = new Map<string, Shelf>();
  const makeRoom = (): void => {
    const all = [...shelves.values()];
    let left = MOST_OF_TEAM - all.reduce((sum, { characters }) => sum + characters, 0);
    while (left < 0) {
      const fullest = all.reduce((one, other) => (other.characters > one.characters ? other : one));
      left += fullest.dropOldest();
    }
  };
  return {
    place(server, key, standing, ms) {
      const until = now() + ms;
      const shelf = shelves.get(server) ?? createShelf();
      shelves.set(server, shelf);
      return {
        find() {
          const kept = shelf.take(key);
          if (kept === undefined || kept.until <= now() || !stands(kept, standing)) return undefined;
          shelf.enter(key, kept);
          return { raw: JSON.parse(kept.text) as JsonValue, info: kept.info, httpStatus: undefined };
        },
        keep({ raw, info }) {
          shelf.take(key);
          const text = textToKeep(raw);
          if (text === undefined) return;
          shelf.enter(key, { ...standing, until, text, info });
          makeRoom();
        },
      };
    },
  };
}

/** The answers of one server. */
interface Shelf {
  readonly characters: number;
  take(key: string): Kept | undefined;
  enter(key: string, kept: Kept): void;
  /** Gives how many characters it had. */
  dropOldest(): number;
}

function createShelf(): Shelf {
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
  const dropOldest = (): number => {
    const [oldest] = all.keys();
    return oldest === undefined ? 0 : take(oldest)!.text.length;
  };
  return {
    take,
    dropOldest,
    enter(key, kept) {
      all.set(key, kept);
      characters += kept.text.length;
      for (const [oldest] of all) {
        if (all.size <= MOST && characters <= MOST_CHARACTERS) return;
        take(oldest);
      }
    },
    get characters() {
      return characters;
    },
  };
}

/** What can't be kept was a good answer all the same. */
function textToKeep(raw: JsonValue): string | undefined {
  try {
    const text = JSON.stringify(raw);
    return text.length > MOST_CHARACTERS ? undefined : text;
  } catch {
    return undefined;
  }
}

function stands(kept: Standing, { link, compared, writes }: Standing): boolean {
  return kept.link === link && kept.compared === compared && kept.writes === writes;
}
