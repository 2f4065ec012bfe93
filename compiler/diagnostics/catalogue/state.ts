import type { CatalogueEntry } from "../types.ts";

export const stateCodes = {
  "state/unknown-address": {
    severity: "error",
    says: "`{glob}` is none of the addresses of `{server}`",
    help: ["did you mean `{nearest}`?", "it has {known}"],
    why: "The build knows what the server of `state:` has. What restricts and finds nothing there leaves open what was meant, and what opens one that isn't there gives nothing.",
  },
  "state/opens-no-address": {
    severity: "warning",
    says: "role `{role}`: `{glob}` opens nothing, since `{server}` has no such address",
    help: ["did you mean `{nearest}`?", "it has {known}"],
    why: "The build knows what the server of `state:` has. A glob that finds nothing there is mostly a slip.",
  },
  "state/no-file": {
    severity: "warning",
    says: "{owner} names `{file}`, which isn't there",
    help: [
      "did you mean `{nearest}`?",
      "make the folder `{folder}`, or correct the path, which begins at the project's folder",
    ],
    why: "The team's state tells of a file that isn't there that there is none. Where the name is a slip, nobody would be told what was decided.",
    adjustable: true,
  },
  "state/file-to-come": {
    severity: "note",
    says: "{owner} names `{file}`, which isn't there yet",
    help: "fine if it is to come; until then the team's state says that there is none",
    why: "A team begins without decisions. A name that was meant for another file looks the same.",
    adjustable: true,
  },
} as const satisfies Record<string, CatalogueEntry>;
