import { expect, test } from "vitest";
import { secretParts } from "../../runtime/secret-parts.ts";
import { createSecrets } from "../../runtime/secrets.ts";

/** The secrets inside of a value, since errors tell them alone, and what beside them in it is none. */

function shownBy(value: string, said: string): string {
  const secrets = createSecrets();
  secrets.add(value);
  return secrets.text(said);
}

const KEY = "MIIEvQIBADANBgkqhkiG9w0BAQEF";
const ACCOUNT = JSON.stringify({
  type: "service_account",
  project_id: "my-project",
  private_key: `-----BEGIN-----\n${KEY}\n-----END-----`,
});

/** What a variable holds, what is said of it, and what is shown of that. */
const PARTS: readonly (readonly [string, string, string, string])[] = [
  ["JSON", '{"client_id":"abcdefgh","client_secret":"s3cr3tS3cr3t"}', "abcdefgh s3cr3tS3cr3t", "abcdefgh ***"],
  ["JSON with a key", ACCOUNT, `my-project ${KEY}`, "my-project ***"],
  ["JSON, nested", '{"web":[{"auth":{"apiKey":"s3cr3tS3cr3t"}}]}', "bad s3cr3tS3cr3t", "bad ***"],
  [
    "variables in JSON",
    '[{"name":"DB_HOST","value":"db.example"},{"Name":"DB_PASSWORD","Value":"hunter 2H"}]',
    "hunter 2H at db.example",
    "*** at db.example",
  ],
  [
    "a list of YAML",
    "host: db.example\ntokens:\n- 'hunter2H'\n- third3TT\n",
    "hunter2H at db.example",
    "*** at db.example",
  ],
  [
    "a list of YAML further in",
    'db:\n  "api-keys":\n\n    - hunter2H # old\n    - "third 3TT"\n  host: db.example',
    "hunter2H third 3TT at db.example",
    "*** *** at db.example",
  ],
  [
    "a list of YAML, one of quotes with a sign of comments",
    'tokens:\n  - "hunter #2H" # mine',
    "bad hunter #2H",
    "bad ***",
  ],
  ["a map of YAML, of that too", "secrets:\n  x: 'hunter''s #2H'", "bad hunter's #2H", "bad ***"],
  ["a list of YAML in brackets", "tokens: [hunter2H, 'third 3TT']", "bad third 3TT", "bad ***"],
  [
    "a list of YAML in brackets and lines",
    "api-keys: [\n  hunter2H,\n  third3TT\n]\nhost: db.example",
    "third3TT, db.example",
    "***, db.example",
  ],
  [
    "a line below in YAML",
    "db:\r\n  password:\r\n    hunter2H\r\n  host: db.example",
    "hunter2H, db.example",
    "***, db.example",
  ],
  [
    "lines of YAML",
    "password: >-\n  hunter2H and\n  more3TT\nhost: db.example",
    "hunter2H and more3TT at db.example",
    "*** at db.example",
  ],
  [
    "lines of YAML as they are",
    "- private_key: |\n    MIIEvQ/IBADAN\n    kqhkiG9w\n  host: db.example",
    "MIIEvQ/IBADAN\nkqhkiG9w of db.example",
    "*** of db.example",
  ],
  [
    "a map in YAML",
    "secrets:\n  db: hunter2H\n  mail: { pass: third3TT }\nhost: db.example",
    "hunter2H third3TT db.example",
    "*** *** db.example",
  ],
  [
    "variables in YAML",
    "- name: DB_HOST\n  value: db.example\n- name: DB_PASSWORD\n  value: hunter2H\n- value: third3TT\n  key: API_KEY",
    "hunter2H third3TT at db.example",
    "*** *** at db.example",
  ],
  [
    "variables in YAML, with more between a name and its value",
    "- name: DB_PASSWORD\n  # of the team\n  secure: true\n  value: hunter2H\n- value: >-\n    third3TT\n\n  of:\n    a: b\n  key: API_KEY\n- name: MODE\n  value: readonly",
    "hunter2H third3TT readonly",
    "*** *** readonly",
  ],
  [
    "variables in YAML, each on a line",
    'env:\n  - {name: DB_PASSWORD, value: hunter2H}\n  - { value: "third #3, TT", name: API_KEY } # b\n  - {name: MODE, value: readonly}',
    "hunter2H third #3, TT readonly",
    "*** *** readonly",
  ],
  [
    "maps and lists of YAML in brackets",
    "db: {host: db.example, user: {tokens: [hunter2H, 'it''s, 3TT'], b: [c]}, secret: other9Aa8}",
    "hunter2H it's, 3TT other9Aa8 db.example",
    "*** *** *** db.example",
  ],
  [
    "a list of YAML in brackets, with a sign of comments in quotes",
    'tokens: [ "hunter #2H", third3TT ]',
    "bad hunter #2H",
    "bad ***",
  ],
  [
    "brackets of YAML, with tags and anchors",
    "db: {tokens: [!!str hunter2H, &one third3TT, *one], secret: !kept other9Aa8}",
    "hunter2H third3TT other9Aa8",
    "*** *** ***",
  ],
  [
    "variables in brackets of YAML, whose values are lists and maps",
    "[{name: DB_PASSWORD, value: [hunter2H, {a: third3TT}]}, {value: {a: [other9Aa8]}, key: API_KEY}, {name: MODE, value: [readonly]}]",
    "hunter2H third3TT other9Aa8 readonly",
    "*** *** *** readonly",
  ],
  [
    "brackets of YAML behind a bracket of a comment",
    "tokens:\n  # [ours\n  a: [hunter2H, {b: third3TT}]\n  c: 'see [1'\n  d: [other9Aa8]\nmode: [readonly]",
    "hunter2H third3TT other9Aa8 readonly",
    "*** *** *** readonly",
  ],
  ["a map in brackets that is cut", "[{name: DB_PASSWORD, value: hunter2H", "bad hunter2H", "bad ***"],
  ["brackets with what is no tag", "tokens: [ !hunter2H ]", "bad !hunter2H", "bad ***"],
  [
    "YAML with comments where the line begins",
    "db:\n  tokens:\n# old\n    - hunter2H\n# new\n    - third3TT\n# where\n  host: db.example\n- name: API_KEY\n# theirs\n  value: other9Aa8",
    "hunter2H third3TT other9Aa8 db.example",
    "*** *** *** db.example",
  ],
  [
    "a list of TOML in lines",
    'mode = [\n  "readonly",\n]\ntokens = [ # ours\n  "hunter2H",\n  "third 3TT",\n]',
    "hunter2H third 3TT readonly",
    "*** *** readonly",
  ],
  [
    "a part of JSON",
    '"host": "db.example",\n"tokens":["hunter2H","third, 3TT"],',
    "third, 3TT db.example",
    "*** db.example",
  ],
  [
    "JSON with comments in between",
    '{ /* ours */ "tokens": [/* the first */ "hunter2H", /* it\'s old */ "third 3TT"], }',
    "hunter2H third 3TT",
    "*** ***",
  ],
  [
    "JSON with comments",
    '{ // ours\n  "host": "db.example",\n  "tokens": ["hunter2H", "third, 3TT",], # b\n}',
    "hunter2H third, 3TT db.example",
    "*** *** db.example",
  ],
  [
    "a program's map",
    "{ 'host' => 'db.example', 'variables' => [{ name: \"DB_PASSWORD\", value: \"hunter 2H\" }] }",
    "hunter 2H db.example",
    "*** db.example",
  ],
  [
    "a tag and an anchor of YAML",
    "password: !!str &one hunter2H\nhost: db.example",
    "hunter2H at db.example",
    "*** at db.example",
  ],
  ["quoted names", '"host": "db.example"\n"password": "hunter2H"', "hunter2H at db.example", "*** at db.example"],
  ["Oracle's login", "jdbc:oracle:thin:ada/hunterhunter@db:1521/x", "ada hunterhunter db", "ada *** db"],
  ["Oracle's login in quotes", 'jdbc:oracle:oci:ada/"hunter/hunter"@db', "ada hunter/hunter db", "ada *** db"],
  ["JSON in base64", Buffer.from(ACCOUNT).toString("base64"), `bad ${KEY}`, "bad ***"],
  [
    "a connection",
    "Server=db.example;User Id=sa;Password=Hunter2H;",
    "'Hunter2H' at db.example",
    "'***' at db.example",
  ],
  ["a quoted connection", "host=db.example password='Hunter 2H' user=sa", "Hunter 2H, db.example", "***, db.example"],
  ["escaped blanks", "host=db password=hunter\\ 2\\ H user=sa", "hunter 2 H at db", "*** at db"],
  ["Go's address", "adalove:hunter2hunter2@tcp(h)/db", "denied adalove hunter2hunter2", "denied adalove ***"],
  ["a password with a slash", "postgres://ada:pa/ssword123@h/db", "pa/ssword123 refused", "*** refused"],
  ["a password with an at", "postgres://ada:pass@word123@h/db", "pass@word123 refused", "*** refused"],
  [
    "a password with an at, as libpq tells the host",
    "postgres://ada:p@ssword99@db.example/x",
    'no host "ssword99@db.example"',
    'no host "***@db.example"',
  ],
  [
    "a password with a hash, as Go tells the port",
    "amqp://ada:hunter2H#x/yabcdef@mq.example",
    'invalid port ":hunter2H" of mq.example, no yabcdef',
    'invalid port ":***" of mq.example, no ***',
  ],
  [
    "a password with a blank",
    "http://ada:hunter2H and more@h.example",
    "no 'ada:hunter2H and more@h.example'",
    "no 'ada:***@h.example'",
  ],
  ["a token as the user", "https://tokentokentoken@git.example/x", "tokentokentoken, git.example", "***, git.example"],
  ["a query", "https://h.example/mcp?org=example&api_key=tokento/1", "example tokento/1", "example ***"],
  ["an encoded query", "https://h.example/mcp?token=to%2Fkento&x=1", "bad to/kento", "bad ***"],
  ["a list", "key-one-aaaa,key-two-bbbb", "key-two-bbbb is invalid", "*** is invalid"],
  ["a scheme", "Bearer tokentokentoken", "token tokentokentoken is invalid", "token *** is invalid"],
  ["a cookie", "session=abcdefabcdef; Path=/accounts", "abcdefabcdef /accounts", "*** /accounts"],
  ["a name in base64", Buffer.from("ada:hunter2").toString("base64"), "ada:hunter2 failed", "*** failed"],
  ["a map of addresses", '{"url":"postgres://ada:hunter2H@db/x"}', "hunter2H at db, ada", "*** at db, ada"],
  [
    "addresses in lines",
    "postgres://a:first99pass@h1/x\npostgres://a:hunter2H@h2/x",
    "bad hunter2H of h2",
    "bad *** of h2",
  ],
  [
    "addresses in a row",
    "postgres://a:first99pass@h1/x postgres://a:hunter2H@h2/x",
    "bad first99pass, hunter2H",
    "bad ***, ***",
  ],
  [
    "addresses with semicolons",
    "postgres://a:first99pass@h1/x;postgres://a:hunter2H@h2/x",
    "first99pass hunter2H",
    "*** ***",
  ],
  ["addresses with commas", "redis://:first99pass@h1,redis://:hunter2H@h2", "first99pass hunter2H h1", "*** *** h1"],
  ["an address of an option", "--db=postgres://ada:hunter2H@db/x", "hunter2H at db", "*** at db"],
  [
    "an address in the lines of a file",
    "MODE=readonly\nexport DB=postgres://ada:hunter2H@db/x",
    "hunter2H db",
    "*** db",
  ],
  ["JSON with a cookie", '{"headers":{"Cookie":"sid=hunter2H"}}', "no session hunter2H", "no session ***"],
  ["JSON with several", '{"tokens":["hunter2H","otherone9"]}', "hunter2H, otherone9", "***, ***"],
  ["JSON with a map of them", '{"api_keys":{"main":"hunter2H","mode":"readonly"}}', "bad hunter2H", "bad ***"],
  ["JSON with plain keys", '{"keys":["key-one-aaaa1","key-two-bbbb2"]}', "key-two-bbbb2 is off", "*** is off"],
  ["JSON in JSON", JSON.stringify({ config: JSON.stringify({ password: "hunter2H" }) }), "bad hunter2H", "bad ***"],
  [
    "JSON under a name in JSON",
    JSON.stringify({ secret: JSON.stringify({ a: "hunter2H" }) }),
    "bad hunter2H",
    "bad ***",
  ],
  ["JSON with a number", '{"pin_secret":123456789012,"port":65432100}', "123456789012 65432100", "*** 65432100"],
  ["a connection in JSON", '{"db":"host=db.example password=hunter2H"}', "hunter2H db.example", "*** db.example"],
  ["a list in JSON", '["hunter2hunter2H","otherone99key"]', "hunter2hunter2H otherone99key", "*** ***"],
  ["a list with a comma at its end", "other1one99keyA,hunter2hunter2H,", "bad hunter2hunter2H", "bad ***"],
  ["a list with semicolons", "other1one99keyA;hunter2hunter2H", "bad hunter2hunter2H", "bad ***"],
  ["a list with bars", "other1one99keyA|hunter2hunter2H", "bad hunter2hunter2H", "bad ***"],
  ["a list with blanks", "other1one99keyA hunter2hunter2H", "bad hunter2hunter2H", "bad ***"],
  ["a user with a password", "adalove:hunt3r2Xyzzy77", "adalove, hunt3r2Xyzzy77", "adalove, ***"],
  ["a list of users", "adalove:hunt3r2Xyzzy77,bobby:0ther9Aa8", "adalove 0ther9Aa8", "adalove ***"],
  ["a connection with an ampersand", "Server=h;Uid=sa;Pwd=P&ssw0rd!x;Database=x", "bad P&ssw0rd!x", "bad ***"],
  ["a connection with blanks", "Server=h;Password=correct horse battery;Database=x", "correct horse battery", "***"],
  ["a connection in braces", "Driver={SQL Server};PWD={hunter}}22xx};", "SQL Server hunter}22xx", "SQL Server ***"],
  ["a connection with escapes", "host=h password='it\\'s my pw99' dbname=d", "it's my pw99 it\\'s my pw99", "*** ***"],
  ["a connection with doubled quotes", 'Server=h;Password="a""hunter22";', 'a"hunter22', "***"],
  ["Oracle's description", "(DESCRIPTION=(PASSWORD=hunter22xx)(HOST=somehost))", "hunter22xx somehost", "*** somehost"],
  ["a connection that braces hold", "{Password=hunter22xx; User=adalove}", "hunter22xx adalove", "*** adalove"],
  ["a connection that ends in a brace", "{User=adalove; Password=hunter22xx}", "hunter22xx adalove", "*** adalove"],
  ["pairs with commas", "host=somehost,password=hunter22xx,user=adalove", "hunter22xx somehost", "*** somehost"],
  ["a quote that nobody closes", 'user=adalove password="hunter22xx', "hunter22xx adalove", "*** adalove"],
  ["JSON of a mail account", '{"auth":{"user":"adalove","pass":"hunter22xx"}}', "hunter22xx adalove", "*** adalove"],
  ["JSON of a password alone", '{"smtp":{"auth":{"pass":"hunter22xx"}}}', "hunter22xx", "***"],
  [
    "Docker's JSON",
    JSON.stringify({ auths: { "registry.example": { auth: Buffer.from("adalove:hunter22xx").toString("base64") } } }),
    `adalove hunter22xx ${Buffer.from("adalove:hunter22xx").toString("base64")} registry.example`,
    "adalove *** *** registry.example",
  ],
  ["npm's settings", "//registry.example/:_authToken=hunter22xx", "hunter22xx registry", "*** registry"],
  ["an option", "--port=8080 --password=hunter22xx --mode=readonly", "hunter22xx readonly", "*** readonly"],
  [
    "an option of Java",
    "-Xmx512m -DtrustStorePassword=hunter22xx -DTOKEN=other33xx",
    "hunter22xx other33xx",
    "*** ***",
  ],
  ["a line with a cookie", "Cookie: sid=hunter22xx; Path=/accounts", "hunter22xx /accounts", "*** /accounts"],
  ["Basic", `Basic ${Buffer.from("adalove:hunter2").toString("base64")}`, "hunter2 of adalove", "*** of adalove"],
];

test.each(PARTS)("the secret inside of %s is masked alone", (_, value, said, shown) => {
  expect(shownBy(value, said)).toBe(shown);
});

test.each([
  ["repos,issues,pull_requests", "list_issues of repos with pull_requests"],
  ["postgres://readonly@db.example/main", "readonly main postgres"],
  ["Server=database;Database=production;", "database production Server"],
  ["/srv/some/folder:/usr/local/bin", "some folder in /usr/local/bin"],
  ['{"name":"example","mode":"readonly"}', "example readonly"],
  ["https://api.example.com/mcp?mode=readonly", "readonly api.example.com"],
  ["Use gpt-4o-mini for 3rd-party text of 2024-07-18", "gpt-4o-mini 3rd-party 2024-07-18"],
  ["npx -y @scope/server-1a2b3c@1.2.3 --port 8080 src/app1.test.ts", "server-1a2b3c@1.2.3 src/app1.test.ts"],
  ["docs/chapter-1a.md docs/chapter-2b.md", "docs/chapter-1a.md isn't there"],
  ["/srv/data-set-1a;/srv/data-set-2b", "/srv/data-set-2b isn't there"],
  ["host1a.eu.example.com host2b.eu.example.com", "host1a.eu.example.com is down"],
  ['{"models":["gpt-4o-mini-2024-07-18","claude-3-7-sonnet-20250219"]}', "no claude-3-7-sonnet-20250219"],
  ['{"query":"sort=created_at","filter":"a;b=c12345"}', "created_at c12345"],
  ['{"max_tokens":200000,"port":543210,"tokens":{}}', "200000 543210"],
  ['{"url":"https://api.example.com:8443/v2/projects"}', "8443/v2/projects of api.example.com"],
  ["postgres:16-alpine", "16-alpine postgres"],
  ["https://h.example:8443/projects/main-one?of=ada@x.example", "projects main-one h.example"],
  ["postgres://app:hunter2H@db.example/main-one?of=ada@x.example", "main-one of db.example"],
  ['{"tests":{"pass":"scenario-one"},"auth":"oauth2-device"}', "scenario-one oauth2-device"],
  ["qwen2.5-coder:32b-instruct-q4_K_M", "32b-instruct-q4_K_M"],
  ["localhost:5432100", "localhost:5432"],
  ["us-east-1:550e8400-e29b-41d4-a716-446655440000", "550e8400-e29b-41d4-a716-446655440000"],
  ["sha256:0e8f4b5f1c2d3e4f5a6b7c8d9e0f1a2b", "0e8f4b5f1c2d3e4f5a6b7c8d9e0f1a2b"],
  ["{ open, - name: DB_PASSWORD\n  value", "open, value"],
  ["token: {b: [c\nhost: db.example\nmode: [readonly, verbose]\nabcdef: ghijkl", "db.example readonly verbose ghijkl"],
  ["- name: DB_PASSWORD\n- value: readonly\n---\nname: A_TOKEN\n---\nvalue: verbose", "readonly verbose"],
  ["{name: DB_PASSWORD}, {value: readonly}", "readonly"],
  ["tokens:\n  - ${READER_KEY}\n  - { of: 'a', b: ${WRITER_KEY} }", "no READER_KEY, WRITER_KEY"],
  ["1. It holds a secret: {masked-one}, and more", "masked-one more"],
  ["it's [a `list`] of {secrets}: 'quoted words' {and: more-words}", "quoted words more-words secrets"],
])("what is no secret in %s stays", (value, said) => {
  expect(shownBy(value, said)).toBe(said);
});

test.each([
  ["https://h.example/#token=hunter22xx?page=2", "bad hunter22xx of page=2", "bad *** of page=2"],
  ["https://h.example/?token=hunter22xx#page-two", "bad hunter22xx of page-two", "bad *** of page-two"],
])("%s has the secret up to the next sign", (value, said, shown) => expect(shownBy(value, said)).toBe(shown));

test("a password is in few pieces", () => {
  const pieces = Array.from({ length: 100 }, (_, i) => `piece${i}`);
  expect(secretParts(`db://ada:${pieces.join("@")}@h.example/x`).length).toBeLessThan(20);
});
