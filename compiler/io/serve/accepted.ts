import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import path from "node:path";
import { readServed, servedText } from "../../serve/served-text.ts";
import type { Served } from "../../serve/types.ts";
import { makePrivateFolder, readPrivate, writePrivate } from "../login/private-file.ts";
import { trouble } from "../login/types.ts";
import { homeFolder } from "./home.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What a person has accepted of a project: kept outside of it, so that neither a change of it nor a new start is a yes. */
export interface Accepted {
  /** Undefined: the project was never served here. What can't be understood is thrown as trouble, and is no first start. */
  read(): Served | undefined;
  keep(served: Served): void;
}

export function openAccepted(dir: string, env: Env): Accepted {
  const folder = stateFolder(env);
  const name = createHash("sha256").update(realpathSync(dir)).digest("hex").slice(0, 32);
  const file = path.join(folder, `${name}.json`);
  return {
    read() {
      makePrivateFolder(folder, "what you accepted of projects");
      const text = readPrivate(file);
      const served = text === undefined ? undefined : readServed(text);
      if (text !== undefined && served === undefined)
        throw trouble(
          `\`${file}\`, what was accepted of this project, can't be understood`,
          "look at `rolecall report`, then `rolecall serve --accept` takes what is built now",
        );
      return served;
    },
    keep(served) {
      makePrivateFolder(folder, "what you accepted of projects");
      writePrivate(file, servedText(served));
    },
  };
}

export function stateFolder(env: Env): string {
  return path.join(homeFolder(env), ".local", "state", "rolecall");
}
