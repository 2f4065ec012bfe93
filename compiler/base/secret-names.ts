import { saysSecret } from "../../runtime/secret-names.ts";
import { READS, wordsOf, WRITES } from "./verbs.ts";

/** One list of names: the runtime masks what stands under them. */
export { saysSecret };

/**
 * For lines that are shown: a name that is a password's alone as well (`PASS`, `--pw`), and any `..._KEY` of an environment.
 * A tool's name says what it does: `get_secret` is none.
 */
export function namesValue(name: string): boolean {
  const words = wordsOf(name);
  if (/^[a-z_]+$/.test(name) && words.length > 1 && (READS.has(words[0]!) || WRITES.has(words[0]!))) return false;
  if (saysSecret(name) || /^(?:pass|pw|pat|passwort|auth[-_]?token)$/i.test(name)) return true;
  return (
    /^[A-Z][A-Z0-9_]*_KEYS?$/.test(name) && !/_(?:PUBLIC|PRIMARY|FOREIGN|SORT|PARTITION|CACHE)_KEYS?$/.test(`_${name}`)
  );
}

/** Of a name that says so, a value that is no secret all the same: a file where one lies, or nothing but yes and no. */
export function isHarmless(name: string, value: string): boolean {
  if (/^(?:true|false)$/i.test(value)) return true;
  // How many: of an issuer's tokens none is as short.
  if (/tokens$/i.test(name) && /^\d{1,7}$/.test(value)) return true;
  if (/^\/(?:var\/)?run\/secrets\//.test(value)) return true;
  return /(?:credentials?|private[-_]?key)$/i.test(name) && IS_FILE.test(value);
}

const IS_FILE = /^(?:~|\.{1,2})?\/\S*$|^[A-Za-z]:[\\/]|\.(?:json|pem|key|p12|pfx|ya?ml|toml|txt|ini|env)$/i;
