import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { createSecrets, type Secrets } from "../../runtime/secrets.ts";

/** The one masker: spellings that other languages' libraries have for a value. */

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

test.each([
  ["hunter2-100%b1", "q=hunter2-100%25b1&x=1", "q=***&x=1"],
  ["hunter2-100%b1", "q=hunter2-100%25b1", "q=***"],
  ["hunter2-100%b1", "q=hunter2-100%25b1%20x", "q=***x"],
  ["Tr0ub4dor%e9", encodeURIComponent("/login?key=Tr0ub4dor%e9&a=1"), "%2Flogin%3Fkey%3D***a%3D1"],
  ["%f3Tr0ub4dor", encodeURIComponent('key="%f3Tr0ub4dor"'), "key***%22"],
])("a value with an escape of a single byte at its end, %s, in an address", (value, text, shown) => {
  expect(knowing(value).text(text)).toBe(shown);
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

test.each<readonly [string, (value: string) => string]>([
  [
    "base64 in indented lines",
    (value) =>
      Buffer.from(value)
        .toString("base64")
        .replace(/.{12}(?=.)/g, "$&\n  "),
  ],
  ["pairs of hexadecimal digits", (value) => inHexadecimal(" ", value)],
  ["bytes as Node shows them", (value) => inspect(Buffer.from(value))],
  ["a list of bytes", (value) => bytesOf(value).join(", ")],
  [
    "bytes with their sign",
    (value) =>
      bytesOf(value)
        .map((byte) => `0x${byte.toString(16)}`)
        .join(", "),
  ],
])("%s as a form writes it, with `+` for blanks, is masked", (_, encode) => {
  for (const value of ["wJalr+UtnFEMI/K7MDENG", "9792e291cd98e0ab77"]) {
    const form = new URLSearchParams({ said: encode(value) }).toString();
    expect(form).toContain("+");
    const shown = knowing(value).text(form);
    expect(shown).toMatch(/^said=.{0,12}\*\*\*.{0,12}$/);
    expect(knowing(value).cutText(form)).toBe(shown);
  }
});

test("two bytes a letter of a value that looks like an escape are masked", () => {
  for (const value of [String.raw`a*<9"9/.\tCIebVse`, String.raw`pa55\x41word\u0041`, String.raw`k\101ey\n0042`]) {
    const text = wide(value).toString("latin1");
    for (const one of [text, inJson(text), encodeURIComponent(text)])
      expect(knowing(value).text(`so: ${one} it was`)).toMatch(/^so: .{0,8}\*\*\*.{0,8} it was$/s);
  }
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

test.each(["12:34", "aa bb", "ab:cd", "ab:cd:ef", "aa bb cc dd"])(
  "a short value that is pairs of digits itself: %s",
  (value) => {
    const secrets = createSecrets(4);
    secrets.add(value);
    expect(secrets.text(`key ${value} refused`)).toBe("key *** refused");
    expect(secrets.text(`key\n${value}\nrefused`)).toBe("key\n***\nrefused");
  },
);
