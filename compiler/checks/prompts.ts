import { within, type Place } from "../base/place.ts";
import { issuedToken, maskedWords } from "../base/secret-patterns.ts";
import type { PlannedRole, Prompt } from "../3-plan/types.ts";
import type { Check } from "./types.ts";

/**
 * What may not stand in a prompt: a secret, and what a host would put something else in place of. Said where it stands,
 * once for a file, however many roles have it.
 */
export const checkPrompts: Check = ({ plan, hosts }, report) => {
  for (const { name: role, prompt } of eachPrompt(plan.roles)) {
    const secret = issuedToken(prompt.text);
    if (secret === undefined) continue;
    report.add(
      "role/prompt-secret",
      { ...placeOf(secret, prompt), hide: secret },
      { role, masked: maskedWords(secret) },
    );
  }
  for (const { host, roles } of hosts) {
    for (const { name: role, prompt } of eachPrompt(roles.map((fitted) => fitted.role))) {
      const { part, help } = host.replacedIn?.(prompt.text, "prompt") ?? {};
      if (part !== undefined)
        report.add("host/prompt-replaced", placeOf(part, prompt), {
          host: host.title,
          part,
          text: "prompt",
          role,
          help,
        });
    }
    for (const { name: role, place, description = "" } of roles.map((fitted) => fitted.role)) {
      const { part, help } = host.replacedIn?.(description, "description") ?? {};
      const params = { host: host.title, part: part ?? "", text: "description", role, help };
      if (part !== undefined) report.add("host/prompt-replaced", within(place, "description"), params);
    }
  }
};

interface Prompted {
  readonly name: string;
  readonly prompt: Prompt;
}

/** The first role of each. */
function eachPrompt(roles: readonly PlannedRole[]): Prompted[] {
  const files = new Map<string, Prompted>();
  for (const { name, prompt } of roles)
    if (prompt !== undefined && !files.has(prompt.file)) files.set(prompt.file, { name, prompt });
  return [...files.values()];
}

function placeOf(part: string, { file, text, start }: Prompt): Place {
  const at = start + text.indexOf(part);
  return { file, path: [], range: [at, at + part.length] };
}
