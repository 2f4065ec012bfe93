/** What somebody else calls a server or a role, in the letters that a name may have here. */
export function slug(theirs: string): string {
  const letters = theirs
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^[^a-z]+|-+$/g, "");
  return letters === "" ? theirs : letters;
}
