import { request, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  /** A list is sent as so many headers of one name. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

/** A request as somebody would send it who keeps to no rule: any `Host`, any header, twice. */
export function sendRaw(
  address: string,
  { method = "GET", path = "/", headers = {}, body }: RawRequest,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, method, path, headers: headers as Record<string, string | string[]>, agent: false },
      (answer) => {
        let text = "";
        answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
        answer.on("error", reject);
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Bytes, and what comes back until the other end closes. */
export function sendBytes(address: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
  });
}

/** One message of MCP, with a token. */
export function message(token: string | undefined, method: string, params: object = {}): RawRequest {
  return {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  };
}

const NEWER = "2026-07-28";

/** The same in the newer protocol, where each request says what the older one said once. */
export function newerMessage(token: string | undefined, method: string, params: object = {}): RawRequest {
  const about = {
    "io.modelcontextprotocol/protocolVersion": NEWER,
    "io.modelcontextprotocol/clientInfo": { name: "a-test", version: "7" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const made = message(token, method, { ...params, _meta: about });
  const { name } = params as { readonly name?: string };
  const named = name === undefined ? {} : { "mcp-name": name };
  return { ...made, headers: { ...made.headers, "mcp-protocol-version": NEWER, "mcp-method": method, ...named } };
}

/** What an answer says, whether it came whole or as a stream. */
export function answered({ text }: RawAnswer): AnsweredMessage {
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as AnsweredMessage;
}

export interface AnsweredMessage {
  readonly result: {
    readonly content: readonly { readonly text: string }[];
    readonly isError?: boolean;
    readonly protocolVersion?: string;
  };
  readonly error: { readonly code: number };
}

/** The text of a tool's answer. */
export function textOf(answer: RawAnswer): string {
  const [first] = answered(answer).result.content;
  return first?.text ?? "";
}
