/** What a selector that finds nothing most likely means. Every code that says so of one takes these cases; each is its help. */
export const selectorCases = {
  /** Only a near name can help. */
  unclear: { advice: "" },
  respelt: { advice: "write `{spelling}`" },
  each: { advice: "write `{spelling}`, an item each" },
  "any-tool": { advice: 'write `"*"`, which is any tool' },
  nothing: { advice: "remove it" },
  "no-entry": { advice: "write `{spelling}` in place of the whole entry of the server" },
  "server-twice": { advice: "write `{spelling}`: the server's name stands before it already" },
  "other-language": { advice: "neither regular expressions nor braces are read: `*` is any text, `?` one character" },
  glob: {
    advice: "write `{spelling}`; neither regular expressions nor braces are read: `*` is any text, `?` one character",
  },
  globs: {
    advice:
      "write `{spelling}`, an item each; neither regular expressions nor braces are read: `*` is any text, `?` one character",
  },
} as const;
