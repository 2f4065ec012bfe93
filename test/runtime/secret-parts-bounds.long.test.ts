import { expect, test } from "vitest";
import { secretParts } from "../../runtime/secret-parts.ts";
import { createSecrets } from "../../runtime/secrets.ts";

/** How long the secrets inside of a value are looked for, and how much they may be together. */

test("parts are found in linear time", () => {
  for (const unit of [
    "/:token=",
    "/:token=/",
    " --password=",
    " -Dtoken=",
    " --token a",
    " --token '",
    "token=a b,",
    "?a=QUJD",
    "?a=%2F",
    "https://a/aB1cD2eF3gH4iJ5kL6mN7,",
    "Cookie: ",
    "password=abcdef123 ",
    "password=",
    'password=" ',
    "password={ ",
    "password={a;}",
    "password='\\",
    "password=abc&d",
    "password=a,",
    "a b c ",
    "a=",
    "a=b;",
    "(password=a)",
    "pwd=a;",
    "Bearer pwd=",
    'pwd="password=',
    '""--password=',
    "token: a, ",
    "[",
    "{}",
    "{a: ",
    "{a: '",
    '{a: "\\',
    "{token: [",
    "{token: b c, ",
    "{value: {",
    "token = [\n",
    "{/*,",
    "token:\n#\n",
    "{name: A_TOKEN, value: b}",
    "name: A_TOKEN\nvalue: [x,\n",
    "  name: A_TOKEN\n  value:\n",
  ]) {
    const text = unit.repeat(40_000 / unit.length);
    const began = process.cpuUsage();
    secretParts(text);
    expect(process.cpuUsage(began).user / text.length, unit).toBeLessThan(10);
  }
});

test("values that stand in each other, each beside its name, are looked through once", () => {
  const text = Array.from({ length: 800 }, (_, i) => ["name: A_TOKEN", "value:"].map((line) => " ".repeat(i) + line));
  const began = process.cpuUsage();
  const parts = secretParts(`${text.flat().join("\n")} hunter2H`);
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(1000);
  expect(parts).toContain("hunter2H");
});

test("a row of signs that a tag may begin with is looked through once", () => {
  const text = `[${"!".repeat(800_000)}`;
  const began = process.cpuUsage();
  secretParts(text);
  expect(process.cpuUsage(began).user / text.length).toBeLessThan(0.5);
});

test.each(["other1one99key", "password=hunter22xx,x=", "a://b:hunter22xx@c?token=", "?token=hunter22xx"])(
  "all parts of a value together are little more than it: %s",
  (unit) => {
    const value = Array.from({ length: 300 }, (_, i) => `${unit}${i}`).join();
    expect(secretParts(value).join("").length).toBeLessThanOrEqual(4 * value.length);
    const secrets = createSecrets();
    secrets.add(value);
    expect(secrets.text(`${unit}299`)).not.toContain(unit.includes("hunter22xx") ? "hunter22xx" : unit);
  },
);

test.each(["token: [", "- name: A_TOKEN\n  value: ["])(
  "of more elements in brackets than a call takes arguments: %j",
  (before) => {
    expect(secretParts(`${before}${"a,".repeat(150_000)}]`).length).toBeGreaterThan(1);
  },
);
