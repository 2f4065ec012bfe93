/** A name as programs show it to a model: what they don't take is another letter there. */
export function shown(name: string, instead: "_" | "-" = "_"): string {
  return name.replace(/[^A-Za-z0-9_-]/g, instead);
}
