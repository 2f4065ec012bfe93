/**
 * Files without room for a header that lie where only builds write, by the part of their path below the folder of
 * sources: whose they are is known by their name alone. What git puts beside a file (`x.json~HEAD`) counts as the file.
 */
const NAME = "[a-z][a-z0-9_-]*";
const OWN = new RegExp(
  `^(?:hosts/(?:claude-code/${NAME}\\.(?:mcp|settings)\\.json|opencode/${NAME}\\.json|` +
    `codex/${NAME}\\.config\\.toml|gemini-cli/${NAME}/(?:policy\\.toml|servers\\.txt|prompt\\.md))|` +
    `schema/(?:project|source|preset)\\.json)(?:~[^/]+)?$`,
);

/** `folder`: where the sources lie, `mcp` where nothing else is said. */
export function isOwnPlace(file: string, folder: string): boolean {
  return file.startsWith(`${folder}/`) && OWN.test(file.slice(folder.length + 1));
}
