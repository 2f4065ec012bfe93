import { digestOf } from "../../base/digest.ts";
import type { JsonObject, JsonValue } from "../../base/json.ts";
import { stableText } from "../../base/stable-text.ts";
import { visible } from "../../base/visible.ts";
import type { AccessChanged } from "../../diff/types.ts";
import { version } from "../version.ts";
import { countOfFindings, shownFindings, type ShownFinding } from "./finding-words.ts";
import type { ShownDifference } from "./words.ts";

/** More than these aren't shown by GitHub; the gravest come first. */
const MOST = 5000;

/** SARIF 2.1.0, one run. What is left out is counted in a notification of the run. */
export function differenceSarif(shown: ShownDifference): JsonObject {
  const findings = shownFindings(shown, MOST);
  const rules = [...new Set(findings.map(({ described }) => ruleOf(described.change)))].sort();
  const more = countOfFindings(shown) - findings.length;
  const left: JsonValue[] =
    more === 0 ? [] : [{ level: "warning", message: { text: `${more} more changes aren't among the results` } }];
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: { name: "rolecall", version, rules: rules.map(ruleJson) },
        },
        automationDetails: { id: "rolecall/access/" },
        invocations: [{ executionSuccessful: true, toolExecutionNotifications: left }],
        columnKind: "utf16CodeUnits",
        results: resultsOf(findings, rules),
      },
    ],
  };
}

function ruleOf({ direction, kind }: AccessChanged): string {
  return `access/${direction}-${kind}`;
}

function ruleJson(id: string): JsonObject {
  const [, direction = "", kind = ""] = /^access\/(\w+)-(\w+)$/.exec(id) ?? [];
  const says = direction === "widens" ? `Access widens: ${kind}` : `Changed with the same grant: ${kind}`;
  return {
    id,
    shortDescription: { text: says },
    fullDescription: { text: `${says}. Compared with the base by rolecall diff.` },
    defaultConfiguration: { level: direction === "widens" ? "error" : "warning" },
    properties: { tags: ["security", "access"] },
  };
}

function resultsOf(findings: readonly ShownFinding[], rules: readonly string[]): JsonValue[] {
  const times = new Map<string, number>();
  return findings.map(({ described: { change }, level, file, line, says }) => {
    const who = whoOf(change);
    const time = times.get(who) ?? 0;
    times.set(who, time + 1);
    const ruleId = ruleOf(change);
    return {
      ruleId,
      ruleIndex: rules.indexOf(ruleId),
      level,
      // Plain text has links there (3.11.6). Not every viewer knows the escape: a blank leaves none to any.
      message: { text: visible(says).replaceAll("](", "] (") },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: uriOf(file), uriBaseId: "%SRCROOT%" },
            region: { startLine: line },
          },
        },
      ],
      partialFingerprints: { "rolecallAccess/v1": digestOf(`${who}\0${time}`).replace("sha256:", "") },
    };
  });
}

/** The same after each push: never a line, a file or what a text says now. */
function whoOf({ role, server, tool, kind, before, after }: AccessChanged): string {
  const isNamed = kind === "guard" || kind === "delegate" || kind === "builtin";
  return stableText([role ?? null, server ?? null, tool ?? null, kind, isNamed ? (before ?? after) : null]);
}

function uriOf(file: string): string {
  return file.split("/").map(encodeURIComponent).join("/");
}
