import { isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { findingWritten, type KeyPath, type Origins } from "../../base/place.ts";
import { issuedToken } from "../../base/secret-patterns.ts";
import { HOLE, secretUnder } from "../../base/written-secrets.ts";

/** A secret that stands in the file, and the variable that is referred to in its place. */
export interface Referred {
  readonly variable: string;
  /** In the file. */
  readonly written: KeyPath;
}

/** Environment and headers with a reference where a secret is written. Elsewhere a build finds and refuses it. */
export function withoutSecrets(
  blocks: JsonObject,
  origins: Origins,
): { readonly blocks: JsonObject; readonly referred: readonly Referred[] } {
  const referred: Referred[] = [];
  /** Two secrets never share a variable. */
  const values = new Map<string, string>();
  const written = findingWritten();
  const servers = Object.entries(isObject(blocks["servers"]) ? blocks["servers"] : {});
  const cleaned = servers.map(([server, block]) => [
    server,
    isObject(block) && Array.isArray(block["connect"])
      ? { ...block, connect: block["connect"].map((one: JsonValue, i: number) => transport(one, server, i)) }
      : block,
  ]);
  return { blocks: servers.length === 0 ? blocks : { ...blocks, servers: Object.fromEntries(cleaned) }, referred };

  function transport(one: JsonValue, server: string, i: number): JsonValue {
    if (!isObject(one)) return one;
    const texts = (key: "env" | "headers"): JsonObject => {
      const held = one[key];
      if (!isObject(held)) return {};
      const entries = Object.entries(held).map(([name, text]) => [
        name,
        typeof text === "string" ? reference(name, text, server, ["servers", server, "connect", i, key, name]) : text,
      ]);
      return { [key]: Object.fromEntries(entries) };
    };
    return { ...one, ...texts("env"), ...texts("headers") };
  }

  function reference(name: string, text: string, server: string, path: KeyPath): string {
    const secret = issuedToken(text) ?? secretUnder(name, text.replace(/\$\{[^}]{0,4000}\}/g, HOLE));
    if (secret === undefined) return text;
    const own = server.toUpperCase().replace(/-/g, "_");
    const plain = name.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
    const names = [/^[A-Z][A-Z0-9_]*$/.test(name) ? name : `${own}_TOKEN`, `${own}_${plain}`];
    const variable = names.find((one) => (values.get(one) ?? secret) === secret) ?? `${own}_${plain}_${values.size}`;
    values.set(variable, secret);
    referred.push({ variable, written: written({ file: "", path, origins }).path });
    return text.replace(secret, () => `\${${variable}}`);
  }
}
