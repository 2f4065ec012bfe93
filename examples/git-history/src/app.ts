import { team } from "./mcp/index.js";

const chronicle = team();
const { git } = chronicle.as("historian");
const log = (await git.git_log({ count: 3 })).text.split("\n");
console.log(log.join("\n"));
const [latest = ""] = log[0]!.split(" ");
console.log((await git.git_show({ revision: latest })).text.split("\n")[0]);
// What a model might make up isn't taken for an option of git, and the role commits nothing.
const sly = await git.git_show({ revision: "--output=stolen" }).catch((error: unknown) => error);
console.log(sly instanceof Error ? "refused: --output" : "it was otherwise than expected");
console.log("git_commit" in git ? "it was otherwise than expected" : "a historian commits nothing");
await chronicle.close();
