import { sortedBy } from "../base/order.ts";
import type { SourceFiles } from "../1-source/types.ts";

/** The project as it would be with these texts in place of what lies there. */
export function withTexts(files: SourceFiles, texts: ReadonlyMap<string, string>): SourceFiles {
  if (texts.size === 0) return files;
  const below = (folder: string) =>
    [...texts.keys()].filter((path) => path.startsWith(`${folder}/`)).map((path) => ({ path }));
  return {
    read: (path) => {
      const text = texts.get(path);
      return text === undefined ? files.read(path) : { text };
    },
    list: (folder) =>
      sortedBy([...files.list(folder).filter((file) => !texts.has(file.path)), ...below(folder)], (file) => file.path),
    others: (folder) => files.others(folder),
    match: (glob) => files.match(glob),
    digestOf: (path) => (texts.has(path) ? undefined : files.digestOf?.(path)),
  };
}
