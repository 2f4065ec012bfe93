import { toolDigest } from "../1-source/examine-manifest.ts";
import type { Plan, Server } from "../3-plan/types.ts";
import { isObject, own, type JsonValue } from "../base/json.ts";
import { sorted } from "../base/order.ts";
import { failureOf } from "../live-server/failures.ts";
import type { ServerAnswer, AskTrouble } from "../live-server/types.ts";
import { machineVariables } from "./leaks.ts";
import type { AnswerToJudge, PinnableAnswer } from "./judge-answer.ts";
import { suspicionsIn } from "./poison.ts";
import type { Warnings } from "./types.ts";

/** `again`: what the same server said when it was asked a second time, over a new connection. */
export function warningsOf(
  plan: Plan,
  { server, timeoutMs }: { readonly server: Server; readonly timeoutMs: number },
  { answer, values }: AnswerToJudge,
  { text, manifest }: PinnableAnswer,
  again: ServerAnswer | AskTrouble,
): Warnings {
  return {
    suspicions: suspicionsIn(manifest, toolsOfOthers(plan, server.pin)),
    unsteady: "tools" in again ? unsteadyTools(answer.tools, again.tools) : [],
    askedOnce: "tools" in again ? undefined : failureOf(again, server, timeoutMs, values).says,
    machine: machineVariables(text, values),
  };
}

function toolsOfOthers(plan: Plan, pin: string): { server: string; tool: string }[] {
  return plan.servers
    .filter((other) => other.pin !== pin)
    .flatMap((other) => other.tools.map((tool) => ({ server: other.name as string, tool: tool.name as string })));
}

/** Names of tools that a server defined differently when it was asked a second time: their pins won't hold. Sorted. */
export function unsteadyTools(first: readonly JsonValue[], second: readonly JsonValue[]): string[] {
  const one = digestsOf(first);
  const other = digestsOf(second);
  return sorted(new Set([...one.keys(), ...other.keys()])).filter((name) => one.get(name) !== other.get(name));
}

function digestsOf(tools: readonly JsonValue[]): Map<string, string> {
  const pairs = tools.filter(isObject).flatMap((tool) => {
    const name = own(tool, "name");
    return typeof name === "string" ? [[name, toolDigest(tool)] as const] : [];
  });
  return new Map(pairs);
}
