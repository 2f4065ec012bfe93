// What the makers of gateways publish of their files' form. It isn't in the project: it is read where it lies beside it.
import { existsSync, readFileSync } from "node:fs";
import { evaluate } from "@marcbachmann/cel-js";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "yaml";

export interface Definition {
  wrongs(value: unknown): string[];
}

type Schema = { [key: string]: unknown } & {
  properties?: Record<string, Schema>;
  items?: Schema;
  "x-kubernetes-validations"?: readonly { readonly rule: string; readonly message: string }[];
};

const FOLDER = new URL("../../../../shared/schemas/", import.meta.url);
export const arePublished = existsSync(FOLDER);
const text = (name: string) => readFileSync(new URL(name, FOLDER), "utf8");

export function definitionOf(what: "agentgateway" | "MCPRoute"): Definition {
  if (what === "agentgateway") {
    const check = new Ajv2020({ strict: false, validateFormats: false }).compile(
      JSON.parse(text("agentgateway-config.json")) as object,
    );
    return {
      wrongs: (value) =>
        check(value) ? [] : check.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`),
    };
  }
  const definition = parse(text("envoy-ai-gateway-mcproutes.yaml"), { maxAliasCount: -1 }) as {
    readonly spec: {
      readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
    };
  };
  const { openAPIV3Schema } = definition.spec.versions.find(({ name }) => name === "v1beta1")!.schema;
  const check = new Ajv({ strict: false, validateFormats: false }).compile(closed(openAPIV3Schema));
  return {
    wrongs: (value) => [
      ...(check(value) ? [] : check.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`)),
      ...ruled(value, openAPIV3Schema, ""),
    ],
  };
}

/** A cluster drops silently what it doesn't know. */
function closed(schema: Schema): Schema {
  const { properties, items } = schema;
  return {
    ...schema,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, closed(one)])),
          additionalProperties: false,
        }),
    ...(items === undefined ? {} : { items: closed(items) }),
  };
}

/** The rules in CEL that stand in it, each about its own part of the value. */
function ruled(value: unknown, schema: Schema, at: string): string[] {
  if (value === undefined || value === null) return [];
  const broken = (schema["x-kubernetes-validations"] ?? []).filter(
    ({ rule }) => evaluate(rule, { self: withDefaults(value, schema) }) !== true,
  );
  const inner = Array.isArray(value)
    ? value.flatMap((one, i) => ruled(one, schema.items ?? {}, `${at}/${i}`))
    : typeof value === "object"
      ? Object.entries(value).flatMap(([key, one]) => ruled(one, schema.properties?.[key] ?? {}, `${at}/${key}`))
      : [];
  return [...broken.map(({ message }) => `${at} ${message}`), ...inner];
}

function withDefaults(value: unknown, { properties = {} }: Schema): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const defaults = Object.entries(properties).flatMap(([key, one]) =>
    "default" in one ? [[key, one["default"]]] : [],
  );
  return { ...Object.fromEntries(defaults), ...value } as object;
}
