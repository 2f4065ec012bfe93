import { createHash } from "node:crypto";
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
