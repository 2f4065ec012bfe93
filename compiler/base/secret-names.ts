import { saysSecret } from "../../runtime/secret-names.ts";
import { SHAPES } from "./secret-shapes.ts";
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
  if (saysSecret(name) || /^(?:pass|pw|pat|passwort|auth[-_]?token|(?:set-)?cookie)$/i.test(name)) return true;
  return (
    /^[A-Z][A-Z0-9_]*_KEYS?$/.test(name) && !/_(?:PUBLIC|PRIMARY|FOREIGN|SORT|PARTITION|CACHE)_KEYS?$/.test(`_${name}`)
  );
}

/** As cookies and queries call what somebody is known by who logged in. */
export function namesSession(name: string): boolean {
  return /^(?:[\w.-]*sess(?:ion)?[-_.]?(?:id|key)?|(?:[\w.-]*[._-])?sid)$/i.test(name);
}

/** Of a name that says so, a value that is no secret all the same: a file where one lies, or nothing but yes and no. */
export function isHarmless(name: string, value: string): boolean {
  if (/^(?:true|false)$/i.test(value)) return true;
  if (/^(?:is|verify)[-_A-Z]/i.test(name) && /^(?:yes|no|on|off|[01])$/i.test(value)) return true;
  if (/tokens$/i.test(name) && isCountOrKind(name, value)) return true;
  if (/^\/(?:var\/)?run\/secrets\//.test(value)) return true;
  return /(?:credentials?|private[-_]?key)(?:_json)?$/i.test(name) && IS_FILE.test(value);
}

const IS_FILE = /^(?:~|\.{1,2})?\/\S*$|^[A-Za-z]:[\\/]|\.(?:json|pem|key|p12|pfx|ya?ml|toml|txt|ini|env)$/i;

/** How many of a text, which coins, what colours: of an issuer's tokens none is as short, nor a plain word. */
function isCountOrKind(name: string, value: string): boolean {
  if (/^\d{1,7}$/.test(value)) return true;
  if (wordsOf(name).some((word) => OF_ACCESS.has(word) || ISSUERS.has(word))) return false;
  return IS_FILE.test(value) || value.split(/[\s,;|]+/).every((one) => one === "" || KIND.test(one));
}

const KIND = /^(?:[A-Za-z]{1,12}|[A-Z][A-Za-z]{0,6}\d{1,2}|\d{1,7}(?:[-:]\d{1,7})*|0x[0-9a-f]{40})$/i;
const OF_ACCESS = new Set(
  "api access auth oauth bearer bot refresh session secret user service admin app client id login personal deploy gh gl web".split(
    " ",
  ),
);
const ISSUERS = new Set(SHAPES.flatMap(([issuer]) => issuer.toLowerCase().split(/[^a-z0-9]+/)));
