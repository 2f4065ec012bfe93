import { existsSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { engine } from "../../compiler/cli/engine.ts";
import { main } from "../../compiler/cli/main.ts";
import { hasBrowser, openBrowser, type Browser, type Window } from "../support/browser.ts";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { sendRaw, type RawRequest } from "../support/raw-http.ts";
import { realServer, servedProject, type Connected, type ServedProject } from "../support/served-project.ts";

/** The inbox on a page: in a real browser, and as whoever has no key and another page would reach for it. */
let cli: BundledCli;
let project: ServedProject;
let browser: Browser | undefined;
const open: Connected[] = [];
const pages: Page[] = [];

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(cli.entry, {
    "rolecall.yaml": `version: 1
project: harbor
serve: { idle: 1s, askHold: 5s, askTimeout: 30s }
servers:
  files: { connect: [{ stdio: [${process.execPath}, ${realServer("filesystem")}, .], cwd: . }], root: . }
roles:
  tester: { tools: { files: { include: [create_directory, read_text_file], ask: [create_directory] } } }
`,
  });
  if (hasBrowser) browser = await openBrowser();
}, 120_000);
afterEach(async () => {
  for (const page of pages.splice(0)) await page.end();
  for (const { client } of open.splice(0)) await client.close();
  project.typed("serve", "--stop");
});
afterAll(async () => {
  await browser?.end();
  project.remove();
  cli.remove();
});

interface Page {
  readonly address: string;
  readonly key: string;
  readonly ended: Promise<number>;
  end(): Promise<void>;
}

/** `rolecall asks --page`, at a terminal. */
async function openPage(): Promise<Page> {
  let printed = "";
  let stop = (): void => {};
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const stream = { write: (text: string) => void (printed += text), isTerminal: true, width: 80 };
  const ended = main(
    ["asks", "--page"],
    {
      out: stream,
      err: stream,
      env: project.env,
      cwd: project.dir,
      now: Date.now,
      stopped: () => stopped,
      answer: async () => undefined,
    },
    engine,
  );
  const said = (): RegExpExecArray | null => /(http:\/\/127\.0\.0\.1:\d+)\/#(\S+)/.exec(printed);
  for (const late = Date.now() + 15_000; said() === null;) {
    if (Date.now() > late) throw new Error(printed);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const [, address = "", key = ""] = said()!;
  const page = { address, key, ended, end: async () => (stop(), void (await ended)) };
  pages.push(page);
  return page;
}

async function connect(): Promise<Connected["client"]> {
  const connected = await project.connect(["--role", "tester"]);
  open.push(connected);
  await connected.client.callTool({ name: "files__read_text_file", arguments: { path: "rolecall.yaml" } });
  return connected.client;
}

async function asked(client: Connected["client"], folder: string): Promise<string> {
  const answer = await client.callTool({ name: "files__create_directory", arguments: { path: folder } });
  return (answer.content as readonly { text: string }[])[0]!.text;
}

const isThere = (folder: string): boolean => existsSync(path.join(project.dir, folder));

describe.runIf(hasBrowser)("in a browser", () => {
  async function shown({ address, key }: Page, says = "Nothing waits"): Promise<Window> {
    const window = await browser!.open(`${address}/#${key}`);
    await window.until(`document.body?.innerText.includes(${JSON.stringify(says)})`);
    return window;
  }

  test("a call waits there, one click lets it go, and a second window is told", async () => {
    const client = await connect();
    const page = await openPage();
    const [window, second] = [await shown(page), await shown(page)];
    expect(await window.value("location.href")).toBe(`${page.address}/`);
    const call = asked(client, "odd\u202ename<b>x</b>");
    await second.until("document.querySelectorAll('article').length === 1");
    await window.until("document.querySelectorAll('article').length === 1");
    expect(await window.text()).toContain("tester wants to call files.create_directory");
    expect(await window.text()).toContain(String.raw`path: "odd\u202ename<b>x</b>"`);
    expect(await window.value("document.title")).toBe("(1) rolecall asks");
    // What was pressed before it could be read is no answer.
    expect(await window.value("document.querySelector('button.yes').disabled")).toBe(true);
    await window.press("button.yes");
    expect(await call).toContain("Successfully created");
    await window.until("document.body.innerText.includes('Yes, at')");
    await second.until("document.body.innerText.includes('It needs no answer any more.')");
    expect(await second.value("document.title")).toBe("rolecall asks");
  });

  test("a second click at the same place is no yes to the next one", async () => {
    const client = await connect();
    const window = await shown(await openPage());
    const calls = [asked(client, "first"), asked(client, "second")];
    await window.until("document.querySelectorAll('article').length === 2");
    await window.until("[...document.querySelectorAll('button.yes')].every((one) => !one.disabled)");
    const places = "[...document.querySelectorAll('button.yes')].at(-1).getBoundingClientRect().y + scrollY";
    const before = await window.value(places);
    await window.press("button.yes");
    await window.until("document.querySelectorAll('article.over').length === 1");
    expect(await window.value(places)).toBe(before);
    await window.press("article:not(.over) button.no");
    await Promise.all(calls);
    expect(["first", "second"].filter(isThere)).toHaveLength(1);
  });

  test("a no does nothing, and long values are folded until somebody wants all", async () => {
    const client = await connect();
    const window = await shown(await openPage());
    const call = asked(client, `${"a/".repeat(1000)}end`);
    await window.until("document.querySelector('article button.all') !== null");
    expect(await window.text()).toContain(" characters, sha256:");
    await window.press("button.all");
    await window.until("document.querySelector('pre').textContent.includes('/end')");
    await window.press("button.no");
    expect(await call).toContain("the answer was no");
    expect(isThere("a")).toBe(false);
  });

  test("while no window shows it nobody is there, and a page that has ended says so", async () => {
    const client = await connect();
    const page = await openPage();
    expect(await asked(client, "unseen")).toContain("nobody is there");
    const window = await shown(page);
    const held = asked(client, "seen");
    await window.until("document.querySelectorAll('article').length === 1");
    await window.close();
    expect(await held).toContain("Make the same call again, unchanged");
    expect(await asked(client, "seen-again")).toContain("nobody is there");
    const last = await shown(page, "1 waits");
    await page.end();
    await last.until("document.body.innerText.includes('has ended')");
    expect(["unseen", "seen", "seen-again"].filter(isThere)).toEqual([]);
  });

  test("a daemon that comes again is found, without a word to the person", async () => {
    const client = await connect();
    const window = await shown(await openPage());
    project.typed("serve", "--stop");
    await window.until("document.body.innerText.includes('Nothing serves this project now')");
    await client.listTools();
    await window.until("document.body.innerText.includes('Nothing waits')");
    const call = asked(client, "after-all");
    await window.press("button.yes");
    expect(await call).toContain("Successfully created");
  });

  test("runs its own program and no other, and reads without its key nothing", async () => {
    const page = await openPage();
    const window = await shown(page, "Nothing serves");
    const outside = "fetch('http://localhost:1/').then(() => 'went', (e) => e.name)";
    expect(await window.value(outside)).toBe("TypeError");
    const inline = `new Promise((done) => {
      const script = document.createElement("script");
      script.textContent = "globalThis.ran = true";
      document.body.append(script);
      setTimeout(() => done(globalThis.ran === true), 50);
    })`;
    expect(await window.value(inline)).toBe(false);
    const keyless = await browser!.open(`${page.address}/#${"A".repeat(43)}`);
    await keyless.until("document.body?.innerText.includes('no key, or an old one')");
  });
});

describe("whoever isn't its page", () => {
  const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

  test("is refused without the key, from another origin, and under another name", async () => {
    const { address, key } = await openPage();
    const { host } = new URL(address);
    const status = async (request: RawRequest): Promise<number> => (await sendRaw(address, request)).status;
    const body = JSON.stringify({ id: "a", hash: "b", yes: true });
    expect(await status({ path: "/asks" })).toBe(401);
    expect(await status({ path: `/asks?key=${key}`, headers: { cookie: `key=${key}` } })).toBe(401);
    expect(await status({ method: "POST", path: "/answer", body })).toBe(401);
    for (const name of ["evil.example", "localhost", "127.0.0.1", `evil.example:${host.split(":")[1]}`])
      expect(await status({ path: "/", headers: { host: name } })).toBe(403);
    for (const origin of ["null", "http://evil.example", "http://127.0.0.1", "http://127.0.0.1:1"])
      expect(await status({ method: "POST", path: "/answer", body, headers: { ...bearer(key), origin } })).toBe(403);
    expect(await status({ method: "OPTIONS", path: "/answer", headers: { origin: "http://evil.example" } })).toBe(403);
  });

  test("with it: only what is there, and only true or false", async () => {
    const { address, key } = await openPage();
    const post = async (path: string, body: string): Promise<readonly [number, string]> => {
      const { status, text } = await sendRaw(address, { method: "POST", path, body, headers: bearer(key) });
      return [status, text];
    };
    expect((await sendRaw(address, { path: "/other", headers: bearer(key) })).status).toBe(404);
    expect((await sendRaw(address, { path: "/answer", headers: bearer(key) })).status).toBe(404);
    for (const body of ["", "[]", "{", '{"id":"a","hash":"b"}', '{"id":"a","hash":"b","yes":"true"}', '{"id":1}'])
      expect((await post("/answer", body))[0]).toBe(400);
    expect(await post("/answer", '{"id":"a","hash":"b","yes":true}')).toEqual([
      200,
      '{"done":false,"why":"nothing with this id waits: it was answered, its time is over, or it never was"}',
    ]);
    expect(await post("/whole", '{"id":"__proto__"}')).toEqual([200, '{"lines":null}']);
  });

  test("what a project doesn't name isn't opened: the terminal says what to write", async () => {
    const written = project.read("rolecall.yaml");
    project.write("rolecall.yaml", written.replace("askHold: 5s", "askHold: 5s, approvers: [terminal]"));
    await project.run("build");
    try {
      await connect();
      const { address, key, ended } = await openPage();
      const window = sendRaw(address, { path: "/asks", headers: bearer(key) });
      expect(await ended).toBe(1);
      await expect(window).rejects.toThrow("aborted");
    } finally {
      project.write("rolecall.yaml", written);
      await project.run("build");
    }
  });

  test("the page is no place for an agent's shell, or for what isn't a terminal", () => {
    expect(project.typed("asks", "--page")).toMatchObject({ exit: 1, out: "" });
  });
});
