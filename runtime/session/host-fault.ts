import type { ErrorCode } from "../api.ts";
import { RolecallError } from "../errors.ts";

/** What a host says of a call that failed, read from its text: a host has no codes. */
export interface HostFault {
  /** `tool-failed` where the text names no fault of the connection. */
  readonly code: ErrorCode;
  readonly said: string;
}

export function readHostFault(error: unknown): HostFault {
  const said = textOfError(error);
  if (error instanceof RolecallError) return { code: error.code, said };
  const named = `${said.slice(0, MOST_READ_OF_A_FAULT)} ${codesOf(error)}`;
  return { code: FAULTS.find(([, pattern]) => pattern.test(named))?.[0] ?? "tool-failed", said };
}

/** A fault is named at once; further on the text may be about anything. */
const MOST_READ_OF_A_FAULT = 500;

const STATUS = String.raw`(?:^|\bhttp(?:/[\d.]+)?|\bstatus(?: code)?|\bcode|\berror|\()[\s:=(]{0,3}`;

/** The first that fits: what asks for credentials comes before what is broken. */
const FAULTS: readonly (readonly [ErrorCode, RegExp])[] = [
  [
    "needs-auth",
    new RegExp(`${STATUS}401\\b|\\bunauthori[sz]ed\\b|\\binvalid_token\\b|\\bauthentication required\\b`, "i"),
  ],
  ["auth-failed", new RegExp(`${STATUS}(?:403|451)\\b|\\bforbidden\\b`, "i")],
  ["rate-limited", new RegExp(`${STATUS}429\\b|\\btoo many requests\\b`, "i")],
  [
    "timeout",
    /-32001\b|\b(?:request|connection|mcp call) (?:has )?timed out\b|\brequest timeout\b|\baborted due to timeout\b|\bETIMEDOUT\b|\bUND_ERR_\w*TIMEOUT\b/i,
  ],
  [
    "server-unavailable",
    new RegExp(
      [
        String.raw`\bE(?:CONNREFUSED|CONNRESET|CONNABORTED|PIPE|HOSTUNREACH|NETUNREACH|NOTCONN|NOTFOUND|AI_AGAIN)\b|\bUND_ERR_SOCKET\b`,
        String.raw`\b(?:transport|connection|socket|stream|pipe)(?: (?:is|was|has been|has|already|unexpectedly)){0,3} (?:closed|refused|reset|lost|aborted|broken|dropped|terminated|ended)\b`,
        String.raw`-32000\b|\bsocket hang ?up\b|\bbroken pipe\b|\bnot connected\b|\bdisconnected\b|\bfetch failed\b|\bother side closed\b`,
        String.raw`\bserver\b.{0,60}\b(?:unavailable|unreachable|not (?:running|responding|reachable)|exited|crashed|died)\b`,
        String.raw`\b(?:can'?t|cannot|could not|couldn'?t|unable to|failed to) (?:be )?(?:reach(?:ed)?|connect(?:ed)?)\b`,
        String.raw`\bprocess (?:has )?(?:exited|ended|died|crashed)\b|${STATUS}50[234]\b|\bservice unavailable\b|\bbad gateway\b`,
      ].join("|"),
      "i",
    ),
  ],
];

function textOfError(error: unknown): string {
  if (typeof error === "string") return error;
  if (typeof error !== "object" || error === null || !("message" in error)) return "";
  return typeof error.message === "string" ? error.message : "";
}

/** Errors of a client library keep the status or the system's code in fields, their own or of their cause. */
function codesOf(error: unknown, depth: number = 3): string {
  if (typeof error !== "object" || error === null || depth === 0) return "";
  const { code, status, name, cause } = error as Readonly<Record<string, unknown>>;
  const own = [code, status].flatMap((value) =>
    typeof value === "number" ? `code ${value}` : typeof value === "string" ? value : [],
  );
  if (typeof name === "string") own.push(name.replace(/Error$/, ""));
  return [...own, codesOf(cause, depth - 1)].join(" ");
}
