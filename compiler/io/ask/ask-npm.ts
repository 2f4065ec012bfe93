import { isObject, own, type JsonValue } from "../../base/json.ts";
import { programAt } from "../start/find-program.ts";
import { started, type Program } from "../start/run-program.ts";

/** What npm knows of a package. `unknown`: it can't be asked now, and why. */
export type NpmAnswer =
  | { readonly state: "found"; readonly version: string }
  | { readonly state: "missing" }
  | { readonly state: "no-npm" }
  | { readonly state: "unknown"; readonly says: string };

interface AskingNpm {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly timeoutMs: number;
}

/** The newest version that fits `name`, `name@1.2.3` or `name@tag`, by whatever registry npm is set up for. */
export async function askNpm(named: string, { env, cwd, timeoutMs }: AskingNpm): Promise<NpmAnswer> {
  const file = programAt("npm", env, cwd);
  if (file === undefined) return { state: "no-npm" };
  const args = ["view", named, "version", "--json", "--fetch-retries=0"];
  const answer = await outputOf({ file, args, env, cwd }, timeoutMs);
  if (answer === undefined) return { state: "unknown", says: `npm didn't answer within ${timeoutMs / 1000} s` };
  return read(answer);
}

interface Said {
  readonly out: string;
  readonly err: string;
  readonly exit: number | null;
}

function read({ out, err, exit }: Said): NpmAnswer {
  const value = parsed(out);
  const version = Array.isArray(value) ? (value as readonly JsonValue[]).at(-1) : value;
  if (typeof version === "string" && /^\d+\.[\w.+-]+$/.test(version)) return { state: "found", version };
  const error = isObject(value) ? own(value, "error") : undefined;
  const code = (isObject(error) ? own(error, "code") : undefined) ?? /\bcode (E\w+)/.exec(err)?.[1];
  // A version that isn't there is answered with nothing at all.
  if (code === "E404" || (exit === 0 && out.trim() === "")) return { state: "missing" };
  return { state: "unknown", says: typeof code === "string" ? `npm says ${code}` : "npm gave no answer" };
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

const MOST_TEXT = 1_000_000;

/** Undefined: it took too long. */
function outputOf(program: Program, timeoutMs: number): Promise<Said | undefined> {
  return new Promise((resolve) => {
    let out = "";
    let err = "";
    try {
      const child = started(program, { stdio: ["ignore", "pipe", "pipe"], timeout: timeoutMs, killSignal: "SIGKILL" });
      child.stdout!.setEncoding("utf8").on("data", (text: string) => (out = (out + text).slice(0, MOST_TEXT)));
      child.stderr!.setEncoding("utf8").on("data", (text: string) => (err = (err + text).slice(0, MOST_TEXT)));
      child.once("error", ({ message }) => resolve({ out: "", err: message, exit: null }));
      child.once("close", (exit, signal) => resolve(signal === null ? { out, err, exit } : undefined));
    } catch (problem) {
      resolve({ out: "", err: String(problem), exit: null });
    }
  });
}
