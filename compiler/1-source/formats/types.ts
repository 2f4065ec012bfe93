import type * as z from "zod/mini";
import type { JsonObject, JsonValue } from "../../base/json.ts";
import type { KeyPath } from "../../base/place.ts";

/** A kind of file of another system: how it is known, what it may hold, and what that means here. */
export interface Format<Document = never> {
  /** What `as:` calls it. */
  readonly id: string;
  readonly title: string;
  /** By keys that mean this format and no other of those in `all-formats.ts`. */
  recognises(value: JsonObject): boolean;
  /** Keys and values that no other format has: it is this one, whatever else recognises it. */
  isSure?(value: JsonObject): boolean;
  /** Where keys alone leave several or none, the one whose file is usually called so. */
  readonly usualFile?: RegExp;
  /** Keys at the top that are the other program's business, and are passed by. */
  passes?(key: string): boolean;
  /** Strict: a key that isn't in it is reported. Made when it is needed. */
  schema(): z.ZodMiniType<Document>;
  /** Puts what the document says into the translation; only ever called with what its schema takes. */
  read(document: Document, made: Translation): void;
}

/** A format whose document only it knows. */
export interface AnyFormat extends Omit<Format, "schema"> {
  schema(): z.ZodMiniType;
}

/** What a document comes to in rolecall's own language, while it is made. */
export interface Translation {
  /** What the file's one role is called, where its format has no roles. */
  readonly role: string;
  /** Writes a value of ours, and remembers where in the file it comes from. `undefined` writes nothing. */
  put(made: KeyPath, value: JsonValue | undefined, written: KeyPath): void;
  /** A server's name here: as the project renames it, or theirs in the letters that a name may have. It is `title` then. */
  serverName(theirs: string, written: KeyPath): string;
  roleName(theirs: string, written: KeyPath): string;
  /** Something that can't be said in our language, or isn't understood: an error. */
  refuse(written: KeyPath, what: string, help: string): void;
  /** Something that means nothing where it stands: a warning. */
  remark(written: KeyPath, what: string, help: string): void;
  /** Something that is understood and has nothing here that it could become; the strictest is made of it: a warning. */
  leave(written: KeyPath, what: string, help: string): void;
}
