import path from "node:path";
import { readToml } from "../../1-source/document/toml/read-toml.ts";
import { isObject, own, type JsonValue } from "../../base/json.ts";
import { jsonFormat } from "../../5-artifacts/managed/json.ts";
import { readPlainText } from "../bytes.ts";
import { keyLibraries } from "../libraries.ts";

/** Names of the servers that stand under a key of a host's own file and aren't switched off; none where it can't be read. */
export function serversIn(dir: string, file: string, key: string): string[] {
  const text = readPlainText(path.join(dir, file));
  const held = text === undefined ? undefined : heldUnder(file, text, key);
  if (!isObject(held)) return [];
  return Object.entries(held).flatMap(([name, entry]) =>
    isObject(entry) && own(entry, "enabled") === false ? [] : [name],
  );
}

function heldUnder(file: string, text: string, key: string): JsonValue | undefined {
  if (file.endsWith(".toml")) {
    const { value } = readToml(text);
    return isObject(value) ? own(value, key) : undefined;
  }
  const json = jsonFormat(keyLibraries().jsonc()).look(text).valueAt?.([key]).json;
  return json === undefined ? undefined : (JSON.parse(json) as JsonValue);
}
