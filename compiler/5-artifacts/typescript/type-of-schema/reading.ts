import type { JsonValue } from "../../../base/json.ts";
import type { Code } from "../writer.ts";
import type { Dialect } from "./dialect.ts";
import type { Kinds } from "./kinds.ts";
import type { Names } from "./names.ts";
import type { Addresses, Resource } from "./resolve.ts";
import type { Type } from "./type.ts";

/** One schema being read: what its parts share. */
export interface Reading {
  readonly dialect: Dialect;
  readonly names: Names;
  /** The name of the whole, which those of its parts begin with. */
  readonly title: string;
  /** What references lead to, by schema; one for each set of kinds that was asked for. */
  readonly definitions: Map<JsonValue, Definition[]>;
  /** Declarations of the parts that have a name, in the order they were finished. */
  readonly declarations: Code[];
  readonly addresses: () => Addresses;
  /** The type of a part. Here as data, so that objects and arrays can ask back. */
  typeAt(schema: JsonValue, spot: Spot): Type;
}

/** Where in the schema and in the text we are. */
export interface Spot {
  /** Only values of these kinds can come here. */
  readonly kinds: Kinds;
  /** Steps of indentation. */
  readonly level: number;
  /** Schemas around this one, references followed. */
  readonly depth: number;
  readonly resource: Resource;
  /** Definitions being read that are about the very same value, innermost first. */
  readonly open: Open | undefined;
}

export interface Open {
  readonly definition: Definition;
  readonly around: Open | undefined;
}

/** A part that a reference leads to. */
export interface Definition {
  readonly kinds: Kinds;
  /** Given when it is first needed. */
  name: Code | undefined;
  /** There once it has been read. */
  type: Type | undefined;
}
