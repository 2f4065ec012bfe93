import type { HostData } from "./host-data.ts";

/** `folder`: where the sources lie, `mcp` where nothing else is said. */
export type IsOwnPlace = (file: string, folder: string) => boolean;

/**
 * Files without room for a header that lie where only builds write, by the part of their path below the folder of
 * sources: whose they are is known by their name alone. What git puts beside a file (`x.json~HEAD`) counts as the file.
 */
export function ownPlaces(hosts: readonly HostData[]): IsOwnPlace {
  const names = [
    ...hosts.flatMap(({ id, places }) => (places?.bare ?? []).map((one) => `hosts/${id}/${one}`)),
    ...SCHEMAS,
  ];
  const pattern = new RegExp(`^(?:${names.map(source).join("|")})(?:~[^/]+)?$`);
  return (file, folder) => file.startsWith(`${folder}/`) && pattern.test(file.slice(folder.length + 1));
}

const SCHEMAS = ["project", "source", "preset"].map((name) => `schema/${name}.json`);

function source(name: string): string {
  return name.replace(/[\\^$.+?()[\]{}|]/g, "\\$&").replace("*", () => "[a-z][a-z0-9_-]*");
}
