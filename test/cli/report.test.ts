import { describe, expect, test } from "vitest";
import { displayWidth } from "../../compiler/base/display-width.ts";
import { manifest, planned } from "../support/compiled.ts";
import { rolecall } from "../support/fake-terminal.ts";

/** What `report` says besides the table: what roles weigh, and what is dangerous together. */

const mail = (roles: string, more = "") =>
  planned({
    "mcp/servers.yaml": `servers:
  mail:
    connect: [{ stdio: [node, mail.mjs] }]
    labels: { private-data: [read], untrusted-content: [read], external: [send]${more} }
roles:
${roles}`,
    "mcp/manifests/mail.json": manifest("read", "send", "sort"),
  });

describe("tools that are dangerous together", () => {
  const both = "{ tools: { mail: { include: ['*'], ask: [send] } } }";

  test("stand below the table, once for all roles in which they are the same", async () => {
    const project = mail(
      `  clerk: ${both}\n  secretary: ${both}\n  reader: { tools: { mail: [read] } }\n`,
      ", calm: [sort]",
    );
    const { out } = await rolecall(["report"], { project, width: 80 });
    expect(out).toContain(`clerk, secretary: private data + untrusted content + a way out
  private data       mail.read
  untrusted content  mail.read
  a way out          mail.send (asked)
  gone without       mail.send
  a person           says yes to each call of what is "a way out"
`);
    expect(out).not.toContain("neither a label");
    for (const line of out.split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(80);
    const { out: markdown } = await rolecall(["report", "--markdown"], { project });
    expect(markdown).toMatch(/\n- `clerk`, `secretary`: private data.*; gone without: `mail\.send`; a person/);
  });

  test("a shell of a host's own is said in one line, with the roles that have it", async () => {
    const shell = "{ builtins: { claude-code: [Bash], opencode: [bash] }, tools: { mail: [sort] } }";
    const { out } = await rolecall(["report"], { project: mail(`  a: ${shell}\n  b: ${shell}\n`), width: 200 });
    expect(out).toContain(
      "on claude-code, opencode the host's own shell does what any tool does, each combination by itself: a, b",
    );
    expect(out).not.toContain("private data");
    expect(out).toContain(
      "neither a label nor a hint says what these are, so they count for no combination: mail.sort",
    );
  });

  test("without any label nobody is told what isn't said", async () => {
    const project = planned({
      "mcp/servers.yaml":
        "servers:\n  mail: { connect: [{ stdio: [node, mail.mjs] }] }\nroles:\n  a: { tools: { mail: all } }\n",
      "mcp/manifests/mail.json": manifest("read"),
    });
    expect((await rolecall(["report"], { project })).out.trimEnd().split("\n")).toHaveLength(2);
  });

  test("as JSON, whole", async () => {
    const { out } = await rolecall(["report", "--json"], { project: mail(`  clerk: ${both}\n`) });
    const [role] = JSON.parse(out).roles;
    expect(role.combinations).toEqual([
      {
        kind: "leak",
        host: null,
        parts: [
          {
            part: "private-data",
            tools: [{ server: "mail", name: "read", effect: "allow", where: false, through: null }],
          },
          {
            part: "untrusted-content",
            tools: [{ server: "mail", name: "read", effect: "allow", where: false, through: null }],
          },
          { part: "way-out", tools: [{ server: "mail", name: "send", effect: "ask", where: false, through: null }] },
        ],
        goneWithout: [{ server: "mail", name: "send" }],
        asked: true,
      },
    ]);
    expect(role.unknown).toEqual([{ server: "mail", name: "sort", effect: "allow", where: false, through: null }]);
    expect(role.tokens).toEqual({ held: expect.any(Number), all: role.tokens.held, unpinned: 0 });
    expect(role.servers[0].tokens).toEqual(role.tokens);
  });
});

test("--tokens goes through the servers", async () => {
  const { out } = await rolecall(["report", "--tokens"], { width: 80 });
  expect(out).toBe(`role    files     github     notes       in all
reader  ·         37 of 114  1 unpinned  37 of 114, 1 unpinned
tester  74 of 74  74 of 114  ·           148 of 188

tokens of definitions, about: held, of all tools of these servers
`);
  expect((await rolecall(["report", "--tokens", "--server", "files"])).exit).toBe(64);
});
