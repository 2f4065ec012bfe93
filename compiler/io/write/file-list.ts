import { BODY, type FileList, type KeyList } from "../../base/file-list.ts";
import { sorted } from "../../base/order.ts";
import { hashHeader } from "../../5-artifacts/header.ts";

export function fileListText({ files, keys }: { readonly files: Iterable<string>; readonly keys: KeyList }): string {
  const ofKeys = [...keys].flatMap(([file, places]) =>
    [...places].map((place) => `${file}\t${place === "" ? BODY : place}`),
  );
  return [hashHeader, ...sorted([...files, ...ofKeys]), ""].join("\n");
}

export function unitedLists(lists: readonly FileList[]): FileList {
  const keys = new Map<string, Set<string>>();
  for (const list of lists)
    for (const [file, places] of list.keys) keys.set(file, new Set([...(keys.get(file) ?? []), ...places]));
  return { files: new Set(lists.flatMap((list) => [...list.files])), keys };
}
