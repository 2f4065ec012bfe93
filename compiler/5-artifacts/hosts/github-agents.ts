import type { AgentsFolder, NamedByPath, PersonsFolder } from "../../4-fit/merged-place.ts";

/**
 * As Copilot CLI 1.0.102 was seen to: `aa.md` with a role's name, `sub/aa.agent.md` with it, and a person's own
 * `<role>.agent.md` whatever it calls itself, were taken in the place of the role's. One of the folders above never was.
 */
const BY_PATH: NamedByPath = { when: "always", slash: "--", endings: [".agent.md", ".md"] };

/** Where a host looks that shares agents with Copilot, and in a person's own folder of Copilot's. */
export function githubAgents(person: PersonsFolder): readonly AgentsFolder[] {
  return [
    { in: "project", folder: ".github/agents", byPath: BY_PATH },
    { in: person, folder: "agents", byPath: BY_PATH },
  ];
}
