/** Looks every now and then whether what a client follows has changed: it works wherever a file system tells nothing. */
export interface Following {
  add(uri: string): Promise<void>;
  remove(uri: string): void;
  stop(): void;
}

const EVERY_MS = 700;
/** Of one client. */
export const MOST_FOLLOWED = 1_000;

export function followViews(
  sign: (uri: string) => Promise<string>,
  changed: (uri: string) => Promise<void>,
): Following {
  const signs = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    for (const [uri, before] of signs) {
      const now = await sign(uri).catch(() => before);
      if (now === before || !signs.has(uri)) continue;
      signs.set(uri, now);
      await changed(uri).catch(() => {});
    }
    timer = signs.size === 0 ? undefined : setTimeout(() => void look(), EVERY_MS);
  };
  return {
    async add(uri) {
      if (signs.size >= MOST_FOLLOWED && !signs.has(uri)) return;
      signs.set(uri, await sign(uri));
      timer ??= setTimeout(() => void look(), EVERY_MS);
    },
    remove(uri) {
      signs.delete(uri);
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
      signs.clear();
    },
  };
}
