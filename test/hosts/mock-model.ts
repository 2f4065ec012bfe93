import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { callId, DIALECTS } from "./dialects.ts";
import type { Asked, Call, Json, Said } from "./dialects.ts";

/** What the model does in a conversation whose opening holds `about`: these calls, offered or not, then it ends. */
export interface Part {
  readonly about: string;
  readonly calls: readonly Call[];
}

export interface MockModel {
  readonly url: string;
  /** Each request of a model, in order, with all that it was told as one text. */
  readonly asked: readonly (Asked & { readonly told: string })[];
  close(): Promise<void>;
}

/** A host that asks more often than this goes round in circles. */
const MOST_REQUESTS = 80;

/** A model on loopback that offers nothing but a script. The first part that fits a conversation is played. */
export async function mockModel(script: readonly Part[], beforeAnswer: () => Promise<void>): Promise<MockModel> {
  const asked: (Asked & { told: string })[] = [];
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    const path = (request.url ?? "").split("?")[0] ?? "";
    const dialect = DIALECTS.find((one) => one.path.test(path));
    if (request.method !== "POST" || dialect === undefined) return answerAside(path, response);
    const question = dialect.read(body);
    asked.push({ ...question, told: JSON.stringify(body) });
    if (question.calls > 0) await beforeAnswer();
    const said = asked.length > MOST_REQUESTS ? { text: "enough" } : nextOf(script, question);
    stream(response, dialect.answer(said, callId(asked.length)));
  };
  const server = createServer((request, response) => void reply(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function nextOf(script: readonly Part[], asked: Asked): Said {
  const call = script.find((part) => asked.opening.includes(part.about))?.calls[asked.calls];
  return call === undefined ? { text: "done" } : { call };
}

/** Hosts count tokens and list models too; none of that offers a tool. */
function answerAside(path: string, response: ServerResponse): void {
  const known = /count_?tokens$/i.test(path)
    ? { input_tokens: 1, totalTokens: 1 }
    : { object: "list", data: [], models: [] };
  response.writeHead(/tokens$|models$|^\/$/i.test(path) ? 200 : 404, { "content-type": "application/json" });
  response.end(JSON.stringify(known));
}

function stream(response: ServerResponse, events: readonly { event?: string; data: unknown }[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const { event, data } of events) {
    if (event !== undefined) response.write(`event: ${event}\n`);
    response.write(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
  }
  response.end();
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8")) as Json;
  } catch {
    return {};
  }
}
