import { describe, expect, it } from "vitest";
import { compiled, errors } from "../../support/compiled.ts";
import { NATIVE, project, sqlOf } from "./postgres-project.ts";

describe("what a row can't hold", () => {
  const RESTRICTED = {
    "a list of tools": "notes: [read_note]",
    "a question": "notes: { include: ['*'], ask: [add_note] }",
    "a condition": "notes: { include: ['*'], where: { add_note: { text: { pattern: a } } } }",
  };
  const files = (host: string, tools: string, more = "") => ({
    ...NATIVE,
    "rolecall.yaml": project(host),
    "mcp/team.yaml": `servers: { notes: { connect: [{ stdio: [notes] }]${more} } }\nroles: { agent: { tools: { ${tools} } } }\n`,
  });

  it.each(Object.entries(RESTRICTED))("%s keeps the server away, or stops the build", (_, tools) => {
    expect(sqlOf(files("postgres", tools)).rows).not.toContain("'notes'");
    const compilation = compiled(files("{ id: postgres, whenUnenforceable: error }", tools));
    expect(errors(compilation)).toEqual(["host/cannot-enforce"]);
  });

  it.each([
    "limits: { ratePerMinute: 5 }",
    "limits: { concurrency: 1 }",
    "limits: { timeout: 5s }",
    "tools: [read_note]",
  ])("%s keeps the server away, or stops the build", (more) => {
    expect(sqlOf(files("postgres", "notes: all", `, ${more}`)).rows).not.toContain("'notes'");
    const compilation = compiled(files("{ id: postgres, whenUnenforceable: error }", "notes: all", `, ${more}`));
    expect(errors(compilation)).toEqual(["host/cannot-enforce"]);
  });

  it("a server that was restricted and is switched off isn't there to be switched on", () => {
    expect(sqlOf(files("postgres", "notes: all", ", enabled: false")).rows).toContain("'notes'");
    for (const more of [", tools: [read_note]", ", limits: { concurrency: 1 }"])
      expect(sqlOf(files("postgres", "notes: all", `, enabled: false${more}`)).rows).not.toContain("'notes'");
    expect(sqlOf(files("postgres", "notes: [read_note]", ", enabled: false")).rows).not.toContain("'notes'");
  });

  it("two servers that one product calls alike go by their names here", () => {
    const server = "{ connect: [{ stdio: [run] }], manifest: notes, product: { id: kit, name: a } }";
    const { rows } = sqlOf({
      ...NATIVE,
      "rolecall.yaml": project("postgres"),
      "mcp/team.yaml": `servers: { b: ${server}, c: ${server}, a: { connect: [{ stdio: [a] }], manifest: notes, product: kit } }\nroles: { agent: { tools: { a: all, b: all, c: all } } }\n`,
    });
    expect(rows).toContain("name not in ('a', 'b', 'c')");
  });
});
