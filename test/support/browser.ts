import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import type { Readable, Writable } from "node:stream";

/** A real browser, told what to do over its own pipe, and ended by its id. */

export const hasBrowser = spawnSync("chromium", ["--version"]).status === 0;

export interface Browser {
  open(address: string): Promise<Window>;
  end(): Promise<void>;
}

export interface Window {
  /** What an expression is there, awaited. */
  value(expression: string): Promise<unknown>;
  /** Waits until an expression is true there. */
  until(expression: string): Promise<void>;
  /** What stands on the page. */
  text(): Promise<string>;
  /** A real click or key, as a person's. */
  press(selector: string): Promise<void>;
  picture(options?: { readonly width?: number; readonly dark?: boolean }): Promise<Buffer>;
  close(): Promise<void>;
}

export async function openBrowser(): Promise<Browser> {
  const profile = mkdtempSync(path.join(tmpdir(), "rolecall-browser-"));
  const flags = ["--headless=new", "--remote-debugging-pipe", `--user-data-dir=${profile}`, "--no-first-run"];
  // Its sandbox doesn't run as root.
  const asRoot = userInfo().uid === 0 ? ["--no-sandbox"] : [];
  const child = spawn("chromium", [...flags, ...asRoot, "--disable-gpu", "about:blank"], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    // Its helpers are of its group: they end with it, and write nothing more into the profile.
    detached: true,
  });
  const ended = once(child, "close");
  const call = caller(child.stdio[3] as Writable, child.stdio[4] as Readable);
  return {
    async open(address) {
      const { targetId } = await call("Target.createTarget", { url: address });
      const { sessionId } = await call("Target.attachToTarget", { targetId, flatten: true });
      return windowOf(
        (method, params) => call(method, params, sessionId as string),
        async () => {
          await call("Target.closeTarget", { targetId });
        },
      );
    },
    async end() {
      process.kill(-child.pid!, "SIGKILL");
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

type Call = (method: string, params?: object, sessionId?: string) => Promise<Record<string, unknown>>;

function caller(input: Writable, output: Readable): Call {
  const waiting = new Map<number, (answer: Record<string, unknown>) => void>();
  let begun = "";
  let last = 0;
  output.on("data", (chunk: Buffer) => {
    const messages = (begun + chunk.toString()).split("\0");
    begun = messages.pop()!;
    for (const text of messages) {
      const { id, result, error } = JSON.parse(text) as {
        id?: number;
        result?: Record<string, unknown>;
        error?: object;
      };
      if (id !== undefined) waiting.get(id)?.(result ?? { error });
    }
  });
  return (method, params = {}, sessionId) =>
    new Promise((resolve) => {
      const id = ++last;
      waiting.set(id, resolve);
      input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
}

function windowOf(call: Call, close: () => Promise<void>): Window {
  const value = async (expression: string): Promise<unknown> => {
    const { result } = await call("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    return (result as { value?: unknown } | undefined)?.value;
  };
  const until = async (expression: string): Promise<void> => {
    for (const end = Date.now() + 15_000; (await value(expression)) !== true;) {
      if (Date.now() > end) throw new Error(`${expression} never came to hold:\n${String(await value(TEXT))}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return {
    value,
    until,
    text: async () => String(await value(TEXT)),
    async press(selector) {
      const at = `document.querySelector(${JSON.stringify(selector)})`;
      await until(`${at} !== null && !${at}.disabled`);
      const { x, y } = (await value(
        `(${at}.scrollIntoView({ block: "center" }), (({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))(${at}.getBoundingClientRect()))`,
      )) as { x: number; y: number };
      for (const type of ["mousePressed", "mouseReleased"])
        await call("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 });
    },
    async picture({ width = 900, dark = false } = {}) {
      await call("Emulation.setDeviceMetricsOverride", { width, height: 700, deviceScaleFactor: 1, mobile: false });
      const features = [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }];
      await call("Emulation.setEmulatedMedia", { features });
      const { data } = await call("Page.captureScreenshot", { format: "png" });
      return Buffer.from(data as string, "base64");
    },
    close,
  };
}

const TEXT = "document.body?.innerText ?? ''";
