import { hashHeader } from "../header.ts";
import type { Target } from "../target.ts";

/**
 * `<out>/.gitattributes`: reviews fold what is generated but the two files that are made for them, and both sides' lines of
 * the list stay in a merge. The build after it writes the list anew.
 */
export const gitAttributes: Target = {
  id: "git-attributes",
  title: "what git and reviews make of the output",
  emit: (plan) => [{ path: `${plan.project.out}/.gitattributes`, fingerprint: "git-attributes", text: TEXT }],
};

const TEXT = `${hashHeader}
* linguist-generated
/access.json -linguist-generated
/ACCESS.md -linguist-generated
/files.txt merge=union
`;
