import type { JsonObject } from "../../base/json.ts";
import { sorted } from "../../base/order.ts";
import { visibleJson } from "../../base/visible.ts";
import { jsonHeader } from "../header.ts";
import type { Definitions } from "./definitions.ts";

/** The schema with definitions replaced or added, one definition to a line. */
export function schemaText(generic: JsonObject, exact: Definitions): string {
  const defs = { ...(generic["$defs"] as Definitions), ...exact };
  const lines = sorted(Object.keys(defs)).map((name) => `    ${JSON.stringify(name)}: ${text(defs[name])}`);
  const keys = Object.keys(generic).filter((key) => key !== "$defs");
  const head = keys.map((key) => `  ${JSON.stringify(key)}: ${text(generic[key])},\n`);
  return `{\n  ${jsonHeader},\n${head.join("")}  "$defs": {\n${lines.join(",\n")}\n  }\n}\n`;
}

function text(value: unknown): string {
  return visibleJson(JSON.stringify(value));
}
