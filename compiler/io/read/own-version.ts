import { readFileSync } from "node:fs";
import { isObject, own, type JsonObject, type JsonValue } from "../../base/json.ts";
import { packageRoot } from "../package-root.ts";

/**
 * The version by which package.json can name the rolecall that runs; undefined: it was installed from a file, or runs from a
 * clone, and a registry may not have it. npm notes beside what it installs where that came from.
 */
export function ownVersion(root: URL = packageRoot()): string | undefined {
  const packages = valueAt(jsonAt(new URL("../.package-lock.json", root)), "packages");
  const entry = valueAt(packages, "node_modules/rolecall");
  const [version, resolved, isLink] = ["version", "resolved", "link"].map((key) => valueAt(entry, key));
  const isFromRegistry = resolved === undefined || /^https?:.*\/-\/[^/]+\.tgz$/.test(String(resolved));
  return isFromRegistry && isLink === undefined && typeof version === "string" ? version : undefined;
}

function valueAt(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isObject(value) ? own(value, key) : undefined;
}

function jsonAt(file: URL): JsonObject | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as JsonObject;
  } catch {
    return undefined;
  }
}
