import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createSecrets, type Secrets } from "../../runtime/secrets.ts";

/** A text that was cut where it was read may hold a part of a secret at its ends. */

function knowing(...values: readonly string[]): Secrets {
  const secrets = createSecrets();
  for (const value of values) secrets.add(value);
  return secrets;
}

describe("what was cut within a long secret, of which a shorter spelling is known too", () => {
  const random = Array.from({ length: 60 }, (_, i) => createHash("sha256").update(`${i}`).digest("base64url")).join("");
  test.each([60, 100, 130, 200, 300, 1200])("of %i characters", (length) => {
    const value = random.slice(0, length);
    const secrets = knowing(value);
    const hex = Buffer.from(value).toString("hex");
    for (const spelled of [
      value,
      hex,
      encodeURIComponent(value),
      [...value].map((sign) => `\\u00${sign.charCodeAt(0).toString(16)}`).join(""),
    ]) {
      const kept = Math.ceil(spelled.length * 0.9);
      expect(secrets.cutText(`it said: ${spelled.slice(0, kept)}`)).toBe("it said: ***");
      expect(secrets.cutText(`${spelled.slice(-kept)} was said`)).toBe("*** was said");
      expect(secrets.cutText(`${spelled.slice(-kept)} ${spelled} ${spelled.slice(0, kept)}`)).toBe("*** *** ***");
    }
  });

  test("a secret that ends as another begins is no less whole", () => {
    const [one, other] = ["first-secret-of-both", "of-both-and-the-second"];
    const secrets = knowing(one, other);
    expect(secrets.cutText(`it said: ${one}`)).toBe("it said: ***");
    expect(secrets.cutText(`${other} was said`)).toBe("*** was said");
  });
});

describe("of a secret that was cut anywhere no more than a few letters stay, however it is spelled", () => {
  const bytesOf = (text: string): number[] => [...Buffer.from(text)];
  const inHex = (text: string, between: string): string =>
    bytesOf(text)
      .map((byte) => byte.toString(16).padStart(2, "0"))
      .join(between);
  const inHtml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const inNumber = (sign: string): string => `&#${sign.codePointAt(0)};`;
  const inNumbers = (text: string): string => text.replace(/[^a-z0-9]/giu, inNumber);
  const spellings: readonly (readonly [string, (value: string) => string])[] = [
    ["as it is", (value) => value],
    ["in pairs", (value) => inHex(value, " ")],
    ["in pairs with colons", (value) => inHex(value, ":").toUpperCase()],
    ["in fours", (value) => inHex(value, "").replace(/.{4}(?=.)/g, "$& ")],
    ["as a list of bytes", (value) => bytesOf(value).join(", ")],
    ["as a list in lines", (value) => bytesOf(value).join(",\n  ")],
    [
      "as a list of hexadecimal bytes",
      (value) =>
        bytesOf(value)
          .map((byte) => `0x${byte.toString(16)}`)
          .join(", "),
    ],
    [
      "in octal",
      (value) =>
        bytesOf(value)
          .map((byte) => `\\${byte.toString(8).padStart(3, "0")}`)
          .join(""),
    ],
    ["byte by byte in an address", (value) => `%${inHex(value, "%")}`],
    ["in an address, twice", (value) => encodeURIComponent(encodeURIComponent(value))],
    ["in HTML", inHtml],
    ["in HTML in an address", (value) => encodeURIComponent(inHtml(value))],
    ["byte by byte as C has it, in an address", (value) => encodeURIComponent(`\\x${inHex(value, "\\x")}`)],
    [
      "letter by letter as JSON has it, in an address, twice",
      (value) =>
        encodeURIComponent(
          encodeURIComponent(value.replace(/[^]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`)),
        ),
    ],
    ["in HTML by number in an address", (value) => encodeURIComponent(value.replace(/[^]/gu, inNumber))],
    ["in HTML by number, twice", (value) => inHtml(inNumbers(value))],
    ["in a shell's quotes", (value) => value.replaceAll("'", "'\\''")],
    ["as shlex.quote has it", (value) => value.replaceAll("'", `'"'"'`)],
    ["in PowerShell's quotes", (value) => value.replace(/[`"$]/g, "`$&")],
    ["in quotes of YAML and SQL", (value) => value.replaceAll("'", "''")],
    ["in quotes of CSV", (value) => value.replaceAll('"', '""')],
    ["as mail has it", (value) => value.replaceAll("=", "=3D")],
  ];
  const values = [
    "kX93mQ2vLp8Zr4Tw7Yb6Nc1",
    `p4ss'w0rd"with$9quotes=and\`more'`,
    "p\u00e4ssw\u00f6rt<mit>9Zeichen&\u20ac",
    createHash("sha512").update("key").digest("base64"),
  ];

  test.each(spellings)("%s", (_, spell) => {
    for (const value of values) {
      const secrets = knowing(value);
      const spelled = spell(value);
      // Of a sign alone the spelling may be long.
      const most = value.length < 40 ? 8 : 12;
      const few = most * Math.ceil(spelled.length / value.length) + (/&#|%25/.test(spelled) ? 24 : 4);
      for (let at = 1; at < spelled.length; at++) {
        const rest = secrets.cutText(`${spelled.slice(at)} was said`).replace("*** was said", "");
        expect(rest.replace(" was said", "").length, rest).toBeLessThanOrEqual(few);
        const begin = secrets.cutText(`it said: ${spelled.slice(0, at)}`).replace("it said: ***", "");
        expect(begin.replace("it said: ", "").length, begin).toBeLessThanOrEqual(few);
      }
    }
  });

  test("a whole escape at the end is no half one", () => {
    const value = "kX93mQ2vLp8Zr4Tw7Yb6Nc1kX93m";
    const secrets = knowing(value);
    const escapes = value.slice(0, 7).replace(/./g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
    expect(secrets.cutText(`it said: ${value.slice(0, 7)}`)).toBe("it said: ***");
    for (const half of ["", "\\u00", "\\u{5", "\\U0000005"])
      expect(secrets.cutText(`it said: ${escapes}${half}`)).toBe("it said: ***");
  });

  test("while words that one begins or ends with stay", () => {
    const secrets = knowing("postgresql-main-9f8e7d6c5b4a39281706-with-a-password");
    for (const text of ["password is wrong, said postgresql", "a password of postgresql-main"])
      expect(secrets.cutText(text)).toBe(text.replace("postgresql-main", "***"));
    expect(secrets.cutText("no such db: postgresql-main-9")).toBe("no such db: ***");
  });
});

test("the ends of a long text cost nothing beside the rest of it", () => {
  const secrets = knowing(createHash("sha256").update("a").digest("base64url"));
  const given = "a%20b%2Fc&amp;d".repeat(70_000);
  const spent = (work: (given: string) => string): number => {
    const began = process.cpuUsage();
    work(given);
    return process.cpuUsage(began).user;
  };
  let [whole, ends] = [Infinity, Infinity];
  for (let i = 0; i < 5; i++) {
    whole = Math.min(whole, spent(secrets.text));
    ends = Math.min(ends, spent(secrets.cutText));
  }
  expect(ends / whole).toBeLessThan(1.6);
});

describe("the beginning of a text of which only so much is shown", () => {
  const value = Array.from({ length: 60 }, (_, i) => createHash("sha256").update(`${i}`).digest("base64url")).join("");
  const bytes = [...Buffer.from(value)];
  const inPairs = (sign: string): string => bytes.map((byte) => byte.toString(16).padStart(2, "0")).join(sign);
  const spellings: Record<string, string> = {
    plain: value,
    hexadecimal: Buffer.from(value).toString("hex"),
    "in pairs": inPairs(" "),
    "in pairs of a form": inPairs("+"),
    "a list": bytes.join(", "),
    "a list in escapes": bytes.join("%2C%20"),
    escapes: `\\x${inPairs("\\x")}`,
  };

  test.each(Object.keys(spellings))("a secret in it is gone, wherever the text is cut: %s", (name) => {
    const secrets = knowing(value);
    const spelled = spellings[name]!;
    for (let before = 0; before < 40; before++) {
      const given = `${"-".repeat(before)} ${`${spelled} `.repeat(Math.ceil(20_000 / spelled.length))}`;
      const left = secrets.beginning(given, 200).replace(/^-*|\*{3}| /g, "");
      expect(left.length).toBeLessThanOrEqual((12 * spelled.length) / value.length);
    }
  });

  test("what is short is masked as a whole", () => {
    const secrets = knowing(value);
    expect(secrets.beginning(`it said: ${value}, and ${value.slice(0, 30)}`, 200)).toBe(
      `it said: ***, and ${value.slice(0, 30)}`,
    );
    expect(secrets.beginning("x".repeat(100_000), 200).length).toBeLessThan(10_000);
    expect(createSecrets().beginning("x".repeat(100_000), 200).length).toBeLessThan(10_000);
  });
});

/** Escapes of an address in JSON in HTML, bytes in pairs and in a list, and what is read in two ways. */
function inAllLayers(length: number): string {
  const inPercents = (text: string): string => text.replace(/[^]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  const deep = inPercents("&#x41;")
    .replace(/[^]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`)
    .replaceAll("\\", "&bsol;")
    .replaceAll("&", "%26")
    .replaceAll("%", "\\x25");
  const header = Buffer.from('{"alg":"RS256","typ":"JWT"}').toString("base64url");
  return `${deep} 41 42 43 44 45 46 1,2,3,4 +${`${Buffer.from(header).toString("hex")}+`.repeat(length)}`.slice(
    0,
    length,
  );
}

test("a key of many lines, with all that is looked for of it, is soon masked in a text of many layers", () => {
  const lines = Array.from({ length: 26 }, () => randomBytes(48).toString("base64")).join("\n");
  const key = `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----\n`;
  const value = JSON.stringify({ type: "service_account", private_key: key, client_id: "123456789012345678901" });
  const secrets = knowing(value);
  const given = inAllLayers(65_000);
  let best = Infinity;
  for (let tries = 0; tries < 5 && best >= 250; tries++) {
    const began = process.cpuUsage();
    expect(secrets.text(given)).toBe(given);
    best = Math.min(best, process.cpuUsage(began).user / 1000);
  }
  expect(best).toBeLessThan(250);
});
