import type { JsonObject } from "../../base/json.ts";
import type { Locate } from "../../base/place.ts";
import { visible } from "../../base/visible.ts";
import { wrap } from "../../base/wrap.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import { paintWith } from "../../diagnostics/paint.ts";
import type { JudgedAddress } from "../../3-plan/judge-address.ts";
import { addressRuleJson } from "../../3-plan/plan-json.ts";
import type { AddressRule } from "../../3-plan/types.ts";
import { lineWords, page } from "../page.ts";

/** `rolecall explain <role> <address>`: may it be read, of which server, and by which lines. */
export function addressPage(judged: JudgedAddress, locate: Locate, style: Style): string {
  const { role, uri, servers, problem } = judged;
  const open = servers.find(({ isOpen }) => isOpen);
  const verdict =
    open === undefined ? `${role} can't read ${visible(uri)}` : `${role} may read ${visible(uri)}, of ${open.server}`;
  const why = problem === undefined ? [] : [`  ${problem}`];
  const rules = servers.flatMap(({ server, rules: all }) =>
    all.flatMap((rule) => ruleLines(server, rule, locate, style)),
  );
  const nothing =
    rules.length + why.length === 0
      ? ["  no line under `resources:` of it, or of a role that it extends, speaks of it"]
      : [];
  return page([
    wrap(verdict, style.width, "  ").map((line) => paintWith(style.colour)("strong", line)),
    ["why", ...why, ...rules, ...nothing],
  ]);
}

const WORDS: Readonly<Record<AddressRule["rule"], string>> = {
  include: "includes it",
  exclude: "takes it away",
  ceiling: "is the server's own limit",
  policy: "denies it",
};

function ruleLines(server: string, { rule, written, by, from }: AddressRule, locate: Locate, style: Style): string[] {
  const who = by === undefined ? server : `${rule === "policy" ? "policy" : "role"} ${by}`;
  const words = `  ${visible(who)}: \`${visible(written)}\` of ${server} ${WORDS[rule]}`;
  return [...wrap(words, style.width, "    "), `    ${lineWords(from, locate)}`];
}

export function addressJson({ role, uri, servers, problem }: JudgedAddress, locate: Locate): JsonObject {
  return {
    format: 1,
    role,
    uri,
    effect: servers.some(({ isOpen }) => isOpen) ? "allow" : "deny",
    problem: problem ?? null,
    servers: servers.map(({ server, isOpen, rules }) => ({
      server,
      effect: isOpen ? "allow" : "deny",
      because: rules.map((rule) => addressRuleJson(rule, locate)),
    })),
  };
}
