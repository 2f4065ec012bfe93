import * as z from "zod/mini";
import type { KeyPath } from "../../../base/place.ts";
import { putAddress, putProcess, type Respell } from "../connection.ts";
import {
  common,
  type Filter,
  leaveSignIn,
  milliseconds,
  oauth,
  putCommon,
  putFilter,
  putTimeout,
  texts,
  words,
} from "../host-server.ts";
import { inBraces, ofNobody, type References, respelling } from "../references.ts";
import type { Translation } from "../types.ts";

const shared = {
  tools: z.optional(z.union([words, z.literal("*")])),
  excludeTools: z.optional(words),
  timeout: z.optional(milliseconds),
  ...common,
};
export const copilotServer = z.union([
  z.strictObject({
    type: z.optional(z.enum(["local", "stdio"])),
    command: z.string(),
    args: z.optional(words),
    env: z.optional(texts),
    cwd: z.optional(z.string()),
    ...shared,
  }),
  z.strictObject({
    type: z.enum(["http", "sse"]),
    url: z.string(),
    headers: z.optional(texts),
    oauth: z.optional(oauth),
    ...shared,
  }),
]);
export type CopilotServer = z.infer<typeof copilotServer>;

/** `toolsHere`: what the file says besides of the tools that are left of the server. */
export function putCopilotServer(
  made: Translation,
  name: string,
  one: CopilotServer,
  at: KeyPath,
  within: Filter["include"] = undefined,
): void {
  const spell = spelling(made);
  if ("command" in one) {
    putProcess(made, name, one, at, { spell });
    for (const [key, value] of Object.entries(one.env ?? {})) leaveBareName(made, value, [...at, "env", key]);
  } else {
    putAddress(made, name, one.type, one, at, { spell });
    leaveSignIn(made, one.oauth, [...at, "oauth"]);
  }
  putTimeout(made, name, one.timeout, [...at, "timeout"]);
  const listed = namesIn(one.tools);
  const include =
    listed === undefined ? within : within === undefined ? listed : listed.filter((tool) => within.includes(tool));
  const exclude = [...(one.excludeTools ?? []), ...(one.disabledTools ?? [])];
  putFilter(made, name, { include, exclude }, at, ["tools", "excludeTools"]);
  putCommon(made, name, one, at);
}

/** Undefined: every tool. */
export function namesIn(tools: CopilotServer["tools"]): readonly string[] | undefined {
  return tools === undefined || tools === "*" || tools.includes("*") ? undefined : tools;
}

/** Read in `env`, `args` and `headers`; an address is taken as it stands. */
function spelling(made: Translation): Respell {
  const spell = respelling(made, SECRETS);
  const spellUrl = respelling(made, ofNobody(made, "Copilot reads no variable in an address"));
  return (text, written) => (written.at(-1) === "url" ? spellUrl : spell)(text, written);
}

const SECRETS: References = {
  like: /\$\{\{[^}]{0,4000}\}\}|\$\{[^}]{0,4000}\}|\$[A-Za-z_][A-Za-z0-9_]*/,
  ours: (found) => {
    const secret = /^\$\{\{\s*(?:secrets|vars?)\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}$/.exec(found)?.[1];
    if (secret !== undefined) return `\${${secret}}`;
    if (found.startsWith("${{")) return undefined;
    return found.startsWith("${") ? inBraces.ours(found, []) : `\${${found.slice(1)}}`;
  },
  help: "write it as `${NAME}`",
};

/** There, a value that is the name of a variable is replaced by what that variable holds, where it is set. */
function leaveBareName(made: Translation, value: string, written: KeyPath): void {
  if (/^[A-Z][A-Z0-9]*_[A-Z0-9_]*$/.test(value))
    made.leave(
      written,
      `the name \`${value}\` as a value`,
      `it is text here: write \`\${${value}}\` where the variable is meant`,
    );
}
