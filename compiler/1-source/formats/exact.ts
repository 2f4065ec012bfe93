/** A selector that finds the tool of just this name, whatever letters are in it. */
export function exactly(tool: string): string {
  return tool
    .replace(/[*?\\]/g, "\\$&")
    .replaceAll(" & ", " \\& ")
    .replace(/^(?=(?:is|scope|label):)/, "\\");
}

/** A list of names as most systems mean it: `*` in it is every tool, none is no tool. */
export function namesOrAll(tools: readonly string[]): "all" | "none" | string[] {
  if (tools.includes("*")) return "all";
  return tools.length === 0 ? "none" : tools.map(exactly);
}
