import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { TemplateData, TransportData } from "../../../runtime/server-data.ts";
import { errorOf, fault, http, open, serverData, startFault, stdio } from "../../support/linked.ts";

/** What becomes of `${...}` at a connection. */

const plain = (name: string) => ({ name, form: "plain", word: [] }) as const;
const orElse = (name: string, ...word: TemplateData) => ({ name, form: "default", word }) as const;
const ifSet = (name: string, ...word: TemplateData) => ({ name, form: "if-set", word }) as const;
const required = (name: string, ...word: TemplateData) => ({ name, form: "required", word }) as const;

async function environment(templates: Record<string, TemplateData>, env: Record<string, string> = {}) {
  return (await open(serverData([fault({}, templates)]), env).call("seen")).env;
}

describe("text", () => {
  test("plain, default, nested", async () => {
    const templates = {
      A: ["<", plain("SET"), ">"],
      B: [orElse("UNSET", "d")],
      C: [orElse("UNSET", "x-", orElse("EMPTY", plain("SET")))],
      D: [ifSet("SET", "?p=", plain("SET"))],
      E: [orElse("UNSET")],
      F: [required("SET", "say why")],
    };
    const env = await environment(templates, { SET: "value", EMPTY: "" });
    expect(env).toMatchObject({ A: "<value>", B: "d", C: "x-value", D: "?p=value", E: "", F: "value" });
  });

  test("what comes to nothing through `:+` is left out: environment, arguments, headers", async () => {
    expect(await environment({ GONE: [ifSet("UNSET", "x")], KEPT: ["a", ifSet("UNSET", "x")] })).toMatchObject({
      KEPT: "a",
    });
    expect(await environment({ GONE: [ifSet("UNSET", "x")] })).not.toHaveProperty("GONE");
    const entry = fault({}, {}, [[ifSet("UNSET", "--flag")], ["--kept=", ifSet("UNSET", "x")], [orElse("UNSET")]]);
    expect((await open(serverData([entry])).call("seen")).argv).toEqual(["--kept=", ""]);
    const server = await startFault({});
    const headers = { "X-Gone": [ifSet("UNSET", "x")], "X-Kept": ["a", ifSet("UNSET", "x")] };
    const seen = await open(serverData([http(server.url, headers)])).call("seen");
    expect(seen.headers).toMatchObject({ "x-kept": "a" });
    expect(seen.headers).not.toHaveProperty("x-gone");
  });

  test("one expansion is one argument, and no shell reads it", async () => {
    const hostile = `a b; echo "$HOME" | tee 'x' \n *`;
    const { call } = open(serverData([fault({}, {}, [[plain("WORDS")]])]), { WORDS: hostile });
    expect((await call("seen")).argv).toEqual([hostile]);
  });

  test("they are read again at each connection", async () => {
    const env = { TOKEN: "one" };
    const { call, failure } = open(serverData([fault({}, { TOKEN: [plain("TOKEN")] })]), env);
    expect((await call("seen")).env.TOKEN).toBe("one");
    env.TOKEN = "two";
    expect((await call("seen")).env.TOKEN).toBe("one");
    await failure("die");
    expect((await call("seen")).env.TOKEN).toBe("two");
  });
});

describe("a missing variable", () => {
  test.each([
    ["unset", {}],
    ["empty", { NEEDED: "" }],
  ])("%s fails the server with its name, whatever else could be tried", async (_, env) => {
    const { failure, link, events } = open(serverData([fault({}, { X: [plain("NEEDED")] }), fault()]), env);
    const error = await failure("echo");
    expect(error).toMatchObject({ code: "missing-variable", server: "faulty" });
    expect(error.message).toBe("faulty needs the variable NEEDED, which isn't set: set it and try again");
    expect(link.state).toBe("down");
    expect(events.map((event) => event.type)).toEqual(["down"]);
  });

  test("is looked for again at the next call", async () => {
    const env: Record<string, string> = {};
    const { call, failure } = open(serverData([fault({}, { X: [plain("NEEDED")] })]), env);
    await failure("echo");
    env["NEEDED"] = "here";
    expect((await call("seen")).env.X).toBe("here");
  });

  test("says what its author wrote", async () => {
    const entry = fault({}, { X: [required("NEEDED", "ask ", orElse("WHOM", "the data team"))] });
    expect((await open(serverData([entry])).failure("echo")).message).toBe(
      "faulty needs the variable NEEDED, which isn't set: ask the data team",
    );
    const hidden = fault({}, { X: [required("NEEDED", "not ", plain("OTHER"))] });
    expect((await open(serverData([hidden]), { OTHER: "its value" }).failure("echo")).message).toBe(
      "faulty needs the variable NEEDED, which isn't set: not ${OTHER}",
    );
  });

  test("is told with all the others of its transport", async () => {
    const entry = fault({}, { X: [plain("FIRST"), required("SECOND", "ask for it")] }, [[plain("THIRD")]]);
    expect((await open(serverData([entry])).failure("echo")).message).toBe(
      "faulty needs the variables FIRST, SECOND, THIRD, which aren't set: ask for it",
    );
    const cwd = [plain("WHERE")];
    const nowhere: TransportData = { kind: "stdio", command: [["x", plain("OTHER")]], env: [], cwd };
    expect((await open(serverData([nowhere])).failure("echo")).message).toBe(
      "faulty needs the variables OTHER, WHERE, which aren't set: set them and try again",
    );
    const web = http(["https://api.example.com/", plain("PART")], { Authorization: ["Bearer ", plain("TOKEN")] });
    expect((await open(serverData([web])).failure("echo")).message).toContain("the variables PART, TOKEN, which");
  });

  test("that can't be read isn't set", async () => {
    const env = () => Promise.reject(new Error("the store is closed: s3cret"));
    const error = await open(serverData([fault({}, { X: [plain("NEEDED")] })]), env).failure("echo");
    expect(error.message).toBe("faulty needs the variable NEEDED, which isn't set: it couldn't be read");
  });

  test("in another transport doesn't matter while this one works", async () => {
    const { link } = open(serverData([fault(), fault({}, { X: [plain("NEEDED")] })]));
    expect(await link.connect()).toMatchObject({ transport: "stdio" });
  });
});

describe("the folder of a child", () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-link-")));
  const at = (cwd?: TemplateData): TransportData => {
    const entry = fault();
    return entry.kind === "stdio" && cwd !== undefined ? { ...entry, cwd } : entry;
  };

  test("is the project's, or written: absolute, or below the project's", async () => {
    expect((await open(serverData([at()]), {}, folder).call("seen")).cwd).toBe(folder);
    expect((await open(serverData([at([plain("WHERE")])]), { WHERE: folder }).call("seen")).cwd).toBe(folder);
    const below = open(serverData([at(["."])]), {}, folder);
    expect((await below.call("seen")).cwd).toBe(folder);
  });

  test.each([[[plain("WHERE")]], [[orElse("WHERE")]], [[ifSet("WHERE", "x")]]])(
    "is never the process's own for want of a variable: %j",
    async (cwd) => {
      const error = await open(serverData([at(cwd)])).failure("echo");
      expect(error).toMatchObject({ code: "missing-variable" });
      expect(error.message).toContain("WHERE");
    },
  );

  test("must exist", async () => {
    const error = await open(serverData([at(["nowhere"])]), {}, folder).failure("echo");
    expect(error.message).toBe("faulty can't be connected: its folder nowhere doesn't exist");
  });
});

describe("an address", () => {
  test("takes variables behind the host", async () => {
    const server = await startFault({});
    const url: TemplateData = [`${server.url}/`, plain("PROJECT"), ifSet("REF", "?ref=", plain("REF"))];
    const seen = await open(serverData([http(url)]), { PROJECT: "a/../b", REF: "x" }).call("seen");
    expect(seen.url).toBe("/mcp/b?ref=x");
  });

  test.each(["//elsewhere.example/", "\\\\elsewhere.example", "@elsewhere.example/", "../../..//x"])(
    "keeps its origin, whatever %s holds",
    async (value) => {
      const server = await startFault({});
      const seen = await open(serverData([http([`${server.url}/`, plain("P")])]), { P: value }).call("seen");
      expect(seen.headers.host).toBe(`127.0.0.1:${server.port}`);
    },
  );

  test.each(["https://127.0.0.1", "https://me@127.0.0.1"])(
    "that a variable would move is refused: %s",
    async (written) => {
      const error = await open(serverData([http([written, plain("P")])]), { P: "1@elsewhere.example/" }).failure(
        "echo",
      );
      expect(error.message).toBe("faulty can't be connected: its variables would move it to another origin");
    },
  );

  test("may be a variable as a whole, of http or https, and plain http for this machine alone", async () => {
    const server = await startFault({});
    await open(serverData([http([plain("URL")])]), { URL: server.url }).call("echo");
    const refused = async (URL: string) =>
      (await open(serverData([http([plain("URL")])]), { URL }).failure("echo")).message;
    expect(await refused("http://example.com/mcp")).toMatch(/plain http/);
    expect(await refused("file:///etc/passwd")).toMatch(/no http or https URL/);
    expect(await refused("nonsense")).toMatch(/no http or https URL/);
    expect(await refused("https://me:pw@example.com/mcp")).toMatch(/holds a user name or password/);
  });
});

test("a header that can't be sent is refused before anything is, unseen", async () => {
  const entry = http("https://api.example.com/mcp", { Authorization: ["Bearer ", plain("TOKEN")] });
  const { failure, events } = open(serverData([entry]), { TOKEN: "one\ntwo" });
  const error = await failure("echo");
  expect(error.message).toBe(
    "faulty can't be connected: the header `Authorization` would hold a line break or another character that headers can't",
  );
  expect(JSON.stringify([error, events])).not.toContain("two");
});

describe("secrets", () => {
  test("are told: values of headers, environment and arguments from six characters on, no paths", async () => {
    const entry = fault({}, { A: [plain("TOKEN")], B: [plain("PIN")], C: [orElse("UNSET", "written-default")] }, [
      [plain("FOLDER")],
      [plain("DATABASE")],
    ]);
    const env = { TOKEN: "s3cret-token", PIN: "12345", FOLDER: import.meta.dirname, DATABASE: "postgresql://u:p@db/x" };
    const { link, secrets } = open(serverData([entry]), env);
    await link.connect();
    expect(new Set(secrets)).toEqual(new Set(["s3cret-token", "postgresql://u:p@db/x"]));
  });

  test("are what several references make together, and what stands under a name that says secret, too", async () => {
    const templates = {
      URL: ["https://h/", plain("A"), plain("B"), "/mcp?n=", plain("C")],
      API_KEY: ["key-", plain("A"), "-", plain("C")],
      OWN_TOKEN: [orElse("UNSET", "written-default")],
    };
    const { link, known } = open(serverData([fault({}, templates)]), { A: "ab1cd", B: "ef2gh", C: "ij3kl" });
    await link.connect();
    const said = "https://h/ab1cdef2gh/mcp?n=ij3kl key-ab1cd-ij3kl ab1cd written-default";
    expect(known.text(said)).toBe("https://h/***/mcp?n=ij3kl *** ab1cd written-default");
    expect(known.text(Buffer.from("x:ab1cdef2gh").toString("base64"))).toMatch(/^.{0,4}\*\*\*.{0,4}$/);
  });

  test("given anew for each connection are known while it is there, and then until a hundred others came", async () => {
    let given = 0;
    const tokens = fault({}, { T: [plain("TOKEN")] });
    const { link, failure, skip, known } = open(serverData([tokens]), () => `s3cret-token-${given++}-end`);
    await link.connect();
    const others = (name: string): void => {
      for (let i = 0; i < 100; i++) known.add(`another ${name} ${i}`)();
    };
    others("a");
    expect(known.text("s3cret-token-0-end")).toBe("***");
    await failure("die");
    skip(60_000);
    await link.connect();
    expect(known.text("s3cret-token-0-end s3cret-token-1-end")).toBe("*** ***");
    others("b");
    expect(known.text("s3cret-token-0-end s3cret-token-1-end")).toBe("s3cret-token-0-end ***");
    await link.close();
    others("c");
    expect(known.text("s3cret-token-1-end")).toBe("s3cret-token-1-end");
  });

  test("of a connection that never came are let go too", async () => {
    const { failure, known, link } = open(serverData([fault({ die: true }, { T: [plain("TOKEN")] })]), {
      TOKEN: "s3cret-token",
    });
    await failure("echo");
    for (let i = 0; i < 100; i++) known.add(`another ${i}`)();
    // It may be as good as before, and what the next one reads takes its place.
    expect(known.text("s3cret-token")).toBe("***");
    await link.close();
    for (let i = 0; i < 100; i++) known.add(`one more ${i}`)();
    expect(known.text("s3cret-token")).toBe("s3cret-token");
  });

  test("don't stand in errors, events or causes, nor what would steer a terminal", async () => {
    const chatter = "loading\u001b[31m\nbad key: s3cret-token\n";
    const entry = fault({ initialize: "die", chatter, lastWords: "s3cret-token is no good" }, { T: [plain("TOKEN")] });
    const { failure, events } = open(serverData([entry]), { TOKEN: "s3cret-token" });
    const error = await failure("echo");
    expect(error.message).toBe("faulty can't be reached: it ended with exit code 3");
    expect(error.cause).toMatchObject({ said: "loading\nbad key: ***\n*** is no good" });
    expect(events[0]).toMatchObject({
      why: "it ended with exit code 3, and said: loading\nbad key: ***\n*** is no good",
    });
    const all = JSON.stringify([error.message, error.advice, error.cause, error.stack, events]);
    expect(all).not.toMatch(/s3cret|\\u001b/);
  });

  test("don't stand in what a server says over HTTP", async () => {
    const server = await startFault({ initialize: 500, body: "no such key s3cret-token" });
    const header = http(server.url, { Authorization: ["Bearer ", plain("TOKEN")] });
    const { failure, events } = open(serverData([header]), { TOKEN: "s3cret-token" });
    const error = await failure("echo");
    expect(error.message).toBe("faulty can't be reached: it answered 500");
    expect(error.cause).toMatchObject({ said: "no such key ***" });
    expect(JSON.stringify(events)).not.toContain("s3cret");
  });
});

test("a child inherits the safe variables and gets what is written, nothing else", async () => {
  process.env["ROLECALL_TEST_LEAK"] = "leak";
  try {
    const env = await environment({ OWN: ["x"] });
    const safe = ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "OWN"];
    // Node and macOS add some of their own.
    expect(Object.keys(env).filter((name) => !safe.includes(name) && !name.startsWith("__"))).toEqual([]);
    expect(env.PATH).toBe(process.env["PATH"]);
  } finally {
    delete process.env["ROLECALL_TEST_LEAK"];
  }
});

test("a command that comes to nothing is told", async () => {
  const { link } = open(serverData([stdio([[orElse("UNSET")]])]));
  expect((await errorOf(link.connect())).message).toBe("faulty can't be connected: its command is empty");
});
