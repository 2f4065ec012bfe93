import { existsSync, readFileSync, readdirSync } from "node:fs";
import { isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { sorted } from "../../base/order.ts";
import { keyLibraries } from "../libraries.ts";
import { packageRoot } from "../package-root.ts";

/**
 * The presets that rolecall brings, as they lie in the package: data, a folder each. Read by the commands that list and
 * copy them, never by a build: an upgrade of rolecall changes no server of anyone's.
 */
export interface Shipped {
  readonly name: string;
  /** `server`: for mcp/presets. `role`: a source file, with one role of the preset's name. */
  readonly kind: "server" | "role";
  readonly text: string;
  readonly value: JsonObject;
}

export function readShipped(): Shipped[] {
  return shippedNames().flatMap((name) => [
    ...readOne(name, "server", new URL(`${name}/preset.yaml`, folder())),
    ...readOne(name, "role", new URL(`${name}/role.yaml`, folder())),
  ]);
}

export function shippedNames(): string[] {
  return sorted(readdirSync(folder()));
}

function folder(): URL {
  return new URL("compiler/presets/", packageRoot());
}

function readOne(name: string, kind: Shipped["kind"], file: URL): Shipped[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, "utf8");
  return [{ name, kind, text, value: yamlValue(text) as JsonObject }];
}

/** Undefined: it can't be read as one document of YAML. */
export function yamlValue(text: string): JsonValue | undefined {
  const document = keyLibraries().yaml().parseDocument(text, { logLevel: "silent" });
  if (document.errors.length > 0) return undefined;
  const value = document.toJS({ maxAliasCount: 100 }) as JsonValue;
  return isObject(value) ? value : undefined;
}
