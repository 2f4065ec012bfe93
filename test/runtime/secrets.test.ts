import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { createSecrets, type Secrets } from "../../runtime/secrets.ts";

/** The one masker: spellings that other languages' libraries have for a value, and the secrets inside of a value. */

function knowing(...values: readonly string[]): Secrets {
  const secrets = createSecrets();
  for (const value of values) secrets.add(value);
  return secrets;
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const inPhp = (text: string): string => inJson(text).replaceAll("/", "\\/");
const inGo = (text: string): string =>
  inJson(text).replace(/[<>&]/g, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`);
const inCapitals = (text: string): string =>
  inJson(text).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`,
  );
const inLines = (text: string, width: number, end: string): string =>
  Buffer.from(text)
    .toString("base64")
    .replace(new RegExp(`.{${width}}`, "g"), `$&${end}`);
const everyByte = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const inPython = (text: string): string =>
  [...Buffer.from(text.replaceAll("\\", "\\\\"))]
    .map((byte) => (byte < 128 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`))
    .join("");
const inHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const inEntities =
  (spell: (code: number) => string) =>
  (text: string): string =>
    text.replace(/[^A-Za-z0-9]/gu, (sign) => spell(sign.codePointAt(0)!));
const NAMED_SIGNS: Readonly<Record<string, string>> = {
  "/": "sol",
  "+": "plus",
  "=": "equals",
  " ": "nbsp",
  "<": "lt",
  ">": "gt",
  "&": "amp",
  '"': "quot",
  "\\": "bsol",
  "[": "lsqb",
  "]": "rsqb",
  "^": "Hat",
  "|": "verbar",
  "!": "excl",
  "%": "percnt",
  ä: "auml",
  ö: "ouml",
  É: "Eacute",
};
const inNames = (text: string): string =>
  text.replace(/[^A-Za-z0-9 é😀]/gu, (sign) => (NAMED_SIGNS[sign] === undefined ? sign : `&${NAMED_SIGNS[sign]};`));
const inHexadecimal = (between: string, text: string): string =>
  Buffer.from(text).toString("hex").match(/../g)!.join(between);

const bytesOf = (text: string): number[] => [...Buffer.from(text)];
const inOctal = (text: string): string =>
  bytesOf(text)
    .map((byte) => `\\${byte.toString(8).padStart(3, "0")}`)
    .join("");
const inPoints = (text: string): string =>
  [...text].map((sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`).join("");
const wide = (text: string): Buffer => Buffer.from(text, "utf16le");
const wideSwapped = (text: string): Buffer => wide(text).swap16();

const SPELLINGS: readonly (readonly [string, (value: string) => string])[] = [
  ["as PHP's JSON", inPhp],
  ["as Go's JSON", inGo],
  ["as JSON with capitals", inCapitals],
  ["as PHP's JSON in JSON", (value) => inJson(inPhp(value))],
  ["as Go's JSON in JSON", (value) => inJson(inGo(value))],
  ["three levels of JSON deep", (value) => inJson(inJson(inJson(value)))],
  ["five levels of JSON deep", (value) => inJson(inJson(inJson(inJson(inJson(value)))))],
  ["percent-encoded twice", (value) => encodeURIComponent(encodeURIComponent(value))],
  ["percent-encoded three times", (value) => encodeURIComponent(encodeURIComponent(encodeURIComponent(value)))],
  ["percent-encoded in JSON", (value) => inPhp(encodeURI(value))],
  ["as JSON in an address", (value) => encodeURIComponent(inJson(value))],
  ["percent-encoded byte by byte", everyByte],
  ["in the query of a request", (value) => new URL(`http://h/?k=${value}`).search.slice(3)],
  ["in HTML", inHtml],
  ["in HTML in JSON", (value) => inPhp(inHtml(value))],
  ["in HTML by number", inEntities((code) => `&#${code};`)],
  ["in HTML by number with zeros", inEntities((code) => `&#0${code};`)],
  ["in HTML by hexadecimal number", inEntities((code) => `&#x${code.toString(16).toUpperCase()};`)],
  [
    "in HTML by hexadecimal number in JSON",
    (value) => inJson(inEntities((code) => `&#X00${code.toString(16)};`)(value)),
  ],
  ["in HTML by number, written twice", (value) => inEntities((code) => `&amp;#${code};`)(value)],
  ["in HTML by name", inNames],
  ["in hexadecimal with spaces", (value) => inHexadecimal(" ", value)],
  ["in hexadecimal with colons", (value) => inHexadecimal(":", value).toUpperCase()],
  ["as Python shows bytes", (value) => inPython(value)],
  ["as points of Unicode", inPoints],
  ["as points of Unicode in JSON", (value) => inJson(inPoints(value))],
  ["in octal", inOctal],
  ["in octal in JSON", (value) => inJson(inOctal(value))],
  ["in hexadecimal with hyphens", (value) => inHexadecimal("-", value).toUpperCase()],
  [
    "in hexadecimal, two bytes a letter",
    (value) =>
      wide(value)
        .toString("hex")
        .replace(/(?<=^(?:..)+)00$/, ""),
  ],
  ["as a list of bytes", (value) => bytesOf(value).join(", ")],
  ["as a list of bytes in JSON", (value) => bytesOf(value).join()],
  ["as a list of bytes in lines", (value) => bytesOf(value).join(",\n      ")],
  [
    "as a list of bytes in columns",
    (value) =>
      bytesOf(value)
        .map((byte) => String(byte).padStart(3))
        .join(", ")
        .trim(),
  ],
  ["as a list of signed bytes", (value) => [...Int8Array.from(bytesOf(value))].join(", ")],
  [
    "as a list of hexadecimal bytes",
    (value) =>
      bytesOf(value)
        .map((byte) => `0x${byte.toString(16)}`)
        .join(", "),
  ],
  ["in hexadecimal", (value) => Buffer.from(value).toString("hex")],
  ["in hexadecimal capitals", (value) => Buffer.from(value).toString("hex").toUpperCase()],
];

const VALUES = [
  'k/9+Zé "quo\\te" =&<>w',
  "k/ey<se>cr&et12",
  "se|cret<12>[ab]^z",
  "pässwörd/12😀!",
  "dir\\name\\u0041/%41x",
];

describe.each(SPELLINGS)("a value %s", (_, spell) => {
  test.each(VALUES)("is masked: %s", (value) => {
    expect(knowing(value).text(`bad key '${spell(value)}', said it`)).toMatch(/^bad key '\*\*\*', said it$/);
  });

  test("leaves what stands around it, and what holds none", () => {
    const secrets = knowing("another/value of 20");
    for (const value of VALUES) expect(secrets.text(`x\\n${spell(value)}%20`)).toBe(`x\\n${spell(value)}%20`);
  });
});

test.each(VALUES.slice(1, 4))("a value in the path of a request is masked: %s", (value) => {
  expect(knowing(value).text(`Cannot POST ${new URL(`http://h/k/${value}/mcp`).pathname}`)).toBe(
    "Cannot POST /k/***/mcp",
  );
});

describe("a value in base64", () => {
  const long = `${"x".repeat(20)}${"SECRET/secret<>".repeat(12)}`;

  test.each([
    [64, "\n"],
    [76, "\r\n"],
    [20, "\\n"],
    [64, "\\r\\n"],
    [76, "%0A"],
    [64, "\n    "],
    [76, "\r\n\t"],
    [64, "\\n  "],
  ])("in lines of %i", (width, end) => {
    expect(knowing(long).text(`so: ${inLines(long, width, end)} it was`)).toMatch(/^so: \*\*\*.{0,3} it was$/s);
  });

  test.each(["abc1d2", "k3y5xyz", "12345678"])("is masked though it is short: %s", (value) => {
    for (const name of ["", "a:", "ad:", "ada:"]) {
      const told = Buffer.from(`${name}${value}`).toString("base64");
      expect(knowing(value).text(`so ${told}`)).toContain("***");
    }
  });

  test("in PHP's JSON", () => {
    const value = "a>>?b>>?c>>?d";
    const told = Buffer.from(value).toString("base64");
    expect(told).toContain("/");
    expect(knowing(value).text(inPhp(told))).toMatch(/^\*\*\*.{0,2}=*$/);
  });
});

/** Around what is certain of it some characters may stay. */
const ENCODINGS: readonly (readonly [string, (value: string) => string])[] = [
  ["base64 of two bytes a letter", (value) => wide(value).toString("base64")],
  ["base64 of two bytes a letter, the high one first", (value) => wideSwapped(value).toString("base64url")],
  ["hexadecimal of two bytes a letter", (value) => wide(value).toString("hex")],
  ["hexadecimal of two bytes a letter, the high one first", (value) => wideSwapped(value).toString("hex")],
  ["base64 of base64", (value) => Buffer.from(Buffer.from(value).toString("base64")).toString("base64")],
  ["base64 of Basic", (value) => Buffer.from(Buffer.from(`ada:${value}`).toString("base64")).toString("base64")],
  ["two bytes a letter, read as one", (value) => wide(value).toString("latin1")],
  ["two bytes a letter, read as one, in JSON", (value) => inJson(wide(value).toString("latin1"))],
];

test.each(ENCODINGS)("a value in %s is masked", (_, encode) => {
  for (const value of ["wJalr+UtnFEMI/K7MDENG", "hunter2hunter", "abc1d2ef"])
    expect(knowing(value).text(`so: ${encode(value)} it was`)).toMatch(/^so: .{0,8}\*\*\*.{0,6} it was$/s);
});

test("the bytes of a value are masked as numbers too", () => {
  const secrets = knowing("wJalr+UtnFEMI/K7");
  const data = [1, ...bytesOf("wJalr+UtnFEMI/K7"), 2];
  expect(secrets.json({ type: "Buffer", data, sizes: [16, 17, 18, 19] })).toEqual({
    type: "Buffer",
    data: ["***"],
    sizes: [16, 17, 18, 19],
  });
  const far = [...Array.from({ length: 995 }, () => 65), ...bytesOf("wJalr+UtnFEMI/K7"), 65];
  expect(secrets.text(`[${far.join(", ")}]`)).toBe("[***]");
  const long = "wJalr+UtnFEMI/K7".repeat(20);
  expect(knowing(long).text(`got ${inspect(new Uint8Array(bytesOf(long)))}`)).toMatch(
    /^got Uint8Array\(320\) \[\s+\*\*\*,?\s+... 220 more items\n\]$/,
  );
});

test("a value as Node shows bytes is masked, also where they are too many to be shown", () => {
  expect(knowing("wJalr+UtnFEMI/K7").text(`got <Buffer ${inHexadecimal(" ", "wJalr+UtnFEMI/K7")}>`)).toBe(
    "got <Buffer ***>",
  );
  const long = "wJalr+UtnFEMI/K7".repeat(8);
  const said = `got <Buffer ${inHexadecimal(" ", long).slice(0, 149)} ... 78 more bytes>`;
  expect(knowing(long).text(said)).toBe("got <Buffer *** ... 78 more bytes>");
});

test("texts that are cut are read in linear time", () => {
  const secrets = knowing("wJalr+UtnFEMI/K7MDENG");
  for (const unit of [
    "\\",
    "\\u",
    "\ufffd",
    "%",
    "&",
    "&#",
    "&amp;",
    "&#0",
    "&#x0",
    "\n ",
    "\\n ",
    "77 ",
    "77:",
    "77, ",
    "1,",
    "1 ",
    "0x",
    "A",
    "\\1",
    "\\10",
    "\\u{",
    "\\u{0",
    "-",
  ]) {
    const began = process.cpuUsage();
    secrets.cutText(`${unit.repeat(64_000 / unit.length)}z`);
    expect(process.cpuUsage(began).user / 1000, JSON.stringify(unit)).toBeLessThan(1000);
  }
});

describe("what was cut within a spelling", () => {
  test.each(Array.from({ length: 30 }, (_, i) => i + 12))("leaves a few letters of it after %i", (kept) => {
    const value = "pä/ss<w>örd/of&mine/42";
    for (const spell of [inPhp, inGo, inCapitals, encodeURIComponent]) {
      const spelled = spell(value);
      const secrets = knowing(value);
      expect(secrets.cutText(`it said: ${spelled.slice(0, kept)}`)).toMatch(/^it said: (?:\*\*\*|.{0,14})$/);
      const end = secrets.cutText(`${spelled.slice(-kept)} was said`);
      expect(end.replace(" was said", "").replace("***", "").length).toBeLessThanOrEqual(12);
    }
  });
});

const KEY = "MIIEvQIBADANBgkqhkiG9w0BAQEF";
const ACCOUNT = JSON.stringify({
  type: "service_account",
  project_id: "my-project",
  private_key: `-----BEGIN-----\n${KEY}\n-----END-----`,
});

/** What a variable holds, what is said of it, and what is shown of that. */
const PARTS: readonly (readonly [string, string, string, string])[] = [
  ["JSON", '{"client_id":"abcdefgh","client_secret":"s3cr3tS3cr3t"}', "abcdefgh s3cr3tS3cr3t", "abcdefgh ***"],
  ["JSON with a key", ACCOUNT, `my-project ${KEY}`, "my-project ***"],
  ["JSON, nested", '{"web":[{"auth":{"apiKey":"s3cr3tS3cr3t"}}]}', "bad s3cr3tS3cr3t", "bad ***"],
  ["JSON in base64", Buffer.from(ACCOUNT).toString("base64"), `bad ${KEY}`, "bad ***"],
  [
    "a connection",
    "Server=db.example;User Id=sa;Password=Hunter2H;",
    "'Hunter2H' at db.example",
    "'***' at db.example",
  ],
  ["a quoted connection", "host=db.example password='Hunter 2H' user=sa", "Hunter 2H, db.example", "***, db.example"],
  ["Go's address", "adalove:hunter2hunter2@tcp(h)/db", "denied adalove hunter2hunter2", "denied adalove ***"],
  ["a password with a slash", "postgres://ada:pa/ssword123@h/db", "pa/ssword123 refused", "*** refused"],
  ["a password with an at", "postgres://ada:pass@word123@h/db", "pass@word123 refused", "*** refused"],
  ["a token as the user", "https://tokentokentoken@git.example/x", "tokentokentoken, git.example", "***, git.example"],
  ["a query", "https://h.example/mcp?org=example&api_key=tokento/1", "example tokento/1", "example ***"],
  ["an encoded query", "https://h.example/mcp?token=to%2Fkento&x=1", "bad to/kento", "bad ***"],
  ["a list", "key-one-aaaa,key-two-bbbb", "key-two-bbbb is invalid", "*** is invalid"],
  ["a scheme", "Bearer tokentokentoken", "token tokentokentoken is invalid", "token *** is invalid"],
  ["a cookie", "session=abcdefabcdef; Path=/accounts", "abcdefabcdef /accounts", "*** /accounts"],
  ["a name in base64", Buffer.from("ada:hunter2").toString("base64"), "ada:hunter2 failed", "*** failed"],
  ["a map of addresses", '{"url":"postgres://ada:hunter2H@db/x"}', "hunter2H at db, ada", "*** at db, ada"],
  [
    "addresses in lines",
    "postgres://a:first99pass@h1/x\npostgres://a:hunter2H@h2/x",
    "bad hunter2H of h2",
    "bad *** of h2",
  ],
  [
    "addresses in a row",
    "postgres://a:first99pass@h1/x postgres://a:hunter2H@h2/x",
    "bad first99pass, hunter2H",
    "bad ***, ***",
  ],
  [
    "addresses with semicolons",
    "postgres://a:first99pass@h1/x;postgres://a:hunter2H@h2/x",
    "first99pass hunter2H",
    "*** ***",
  ],
  ["addresses with commas", "redis://:first99pass@h1,redis://:hunter2H@h2", "first99pass hunter2H h1", "*** *** h1"],
  ["an address of an option", "--db=postgres://ada:hunter2H@db/x", "hunter2H at db", "*** at db"],
  [
    "an address in the lines of a file",
    "MODE=readonly\nexport DB=postgres://ada:hunter2H@db/x",
    "hunter2H db",
    "*** db",
  ],
  ["JSON with a cookie", '{"headers":{"Cookie":"sid=hunter2H"}}', "no session hunter2H", "no session ***"],
  ["JSON with several", '{"tokens":["hunter2H","otherone9"]}', "hunter2H, otherone9", "***, ***"],
  ["JSON with a map of them", '{"api_keys":{"main":"hunter2H","mode":"readonly"}}', "bad hunter2H", "bad ***"],
  ["JSON with plain keys", '{"keys":["key-one-aaaa1","key-two-bbbb2"]}', "key-two-bbbb2 is off", "*** is off"],
  ["JSON in JSON", JSON.stringify({ config: JSON.stringify({ password: "hunter2H" }) }), "bad hunter2H", "bad ***"],
  [
    "JSON under a name in JSON",
    JSON.stringify({ secret: JSON.stringify({ a: "hunter2H" }) }),
    "bad hunter2H",
    "bad ***",
  ],
  ["JSON with a number", '{"pin_secret":123456789012,"port":65432100}', "123456789012 65432100", "*** 65432100"],
  ["a connection in JSON", '{"db":"host=db.example password=hunter2H"}', "hunter2H db.example", "*** db.example"],
  ["a list in JSON", '["hunter2hunter2H","otherone99key"]', "hunter2hunter2H otherone99key", "*** ***"],
  ["a list with a comma at its end", "other1one99keyA,hunter2hunter2H,", "bad hunter2hunter2H", "bad ***"],
  ["a list with semicolons", "other1one99keyA;hunter2hunter2H", "bad hunter2hunter2H", "bad ***"],
  ["a list with bars", "other1one99keyA|hunter2hunter2H", "bad hunter2hunter2H", "bad ***"],
  ["a list with blanks", "other1one99keyA hunter2hunter2H", "bad hunter2hunter2H", "bad ***"],
  ["a user with a password", "adalove:hunt3r2Xyzzy77", "adalove, hunt3r2Xyzzy77", "adalove, ***"],
  ["a list of users", "adalove:hunt3r2Xyzzy77,bobby:0ther9Aa8", "adalove 0ther9Aa8", "adalove ***"],
  ["Basic", `Basic ${Buffer.from("adalove:hunter2").toString("base64")}`, "hunter2 of adalove", "*** of adalove"],
];

test.each(PARTS)("the secret inside of %s is masked alone", (_, value, said, shown) => {
  expect(knowing(value).text(said)).toBe(shown);
});

test.each([
  ["repos,issues,pull_requests", "list_issues of repos with pull_requests"],
  ["postgres://readonly@db.example/main", "readonly main postgres"],
  ["Server=database;Database=production;", "database production Server"],
  ["/srv/some/folder:/usr/local/bin", "some folder in /usr/local/bin"],
  ['{"name":"example","mode":"readonly"}', "example readonly"],
  ["https://api.example.com/mcp?mode=readonly", "readonly api.example.com"],
  ["Use gpt-4o-mini for 3rd-party text of 2024-07-18", "gpt-4o-mini 3rd-party 2024-07-18"],
  ["npx -y @scope/server-1a2b3c@1.2.3 --port 8080 src/app1.test.ts", "server-1a2b3c@1.2.3 src/app1.test.ts"],
  ["docs/chapter-1a.md docs/chapter-2b.md", "docs/chapter-1a.md isn't there"],
  ["/srv/data-set-1a;/srv/data-set-2b", "/srv/data-set-2b isn't there"],
  ["host1a.eu.example.com host2b.eu.example.com", "host1a.eu.example.com is down"],
  ['{"models":["gpt-4o-mini-2024-07-18","claude-3-7-sonnet-20250219"]}', "no claude-3-7-sonnet-20250219"],
  ['{"query":"sort=created_at","filter":"a;b=c12345"}', "created_at c12345"],
  ['{"max_tokens":200000,"port":543210,"tokens":{}}', "200000 543210"],
  ['{"url":"https://api.example.com:8443/v2/projects"}', "8443/v2/projects of api.example.com"],
  ["postgres:16-alpine", "16-alpine postgres"],
  ["qwen2.5-coder:32b-instruct-q4_K_M", "32b-instruct-q4_K_M"],
  ["localhost:5432100", "localhost:5432"],
  ["us-east-1:550e8400-e29b-41d4-a716-446655440000", "550e8400-e29b-41d4-a716-446655440000"],
  ["sha256:0e8f4b5f1c2d3e4f5a6b7c8d9e0f1a2b", "0e8f4b5f1c2d3e4f5a6b7c8d9e0f1a2b"],
])("what is no secret in %s stays", (value, said) => {
  expect(knowing(value).text(said)).toBe(said);
});

test.each(["12:34", "aa bb", "ab:cd", "ab:cd:ef", "aa bb cc dd"])(
  "a short value that is pairs of digits itself: %s",
  (value) => {
    const secrets = createSecrets(4);
    secrets.add(value);
    expect(secrets.text(`key ${value} refused`)).toBe("key *** refused");
    expect(secrets.text(`key\n${value}\nrefused`)).toBe("key\n***\nrefused");
  },
);
