import { withoutTokens } from "../../base/never-shown.ts";
import { visible } from "../../base/visible.ts";
import { isTrouble, trouble, type LoginTrouble } from "./types.ts";

/** What a login server's refusals mean (RFC 6749, 7591). */
const REFUSALS: Readonly<Record<string, string>> = {
  access_denied: "access was denied",
  invalid_client: "it doesn't know this client",
  invalid_client_metadata: "it doesn't take this client's description",
  invalid_grant: "what was granted has ended or was taken back",
  invalid_redirect_uri: "it doesn't take the address that leads back to this machine",
  invalid_scope: "it doesn't give these scopes",
  invalid_target: "it gives no tokens for this server",
  server_error: "it failed",
  temporarily_unavailable: "it is busy",
  unauthorized_client: "it doesn't let this client log in",
  unsupported_response_type: "it doesn't let this client log in",
};

/** A refusal in words: what it means, and the server's own description. */
export function refusalOf(code: string, description: string | undefined): string {
  const meaning = REFUSALS[code];
  const said = short(description ?? "");
  const why = meaning ?? `it answers \`${short(code)}\``;
  return said === "" ? why : `${why} (it says: ${said})`;
}

/** What was thrown while something was done with a login server. Bodies that aren't understood are never repeated. */
export function troubleOf(problem: unknown, doing: string, next: string): LoginTrouble {
  if (isTrouble(problem)) return problem;
  return trouble(`${doing} failed: ${reasonOf(problem)}`, next);
}

function reasonOf(problem: unknown): string {
  if (!(problem instanceof Error)) return "no reason was given";
  const { code, status, cause } = problem as { code?: unknown; status?: unknown; cause?: { code?: unknown } };
  if (problem.name === "TimeoutError") return "no answer within 15 s";
  if (typeof status === "number") return `it answers ${status}`;
  if (typeof code === "string" && /^[a-z_]+$/.test(code))
    return refusalOf(code, /Raw body:/.test(problem.message) ? undefined : problem.message);
  if (typeof cause?.code === "string") return `it can't be reached (${short(cause.code)})`;
  if (/issuer/i.test(problem.constructor.name) || /\bissuer\b/i.test(problem.message))
    return "it names itself otherwise than the server that sent us there";
  if (problem.message.startsWith("Incompatible auth server: "))
    return short(problem.message.replace(/^[^:]*: /, "it "));
  return "its answer isn't one that can be used";
}

/** A stranger's text, as one short harmless line without anything that looks like a token. */
export function short(text: string): string {
  const line = visible(withoutTokens(text.replace(/\s+/g, " ").trim()));
  return line.length > 160 ? `${line.slice(0, 160)}...` : line;
}
