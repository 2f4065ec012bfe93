import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { LOST } from "../../../runtime/connect/failure.ts";
import { createTelling } from "../../../runtime/connect/telling.ts";
import { createSecrets } from "../../../runtime/secrets.ts";

/** A server that fails often with a long secret holds nobody still: what the secret may look like is found out once. */

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const ACCOUNT = JSON.stringify({ type: "service_account", project_id: "harbor", private_key: privateKey });

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test("fifty failures cost no more than a few times what the first one does", () => {
  const secrets = createSecrets();
  const telling = createTelling("files", secrets);
  secrets.add(ACCOUNT);
  const fail = (): string => telling.error({ ...LOST, said: "it fell over" }, "files.read failed").message;
  const first = cpuMs(fail);
  const others = cpuMs(() => Array.from({ length: 50 }, fail));
  expect(others).toBeLessThan(Math.max(10 * first, 100));
});

test("a value that comes later is masked from then on", () => {
  const secrets = createSecrets();
  const telling = createTelling("files", secrets);
  expect(telling.clean("key k-0042-invented")).toBe("key k-0042-invented");
  secrets.add("k-0042-invented");
  expect(telling.clean("key k-0042-invented")).not.toContain("0042");
});
