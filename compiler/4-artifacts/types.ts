import type { Plan } from "../3-plan/types.ts";

/**
 * A file to be. Artifacts are made one by one and may be large: write each and let it go.
 */
export type Artifact = WholeFile | LargeFile | ManagedBlock;

/** A file that is ours alone. `text` ends in a line break and carries the header where the format has comments. */
export interface WholeFile {
  readonly path: string;
  /**
   * Names everything that the text depends on: for one path the same name means the same bytes, and the text needn't be
   * asked for. Undefined: nobody knows.
   */
  readonly madeFrom?: string | undefined;
  readonly text: string;
}

/** The same for a file whose text is better never held in one piece: it is made chunk by chunk, once. */
export interface LargeFile {
  readonly path: string;
  readonly madeFrom?: string | undefined;
  readonly chunks: Iterable<string>;
}

/** A marked block in a file that the user owns; the rest of the file stays as it is, byte for byte. */
export interface ManagedBlock {
  readonly path: string;
  /** Lines between the markers, without them. */
  readonly block: readonly string[];
  /** Starts a comment in this format. */
  readonly comment: "#";
}

/** Anything that makes files from the plan. Pure and total: what could go wrong was found before. */
export interface Target {
  readonly id: string;
  readonly title: string;
  emit(plan: Plan): Iterable<Artifact>;
}
