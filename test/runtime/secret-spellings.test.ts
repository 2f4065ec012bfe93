import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../runtime/contract.ts";
import { createSecrets, type Secrets } from "../../runtime/secrets.ts";

/** Spellings of a known value as tools and languages print it: each with as much as may stay of what stood around it. */

const TOKEN = "hunter2-AbC+/=99zzQ";
const PHRASE = "correct horse battery";
const QUOTED = `p@ss "w'ord" \\9x`;
const LETTERS = "p\u00e4ssw\u00f6rd99";
const FACE = "pass\ud83d\ude00word99";
const EURO = "key\u20ac\u0436word99";
const bytes = (text: string) => [...Buffer.from(text)];
const hex = (text: string) => bytes(text).map((byte) => byte.toString(16).padStart(2, "0"));
const inBase64 = (text: string) => Buffer.from(text).toString("base64");
const inGroups = (text: string) =>
  hex(text)
    .join("")
    .replace(/(.{4})(?=.)/g, "$1 ");

function knowing(value: string): Secrets {
  const secrets = createSecrets();
  secrets.add(value);
  return secrets;
}

const placed = (text: string) => bytes(text).map((byte, i) => `[${i}] => ${byte}`);

describe("a known value is masked", () => {
  test.each<[string, string, string, RegExp]>([
    ["as JSON has an array of bytes", TOKEN, JSON.stringify(new Uint8Array(bytes(TOKEN))), /^\{"0":\*\*\*\}$/],
    ["as a list of bytes in quotes", TOKEN, JSON.stringify(bytes(TOKEN).map(String)), /^\["\*\*\*"\]$/],
    ["as JSON in JSON", TOKEN, JSON.stringify(JSON.stringify(new Uint8Array(bytes(TOKEN)))), /^"\{\\"0\\":\*\*\*\}"$/],
    ["as a list of hexadecimal bytes", TOKEN, hex(TOKEN).join(", "), /^\*\*\*$/],
    ["as a list with semicolons", TOKEN, bytes(TOKEN).join("; "), /^\*\*\*$/],
    ["as print_r has it", TOKEN, placed(TOKEN).join("\n    "), /^\[0\] => \*\*\*$/],
    ["as print_r in JSON", TOKEN, JSON.stringify(placed(TOKEN).join("\n")), /^"\[0\] => \*\*\*"$/],
    ["in hexadecimal by fours", TOKEN, inGroups(TOKEN), /^\*\*\*$/],
    ["in hexadecimal by fours, short", "abcdef", inGroups("abcdef"), /^\*\*\*$/],
    [
      "in hexadecimal, eights apart",
      TOKEN,
      hex(TOKEN)
        .join(" ")
        .replace(/^.{23}/, "$& "),
      /^\*\*\*$/,
    ],
    ["in hexadecimal of base64", TOKEN, Buffer.from(inBase64(TOKEN)).toString("hex"), /^\*\*\*.{0,6}$/],
    ["in base64 of hexadecimal", TOKEN, inBase64(hex(TOKEN).join("")), /^\*\*\*.{0,4}$/],
    ["in base64 of JSON", QUOTED, inBase64(JSON.stringify({ token: QUOTED })), /^.{14,16}\*\*\*.{2,6}$/],
    ["in base64 of an address", TOKEN, inBase64(encodeURIComponent(TOKEN)), /^\*\*\*.{0,4}$/],
    [
      "in octal of two digits",
      "12345678",
      bytes("12345678")
        .map((byte) => `\\${byte.toString(8)}`)
        .join(""),
      /^\*\*\*$/,
    ],
    ["as escape() has it", "\u20acuro-key-\u0436\u0437", "%u20acuro-key-%u0436%u0437", /^\*\*\*$/],
    ["in an address, twice", "\u20acuro-key-\u0436\u0437", "%25u20acuro-key-%25u0436%25u0437", /^\*\*\*$/],
    ["in HTML by number alone", TOKEN, [...TOKEN].map((sign) => `&#${sign.codePointAt(0)}`).join(""), /^\*\*\*$/],
    ["in two bytes a letter", PHRASE, Buffer.from(PHRASE, "utf16le").toString("latin1"), /^\*\*\*\0?$/],
    ["in two bytes a letter in JSON", PHRASE, JSON.stringify([...PHRASE].join("\0")), /^"\*\*\*"$/],
    ["in a shell's quotes", QUOTED, `'${QUOTED.replaceAll("'", "'\\''")}'`, /^'\*\*\*'$/],
    ["in a shell's quotes in JSON", QUOTED, JSON.stringify(QUOTED.replaceAll("'", "'\\''")), /^"\*\*\*"$/],
    ["as shlex.quote has it", QUOTED, `'${QUOTED.replaceAll("'", `'"'"'`)}'`, /^'\*\*\*'$/],
    ["as shlex.quote has it, in JSON", QUOTED, JSON.stringify(QUOTED.replaceAll("'", `'"'"'`)), /^"\*\*\*"$/],
    ["in PowerShell's quotes", 'pa"ss$word`9x', 'pa`"ss`$word``9x', /^\*\*\*$/],
    ["as Python's ascii() has it", LETTERS, LETTERS.replaceAll("ä", "\\xe4").replaceAll("ö", "\\xf6"), /^\*\*\*$/],
    ["in octal of a letter a byte", LETTERS, LETTERS.replaceAll("ä", "\\344").replaceAll("ö", "\\366"), /^\*\*\*$/],
    ["in an older address", LETTERS, LETTERS.replaceAll("ä", "%E4").replaceAll("ö", "%F6"), /^\*\*\*$/],
    ["in long points", FACE, FACE.replace(/\P{ASCII}/u, "\\U0001f600"), /^\*\*\*$/],
    ["in long points in JSON", FACE, JSON.stringify(FACE.replace(/\P{ASCII}/u, "\\U0001F600")), /^"\*\*\*"$/],
    ["in two bytes a letter, umlauts", LETTERS, Buffer.from(LETTERS, "utf16le").toString("latin1"), /^\*\*\*\0?$/],
    ["in two bytes a letter beyond them", EURO, Buffer.from(EURO, "utf16le").toString("latin1"), /^\*\*\*\0?$/],
    ["in two bytes, swapped", EURO, Buffer.from(EURO, "utf16le").swap16().toString("hex"), /^\*\*\*$/],
    [
      "in two bytes, swapped, in base64",
      EURO,
      Buffer.from(EURO, "utf16le").swap16().toString("base64"),
      /^\*\*\*.{0,3}$/,
    ],
    ["as a list of a letter a byte", LETTERS, [...Buffer.from(LETTERS, "latin1")].join(", "), /^\*\*\*$/],
    ["in quotes of YAML and SQL", QUOTED, `'${QUOTED.replaceAll("'", "''")}'`, /^'\*\*\*'$/],
    ["in quotes of CSV", QUOTED, `"${QUOTED.replaceAll('"', '""')}"`, /^"\*\*\*"$/],
    ["as mail has it", TOKEN, TOKEN.replaceAll("=", "=3D"), /^\*\*\*$/],
  ])("%s", (_, value, spelled, shown) => {
    const [before, after] = ["before ", " after"];
    const said = knowing(value).text(before + spelled + after);
    expect(said.slice(0, before.length) + said.slice(-after.length)).toBe(before + after);
    expect(said.slice(before.length, -after.length)).toMatch(shown);
    expect(knowing("another-value-of-it").text(before + spelled + after)).toBe(before + spelled + after);
  });

  test.each([
    "Tr0ub&3dor&copy;9q2",
    "a=1&limit;9x&key&quot;d9",
    "x&lt9kd&gt2ldk&notit;",
    "&&&&&&&&12",
    "k&#38;b&#99999999;c9&amp;d",
    "\u00a7fj\u20ac\u00d8-\u00f8&x;9d",
  ])("in HTML, where it holds what looks like HTML itself: %s", (value) => {
    const twice = (text: string) => text.replaceAll("&", "&amp;");
    const secrets = knowing(value);
    for (const sign of [
      "&amp;",
      "&AMP;",
      "&#38;",
      "&#038;",
      "&#x26;",
      "&amp;amp;",
      "&amp;#38;",
      "\\u0026amp;",
      "%26amp%3B",
    ])
      expect(secrets.text(`so: ${value.replaceAll("&", sign)} it was`), sign).toBe("so: *** it was");
    let at = 0;
    const mixed = value.replace(/&/g, () => ["&", "&#38;", "&amp;"][at++ % 3]!);
    expect(secrets.text(`so: ${mixed} it was`)).toBe("so: *** it was");
    const signs: Record<string, string> = {
      "\u00a7": "sect",
      "\u20ac": "euro",
      "\u00d8": "Oslash",
      "\u00f8": "oslash",
    };
    const named = twice(value).replace(/[^ -~]/g, (sign) => `&${signs[sign]};`);
    expect(secrets.text(`so: ${named.replace("fj", "&fjlig;")} it was`)).toBe("so: *** it was");
  });

  test("as values: all numbers of a list that holds its bytes", () => {
    const { json } = knowing(TOKEN);
    const asObject = JSON.parse(JSON.stringify(new Uint8Array(bytes(TOKEN)))) as JsonValue;
    expect(json({ body: asObject })).toEqual({ body: { "0": "***" } });
    expect(json(["put", ...bytes(TOKEN), { a: 1 }])).toEqual(["put", { a: 1 }, "***"]);
    expect(json(bytes(TOKEN).map(String))).toEqual(["***"]);
    const innocent = [1, 22, "333", "put", ...bytes("something else")];
    expect(json([innocent, { "0": 104, "1": 117 }])).toEqual([innocent, { "0": 104, "1": 117 }]);
  });
});

test("texts of lists and groups are read in linear time", () => {
  const secrets = knowing("wJalr+UtnFEMI/K7MDENG");
  for (const unit of [
    '1","',
    "1; ",
    '"1":1,',
    "[1] => 1\n",
    "1[",
    "1,[1] =>",
    "6162 ",
    "61, ",
    "61  ",
    "&#1",
    "%u0",
    "=3D",
    "''",
    "\\61",
    "\0 ",
  ]) {
    const [small, large] = [32_000, 128_000].map((length) => {
      const began = process.cpuUsage();
      secrets.text(`${unit.repeat(length / unit.length)}z`);
      return process.cpuUsage(began).user / 1000;
    });
    expect(large!, unit).toBeLessThan(Math.max(200, 10 * small!));
  }
});
