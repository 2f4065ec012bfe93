import type { Place } from "./place.ts";

/** What the settings of a host say of a server that it isn't told by the file that is read. */
export interface TakenBeside {
  /** Whose settings they are. */
  readonly program: string;
  /** The one that is read. */
  readonly file: string;
  readonly server: string;
  /** A glob; `*`: all of its tools. */
  readonly tools: string;
  /** It is about names as the program shows them. */
  readonly namesAsShown: boolean;
  readonly effect: "deny" | "ask";
  readonly place: Place;
}
