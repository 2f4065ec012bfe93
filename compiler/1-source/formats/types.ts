import type * as z from "zod/mini";
import type { JsonObject, JsonValue } from "../../base/json.ts";
import type { GivesAsShown, KeyPath } from "../../base/place.ts";
import type { SettingsBeside } from "./narrowing.ts";

/** A kind of file of another system: how it is known, what it may hold, and what that means here. */
export interface Format<Document = never> {
  /** What `as:` calls it. */
  readonly id: string;
  readonly title: string;
  /** By keys that mean this format and no other of those in `all-formats.ts`. */
  recognises(value: JsonObject): boolean;
  /** The same of a document that is a list; left out: it is never one. */
  recognisesList?(items: readonly JsonValue[]): boolean;
  /** What several files of it give to one role adds up; left out: that they speak of the same role is an error. */
  readonly rolesAddUp?: true;
  /** The block of ours in which its lists give tools by names as a host shows them, such as `github_create_issue`. */
  readonly givesAsShown?: GivesAsShown;
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
  /** What the program's settings in other files take away of these servers. */
  readonly beside?: SettingsBeside;
}

/** A format whose document only it knows. */
export interface AnyFormat extends Omit<Format, "schema"> {
  schema(): z.ZodMiniType;
}

/** What a document comes to in rolecall's own language, while it is made. */
export interface Translation {
  /** What the file's one role is called, where its format has no roles. */
  readonly role: string;
  readonly file: string;
  /** What the file itself is called, without its ending; its folder, where files of that name lie in many. */
  readonly stem: string;
  /** A build wrote this key of the file, and it is passed by. */
  isOurs(written: KeyPath): boolean;
  /** Writes a value of ours, and remembers where in the file it comes from. `undefined` writes nothing. */
  put(made: KeyPath, value: JsonValue | undefined, written: KeyPath): void;
  /** A server's name here: as the project renames it, or theirs in the letters that a name may have. It is `title` then. */
  serverName(theirs: string, written: KeyPath): string;
  roleName(theirs: string, written: KeyPath): string;
  /** The same for what another file declares. Undefined: it is no name, such as `!one`, and that was refused. */
  roleMeant(theirs: string, written: KeyPath): string | undefined;
  /** Servers in a line that may name several: their names here, and a pattern over these. None: it was refused. */
  serversMeant(theirs: string, written: KeyPath): readonly string[];
  /** A server named without its tools: those within its ceilings, or only the read-only ones where nothing governs it. */
  grantServer(role: string, theirs: string, written: KeyPath): void;
  /** A tool that a line about roles lets through: `allow`. It narrows nothing; the name is checked all the same. */
  mention(selector: string, roles: readonly string[], written: KeyPath): void;
  /** A tool that a policy of the file asks about, so that whoever has its server has this tool of it. */
  asks(selector: string, roles: readonly string[], written: KeyPath): void;
  /** Something that can't be said in our language, or isn't understood: an error. */
  refuse(written: KeyPath, what: string, help: string): void;
  /** A switch that takes something away and is open until a program runs: it counts as on, which is said. `isDefault`: it would be, unset. */
  strictly(written: KeyPath, value: string, isDefault: boolean): void;
  /** Something that means nothing where it stands: a warning. */
  remark(written: KeyPath, what: string, help: string): void;
  /** Something that is understood and has nothing here that it could become; the strictest is made of it: a warning. */
  leave(written: KeyPath, what: string, help: string): void;
}
