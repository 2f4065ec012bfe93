import { readdirSync } from "node:fs";
import type { Asked, Call } from "./dialects.ts";
import { sessionFolders, type Host } from "./host.ts";
import { mockModel } from "./mock-model.ts";
import { answering, endDaemon, type Answer } from "./inbox.ts";
import { stage } from "./stage.ts";
import type { Reached, State } from "./stage.ts";

export interface Setting {
  /** The project with its files, as rolecall or a hand wrote them. */
  readonly project: string;
  /** Where the host is installed. */
  readonly packages: string;
  readonly role: string;
  /** Whose files are used, where the role's name is wrong. */
  readonly filesOf?: string;
  readonly state?: State;
  /** What the model does, offered or not; and what a sub-agent does that it hands work to. */
  readonly calls?: readonly Call[];
  readonly callsOfOthers?: readonly Call[];
  /** What a person says to each call that is asked; left out: nobody is there. */
  readonly answers?: Answer;
  /** Somebody else's file has the role's name. */
  readonly overruled?: boolean;
  /** It is started by `rolecall start`. */
  readonly byRolecall?: boolean;
}

export interface Seen {
  /** The tools offered to the role, request by request, and to agents that it handed work to. */
  readonly offered: readonly (readonly string[])[];
  readonly offeredToOthers: readonly (readonly string[])[];
  /** All that the model was told by then, in any of the conversations. */
  readonly told: string;
  readonly reached: readonly Reached[];
  /** What a person was asked, with the calls that had reached a server by then. */
  readonly asked: readonly { readonly tool: string; readonly before: number }[];
  /** What rolecall put where a variable says that such things lie, which other hosts don't hand on. */
  readonly astray: readonly string[];
  readonly exit: number | null;
  readonly stderr: string;
}

export const PROMPT = "Begin the battery.";
export const HANDED_OVER = "Take over from here.";

const MOST_MS = 60_000;
/** As long as a host may take to ask for a list again that has changed. Those that never ask are waited for in vain. */
const REFRESH_MS = 700;

/** One prompt to one role in one host, from an empty home, with a model that plays the calls. */
export async function observe(host: Host, setting: Setting): Promise<Seen> {
  const place = stage(setting.project, setting.state ?? {});
  const script = [
    { about: HANDED_OVER, calls: setting.callsOfOthers ?? [] },
    { about: PROMPT, calls: setting.calls ?? [] },
  ];
  const model = await mockModel(script, oncePerGrowth(place.reached));
  // `rolecall start` begins the daemon before the host.
  const begins = setting.byRolecall === true ? undefined : setting.role;
  const person = setting.answers === undefined ? undefined : await answering(place, setting.answers, begins);
  try {
    const { packages, role } = setting;
    const { folder, home } = place;
    const begin = { role, prompt: PROMPT, filesOf: setting.filesOf ?? role, byRolecall: setting.byRolecall === true };
    const at = { folder, home, packages, modelUrl: model.url, timeoutMs: MOST_MS };
    if (setting.overruled === true) host.overrule?.(at, role);
    const ended = await host.start(at, begin);
    const others = model.asked.filter((one) => one.opening.includes(HANDED_OVER));
    const own = model.asked.filter((one) => one.opening.includes(PROMPT) && !others.includes(one));
    const offered = (all: readonly Asked[]) => all.map((one) => one.tools);
    return {
      offered: offered(own),
      offeredToOthers: offered(others),
      told: model.asked.map((one) => one.told).join("\n"),
      reached: place.reached(),
      asked: person?.asked ?? [],
      astray: Object.values(sessionFolders(home)).flatMap((one) =>
        readdirSync(one).filter((name) => name === "rolecall"),
      ),
      exit: ended.exit,
      stderr: `${ended.err}\n${ended.out}`.trim(),
    };
  } finally {
    await model.close();
    person?.leave();
    if (host.served !== undefined) await endDaemon(place);
    place.clear();
  }
}

/** Lets a server that has grown be asked again before the model goes on. */
function oncePerGrowth(reached: () => readonly Reached[]): () => Promise<void> {
  const waited = new Set<string>();
  return async () => {
    const called = new Set(reached().flatMap((one) => (one.did === "call" ? [one.server] : [])));
    for (const server of called) {
      if (waited.has(server)) continue;
      waited.add(server);
      const until = Date.now() + REFRESH_MS;
      while (Date.now() < until && !askedAgain(reached(), server))
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
}

function askedAgain(reached: readonly Reached[], server: string): boolean {
  const ofServer = reached.filter((one) => one.server === server);
  return ofServer.slice(ofServer.findIndex((one) => one.did === "call")).some((one) => one.did === "list");
}
