import { fc } from "../../support/generated.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { manifest } from "../../support/compiled.ts";
import { hasPostgres, ownPostgres, type OwnPostgres } from "../../support/postgres.ts";
import { NATIVE, project, sqlOf } from "./postgres-project.ts";

/** Products' servers, written as rows, run by psql against a real database, and read back. */
const LISTED = `select product_id, name, description, transport, config, enabled
  from kb.project_mcp_servers where project_id = $1 order by product_id nulls first, name`;

describe.skipIf(!hasPostgres)("rows in a real PostgreSQL", () => {
  let database: OwnPostgres;
  beforeAll(async () => void (database = await ownPostgres()));
  afterAll(() => database.end());
  beforeEach(() => void runs("drop schema if exists kb cascade;"));

  function runs(sql: string): void {
    const said = database.psql(sql);
    expect([said.exit, said.err]).toEqual([0, ""]);
  }

  function install(files: Readonly<Record<string, string>>): void {
    const { migration, rows } = sqlOf(files);
    runs(migration);
    runs(rows);
  }

  const listed = async (project = "test") => (await database.query(LISTED, [project])).rows;

  it("has the columns, and a migration that runs twice", async () => {
    const { migration } = sqlOf(TWO_PRODUCTS);
    runs(migration);
    runs(migration);
    const { rows } = await database.query(
      "select column_name as name, udt_name as type, is_nullable as empty from information_schema.columns where table_schema = 'kb' and table_name = 'project_mcp_servers' order by ordinal_position",
    );
    expect(rows.map(({ name, type, empty }) => `${String(name)} ${String(type)} ${String(empty)}`)).toEqual([
      "id uuid NO",
      "project_id text NO",
      "product_id text YES",
      "name text NO",
      "description text YES",
      "transport mcp_transport NO",
      "config jsonb NO",
      "enabled bool NO",
      "created_at timestamptz NO",
      "updated_at timestamptz NO",
    ]);
    const kinds = await database.query("select enumlabel as kind from pg_enum order by enumsortorder");
    expect(kinds.rows.map(({ kind }) => kind)).toEqual(["stdio", "sse"]);
  });

  it("holds each product's servers under its id, with references and without values", async () => {
    process.env["SEARCH_API_KEY"] = "value-of-the-environment";
    install(TWO_PRODUCTS);
    delete process.env["SEARCH_API_KEY"];
    expect(await listed()).toEqual([
      {
        product_id: "help-desk",
        name: "tickets",
        description: null,
        transport: "sse",
        config: { url: "https://desk.example.com/sse", headers: { Authorization: "Bearer ${DESK_TOKEN}" } },
        enabled: true,
      },
      {
        product_id: "research-kit",
        name: "Web Search",
        description: "Finds pages.",
        transport: "stdio",
        config: { command: "npx", args: ["-y", "web@1.4.0"], env: { SEARCH_API_KEY: "${SEARCH_API_KEY}" } },
        enabled: true,
      },
      {
        product_id: "research-kit",
        name: "archive",
        description: null,
        transport: "stdio",
        config: { command: "archive" },
        enabled: false,
      },
    ]);
  });

  it("changes times when something changed, and keeps the id and what else is there", async () => {
    const facts = "select id, created_at, updated_at, xmin::text from kb.project_mcp_servers where name = 'tickets'";
    install(TWO_PRODUCTS);
    const first = (await database.query(facts)).rows;
    install(TWO_PRODUCTS);
    expect((await database.query(facts)).rows).toEqual(first);
    install({ ...TWO_PRODUCTS, "desk.json": TWO_PRODUCTS["desk.json"].replace("desk.example", "desk2.example") });
    const [after] = (await database.query(facts)).rows;
    expect(after).toMatchObject({ id: first[0]!["id"], created_at: first[0]!["created_at"] });
    expect(after!["updated_at"]).not.toBe(first[0]!["updated_at"]);
  });

  it("fits into a table that the app made, with types of its own", async () => {
    const columns =
      "id serial primary key, project_id uuid, product_id uuid, name text, description text, transport varchar(9), config jsonb, enabled bool, created_at timestamptz default now(), updated_at timestamptz default now(), owner text";
    runs(`create schema kb; create table kb.project_mcp_servers (${columns});`);
    const [one, other] = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];
    const files = { ...NATIVE, "rolecall.yaml": project(`{ id: postgres, project: ${one}, product: ${other} }`) };
    install(files);
    install(files);
    expect(await listed(one)).toMatchObject([{ product_id: other, name: "notes", transport: "stdio", enabled: true }]);
  });

  it("switches off what its product no longer has, and nobody else's", async () => {
    install(TWO_PRODUCTS);
    const columns = "(project_id, product_id, name, transport, config)";
    const others = "('other', 'research-kit', 'mine', 'sse', '{}'), ('test', null, 'own', 'sse', '{}')";
    runs(`insert into kb.project_mcp_servers ${columns} values ('test', 'help-desk', 'gone', 'sse', '{}'), ${others};`);
    install(TWO_PRODUCTS);
    const { rows } = await database.query("select name from kb.project_mcp_servers where not enabled order by name");
    expect(rows.map(({ name }) => name)).toEqual(["archive", "gone"]);
  });

  it("has a name once for a project, without a product too", async () => {
    install({ ...NATIVE, "rolecall.yaml": project("postgres") });
    expect(await listed()).toMatchObject([{ product_id: null, name: "notes", enabled: true }]);
    const again =
      "insert into kb.project_mcp_servers (project_id, name, transport, config) values ('test', 'notes', 'sse', '{}');";
    expect(database.psql(again).err).toContain("duplicate key");
    const withProduct = again.replace("(project_id,", "(product_id, project_id,").replace("('test'", "('p', 'test'");
    runs(withProduct);
    expect(database.psql(withProduct).err).toContain("duplicate key");
    install({ ...NATIVE, "rolecall.yaml": project("{ id: postgres, project: p-1, product: kit }") });
    expect(await listed("p-1")).toMatchObject([{ product_id: "kit", name: "notes" }]);
  });

  it("takes the project from a variable of psql, and does nothing without it", async () => {
    const { migration, rows } = sqlOf({
      ...NATIVE,
      "rolecall.yaml": project("{ id: postgres, project: { variable: project_id } }"),
    });
    runs(migration);
    for (const lenient of [false, true]) {
      for (const variables of [{}, { project_id: "" }]) {
        const said = database.psql(rows, { lenient, variables });
        expect([said.exit, said.err]).toEqual([3, expect.stringContaining("psql -v project_id=...")]);
      }
    }
    const odd = "it's \\ :'x' $$ \"here\"";
    expect(database.psql(rows, { variables: { project_id: odd } }).err).toBe("");
    expect(await listed(odd)).toHaveLength(1);
    expect((await database.query("select 1 as n from kb.project_mcp_servers")).rows).toHaveLength(1);
  });

  it("holds a way that the column takes, and http where it is said to", async () => {
    const ways = "[{ http: https://a.example/mcp }, { sse: https://a.example/sse }]";
    const files = { ...NATIVE, "mcp/team.yaml": NATIVE["mcp/team.yaml"].replace("[{ stdio: [notes] }]", ways) };
    install({ ...files, "rolecall.yaml": project("postgres") });
    expect(await listed()).toMatchObject([{ transport: "sse", config: { url: "https://a.example/sse" } }]);
    install({ ...files, "rolecall.yaml": project("{ id: postgres, transports: [stdio, sse, http] }") });
    expect(await listed()).toMatchObject([{ transport: "http", config: { url: "https://a.example/mcp" } }]);
  });

  it("comes back as it was, by way of an export", async () => {
    install(TWO_PRODUCTS);
    runs("update kb.project_mcp_servers set description = 'Edited $1 ''there''' where name = 'tickets';");
    const { rows } = await database.query("select * from kb.project_mcp_servers order by name");
    const { "rolecall.yaml": _, "research.yaml": __, "desk.json": ___, ...manifests } = TWO_PRODUCTS;
    const before = await listed();
    install({
      ...manifests,
      "rolecall.yaml": `${project("postgres")}imports: [rows.json]\n`,
      "rows.json": JSON.stringify(rows),
    });
    expect(await listed()).toEqual(before);
    const after = (await database.query("select * from kb.project_mcp_servers order by name")).rows;
    expect(after).toEqual(rows);
  });

  it("takes any text for text", async () => {
    const text = fc.oneof(
      fc.constantFrom(...HOSTILE),
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.array(fc.constantFrom(...HOSTILE, "a", "ě", "😀"), { maxLength: 4 }).map((parts) => parts.join("")),
    );
    const one = fc.record({ description: text, args: fc.array(text, { maxLength: 2 }), value: text, name: text });
    const settings: Readonly<Record<string, string>>[] = [
      {},
      { PGOPTIONS: "-c client_min_messages=warning -c standard_conforming_strings=off", PGCLIENTENCODING: "SJIS" },
      { PGOPTIONS: "-c client_min_messages=warning -c backslash_quote=on", PGCLIENTENCODING: "LATIN1" },
    ];
    let stored = 0;
    const property = fc.asyncProperty(
      fc.array(one, { minLength: 8, maxLength: 8 }),
      fc.constantFrom(...settings),
      async (list, env) => {
        const servers = list.map(({ description, args, value, name }, i) => ({
          name: `n${i} ${nameable(sayable(name))}`,
          ...(description !== "" && { description }),
          transport: "stdio",
          config: { command: "run", args: args.map(sayable), env: { VALUE: sayable(value) } },
        }));
        const { migration, rows } = sqlOf(filesFor(servers));
        const said = database.psql(`${migration}delete from kb.project_mcp_servers;\n${rows}`, {
          env,
          variables: { x: "changed", name: "changed" },
        });
        expect([said.exit, said.err]).toEqual([0, ""]);
        const kept = servers.filter(({ config }) => isHeld(JSON.stringify(config)));
        const back = new Map((await listed()).map(({ name, ...row }) => [name, row]));
        expect(back.size).toBe(kept.length);
        for (const { name, config, description = null } of kept) {
          const { args, ...rest } = config;
          expect(back.get(name)).toMatchObject({
            description: description?.replaceAll("\0", "\ufffd") ?? null,
            config: args.length === 0 ? rest : config,
          });
        }
        stored += kept.length;
      },
    );
    await fc.assert(property, { numRuns: 25, interruptAfterTimeLimit: 20_000 });
    expect(stored).toBeGreaterThan(50);
  });
});

const TWO_PRODUCTS = {
  "rolecall.yaml": `${project("postgres")}imports: [research.yaml, desk.json]\n`,
  "research.yaml": `id: research-kit
mcp:
  servers:
    - name: Web Search
      description: Finds pages.
      transport: stdio
      config: { command: npx, args: [-y, web@1.4.0], env: { SEARCH_API_KEY: "\${SEARCH_API_KEY}" } }
    - { name: archive, transport: stdio, config: { command: archive }, enabled: false }
`,
  "desk.json": JSON.stringify({
    id: "help-desk",
    mcp: {
      servers: {
        tickets: {
          transport: "sse",
          config: { url: "https://desk.example.com/sse", headers: { Authorization: "Bearer ${DESK_TOKEN}" } },
        },
      },
    },
  }),
  "mcp/manifests/web-search.json": manifest("search"),
  "mcp/manifests/archive.json": manifest("find"),
  "mcp/manifests/tickets.json": manifest("list_tickets"),
};

/** What has meant something else than text somewhere between a manifest and a row. */
const HOSTILE = [
  "'; drop table kb.project_mcp_servers; --",
  "\\'; select 1; --",
  "$$",
  "$do$ $$",
  ":'x'",
  ':"x"',
  ":x",
  ":{?x}",
  "\\echo x",
  "\n\\! true\n",
  "\\",
  "\\u0027",
  "E'\\x27'",
  "''",
  '"',
  "/* ",
  " */",
  "-- ",
  ";",
  "\u0000",
  "\ufeff",
  "\u0160\\",
  "é",
  "%s",
  "?",
  "$1",
  "null",
  "x\r\n",
  "\u2028",
];

/** Without what looks like a reference, and without a secret's form: those are errors of their own. */
function sayable(text: string): string {
  return text.replaceAll("${", "$ {");
}

/** What nobody sees can't stand in a source but as an escape. */
function ascii(value: unknown): string {
  return JSON.stringify(value).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function nameable(text: string): string {
  return text.replaceAll(/[\0-\u001f]/g, "");
}

function isHeld(json: string): boolean {
  return !json.includes("\\u0000");
}

function filesFor(servers: readonly { readonly name: string }[]): Record<string, string> {
  const names = servers.map((_, i) => `s${i}`);
  const renamed = Object.fromEntries(servers.map(({ name }, i) => [name, names[i]]));
  return {
    "rolecall.yaml": `${project("postgres")}imports: [${ascii({ file: "p.json", servers: renamed })}]\n`,
    "p.json": ascii({ id: "p", mcp: { servers } }),
    ...Object.fromEntries(names.map((name) => [`mcp/manifests/${name}.json`, manifest("look")])),
  };
}
