import { examineManifest } from "../1-source/examine-manifest.ts";
import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { sorted } from "../base/order.ts";
import { createReport } from "../diagnostics/report.ts";
import type { ReferenceValue } from "../live-server/reference-values.ts";
import type { ServerAnswer, TriedTransport } from "../live-server/types.ts";
import { compareManifests, isSame } from "./compare-manifests.ts";
import { leakFailure } from "./leaks.ts";
import { manifestText } from "./manifest-text.ts";
import type { BadAnswer, GoodAnswer, NoAnswer } from "./types.ts";

/** What a server said when it was asked, and what that was asked with. */
export interface AnswerToJudge {
  readonly answer: ServerAnswer;
  readonly tried: readonly TriedTransport[];
  readonly values: readonly ReferenceValue[];
  /** Tokens of a login that were sent. */
  readonly tokens: readonly string[];
}

/** The answer can be pinned; what a person should be warned of isn't known yet. */
export interface PinnableAnswer extends Omit<GoodAnswer, "warnings"> {
  readonly manifest: JsonObject;
}

/** `pinned`: the text of the manifest that lies there now. A manifest that the compiler refuses counts as none. */
export function judgeAnswer(
  { pin, file }: { readonly pin: string; readonly file: string },
  { answer, tried, values, tokens }: AnswerToJudge,
  pinned: string | undefined,
): PinnableAnswer | NoAnswer | BadAnswer {
  const text = manifestText(pin, answer, sorted(values.map(({ name }) => name)));
  const report = createReport(() => undefined);
  if (examineManifest(pin, file, text, report) === undefined) return { state: "refused", diagnostics: report.sorted() };
  const secrets = tokens.map((value) => ({ name: "the token of your login", value, hidden: true, secret: true }));
  const leak = leakFailure(text, [...values, ...secrets]);
  if (leak) return { state: "failed", failure: leak, tried };
  const manifest = JSON.parse(text) as JsonObject;
  const changes = compareManifests(soundManifest(pin, file, pinned), manifest);
  const { transport, tools } = answer;
  return {
    state: isSame(changes) ? "same" : "changed",
    transport,
    tried,
    toolCount: tools.length,
    text,
    manifest,
    changes,
  };
}

/** Digests don't count: somebody who edited it wants to see what is different. */
function soundManifest(pin: string, file: string, text: string | undefined): JsonObject | undefined {
  const manifest = text === undefined ? undefined : withoutDigests(text);
  const silent = createReport(() => undefined);
  return manifest && examineManifest(pin, file, JSON.stringify(manifest), silent) && manifest;
}

function withoutDigests(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    if (!isObject(value) || !Array.isArray(value["tools"])) return undefined;
    const tools = (value["tools"] as readonly JsonValue[]).map((tool) => {
      if (!isObject(tool)) return tool;
      const { digest: _, ...rest } = tool;
      return rest;
    });
    return { ...value, tools };
  } catch {
    return undefined;
  }
}
