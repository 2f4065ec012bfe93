import { expect, test } from "vitest";
import { compiled, decision, errors, manifest } from "../support/compiled.ts";

/** The sentence that the project exists for: the backend developer sees the database, the designer doesn't. */
const files = {
  "mcp/team.yaml": `
servers:
  postgres: { connect: [{ stdio: [postgres-server, "\${DATABASE_URL}"] }] }
  files: { connect: [{ stdio: [files-server] }], root: /srv/app }
roles:
  backend-dev: { tools: { postgres: all, files: all } }
  designer:
    tools:
      files:
        include: [read_file, write_file]
        where: { write_file: { path: { glob: "assets/**" } } }
invariants:
  - { name: no database for designers, never: { roles: [designer], tools: ["postgres.*"] } }
  - { name: the backend can query, can: { roles: [backend-dev], tools: [postgres.query] } }
`,
  "mcp/manifests/postgres.json": manifest({ name: "query", arguments: ["sql"] }),
  "mcp/manifests/files.json": manifest(
    { name: "read_file", annotations: { readOnlyHint: true }, arguments: ["path"] },
    { name: "write_file", arguments: ["path"] },
  ),
};

test("the backend developer sees the database, the designer doesn't", () => {
  const project = compiled(files);
  expect(errors(project)).toEqual([]);
  expect(decision(project, "backend-dev", "postgres", "query")?.effect).toBe("allow");
  expect(decision(project, "designer", "postgres", "query")).toBeUndefined();
});

test("giving it to the designer breaks the build, at the invariant", () => {
  const given = files["mcp/team.yaml"].replace(
    "      files:\n        include",
    "      postgres: [query]\n      files:\n        include",
  );
  expect(errors(compiled({ ...files, "mcp/team.yaml": given }))).toEqual(["invariant/never"]);
});
