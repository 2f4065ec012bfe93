/**
 * The four ways in which hosts speak to a model. `read` takes from a request what the battery needs to know, `answer`
 * gives the events of a stream that says one thing: a call of a tool, or a text that ends the turn.
 */

export interface Asked {
  /** Names as the model sees them; `namespace::name` where a host groups them. */
  readonly tools: readonly string[];
  /** The words that began this conversation: a sub-agent has a conversation of its own. */
  readonly opening: string;
  /** How many calls of ours the conversation already holds. */
  readonly calls: number;
}

export interface Call {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export type Said = { readonly call: Call } | { readonly text: string };

export interface Dialect {
  readonly path: RegExp;
  read(body: Json): Asked;
  answer(said: Said, id: string): readonly Event[];
}

interface Event {
  readonly event?: string;
  readonly data: unknown;
}

/** A request as it came: nothing is known about it until it is looked at. */
export type Json = Readonly<Record<string, unknown>>;

const OURS = "mock_";

const chat: Dialect = {
  path: /\/chat\/completions$/,
  read(body) {
    const messages = list(body["messages"]);
    return {
      tools: list(body["tools"]).map((tool) => text(record(tool["function"])["name"])),
      opening: firstOf(messages.filter((message) => message["role"] === "user").map((message) => message["content"])),
      calls: messages.flatMap((message) => list(message["tool_calls"])).filter((call) => isOurs(call["id"])).length,
    };
  },
  answer(said, id) {
    const chunk = (delta: Json, finish: string | null) => ({
      data: {
        id,
        object: "chat.completion.chunk",
        created: 0,
        model: "mock-model",
        choices: [{ index: 0, delta, finish_reason: finish }],
      },
    });
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const last = { data: { ...chunk({}, null).data, choices: [], usage } };
    const delta =
      "call" in said
        ? { tool_calls: [{ index: 0, id, type: "function", function: named(said.call) }] }
        : { content: said.text };
    return [
      chunk({ role: "assistant", ...delta }, null),
      chunk({}, "call" in said ? "tool_calls" : "stop"),
      last,
      { data: "[DONE]" },
    ];
  },
};

const responses: Dialect = {
  path: /\/responses$/,
  read(body) {
    const input = list(body["input"]);
    const users = input.filter((item) => item["role"] === "user").map((item) => item["content"]);
    return {
      tools: list(body["tools"]).flatMap((tool) =>
        tool["type"] === "namespace"
          ? list(tool["tools"]).map((inner) => `${text(tool["name"])}::${text(inner["name"])}`)
          : [text(tool["name"] ?? tool["type"])],
      ),
      // Codex opens with notes on the surroundings; the prompt is the last thing a user says.
      opening: users.map(plain).join("\n"),
      calls: input.filter((item) => item["type"] === "function_call" && isOurs(item["call_id"])).length,
    };
  },
  answer(said, id) {
    let number = 0;
    const event = (type: string, more: Json) => ({ event: type, data: { type, sequence_number: number++, ...more } });
    const item =
      "call" in said
        ? { type: "function_call", id: `fc_${id}`, call_id: id, status: "completed", ...spaced(said.call) }
        : {
            type: "message",
            id: `msg_${id}`,
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text: said.text, annotations: [] }],
          };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const whole = (status: string, output: readonly unknown[]) => ({
      response: { id: `resp_${id}`, object: "response", created_at: 0, model: "mock-model", status, output, usage },
    });
    return [
      event("response.created", whole("in_progress", [])),
      event("response.output_item.added", { output_index: 0, item: { ...item, status: "in_progress" } }),
      event("response.output_item.done", { output_index: 0, item }),
      event("response.completed", whole("completed", [item])),
    ];
  },
};

const messages: Dialect = {
  path: /\/messages$/,
  read(body) {
    const turns = list(body["messages"]);
    return {
      tools: list(body["tools"]).map((tool) => text(tool["name"] ?? tool["type"])),
      opening: firstOf(turns.filter((turn) => turn["role"] === "user").map((turn) => turn["content"])),
      calls: turns
        .filter((turn) => turn["role"] === "assistant")
        .flatMap((turn) => list(turn["content"]))
        .filter((block) => isOurs(block["id"])).length,
    };
  },
  answer(said, id) {
    const event = (type: string, more: Json) => ({ event: type, data: { type, ...more } });
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = {
      id,
      type: "message",
      role: "assistant",
      model: "mock-model",
      content: [],
      stop_reason: null,
      usage,
    };
    const [block, delta] =
      "call" in said
        ? [
            { type: "tool_use", id, name: said.call.name, input: {} },
            { type: "input_json_delta", partial_json: JSON.stringify(said.call.args) },
          ]
        : [
            { type: "text", text: "" },
            { type: "text_delta", text: said.text },
          ];
    return [
      event("message_start", { message }),
      event("content_block_start", { index: 0, content_block: block }),
      event("content_block_delta", { index: 0, delta }),
      event("content_block_stop", { index: 0 }),
      event("message_delta", { delta: { stop_reason: "call" in said ? "tool_use" : "end_turn" }, usage }),
      event("message_stop", {}),
    ];
  },
};

const gemini: Dialect = {
  path: /generatecontent$/i,
  read(body) {
    const contents = list(body["contents"]);
    const parts = (role: string) =>
      contents.filter((content) => content["role"] === role).flatMap((content) => list(content["parts"]));
    return {
      tools: list(body["tools"])
        .flatMap((tool) => list(tool["functionDeclarations"]))
        .map((tool) => text(tool["name"])),
      opening: parts("user")
        .map((part) => part["text"] ?? "")
        .map(plain)
        .join("\n"),
      // This dialect's calls carry no name of ours; all of them are.
      calls: parts("model").filter((part) => part["functionCall"] !== undefined).length,
    };
  },
  answer(said) {
    const part = "call" in said ? { functionCall: said.call } : { text: said.text };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    const candidates = [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }];
    return [{ data: { candidates, usageMetadata, modelVersion: "mock-model" } }];
  },
};

export const DIALECTS: readonly Dialect[] = [chat, responses, messages, gemini];

export const callId = (number: number): string => `${OURS}${number}`;

const isOurs = (id: unknown) => typeof id === "string" && id.startsWith(OURS);

const named = (call: Call) => ({ name: call.name, arguments: JSON.stringify(call.args) });

function spaced(call: Call) {
  const [namespace, name] = call.name.split("::");
  return name === undefined ? named(call) : { ...named({ ...call, name }), namespace };
}

const firstOf = (contents: readonly unknown[]) => plain(contents[0] ?? "");

/** The words of a content, which is a text or a list of parts. */
function plain(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .map((part) => text(part["text"]))
    .join("\n");
}

const text = (value: unknown) => (typeof value === "string" ? value : "");

const record = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {});

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(record) : []);
