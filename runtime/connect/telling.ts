import type { RolecallError } from "../errors.ts";
import { lastWords, withoutColour } from "../last-words.ts";
import { isTimeOut } from "./in-time.ts";
import { inOurWords, LOST, rolecallError, type Failure } from "./failure.ts";
import type { Secrets } from "../secrets.ts";
import { cleanText } from "./secrets.ts";

/** What is told of one server's failures: in our words to whoever calls, in its own to people, never with a secret. */
export interface Telling {
  clean(text: string): string;
  /** The message holds our words; what the server said is in the cause. */
  error(failure: Failure, message: string, tool?: string): RolecallError;
  /** Of a connection that isn't there, or that was lost. */
  down(failure: Failure, variables: ReadonlySet<string>, tool?: string): RolecallError;
  failedCall(failure: Failure, tool: string): RolecallError;
  lateCall(failure: Failure, tool: string, timeoutMs: number): RolecallError;
  cancelledCall(tool: string, signal: AbortSignal, unsent: boolean): RolecallError;
  /** For events: why in our words, and in the server's own. */
  event(failure: Failure): string;
}

/** Of a server's own words. */
const MOST_SAID = 2_000;
const MOST_ANSWER = 300;
/** Nobody waits for a book to be cleaned of which a page is shown. What is half a secret at its ends goes. */
const MOST_READ = 64 * 1024;

/** `secrets`: kept, since to find out how a long value may be spelled takes longer than any call may wait for an error. */
export function createTelling(server: string, secrets: Secrets): Telling {
  const clean = (text: string): string => cleanText(text, secrets);
  const cleanStart = (text: string): string => clean(text.slice(0, MOST_READ)).slice(0, MOST_SAID);
  // A body begins with what it has to say, a process ends with it.
  const saidIn = ({ said = "", httpStatus }: Failure): string =>
    lastWords(
      httpStatus === undefined ? clean(withoutColour(said.slice(-MOST_READ))) : cleanStart(withoutColour(said)),
      MOST_SAID,
    );
  const error = (failure: Failure, message: string, tool = ""): RolecallError =>
    rolecallError({ ...failure, said: saidIn(failure) }, { server, tool, message: cleanStart(message) });
  return {
    clean,
    error,
    down(failure, variables, tool) {
      const known = inOurWords(failure);
      return error(known, downWords(server, known, variables), tool);
    },
    failedCall(failure, tool) {
      // Here the server's own words are the tool's answer.
      const said = clean((failure.said ?? "").slice(0, MOST_READ)).slice(0, MOST_ANSWER);
      return error(failure, `${server}.${tool} failed: ${failure.why}${said === "" ? "" : `: ${said}`}`, tool);
    },
    lateCall: (failure, tool, timeoutMs) =>
      error(failure, `${server}.${tool} gave no answer within ${Math.round(timeoutMs)} ms`, tool),
    cancelledCall(tool, signal, unsent) {
      const [code, how] = isTimeOut(signal)
        ? (["timeout", "gave no answer within the time of its caller's signal"] as const)
        : (["cancelled", "was cancelled"] as const);
      return error({ ...LOST, code, unsent }, `${server}.${tool} ${how}`, tool);
    },
    event(failure) {
      const known = inOurWords(failure);
      const said = saidIn(known);
      return `${cleanStart(known.why)}${said === "" ? "" : `, and said: ${said}`}`;
    },
  };
}

/** Apps don't use logins of people: what helps them is a token. */
function downWords(server: string, { code, why }: Failure, variables: ReadonlySet<string>): string {
  if (code === "server-unavailable") return `${server} can't be reached: ${why}`;
  if (code === "rate-limited") return `${server} can't be called for now: ${why}`;
  const names = [...variables].sort().join(", ");
  return `${server} can't be used: ${why}; ${names === "" ? "give it a token in a header of its connection" : `check ${names}`}`;
}
