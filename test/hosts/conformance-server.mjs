// What the protocol's conformance suite expects of a server's tools, over stdio.
import { createInterface } from "node:readline";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
const text = { type: "text", text: "This is a simple text response for testing." };
const image = { type: "image", data: PNG, mimeType: "image/png" };
const audio = { type: "audio", data: WAV, mimeType: "audio/wav" };
const resource = { type: "resource", resource: { uri: "test://one", mimeType: "text/plain", text: "one" } };

const TOOLS = {
  test_simple_text: { content: [text] },
  test_image_content: { content: [image] },
  test_audio_content: { content: [audio] },
  test_embedded_resource: { content: [resource] },
  test_multiple_content_types: { content: [text, image, resource] },
  test_error_handling: {
    content: [{ type: "text", text: "This tool intentionally returns an error." }],
    isError: true,
  },
  test_tool_with_progress: { content: [text] },
  json_schema_2020_12_tool: { content: [text] },
};
const SCHEMAS = {
  json_schema_2020_12_tool: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {
      address: {
        $anchor: "addressDef",
        type: "object",
        properties: { street: { type: "string" }, city: { type: "string" } },
      },
    },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: { type: "string" },
      email: { type: "string" },
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  },
};

const RESOURCES = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: PNG },
};
const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

function read(uri) {
  const id = TEMPLATE.exec(uri)?.[1];
  if (id !== undefined) return { mimeType: "application/json", text: JSON.stringify({ id, data: `Data for ${id}` }) };
  return RESOURCES[uri];
}

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: "conformance", version: "1" },
  }),
  "tools/list": () => ({
    tools: Object.keys(TOOLS).map((name) => ({
      name,
      description: `${name}.`,
      inputSchema: SCHEMAS[name] ?? { type: "object", properties: {} },
    })),
  }),
  "resources/list": () => ({
    resources: Object.entries(RESOURCES).map(([uri, { mimeType }]) => ({ uri, name: uri.slice(7), mimeType })),
  }),
  "resources/templates/list": () => ({
    resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "data", mimeType: "application/json" }],
  }),
  "resources/read": ({ uri }) => {
    const found = read(uri);
    return found && { contents: [{ uri, ...found }] };
  },
  "tools/call": async ({ name, _meta: meta }) => {
    const progressToken = meta?.progressToken;
    if (name === "test_tool_with_progress" && progressToken !== undefined)
      for (const progress of [0, 50, 100]) {
        say({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    return TOOLS[name];
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = await (answers[method] ?? (() => ({})))(params);
  const error = { code: -32002, message: "Resource not found", data: { uri: params?.uri } };
  say(result === undefined ? { id, error } : { id, result });
}
