import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import type { JsonValue } from "../../base/json.ts";
import { trouble } from "../login/types.ts";

/** What the doors of a project share and nobody else has: what one of them writes, the others know for theirs. */
export interface ServeKey {
  /** For `requestState`. */
  readonly states: Uint8Array;
  /** The same at each door, and whoever hasn't the key can't tell of what. */
  nameOf(text: string): string;
  /** Read and made by doors alone, and good for this place alone. */
  seal(place: string, value: JsonValue): string;
  /** Undefined: no door has sealed it for this place. */
  open(place: string, sealed: string): JsonValue | undefined;
}

const BYTES = 32;
/** Of 32 random ones so few never come. */
const FEWEST_DIFFERENT = 16;

/** The value of the variable that `serve: { key }` names. */
export function readServeKey(
  variable: string,
  project: string,
  env: Readonly<Record<string, string | undefined>>,
): ServeKey {
  const text = env[variable] ?? "";
  const named = `\`${variable}\`, which \`serve: { key }\` names,`;
  const next = "`openssl rand -hex 32` makes one: give each door the same";
  if (text === "") throw trouble(`${named} isn't set`, next);
  const bytes = bytesIn(text);
  if (bytes === undefined)
    throw trouble(`${named} isn't 32 bytes as 64 hexadecimal digits or 44 characters of base64`, next);
  if (new Set(bytes).size < FEWEST_DIFFERENT) throw trouble(`${named} isn't random`, next);
  return serveKey(bytes, project);
}

/** Undefined: it is neither of the two spellings, to the character. */
function bytesIn(text: string): Buffer | undefined {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, "hex");
  const bytes = Buffer.from(text, "base64");
  return bytes.length === BYTES && bytes.toString("base64") === text ? bytes : undefined;
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A key for each use: what is made for one says nothing of another. */
function serveKey(bytes: Uint8Array, project: string): ServeKey {
  const derived = (use: string): Buffer =>
    Buffer.from(hkdfSync("sha256", bytes, project, `rolecall serve ${use}`, BYTES));
  const [states, names, seals] = ["states", "names", "seals"].map(derived) as [Buffer, Buffer, Buffer];
  return {
    states,
    nameOf: (text) => createHmac("sha256", names).update(text).digest("hex"),
    seal(place, value) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, seals, nonce).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
    },
    open(place, text) {
      const whole = Buffer.from(text, "base64");
      if (whole.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const tag = whole.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv(CIPHER, seals, whole.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
      const sealed = whole.subarray(NONCE_BYTES + TAG_BYTES);
      try {
        return JSON.parse(Buffer.concat([decipher.update(sealed), decipher.final()]).toString("utf8")) as JsonValue;
      } catch {
        return undefined;
      }
    },
  };
}
