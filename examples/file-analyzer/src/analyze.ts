import type { AnalyzerServers } from "./mcp/index.js";

export interface Finding {
  readonly file: string;
  readonly lines: number;
  readonly words: number;
}

/** Every file that the role may read; those that it may not are named. */
export async function analyze({ files }: AnalyzerServers): Promise<{ found: Finding[]; refused: string[] }> {
  const listed = await files.list_directory({ path: "." });
  const names = listed.structured.content.split("\n").flatMap((line) => /^\[FILE\] (.*)$/.exec(line)?.[1] ?? []);
  const found: Finding[] = [];
  const refused: string[] = [];
  for (const file of names.sort()) {
    try {
      const text = (await files.read_text_file({ path: file })).structured.content;
      const words = text.split(/\s+/).filter((word) => word !== "");
      found.push({ file, lines: text.trimEnd().split("\n").length, words: words.length });
    } catch {
      refused.push(file);
    }
  }
  return { found, refused };
}
