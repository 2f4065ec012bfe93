import type { JsonValue } from "./contract.ts";

/** What a server's data module holds once its text is parsed: `servers/<server>.data.ts`, loaded at the first connection. */
export interface ServerData {
  readonly format: 1;
  readonly server: string;
  /** In order of preference. */
  readonly connect: readonly TransportData[];
  /** What relative paths in conditions are relative to; the first stdio entry's `cwd` when left out. */
  readonly root?: TemplateData;
  readonly timeoutMs: number;
  readonly ratePerMinute?: number;
  readonly concurrency?: number;
  readonly breaker: { readonly failures: number; readonly cooldownMs: number };
  /** How long an answer of a read-only tool is kept. */
  readonly cacheMs?: number;
  readonly connection: "project" | "session";
  readonly mustConnect: boolean;
  readonly whenDown?: string;
  /** Digest of the pinned server instructions. */
  readonly instructions?: string;
  /** Of a variable that its preset also accepts under other names: those, in order. */
  readonly acceptedNames?: AcceptedNames;
  /** By name: read it with Object.entries, into a map. Tools that some role holds. */
  readonly tools: { readonly [tool: string]: ToolData };
  /** The manifest's other tools: to call one is `tool-denied`, to call one that isn't here either is `tool-unknown`. */
  readonly notHeld?: readonly string[];
}

/** Variables may be called `__proto__`: pairs, and no object. */
export type AcceptedNames = readonly (readonly [variable: string, others: readonly string[]])[];

export interface ToolData {
  /** Null: not pinned; callable, with an `unpinned` event per connection. */
  readonly digest: string | null;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonValue;
  readonly outputSchema?: JsonValue;
  /** `results:` of the project, and not the server, promises `outputSchema`. */
  readonly resultFromProject?: boolean;
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  readonly labels: readonly string[];
  /** A value could be chosen that keeps a validator busy: the schemas are judged under a deadline. */
  readonly slow?: boolean;
}

export type TransportData =
  | {
      readonly kind: "http" | "sse";
      readonly url: TemplateData;
      readonly headers: readonly (readonly [name: string, value: TemplateData])[];
    }
  | {
      readonly kind: "stdio";
      readonly command: readonly TemplateData[];
      readonly env: readonly (readonly [name: string, value: TemplateData])[];
      readonly cwd?: TemplateData;
    };

/** Text with references in it, parsed when the project was built and expanded at each connection. */
export type TemplateData = readonly TemplatePart[];
export type TemplatePart =
  | string
  | {
      readonly name: string;
      readonly form: "plain" | "default" | "if-set" | "required";
      readonly word: readonly TemplatePart[];
    };
