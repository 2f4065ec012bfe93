/** `getUploadUrl`, `set_env`, `GET`: whole words, so that `reader` and `CREATED_DESC` are none of ours. */
export function wordsOf(text: string): string[] {
  const parted = text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/(?<=[A-Z]{2})(?=[A-Z][a-z])/g, " ");
  return parted.split(/[^A-Za-z0-9]+/).flatMap((word) => (word === "" ? [] : [word.toLowerCase()]));
}

/** Whether a name says that its value is a secret, so that no text may be written under it, whatever it looks like. */
export function saysSecret(name: string): boolean {
  const words = wordsOf(name).flatMap((word) => JOINED_WORDS.get(word) ?? word);
  while (words.length > 1 && isBehindSecret(words.at(-1)!)) words.pop();
  if (words.length === 0 || SECRET_SWITCHES.has(words[0]!)) return false;
  const named = words.at(-1)!.replace(/(?<=[a-z])\d+$/, "");
  const last = SEVERAL.test(named) ? named.slice(0, -1) : named;
  const before = words.at(-2) ?? "";
  if (last === "token") return !isPlace(words, name) && !(last !== named && words.some((one) => COUNTED.has(one)));
  if (last === "key") return SECRET_KEYS.has(before) || KEY_ISSUERS.has(before);
  if (/^[A-Z0-9_]+$/.test(name) && words.length === 1 && WITH_A_NAME.has(last)) return last !== "pwd";
  if (last === "phrase") return before === "pass";
  return SECRET_ALONE.has(last) || SECRET_ENDING.test(last) || (before !== "" && WITH_A_NAME.has(last));
}

/** A `next page token` is a place in a list; a `PAGE_TOKEN` speaks for a page of Facebook's. */
function isPlace(words: readonly string[], name: string): boolean {
  const before = words.at(-2) ?? "";
  if (before !== "page" || name !== name.toUpperCase()) return TOKEN_PLACES.has(before);
  return PLACES_OF_PAGES.has(words.at(-3) ?? "");
}

function isBehindSecret(word: string): boolean {
  return /^\d+$/.test(word) || BEHIND_SECRET.has(word) || BEHIND_SECRET.has(word.replace(/(?<!\d)\d+$/, ""));
}

/** Several of them, as a list or a map: `API_KEYS`. */
const SEVERAL = /(?:token|key|password|passwd|passphrase|passcode|secret|credential|jwt|^pat)s$/;
const SECRET_ALONE = secretWords(
  "password passwd passphrase passcode secret credential creds apikey authorization bearer jwt",
);
const SECRET_ENDING =
  /(?:password|passwd|passphrase|apikey|accesskey|secretkey|privatekey|authtoken|accesstoken|apitoken|authkey|(?:identity|registry|session|refresh)token|clientsecret|apisecret|accountkey)$|^(?:id|bot)token$|^(?:pg|db|my(?:sql)?|smtp|imap|mail|ftp|ssh|redis|user|root|admin|sudo)pass$/;
/** Alone they are also a working directory, a command, a test's result. */
const WITH_A_NAME = secretWords("pwd pass pw pat");
const SECRET_KEYS = secretWords(
  "api access private secret encryption signing signature master subscription account auth service shared admin ssh role session webhook deploy license",
);
/** Whose keys are called by their name alone: `OPENAI_KEY`. */
const KEY_ISSUERS = secretWords(
  "openai anthropic openrouter gemini azure mistral groq cohere deepseek replicate together huggingface hf perplexity tavily serper serpapi brave exa firecrawl jina elevenlabs pinecone langsmith langfuse stripe sendgrid mailgun twilio github gitlab notion linear airtable figma datadog sentry supabase cloudflare",
);
const TOKEN_PLACES = secretWords("next page continuation stop eos bos pad mask cancellation max");
const PLACES_OF_PAGES = secretWords("next previous prev first last start end continuation max");
/** Of these several are words of a text, or coins: `MAX_OUTPUT_TOKENS`. */
const COUNTED = secretWords(
  "max min num number count total limit budget estimated used usage input output prompt completion reasoning thinking context cached special allowed supported design",
);
/** `REQUIRE_PASSWORD`, `--no-token`: they turn something on or off. */
const SECRET_SWITCHES = secretWords(
  "allow require requires use uses enable enabled disable disabled skip no has show hide needs without ignore",
);
/** What may stand behind the word: `GITHUB_TOKEN_2`, `DB_PASSWORD_PROD`. */
const BEHIND_SECRET = secretWords(
  "value prod production dev development test staging stage local default ro rw read write main primary secondary backup old new v base64 b64 json",
);
const JOINED_WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["accesstoken", ["access", "token"]],
  ["authtoken", ["auth", "token"]],
  ["accesstokens", ["access", "tokens"]],
  ["authtokens", ["auth", "tokens"]],
]);

function secretWords(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}
