// An OAuth 2.1 authorization server and an MCP server that it protects, each on an origin of its own on this machine.
// By hand: node test/support/login/oauth-server.mjs [port of the MCP server]
import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";

/**
 * settings, to be changed at any time. denies: the person says no, in these words; badState: the answer has another state; silent: nobody
 * answers; lifetime: of access tokens, in seconds; registers, revokes, describes: whether there are such endpoints;
 * asks: whether the MCP server wants a token at all; scopes; slowTokens: ms before the token endpoint answers;
 * wrongIssuer; rotates: each refresh token is good once, and using an old one ends the whole grant; echo: the token is
 * in the tool's description; floods: what is asked around a login is answered by a stream without end; challenges: the ways of PKCE that it names, or null; leads: where every POST is redirected to;
 * messagesAt: it speaks over SSE, and takes messages at this address; behind: what its access tokens end with.
 */
const USUAL = {
  lifetime: 3600,
  registers: true,
  revokes: true,
  describes: true,
  asks: true,
  rotates: true,
  challenges: ["S256"],
  scopes: ["notes:read"],
};

/** More than anybody reads, and not so much that a test that fails takes the machine with it. */
const FLOOD = " ".repeat(64_000_000);

export async function startOAuthServer(given = {}, port = 0) {
  const world = { settings: { ...USUAL, ...given }, seen: [], clients: new Map(), codes: new Map(), tokens: new Map() };
  const mcp = await listen((request, url, body) => answerMcp(world, request, url, body), port);
  const issuer = await listen((request, url, body) => answerIssuer(world, request, url, body), 0);
  Object.assign(world, { origin: mcp.origin, resource: `${mcp.origin}/mcp`, issuer: issuer.origin });
  const { tokens, clients } = world;
  return {
    ...world,
    /** Every token that was ever given out. */
    tokens: () => [...tokens.keys()],
    addClient: (client) => clients.set(client.client_id, client),
    /** As if the person had taken the permission back at the login server. */
    endAllGrants: () => tokens.forEach((one) => (one.grant.ended = true)),
    expireAccess: () => tokens.forEach((one) => one.kind === "access" && (one.until = 0)),
    close: () => Promise.all([mcp.close(), issuer.close()]),
  };
}

function answerMcp(world, request, url, body) {
  const { settings, origin, resource, issuer } = world;
  const { authorization } = request.headers;
  world.seen.push({ at: "mcp", path: url.pathname, method: request.method, authorization });
  if (settings.floods && url.pathname !== "/mcp") return [200, { "content-type": "text/event-stream" }, FLOOD];
  if (url.pathname === "/.well-known/oauth-protected-resource/mcp" && settings.describes)
    return json(200, { resource, authorization_servers: [issuer], scopes_supported: settings.scopes });
  if (url.pathname !== "/mcp") return [404];
  if (settings.leads !== undefined && request.method === "POST") return [307, { location: settings.leads }];
  if (settings.asks && !isGood(world.tokens.get(authorization?.replace(/^Bearer /, "")), "access")) {
    const about = `${origin}/.well-known/oauth-protected-resource/mcp`;
    const more = settings.describes
      ? ` resource_metadata="${about}", scope="${settings.scopes.join(" ")}"`
      : " realm=x";
    return [401, { "www-authenticate": `Bearer${more}` }];
  }
  if (settings.messagesAt !== undefined && request.method === "GET")
    return [200, { "content-type": "text/event-stream" }, `event: endpoint\ndata: ${settings.messagesAt}\n\n`];
  if (request.method !== "POST") return [405];
  return answerCall(JSON.parse(body), settings.echo ? `Lists notes. ${authorization}` : "Lists notes.");
}

function answerCall({ id, method, params }, description) {
  const results = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "notes", version: "1.0.0" },
    },
    "tools/list": { tools: [{ name: "list_notes", description, inputSchema: { type: "object", properties: {} } }] },
  };
  return id === undefined ? [202] : json(200, { jsonrpc: "2.0", id, result: results[method] ?? {} });
}

function answerIssuer(world, request, url, body) {
  const { settings } = world;
  const form = new URLSearchParams(body);
  const [name, secret] = Buffer.from(request.headers.authorization?.slice(6) ?? "", "base64")
    .toString()
    .split(":");
  if (name && world.clients.get(name)?.client_secret === secret) form.set("client_id", name);
  world.seen.push({ at: "issuer", path: url.pathname, method: request.method, grant: form.get("grant_type") });
  if (url.pathname === "/.well-known/oauth-authorization-server" && settings.describes)
    return json(200, metadata(world));
  if (url.pathname === "/register" && settings.registers) return register(world, JSON.parse(body));
  if (url.pathname === "/authorize") return authorize(world, url.searchParams);
  if (url.pathname === "/token" && request.method === "POST") return token(world, form);
  if (url.pathname === "/revoke" && request.method === "POST") return revoke(world, form);
  return [404];
}

function metadata({ settings, issuer }) {
  return {
    issuer: settings.wrongIssuer ?? issuer,
    authorization_endpoint: settings.authorizeAt ?? `${issuer}/authorize`,
    token_endpoint: settings.tokenAt ?? `${issuer}/token`,
    ...(settings.registers && { registration_endpoint: `${issuer}/register` }),
    ...(settings.revokes && { revocation_endpoint: `${issuer}/revoke` }),
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    ...(settings.challenges && { code_challenge_methods_supported: settings.challenges }),
    token_endpoint_auth_methods_supported: ["none", "client_secret_basic"],
    authorization_response_iss_parameter_supported: true,
  };
}

function register({ clients }, asked) {
  const client = { client_id: randomUUID(), ...asked };
  clients.set(client.client_id, client);
  return json(201, client);
}

function authorize({ settings, clients, codes, resource, issuer }, query) {
  const client = clients.get(query.get("client_id"));
  const back = query.get("redirect_uri");
  // Nothing is sent to an address that wasn't registered, exactly as it is.
  if (!client?.redirect_uris.includes(back)) return [400];
  const state = settings.badState ? "another" : query.get("state");
  const lead = (answer) => [302, { location: `${back}?${new URLSearchParams({ ...answer, state, iss: issuer })}` }];
  if (settings.silent) return [200];
  if (settings.denies) return lead({ error: "access_denied", error_description: settings.denies });
  if (query.get("response_type") !== "code" || query.get("code_challenge_method") !== "S256")
    return lead({ error: "invalid_request" });
  if (query.get("resource") !== resource) return lead({ error: "invalid_target" });
  const code = randomUUID();
  codes.set(code, { client, back, challenge: query.get("code_challenge"), scope: query.get("scope") ?? "" });
  return lead({ code });
}

async function token(world, form) {
  const { settings } = world;
  if (settings.slowTokens) await new Promise((resolve) => setTimeout(resolve, settings.slowTokens));
  if (settings.tokenStatus) return [settings.tokenStatus];
  if (form.get("resource") !== world.resource) return json(400, { error: "invalid_target" });
  return form.get("grant_type") === "refresh_token" ? refresh(world, form) : exchange(world, form);
}

function exchange(world, form) {
  const made = world.codes.get(form.get("code"));
  world.codes.delete(form.get("code"));
  const proof = createHash("sha256")
    .update(form.get("code_verifier") ?? "")
    .digest("base64url");
  const isSame = made?.back === form.get("redirect_uri") && made?.client.client_id === form.get("client_id");
  if (!made || !isSame || proof !== made.challenge) return json(400, { error: "invalid_grant" });
  return issue(world, { client: made.client, scope: made.scope, ended: false });
}

function refresh(world, form) {
  const old = world.tokens.get(form.get("refresh_token"));
  const isTheirs = old?.grant.client.client_id === form.get("client_id");
  if (old?.dead) old.grant.ended = true;
  if (!isGood(old, "refresh") || !isTheirs) return json(400, { error: "invalid_grant" });
  old.dead = world.settings.rotates;
  return issue(world, old.grant);
}

/** A token is { kind, grant, dead, until }; a grant ends as a whole. */
function issue({ settings, tokens }, grant) {
  const [access, renewal] = [`access-${randomUUID()}${settings.behind ?? ""}`, `refresh-${randomUUID()}`];
  tokens.set(access, { kind: "access", grant, until: Date.now() + settings.lifetime * 1000 });
  tokens.set(renewal, { kind: "refresh", grant, until: Infinity });
  return json(200, {
    access_token: access,
    token_type: "Bearer",
    expires_in: settings.lifetime,
    scope: grant.scope,
    ...(!settings.noRefresh && { refresh_token: renewal }),
  });
}

function revoke({ settings, tokens }, form) {
  if (settings.revokeStatus) return [settings.revokeStatus];
  const given = tokens.get(form.get("token"));
  if (given?.grant.client.client_id === form.get("client_id")) given.grant.ended = true;
  return [200];
}

function isGood(found, kind) {
  return found?.kind === kind && !found.dead && !found.grant.ended && found.until > Date.now();
}

function json(status, value) {
  return [status, { "content-type": "application/json", "cache-control": "no-store" }, JSON.stringify(value)];
}

/** `answer` gives status, headers and body. */
async function listen(answer, port) {
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const [status, headers, body] = await answer(
      request,
      new URL(request.url, "http://x"),
      Buffer.concat(chunks).toString(),
    );
    response.writeHead(status, headers);
    if (headers?.["content-type"] === "text/event-stream") response.write(body);
    else response.end(body);
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { resource, issuer } = await startOAuthServer({ lifetime: 60 }, Number(process.argv[2] ?? 0));
  console.log(`MCP server ${resource}, login server ${issuer}`);
}
