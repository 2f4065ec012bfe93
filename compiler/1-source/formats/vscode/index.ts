import { isObject } from "../../../base/json.ts";
import type { KeyPath } from "../../../base/place.ts";
import { putAddress, putProcess } from "../connection.ts";
import { leaveSignIn, putCommon, putFilter, refuseEnvFile } from "../host-server.ts";
import { inFolder } from "../references.ts";
import type { Format, Translation } from "../types.ts";
import { inputsOf } from "./inputs.ts";
import { vscodeDocument, type VscodeDocument, type VscodeServer } from "./schema.ts";
import { vscodeSettings } from "./beside.ts";

/** VS Code's `.vscode/mcp.json`: servers, and what a person is asked for. */
export const vscode: Format<VscodeDocument> = {
  id: "vscode",
  title: "VS Code's mcp.json",
  recognises: (value) => isObject(value["servers"]) && !("agentServers" in value || "toolRestrictions" in value),
  usualFile: /(?:^|\/)\.vscode\/mcp\.json$/,
  schema: vscodeDocument,
  beside: vscodeSettings,
  read: ({ servers, inputs = [] }, made) => {
    const asked = inputsOf(inputs, made);
    for (const [theirs, one] of Object.entries(servers)) {
      const at = ["servers", theirs];
      const name = made.serverName(theirs, at);
      const spell = inFolder(made, at, "cwd" in one ? one.cwd : undefined, asked);
      if ("command" in one) {
        putProcess(made, name, one, at, { spell });
        refuseEnvFile(made, one.envFile, at, "${env:NAME}");
        refuseSandbox(made, one, at);
      } else {
        // An address that speaks nothing newer is tried as SSE.
        putAddress(made, name, one.type === "sse" ? "sse" : "http", one, at, { spell });
        if (one.type !== "sse") putAddress(made, name, "sse", one, at, { i: 1, spell });
        leaveSignIn(made, one.oauth, [...at, "oauth"]);
      }
      if (one.dev !== undefined)
        made.leave([...at, "dev"], "`dev`", "no file is watched here, and no debugger is started");
      putFilter(made, name, { exclude: one.disabledTools }, at, ["", "disabledTools"]);
      putCommon(made, name, one, at);
    }
  },
};

/** It holds what the process reaches, and nothing of ours would. */
function refuseSandbox(made: Translation, one: Extract<VscodeServer, { command: string }>, at: KeyPath): void {
  const key = one.sandboxEnabled === true ? "sandboxEnabled" : "sandbox";
  if (one.sandboxEnabled === false || (one.sandboxEnabled === undefined && one.sandbox === undefined)) return;
  made.refuse(
    [...at, key],
    `\`${key}\``,
    "rolecall starts the process without a sandbox: start it in one by its command, or write `sandboxEnabled: false`",
  );
}
