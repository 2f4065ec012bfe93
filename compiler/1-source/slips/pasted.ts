import { commandWords } from "../../base/command-words.ts";
import { isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { saysSecret } from "../../base/secret-names.ts";
import { isPlaceholder, isSecretName, issuedToken } from "../../base/secret-patterns.ts";
import { secretIn } from "../../base/written-secrets.ts";

/**
 * A server as other programs write it (`.mcp.json` and its kin), as the `connect` that it means. What may be a secret isn't
 * repeated: a reference stands in its place.
 */
export interface Pasted {
  readonly connect: JsonObject[];
  /** What was left out of it, for the line that is shown. */
  readonly secrets: readonly string[];
}

const OF_OTHERS = ["command", "args", "url", "serverUrl", "httpUrl", "type", "transport", "environment"];

/** Whether it is a server in that form: `env` and `headers` alone are keys that stand one level too high. */
export function isPastedServer(found: JsonValue | undefined): found is JsonObject {
  return isObject(found) && !Object.hasOwn(found, "connect") && OF_OTHERS.some((key) => Object.hasOwn(found, key));
}

export function connectOf(name: string, found: JsonObject): Pasted | undefined {
  const secrets: string[] = [];
  const { command, args, cwd } = found;
  const env = textsOf(found["env"] ?? found["environment"]);
  const url = [found["url"], found["serverUrl"], found["httpUrl"]].find((value) => typeof value === "string");
  if (typeof url === "string") {
    const kind =
      /sse/i.test(String(found["type"] ?? found["transport"] ?? "")) || /\/sse\/?$/.test(url) ? "sse" : "http";
    const headers = textsOf(found["headers"] ?? found["http_headers"]);
    const sent = headers && named(headers, "header", name, secrets);
    return { connect: [{ [kind]: address(url, name, secrets), ...(sent && { headers: sent }) }], secrets };
  }
  const words = [...wordsOf(command), ...(Array.isArray(args) ? (args as readonly JsonValue[]).map(String) : [])];
  if (words.length === 0) return undefined;
  const stdio = words.map((word, i) => argument(word, words[i - 1], name, secrets));
  const given = env && named(env, "env", name, secrets);
  return {
    connect: [{ stdio, ...(given && { env: given }), ...(typeof cwd === "string" && { cwd: ours(cwd) }) }],
    secrets,
  };
}

function wordsOf(command: JsonValue | undefined): string[] {
  if (Array.isArray(command)) return (command as readonly JsonValue[]).map(String);
  return typeof command === "string" ? (/[\\/]/.test(command) ? [command] : commandWords(command)) : [];
}

function textsOf(found: JsonValue | undefined): Record<string, string> | undefined {
  if (!isObject(found) || Object.keys(found).length === 0) return undefined;
  return Object.fromEntries(
    Object.entries(found).map(([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)]),
  );
}

/** A transport in our form, its literal secrets as references. */
export function maskedTransport(name: string, found: JsonObject): Pasted {
  const secrets: string[] = [];
  const masked = Object.entries(found).map(([key, value]): [string, JsonValue] => {
    if ((key === "http" || key === "sse") && typeof value === "string") return [key, address(value, name, secrets)];
    const texts = key === "env" || key === "headers" ? textsOf(value) : undefined;
    if (texts) return [key, named(texts, key === "env" ? "env" : "header", name, secrets)];
    if (key !== "stdio" || !Array.isArray(value)) return [key, value];
    const words = (value as readonly JsonValue[]).map(String);
    return [key, words.map((word, i) => argument(word, words[i - 1], name, secrets))];
  });
  return { connect: [Object.fromEntries(masked)], secrets };
}

function named(
  texts: Readonly<Record<string, string>>,
  kind: "env" | "header",
  server: string,
  secrets: string[],
): JsonObject {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => {
      const isNamed =
        isSecretName(key) || saysSecret(key) || (kind === "header" && key.toLowerCase() === "authorization");
      const [, scheme = "", value = ""] = /^((?:bearer|basic|token)\s+)?(.*)$/is.exec(text)!;
      const secret = literalSecret(value, isNamed);
      if (secret === undefined) return [key, ours(text)];
      secrets.push(secret);
      return [key, `${scheme}\${${kind === "env" && /^[A-Za-z_]\w*$/.test(key) ? key : variableFor(server)}}`];
    }),
  );
}

/** Under a name that says so any literal is one; elsewhere what looks like one. */
function literalSecret(text: string, isNamed: boolean): string | undefined {
  if (/\$\{|\$env:|\{env:/.test(text) || text === "") return undefined;
  if (isNamed) return text;
  return issuedToken(text) ?? secretIn(text);
}

function argument(word: string, before: string | undefined, server: string, secrets: string[]): string {
  const [, flag, value] = /^(--?[\w-]+=)(.*)$/s.exec(word) ?? [];
  const name = (flag ?? before ?? "").replace(/^-+|=$/g, "");
  const isFlag = flag !== undefined || /^--?[\w-]+$/.test(before ?? "");
  const text = value ?? word;
  const secret = literalSecret(text, isFlag && (isSecretName(name) || saysSecret(name)) && !isPlaceholder(text));
  if (secret === undefined) return ours(word);
  secrets.push(secret);
  return `${flag ?? ""}${ours(text.replace(secret, `\${${variableFor(server)}}`))}`;
}

function address(url: string, server: string, secrets: string[]): string {
  const secret = /\$\{/.test(url) ? undefined : (issuedToken(url) ?? secretIn(url));
  if (secret === undefined) return ours(url);
  secrets.push(secret);
  return url.replace(secret, `\${${variableFor(server)}}`);
}

function variableFor(server: string): string {
  return `${server
    .toUpperCase()
    .replace(/[^A-Z0-9_]/g, "_")
    .replace(/^(?=\d)/, "_")}_TOKEN`;
}

/** References of other programs in our spelling. */
function ours(text: string): string {
  return text
    .replace(/\$\{(?:env|input|secrets?|vars?):([A-Za-z_][\w-]*)\}/g, (_, name: string) => `\${${upper(name)}}`)
    .replace(/(?<!\$)\{env:([A-Za-z_]\w*)\}/g, "${$1}")
    .replace(/\$env:([A-Za-z_]\w*)/g, "${$1}")
    .replace(/^~(?=\/)/, "${HOME}")
    .replace(/\$\{(?:workspaceFolder|workspaceRoot|CLAUDE_PROJECT_DIR)\}/g, "${WORKSPACE_ROOT}");
}

function upper(name: string): string {
  return name.replace(/-/g, "_").toUpperCase();
}
