import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import type { FakePin } from "./fake-pin.ts";
import type { FakeCall, FakeResult } from "./types.ts";

/** What a fake answers to one message of the protocol. */

export interface Fake {
  readonly server: string;
  readonly pin: FakePin;
  readonly handlers: ReadonlyMap<string, (args: never) => unknown>;
  readonly calls: FakeCall[];
  /** What is wrong with arguments, by the tool's pinned schema. */
  check(tool: string, args: JsonObject): string | undefined;
}

/** Undefined: a message that wants no answer. */
export async function answerOf(fake: Fake, message: JsonObject): Promise<JsonObject | undefined> {
  const { id, method } = message;
  if (id === undefined || typeof method !== "string") return undefined;
  const params = isObject(message["params"]) ? message["params"] : {};
  const result = await resultOf(fake, method, params);
  if (result !== undefined) return { jsonrpc: "2.0", id, result };
  return { jsonrpc: "2.0", id, error: { code: -32601, message: `a fake doesn't know \`${method}\`` } };
}

async function resultOf(fake: Fake, method: string, params: JsonObject): Promise<JsonValue | undefined> {
  const { serverInfo, capabilities, instructions, tools } = fake.pin;
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params["protocolVersion"] ?? "2025-11-25",
        capabilities,
        serverInfo,
        ...(instructions !== undefined && { instructions }),
      };
    case "tools/list":
      return { tools: [...tools.values()] };
    case "tools/call":
      return called(fake, String(params["name"]), isObject(params["arguments"]) ? params["arguments"] : {});
    case "ping":
      return {};
    default:
      return undefined;
  }
}

async function called(fake: Fake, tool: string, args: JsonObject): Promise<JsonObject> {
  if (!fake.pin.tools.has(tool)) return failed(`\`${tool}\` is no tool of ${fake.server}`);
  const refused = fake.check(tool, args);
  if (refused !== undefined) return failed(`arguments of \`${tool}\`: ${refused}`);
  fake.calls.push({ tool, args });
  const handler = fake.handlers.get(tool);
  if (handler === undefined)
    return failed(`the fake of ${fake.server} has no handler for \`${tool}\`: give fakeServer one`);
  try {
    return written(await handler(structuredClone(args) as never));
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

function written(answer: unknown): JsonObject {
  if (isFakeResult(answer)) return answer as unknown as JsonObject;
  if (answer === undefined || answer === null) return { content: [] };
  if (typeof answer === "string") return { content: [{ type: "text", text: answer }] };
  const content = [{ type: "text", text: JSON.stringify(answer) }];
  // The protocol has objects there; what else a tool answers is told by its text.
  return isObject(answer) ? { content, structuredContent: answer } : { content };
}

function isFakeResult(answer: unknown): answer is FakeResult {
  return (
    isObject(answer) && Array.isArray(own(answer, "content")) && Object.keys(answer).every((key) => WHOLE.has(key))
  );
}

const WHOLE: ReadonlySet<string> = new Set(["content", "structuredContent", "isError", "_meta"]);

function failed(text: string): JsonObject {
  return { content: [{ type: "text", text }], isError: true };
}
