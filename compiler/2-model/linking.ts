import type { Place } from "../base/place.ts";
import type { ServerBlock } from "../../schemas/types.ts";
import type { ToolSet } from "./selector.ts";

/** What the parts of this room hand each other while a model is made. */

/** One layer of a server's definition: its preset, or what the project wrote itself. */
export interface ServerLayer {
  readonly block: Omit<ServerBlock, "preset">;
  readonly place: Place;
  readonly preset: boolean;
}

/** The server that a list of selectors is about, while it is linked. */
export interface SelectedServer {
  readonly name: string;
  readonly set: ToolSet;
  /** False: there is no manifest, so nothing but exact names can be judged. */
  readonly pinned: boolean;
  /** The manifest was refused: names can't be judged, and that was said. */
  readonly unreadable: boolean;
  readonly labels: readonly string[];
  readonly manifestFile: string;
}
