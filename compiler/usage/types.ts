import type { ts } from "ts-morph";

/**
 * What an app's code does with the tools of its roles. Everything here leans one way: what may be used counts as used.
 * Don't ask it whether a call works, or whether code is ever reached.
 */

/** The TypeScript that reads the app: whichever one lies in its project. */
export type TypeScript = typeof ts;

/** `file:line`, the file relative to where the code was looked for. */
export type CodePlace = string;

/** Something that a line of code says about tools. `roles` undefined: of whichever role got there. */
export type UsageEvent =
  /** A tool by its name. */
  | {
      readonly kind: "names";
      readonly roles: readonly string[] | undefined;
      readonly server: string;
      readonly tool: string;
      readonly at: CodePlace;
    }
  /** Something that isn't there: a tool that the role doesn't hold, a server that it has nothing of. */
  | {
      readonly kind: "lacks";
      readonly roles: readonly string[];
      readonly server: string;
      readonly tool: string;
      readonly at: CodePlace;
    }
  /** Where types end, or a name is made at run time: any tool of it may be meant. */
  | {
      readonly kind: "loses";
      readonly roles: readonly string[] | undefined;
      /** Undefined: every server of these roles. */
      readonly server: string | undefined;
      /** Known where the server isn't. */
      readonly tool?: string | undefined;
      readonly at: CodePlace;
    }
  /** A name on a value of which nothing is known. */
  | { readonly kind: "spells"; readonly name: string; readonly at: CodePlace }
  /** A model is given the role's tools. */
  | { readonly kind: "offers"; readonly roles: readonly string[]; readonly by: string; readonly at: CodePlace }
  /** A server of these roles went where only its type is known. */
  | { readonly kind: "travels"; readonly roles: readonly string[]; readonly server: string }
  /** One role is used as if it were the other. */
  | { readonly kind: "passes-as"; readonly role: string; readonly as: string }
  /** A part of it is hidden by a type, and still there. */
  | { readonly kind: "hides"; readonly role: string };

/** What of rolecall's a value of a type can lead to. */
export interface Carried {
  /** Roles that it is a session of, or that a session can be had of. */
  readonly roles: ReadonlySet<string>;
  /** Servers of a role that the type doesn't tell. */
  readonly servers: ReadonlySet<string>;
}

/** An expression that leads to tools, and where it stands. */
export interface PlacedValue {
  readonly node: ts.Expression;
  readonly type: ts.Type;
  readonly carried: Carried;
}

/** What the names of properties are looked up in. */
export interface ToolNames {
  readonly roles: ReadonlySet<string>;
  readonly servers: ReadonlySet<string>;
  /** Of any server. */
  readonly tools: ReadonlySet<string>;
}

/** How a program is read: nothing in it changes but what `tell` collects. */
export interface Reading {
  readonly ts: TypeScript;
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly known: ToolNames;
  readonly carried: (type: ts.Type) => Carried;
  /** The same, or what leads to it is among what its functions take. */
  readonly mentions: (type: ts.Type) => boolean;
  /** Whether a name has to do with tools at all: what it is leads to them, or takes what does. */
  readonly concerns: (name: ts.Node) => boolean;
  readonly placeOf: (node: ts.Node) => CodePlace;
  /** Files of other people's making, and of ours: nothing in them is the app's. */
  readonly isForeign: (file: ts.SourceFile) => boolean;
  readonly tell: (event: UsageEvent) => void;
}

/** How sure it is that a role's tool is used by code, the surest first. */
export type CodeStanding = "used" | "possibly" | "model" | "none";

export interface ToolStanding {
  readonly standing: CodeStanding;
  /** The first few, in the order of files. */
  readonly at: readonly CodePlace[];
  /** How a model gets it. */
  readonly by: readonly string[];
}

export interface Lacking {
  readonly role: string;
  readonly server: string;
  readonly tool: string;
  readonly at: readonly CodePlace[];
}

export interface CodeUsage {
  of(role: string, server: string, tool: string): ToolStanding;
  readonly lacking: readonly Lacking[];
}
