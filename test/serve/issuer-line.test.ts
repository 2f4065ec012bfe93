import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { issuedTokens } from "../../compiler/io/serve/http/issuer.ts";

/** An issuer that doesn't answer: whoever sends what looks like a token waits for it. */
let issuer: Server;
let address: string;
const unanswered: ServerResponse[] = [];
beforeEach(async () => {
  issuer = createServer((_, response) => void unanswered.push(response));
  await new Promise<void>((resolve) => issuer.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
});
afterEach(() => {
  issuer.closeAllConnections();
  issuer.close();
});

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const TOKEN = `${part({ alg: "RS256", kid: "a" })}.${part({ sub: "nobody" })}.${"a".repeat(300)}`;

test.each([
  ["says where its keys are", false],
  ["gives its keys", true],
])("512 tokens wait until it %s, and one more is told at once", async (_, isKnown) => {
  const jwks = isKnown ? `${address}/keys` : undefined;
  const tokens = issuedTokens({ issuer: address, rolesClaim: "roles", jwks }, "");
  const judge = (): Promise<unknown> =>
    tokens.principalOf(TOKEN, ["https://tools.example.com"]).catch(({ message }: Error) => message);
  let settled = 0;
  const waiting = Array.from({ length: 512 }, () => judge().finally(() => settled++));
  while (unanswered.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await judge()).toBe("too many wait for the keys of the issuer");
  expect(settled).toBe(0);
  const end = setInterval(() => unanswered.splice(0).forEach((response) => response.writeHead(404).end()), 10);
  expect(new Set(await Promise.all(waiting)).size).toBe(1);
  expect(await judge()).not.toContain("too many");
  clearInterval(end);
});
