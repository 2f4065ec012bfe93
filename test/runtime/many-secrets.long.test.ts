import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createSecrets } from "../../runtime/secrets.ts";
import { fastest } from "../support/fastest.ts";

/** Thousands of things to look for: what a text costs doesn't grow with them, nor what one more costs. */

const token = (seed: string): string => `tk_${createHash("sha256").update(seed).digest("base64url")}`;

describe("a value that is the JSON of three hundred services", () => {
  const services = Array.from({ length: 300 }, (_, i) => [
    `service_${i}`,
    { api_key: token(`a${i}`), url: `https://user${i}:${token(`b${i}`)}@h${i}.example.com/x?token=${token(`c${i}`)}` },
  ]);
  const knowing = (): ReturnType<typeof createSecrets> => {
    const secrets = createSecrets();
    secrets.add(JSON.stringify(Object.fromEntries(services)));
    return secrets;
  };
  const secrets = knowing();

  test("is soon known, and a hostile text is soon looked through", () => {
    expect(fastest(1_000, () => knowing().cutText("x".repeat(200)))).toBeLessThan(1_000);
    for (const unit of [
      "\\u0061%25%61&#x61; 97,97 61:61 ",
      randomBytes(600).toString("base64"),
      "https://user1:x@h1.example.com/x?token=y ",
      "https://user",
      '{"service_',
      ".example.com/x?token=",
      "'\"=$`",
    ]) {
      const text = unit.repeat(65_536 / unit.length);
      for (const look of [secrets.text, secrets.cutText])
        expect(
          fastest(150, () => look(text)),
          unit.slice(0, 20),
        ).toBeLessThan(150);
    }
  });

  test("is masked in each of its parts, however it is quoted or cut", () => {
    const url = `https://user7:${token("b7")}@h7.example.com/x?token=${token("c7")}`;
    expect(secrets.text(`no: ${url.replaceAll("=", "=3D")}!`)).not.toMatch(/tk_/);
    expect(secrets.text(`no: ${token("a299")}!`)).toBe("no: ***!");
    expect(secrets.cutText(`no: ${token("c3").slice(0, 30)}`)).toBe("no: ***");
    expect(secrets.cutText(`${token("c3").slice(10)} no`)).toBe("*** no");
  });
});

describe("values that are in use no more", () => {
  test("the last hundred are known, and those in use as long as they are", () => {
    const secrets = createSecrets();
    const [stays, twice] = [token("stays"), token("twice")];
    secrets.add(stays);
    const leaveFirst = secrets.add(twice);
    const leaveSecond = secrets.add(twice);
    leaveFirst();
    leaveFirst();
    for (let i = 0; i < 250; i++) secrets.add(token(`${i}`))();
    for (const known of [stays, twice, token("150"), token("249")]) {
      expect(secrets.text(`so ${known} it`)).toBe("so *** it");
      expect(secrets.cutText(`so ${known.slice(0, -3)}`)).toBe("so ***");
    }
    for (const left of [token("0"), token("149")]) {
      expect(secrets.text(`so ${left} it`)).toBe(`so ${left} it`);
      expect(secrets.cutText(`so ${left.slice(0, -3)}`)).toBe(`so ${left.slice(0, -3)}`);
    }
    leaveSecond();
    for (let i = 250; i < 351; i++) secrets.add(token(`${i}`))();
    expect(secrets.text(twice)).toBe(twice);
    secrets.add(token("0"));
    expect(secrets.text(token("0"))).toBe("***");
  });

  test("one that comes back is in use again, and a part that two have goes with the last", () => {
    const secrets = createSecrets();
    const password = token("password");
    const address = (host: string): string => `postgres://app:${password}@${host}/x`;
    const leave = secrets.add(address("a"));
    secrets.add(address("b"))();
    secrets.add(address("b"));
    leave();
    for (let i = 0; i < 120; i++) secrets.add(token(`${i}`))();
    expect(secrets.text(`so ${password}`)).toBe("so ***");
  });

  test("large ones are fewer", () => {
    const secrets = createSecrets();
    const large = (name: string): string => token(name).repeat(1_000);
    for (const name of ["a", "b", "c", "d", "e"]) secrets.add(large(name))();
    expect(secrets.text(large("e"))).toBe("***");
    expect(secrets.text(large("a"))).toBe(large("a"));
  });

  test("a token for each connection costs the four-hundredth no more than the first", () => {
    const limit = 400 * 6;
    const spent = fastest(limit, () => {
      const secrets = createSecrets();
      for (let i = 0; i < 400; i++) {
        const leave = secrets.add(`eyJhbGciOiJSUzI1NiJ9.${randomBytes(675).toString("base64url")}`);
        secrets.cutText("it failed: bad request, and said why it did not do it".repeat(2));
        leave();
      }
    });
    expect(spent).toBeLessThan(limit);
  });
});

test("of quotes in a row a text tries no more than there are", () => {
  const secrets = createSecrets();
  const value = JSON.stringify(Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`k${i}`, ""])));
  for (const one of [value, value.replaceAll('"', "'"), `${"'".repeat(40)}abcd${'"'.repeat(40)}\``]) {
    secrets.add(one);
    for (const times of [2, 3]) {
      const text = one
        .slice(0, -1)
        .replace(/(["'])\1+/g, (signs) => signs.repeat(times))
        .replace(/(?<=["'])(?!["'])/g, '"');
      expect(fastest(500, () => secrets.text(`${text}${text}`))).toBeLessThan(500);
    }
    expect(secrets.text(`so ${one.replaceAll('"', '""')} it`)).toBe("so *** it");
  }
});

test.each([
  [`pa'ss"wo=rd`, `pa''ss""wo=3Drd`],
  [`key='abcdef'`, `key='abcdef`],
  [`a"b'c=d$e`, `a""b''c=3Dd\`$e`],
  [`$(cat 'a b')`, `\`$(cat '\\''a b'\\'')`],
  [`=aaaa'aaaa'aaaa`, `=3Daaaa''aaaa''aaaa`],
])("quotes around any part of a value: %s", (value, quoted) => {
  const secrets = createSecrets();
  secrets.add(value);
  secrets.add(`another ${value}`);
  const isWhole = quoted.length >= value.length;
  expect(secrets.text(`so ${quoted} it`)).toBe(isWhole ? "so *** it" : `so ${quoted} it`);
  expect(secrets.text(`${quoted}${quoted}`).includes(quoted)).toBe(!isWhole);
});
