import type { CallMeta } from "./contract.ts";

/** What an app gets of resources; types only. */

export interface ReadResource {
  /** Those alone whose addresses the role may read. */
  readonly contents: readonly ResourceContent[];
  /** Of all that is text. */
  readonly text: string;
  readonly meta: CallMeta;
}

export interface ResourceContent {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  /** Base64. */
  readonly blob?: string;
  readonly [key: string]: unknown;
}

export interface OfferedResources {
  readonly resources: readonly OfferedResource[];
  /** Those of which some address may be read. */
  readonly templates: readonly OfferedTemplate[];
  /** Servers that gave no list. */
  readonly failed: readonly { readonly server: string; readonly why: string }[];
}

export interface OfferedResource {
  readonly server: string;
  readonly uri: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly size?: number | undefined;
}

export interface OfferedTemplate extends Omit<OfferedResource, "uri" | "size"> {
  readonly uriTemplate: string;
}
