import type { KeyPath } from "../../../base/place.ts";
import { exactly } from "../exact.ts";
import { leaveOpening } from "../host-server.ts";
import type { Translation } from "../types.ts";
import type { CodexServer } from "./schema.ts";

/**
 * Which calls Codex asks about, as a policy for every role. `auto` leaves it to Codex: here that is a question too. What is
 * let through stays unasked where it is known which tools are left; otherwise all are asked. `i`: the next policy's number.
 */
export function putQuestions(made: Translation, server: string, one: CodexServer, at: KeyPath, i: number): number {
  const { default_tools_approval_mode: usual, tools = {}, enabled_tools: enabled, disabled_tools: disabled = [] } = one;
  const isAsked = (mode: string | undefined) => mode === "prompt" || mode === "auto";
  const modeOf = (tool: string) => (Object.hasOwn(tools, tool) ? tools[tool]!.approval_mode : undefined);
  const atUsual = [...at, "default_tools_approval_mode"];
  if (usual === "approve") leaveOpening(made, atUsual);
  for (const tool of Object.keys(tools))
    if (modeOf(tool) === "approve" && !(isAsked(usual) && enabled !== undefined))
      leaveOpening(made, [...at, "tools", tool, "approval_mode"], `\`approval_mode\` of \`${tool}\``);
  const whole = isAsked(usual) && enabled === undefined;
  const named = isAsked(usual)
    ? [
        ...new Set([
          ...(enabled ?? []).filter((tool) => modeOf(tool) !== "approve"),
          ...Object.keys(tools).filter((tool) => isAsked(modeOf(tool))),
        ]),
      ]
    : Object.keys(tools).filter((tool) => isAsked(modeOf(tool)));
  const asked = whole ? ["*"] : named.filter((tool) => !disabled.includes(tool)).map(exactly);
  if (asked.length === 0 || one.enabled === false) return i;
  const written = isAsked(usual) ? atUsual : [...at, "tools"];
  made.put(["policies", i, "name"], `Codex asks about ${server}`, written);
  made.put(["policies", i, "roles"], ["*"], written);
  made.put(
    ["policies", i, "tools"],
    asked.map((tool) => `${server}.${tool}`),
    written,
  );
  made.put(["policies", i, "effect"], "ask", written);
  return i + 1;
}
