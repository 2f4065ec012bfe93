import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * GitHub's API as far as the action asks it, answering as GitHub does: the real one can't be had in a test. Lists have pages of
 * at most two, named by `Link`; a token that may only read gets 403; what is too long 422; a limit that was passed 403 with
 * `Retry-After`.
 */
export interface FakeGithub {
  readonly url: string;
  readonly comments: FakeComment[];
  /** Of issue 7. */
  events: object[];
  /** Open ones, as they are listed. */
  pulls: object[];
  labels: object[];
  /** Newest last; what a push is, with the time at which it came. */
  pushes: object[];
  /** What a token may: a fork's may only read. */
  mayWrite: boolean;
  mostCharacters: number;
  /** How many of the next writes are told that a limit is passed. */
  limited: number;
  /** Method and path of each request. */
  readonly asked: string[];
  readonly tokens: Set<string>;
  close(): Promise<void>;
}

export interface FakeComment {
  id: number;
  body: string;
  user: { login: string; id: number; type: "Bot" | "User" };
  created_at: string;
  updated_at: string;
}

const PAGE = 2;
const BOT = { login: "github-actions[bot]", id: 41, type: "Bot" } as const;
const HEAD = { ref: "topic", repo: { full_name: "ada/harbor" } };
const NOW = "2026-11-19T08:00:00Z";

export async function fakeGithub(): Promise<FakeGithub> {
  const fake: Omit<FakeGithub, "url" | "close"> = {
    comments: [],
    events: [],
    pulls: [],
    labels: [],
    pushes: [],
    mayWrite: true,
    mostCharacters: 65_536,
    limited: 0,
    asked: [],
    tokens: new Set(),
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    fake.asked.push(`${request.method} ${url.pathname}`);
    fake.tokens.add(request.headers.authorization ?? "");
    const path = url.pathname.replace("/repos/ada/harbor", "");
    if (request.method === "GET") read(fake, url, path, response);
    else void write(fake, request, path, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return Object.assign(fake, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((done) => server.close(() => done()));
    },
  });
}

type State = Omit<FakeGithub, "url" | "close">;

function read(fake: State, url: URL, path: string, response: ServerResponse): void {
  // An installation's token is nobody's.
  if (path === "/user") return send(response, 403, { message: "Resource not accessible by integration" });
  if (path === "/pulls/7")
    return send(response, 200, { number: 7, user: { login: "ada" }, labels: fake.labels, head: HEAD });
  const lists: Record<string, readonly object[]> = {
    "/issues/7/comments": fake.comments,
    "/issues/7/events": fake.events,
    "/pulls/7/commits": [{ author: { login: "ada" }, committer: { login: "web-flow" } }],
    "/activity": fake.pushes,
    "/pulls": fake.pulls,
  };
  const list = lists[path];
  if (list === undefined) return send(response, 404, { message: "Not Found" });
  const page = Number(url.searchParams.get("page") ?? 1);
  url.searchParams.set("page", `${page + 1}`);
  const more = page * PAGE < list.length ? { link: `<${url.href}>; rel="next"` } : {};
  send(response, 200, list.slice((page - 1) * PAGE, page * PAGE), more);
}

async function write(fake: State, request: IncomingMessage, path: string, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { body } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { body: string };
  if (!fake.mayWrite) return send(response, 403, { message: "Resource not accessible by integration" });
  if (fake.limited > 0) {
    fake.limited--;
    return send(response, 403, { message: "You have exceeded a secondary rate limit." }, { "retry-after": "0" });
  }
  if (body.length > fake.mostCharacters)
    return send(response, 422, { message: "Validation Failed", errors: [{ message: "body is too long" }] });
  if (request.method === "POST" && path === "/issues/7/comments") {
    const made = { id: fake.comments.length + 100, body, user: BOT, created_at: NOW, updated_at: NOW };
    fake.comments.push(made);
    return send(response, 201, made);
  }
  const found = fake.comments.find(({ id }) => path === `/issues/comments/${id}`);
  if (request.method !== "PATCH" || found === undefined) return send(response, 404, { message: "Not Found" });
  found.body = body;
  send(response, 200, found);
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
