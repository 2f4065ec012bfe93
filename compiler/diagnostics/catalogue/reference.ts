import type { CatalogueEntry } from "../types.ts";

export const referenceCodes = {
  "reference/foreign-spelling": {
    severity: "error",
    says: "`{written}` is another tool's spelling of a reference",
    help: "write `{ours}`",
    why: "References are `${NAME}`, `${NAME:-default}`, `${NAME:+text}` and `${NAME:?message}`. Any other spelling would be sent to the server as it stands.",
  },
  "reference/malformed": {
    severity: "error",
    says: "`{written}` isn't a complete reference: {problem}",
    cases: {
      open: { problem: "its `}` is missing" },
      alone: { problem: "a `$` stands alone" },
      deep: { problem: "references are nested more than {most} deep" },
      nameless: { problem: "no name follows `${`" },
      stranger: { problem: "`{character}` can't follow the name" },
    },
    help: "write `${NAME}`, `${NAME:-default}`, `${NAME:+text}` or `${NAME:?message}`; `$$` is a dollar",
    why: "A reference that is only almost right would be sent to the server as text, with a secret missing or a path wrong.",
  },
  "reference/in-origin": {
    severity: "error",
    says: "a reference can't stand in the scheme, host or port of a URL: `{written}`",
    help: "make the whole URL one reference, or put it behind the first `/` after the host",
    why: "A token belongs to an origin. If a variable could change the host, whoever sets the variable could send the token elsewhere.",
  },
} as const satisfies Record<string, CatalogueEntry>;
