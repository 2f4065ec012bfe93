/** A path of a source as everything after it knows it: `./src/mcp/` is `src/mcp`. */
export function plainPath(path: string): string {
  return path.replace(/^(?:\.\/+)+/, "").replace(/(?<!\/)\/+$/, "");
}
