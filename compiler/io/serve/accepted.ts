import { createHash, randomBytes } from "node:crypto";
import { realpathSync } from "node:fs";
import path from "node:path";
import { acceptedText, readAccepted, type AcceptedBuild } from "../../serve/accepted-text.ts";
import type { AcceptedWays } from "../../serve/ways.ts";
import { makePrivateFolder, readPrivate, writePrivate } from "../login/private-file.ts";
import { trouble } from "../login/types.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What a person has accepted of a project: kept outside of it, so that neither a change of it nor a new start is a yes. */
export interface Accepted {
  /** Undefined: the project was never served here. What can't be understood is thrown as trouble, and is no first start. */
  read(): AcceptedBuild | undefined;
  keep(build: AcceptedBuild): void;
}

export function noWays(): AcceptedWays {
  return { key: randomBytes(32).toString("base64"), digests: new Map() };
}

export function openAccepted(dir: string, env: Env): Accepted {
  const folder = stateFolder(env);
  if (folder === undefined) throw trouble("nobody knows where your home is", "set HOME, or XDG_STATE_HOME");
  const name = createHash("sha256").update(realpathSync(dir)).digest("hex").slice(0, 32);
  const file = path.join(folder, `${name}.json`);
  return {
    read() {
      makePrivateFolder(folder, "what you accepted of projects");
      const text = readPrivate(file);
      const accepted = text === undefined ? undefined : readAccepted(text);
      if (text !== undefined && accepted === undefined)
        throw trouble(
          `\`${file}\`, what was accepted of this project, can't be understood`,
          "look at `rolecall report`, then `rolecall serve --accept` takes what is built now",
        );
      return accepted;
    },
    keep(build) {
      makePrivateFolder(folder, "what you accepted of projects");
      writePrivate(file, acceptedText(build));
    },
  };
}

/** A relative path there is to be ignored: the specification says so. */
export function stateFolder({ XDG_STATE_HOME: state, HOME: home, USERPROFILE: profile }: Env): string | undefined {
  if (state !== undefined && path.isAbsolute(state)) return path.join(state, "rolecall");
  const own = home || profile;
  return own ? path.join(own, ".local", "state", "rolecall") : undefined;
}
