import { ownTools } from "../../../4-fit/own-tools.ts";

/** It can't be held to any of them: they are here to be told of, as its pages on permissions name them. */
export const OWN_TOOLS = ownTools(
  {
    seenIn: "Cursor's pages of July 2026",
    shells: ["shell", "terminal"],
    varies: "in the editor, which has more than its pages name",
  },
  { runs: "Shell", writes: "Write", "reaches out": "WebFetch", reads: "Read" },
);
