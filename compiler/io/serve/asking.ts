import type { CallSignal } from "../../../runtime/contract.ts";
import type { AskAnswer, AskRequest } from "../../../runtime/index.ts";
import type { AskingCall, AskOutcome } from "./inbox.ts";

/** What one client's door can do with the inbox: ask. */
export interface AskingDoor {
  ask(request: AskRequest, call: AskingCall): Promise<AskOutcome>;
}

interface CallToAsk {
  readonly door: string;
  readonly caller: string | undefined;
  readonly client: string | undefined;
  readonly signal: CallSignal;
  readonly progress: ((progress: object) => void) | undefined;
  /** What is served is still what the call was judged by. */
  isServed(): boolean;
  /** As `Offer.inbox`. */
  readonly inbox: string;
}

/** What a client is told that has no answer. */
export interface Unanswered {
  readonly words: string;
  /** The ask goes on: the same call may come again and wait on. */
  readonly isHeld: boolean;
}

const TOLD_EVERY_MS = 10_000;

/** A person asked about one call; and where there was no answer, what its client is told in its place. */
export function asking(
  asks: AskingDoor,
  { door, caller, client, signal, progress, isServed, inbox }: CallToAsk,
): { ask(request: AskRequest): Promise<AskAnswer>; unanswered(): Unanswered | undefined } {
  let unanswered: Unanswered | undefined;
  return {
    async ask(request) {
      let telling: NodeJS.Timeout | undefined;
      let told = 0;
      // Far below 1, so that what the server tells of its own goes on from here.
      const tell = (): void => progress?.({ progress: told++ / 1_000_000, message: "a person is asked" });
      const waits = (): void => {
        tell();
        telling = setInterval(tell, TOLD_EVERY_MS);
      };
      const outcome = await asks.ask(request, { door, caller, client, signal, waits });
      clearInterval(telling);
      if (outcome.kind === "yes" && !isServed()) {
        unanswered = { words: BUILT_ANEW, isHeld: false };
        return undefined;
      }
      if (outcome.kind === "yes" || outcome.kind === "no") return { yes: outcome.kind === "yes", by: outcome.by };
      const words = outcome.kind === "nobody" ? nobodyThere(inbox) : WORDS[outcome.kind];
      if (words !== undefined) unanswered = { words, isHeld: outcome.kind === "held" };
      return undefined;
    },
    unanswered: () => unanswered,
  };
}

/** A helpful agent runs what it reads: no word of these answers an ask. */
const WORDS: Readonly<Record<Exclude<AskOutcome["kind"], "yes" | "no" | "nobody">, string | undefined>> = {
  held: "A person is asked whether this call may be made, and hasn't answered yet. Nothing was done. Make the same call again, unchanged, to go on waiting.",
  late: "A person was asked whether this call may be made, and didn't answer in time. Nothing was done. Tell the user; the same call asks again.",
  "too-many":
    "Too many calls of this role wait for a person. Nothing was done. Wait until the user has answered some of them, then make the same call again.",
  elsewhere:
    "A person has to say yes to this call, and nobody can be asked where several gateways share an address and no key. Nothing was done. Tell the user that whoever runs them gives them one, with `serve: { key }` in rolecall.yaml; go on without this tool.",
  "out-of-reach":
    "A person has to say yes to this call, and nobody can be asked now: what the gateways share gives no answer. Nothing was done. Tell the user; make the same call again later.",
  "given-up": undefined,
};

function nobodyThere(inbox: string): string {
  return `A person has to say yes to this call, and nobody is there to be asked. Nothing was done. Tell the user ${inbox}, then make the same call again.`;
}

const BUILT_ANEW =
  "The project was built anew while a person was asked. Nothing was done. Look at the list of tools again; the same call asks again.";
