import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { leakFailure } from "../../compiler/capture/leaks.ts";
import { cutRedactorOf, redactorOf } from "../../compiler/live-server/redact.ts";
import { cleanText } from "../../runtime/connect/secrets.ts";
import { createSecrets } from "../../runtime/secrets.ts";
import { captureProject, NOTES, tool, type CaptureProject } from "../support/capture-project.ts";

/** The one masker of known values: what it knows of a value, and that capture writes none of it. */

const VALUE = 'an-invented/token+of "40" characters: 0042';

describe("a value that was cut where it was read", () => {
  const rest = /invented|token|characters|0042/;

  test.each(Array.from({ length: 40 }, (_, i) => i + 1))("leaves no more than a few letters of it after %i", (kept) => {
    const head = `it said: ${VALUE.slice(0, kept)}`;
    const tail = `${VALUE.slice(-kept)} was said`;
    for (const clean of [(text: string) => cleanText(text, new Set([VALUE])), cutRedactorOf([VALUE])])
      for (const cut of [clean(head), clean(tail)]) {
        const shown = cut.replace("it said: ", "").replace(" was said", "");
        expect(shown === "***" || shown.length <= VALUE.length / 4).toBe(true);
        if (shown === "***") expect(cut).not.toMatch(rest);
      }
  });

  test("ordinary text that isn't cut stays", () => {
    const secrets = createSecrets();
    secrets.add(VALUE);
    expect(secrets.text(`an-in ${VALUE.slice(0, 30)}`)).toBe(`an-in ${VALUE.slice(0, 30)}`);
    expect(secrets.cutText("an answer of the server")).toBe("an answer of the server");
    expect(secrets.cutText("")).toBe("");
  });
});

const FORMS: readonly (readonly [string, (value: string) => string])[] = [
  ["as it is", (value) => value],
  ["in an address", encodeURIComponent],
  ["in a form", (value) => new URLSearchParams({ v: value }).toString()],
  ["in JSON", (value) => JSON.stringify(value)],
  ["in JSON within JSON", (value) => JSON.stringify(JSON.stringify(value))],
  ["in base64", (value) => Buffer.from(value).toString("base64")],
  ["in base64 behind a name", (value) => `Basic ${Buffer.from(`ada:${value}`).toString("base64")}`],
  ["in base64 of addresses", (value) => Buffer.from(`${value}, and more`).toString("base64url")],
];

describe.each(FORMS)("a value %s", (_, spell) => {
  test("is masked by what capture and doctor show", () => {
    const shown = redactorOf([VALUE])(`so: ${spell(VALUE)}`);
    expect(shown).toContain("***");
    for (const [, other] of FORMS) expect(shown).not.toContain(other(VALUE));
  });

  test("is found in an answer", () => {
    const text = JSON.stringify({ tools: [{ description: `so: ${spell(VALUE)}` }] });
    expect(leakFailure(text, [{ name: "TOKEN", value: VALUE, hidden: true }])?.says).toContain("`TOKEN`");
  });
});

describe("capture", () => {
  let project: CaptureProject;
  beforeEach(() => void (project = captureProject()));
  afterEach(() => project.remove());

  test.each(FORMS)("writes no answer that holds a value %s", async (_, spell) => {
    const secret = "s3cr3t/of+mine 17, invented";
    const connect = project
      .fake("notes", { pages: [[tool("read", { description: `Reads with ${spell(secret)}.` })]] })
      .replace("] }]", '], env: { TOKEN: "${TOKEN}" } }]');
    project.declare({ notes: `{ connect: ${connect} }` });
    const { exit, out, err } = await project.run(["capture", "--accept"], { env: { TOKEN: secret } });
    expect({ exit, written: project.has(NOTES) }).toEqual({ exit: 1, written: false });
    expect(err).toContain("its answer holds the value of `TOKEN`");
    for (const [, other] of FORMS) expect(out + err).not.toContain(other(secret));
  });
});
