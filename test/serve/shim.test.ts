import type { Socket } from "node:net";
import { Duplex, PassThrough } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { runShim } from "../../compiler/io/serve/shim.ts";
import type { Refused } from "../../compiler/serve/hello.ts";

/** What a host is told by the process that passes its lines on, how much that one keeps, and when it ends. */

afterEach(() => void vi.useRealTimers());

interface Shim {
  readonly input: PassThrough;
  readonly output: PassThrough;
  /** Since when a daemon is there. */
  opens(daemon: Duplex): void;
  readonly over: Promise<Refused | undefined>;
}

function shim(): Shim {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let opens: Shim["opens"] = () => {};
  const opened = new Promise<Socket>((resolve) => (opens = (daemon) => resolve(daemon as Socket)));
  const over = runShim({ host: { input, output }, open: () => opened, parent: () => 1 });
  return { input, output, opens, over };
}

/** One that hears and never answers. */
function silentDaemon(heard: (chunk: Buffer) => void = () => {}): Duplex {
  return new Duplex({
    read: () => {},
    write(chunk: Buffer, _, written) {
      heard(chunk);
      setImmediate(written);
    },
  });
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const request = (id: number, more = ""): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"x":"${more}"}}\n`;
const said = (output: PassThrough): unknown[] =>
  ((output.read() as Buffer | null) ?? "")
    .toString()
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as unknown]));

test("a line of more than 32 MB is refused in words, to all that wait too, and ends with an error", async () => {
  const { input, output, opens, over } = shim();
  opens(silentDaemon());
  input.write(request(7));
  await turn();
  const chunk = Buffer.alloc(1024 * 1024, "x");
  for (let mb = 0; mb < 33; mb++) input.write(chunk);
  const refused = await over;
  expect(refused).toMatchObject({ exit: 1, says: expect.stringContaining("a line of more than 32 MB") });
  const [toSender, toOther, ...others] = said(output);
  expect(toSender).toMatchObject({
    id: null,
    error: { code: -32600, message: expect.stringContaining("a line of more than 32 MB") },
  });
  expect(toOther).toMatchObject({
    id: 7,
    error: {
      code: -32000,
      message: expect.stringMatching(/a line of more than 32 MB.*whether it was done isn't known/),
    },
  });
  expect(others).toEqual([]);
  expect(input.destroyed).toBe(true);
});

test("what nobody reads is waited for five seconds after the end, and then given up", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  const { input, output, opens, over } = shim();
  const daemon = silentDaemon();
  opens(daemon);
  input.write(request(1));
  await turn();
  daemon.push(`{"jsonrpc":"2.0","id":1,"result":"${"x".repeat(100_000)}"}\n`);
  await turn();
  let ended: Refused | undefined | "no" = "no";
  void over.then((why) => (ended = why));
  input.end();
  for (let turns = 0; turns < 5; turns++) await turn();
  await vi.advanceTimersByTimeAsync(4_900);
  expect(ended).toBe("no");
  await vi.advanceTimersByTimeAsync(200);
  expect(ended).toMatchObject({ exit: 1, says: expect.stringContaining("nobody reads") });
  expect(output.writableLength).toBeGreaterThan(0);
});

test("what is read before that is whole, and nothing is wrong", async () => {
  const { input, output, opens, over } = shim();
  const daemon = silentDaemon();
  opens(daemon);
  input.write(request(1));
  await turn();
  daemon.push(`{"jsonrpc":"2.0","id":1,"result":"${"x".repeat(100_000)}"}\n`);
  await turn();
  input.end();
  await turn();
  let length = 0;
  output.on("data", (chunk: Buffer) => (length += chunk.length));
  expect(await over).toBeUndefined();
  expect(length).toBeGreaterThan(100_000);
});

test("while a daemon starts no more is read than a client may have under way, and all of it goes on", async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error): void => void warnings.push(warning);
  process.on("warning", warned);
  const { input, opens, over } = shim();
  const line = request(1, "x".repeat(1024 * 1024));
  for (let sent = 0; sent < 80; sent++) input.write(line);
  for (let turns = 0; turns < 200; turns++) await turn();
  const unread = input.writableLength + input.readableLength;
  expect(unread).toBeGreaterThan(14 * line.length);
  expect(unread).toBeLessThan(18 * line.length);
  let heard = 0;
  opens(silentDaemon((chunk) => (heard += chunk.length)));
  for (let turns = 0; turns < 400; turns++) await turn();
  expect(heard).toBe(80 * line.length);
  process.off("warning", warned);
  expect(warnings).toEqual([]);
  input.destroy();
  await over;
});
