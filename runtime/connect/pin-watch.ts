import type { RuntimeEvent } from "../api.ts";
import type { ServerData } from "../server-data.ts";
import { digestOf, MOST_NEW_TOOLS, type Comparison } from "./pins.ts";

/** What was found of a server's pins so far, over all its connections; what is news is an event. */
export interface PinWatch {
  /** By tool, why it isn't what was captured. */
  readonly changed: ReadonlyMap<string, string>;
  /** Grows with every comparison. */
  readonly compared: number;
  connected(instructions: string | undefined): void;
  /** Of a whole list. */
  finished(comparison: Comparison): void;
}

export function watchPins(
  data: ServerData,
  say: (event: RuntimeEvent) => void,
  clean: (text: string) => string,
): PinWatch {
  const { server, instructions: pinned } = data;
  const told = new Set<string>();
  const sayNew = (name: string): void => {
    if (told.has(name) || told.size >= MOST_NEW_TOOLS) return;
    told.add(name);
    say({ type: "new-tool", server, tool: clean(name) });
  };
  const watch: { -readonly [Key in keyof PinWatch]: PinWatch[Key] } = {
    changed: new Map(),
    compared: 0,
    connected(instructions) {
      if (pinned !== undefined && (instructions === undefined || digestOf(instructions) !== pinned))
        say({ type: "instructions-changed", server });
    },
    finished({ changed, newTools }) {
      const before = watch.changed;
      watch.compared++;
      watch.changed = changed();
      for (const [tool, why] of watch.changed) if (before.get(tool) !== why) say({ type: "changed", server, tool });
      for (const name of newTools) sayNew(name);
    },
  };
  return watch;
}
