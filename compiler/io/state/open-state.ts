import type { StateSources, TeamState } from "../../state/answers.ts";
import { viewAt } from "../../state/uris.ts";
import { openNewestRecord } from "./newest-record.ts";
import { whoIsPresent } from "./present.ts";
import { openTeamFiles } from "./team-files.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Where a team's state is read from, and what tells that it has changed. */
export interface OpenState {
  readonly sources: StateSources;
  sign(uri: string): Promise<string>;
}

export interface StatePlace {
  readonly dir: string;
  readonly env: Env;
  /** As `serve: { record }` has it. */
  readonly record: string;
  team(): Promise<TeamState>;
}

export function openState({ dir, env, record, team }: StatePlace): OpenState {
  const files = openTeamFiles(dir);
  const recorded = openNewestRecord(dir, record);
  const present = (): ReturnType<StateSources["present"]> => whoIsPresent(dir, env);
  return {
    sources: { read: files.read, present, recorded: recorded.run },
    async sign(uri) {
      const { name, members, roles, decisions, backlog, history, closed } = await team();
      const signOf = (what: (typeof closed)[number], file: string): string =>
        closed.includes(what) ? "closed" : files.sign(file);
      const asked = viewAt(uri, name, members);
      switch (asked?.view) {
        case "decisions":
        case "latest":
          return signOf("decisions", decisions);
        case "backlog":
          return signOf("backlog", backlog);
        case "metrics":
          return recorded.sign();
        case "history":
          return `${signOf("history", history.replaceAll("{name}", asked.member.name))} ${recorded.sign()}`;
        default:
          return JSON.stringify([roles, members, (await present()) ?? null]);
      }
    },
  };
}
