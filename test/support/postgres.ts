import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "./free-port.ts";

/** A PostgreSQL of the test's own: on loopback, in a folder of its own, ended by its id. */
export interface OwnPostgres {
  /** A file as psql reads it, metacommands and variables included. */
  psql(text: string, how?: Psql): Said;
  /** The rows of one query, as JSON. `$1` stands for a value, as with every client. */
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly Record<string, unknown>[] }>;
  end(): Promise<void>;
}

export interface Psql {
  readonly variables?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Errors are gone over, and nothing is taken back. */
  readonly lenient?: boolean;
}

export interface Said {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

const LONGEST_MS = 30_000;
/** The program refuses to run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

export const hasPostgres = ["postgres", "initdb", "psql"].every((name) => programOf(name) !== undefined);

export async function ownPostgres(): Promise<OwnPostgres> {
  const folder = mkdtempSync(path.join(tmpdir(), "rolecall-postgres-"));
  const data = path.join(folder, "data");
  chmodSync(folder, 0o755);
  if (NOBODY.uid !== undefined) chownSync(folder, NOBODY.uid, NOBODY.gid);
  run("initdb", ["-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]);
  const port = await freePort();
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "max_connections=10"];
  const server = spawn(
    programOf("postgres")!,
    ["-D", data, "-p", String(port), ...settings.flatMap((one) => ["-c", one])],
    { ...NOBODY, cwd: folder, stdio: "ignore" },
  );
  const door = ["-X", "-q", "-h", "127.0.0.1", "-p", String(port), "-U", "tester", "-d", "postgres"];
  const psql = (text: string, { variables = {}, env = {}, lenient = false }: Psql = {}): Said => {
    const file = path.join(folder, "input.sql");
    writeFileSync(file, text);
    const given = Object.entries(variables).flatMap(([name, value]) => ["-v", `${name}=${value}`]);
    const strict = lenient ? [] : ["-1", "-v", "ON_ERROR_STOP=1"];
    return run(
      "psql",
      [...door, "-A", "-t", ...strict, ...given, "-f", file],
      { PGOPTIONS: "-c client_min_messages=warning", ...env },
      true,
    );
  };
  const opened = {
    psql,
    query: async (text: string, values: readonly unknown[] = []) => {
      const said = psql(asScript(text, values));
      if (said.exit !== 0) throw new Error(said.err);
      return { rows: said.out === "" ? [] : (JSON.parse(decoded(said.out)) as Record<string, unknown>[]) };
    },
    end: () => end(server, folder),
  };
  await answers(server, opened).catch(async (error: unknown) => {
    await opened.end();
    throw error;
  });
  return opened;
}

/** By the program's own preparing: values travel apart from the text. */
function asScript(text: string, values: readonly unknown[]): string {
  const given = values.map((value) => (value === null || value === undefined ? "null" : literal(asText(value))));
  const call = given.length === 0 ? "execute asked" : `execute asked (${given.join(", ")})`;
  const isRead = /^\s*select/i.test(text);
  // What psql prints isn't every character.
  const rows = `encode(convert_to(coalesce(json_agg(r), '[]')::text, 'UTF8'), 'base64')`;
  const all = isRead ? `select ${rows} from (${text}) r` : text;
  return `prepare asked as ${all};\n${call};\n`;
}

function decoded(base64: string): string {
  return Buffer.from(base64, "base64").toString("utf8");
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function literal(text: string): string {
  return `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

async function answers(server: ChildProcess, { psql }: Pick<OwnPostgres, "psql">): Promise<void> {
  const until = Date.now() + LONGEST_MS;
  while (psql("select 1;").exit !== 0) {
    if (server.exitCode !== null) throw new Error(`postgres ended with ${server.exitCode}`);
    if (Date.now() > until) throw new Error("postgres doesn't answer");
    await pause(50);
  }
}

async function end(server: ChildProcess, folder: string): Promise<void> {
  if (server.exitCode === null && server.signalCode === null) {
    const ended = once(server, "exit");
    // At once, with all that it has started.
    server.kill("SIGQUIT");
    const forced = setTimeout(() => server.kill("SIGKILL"), 5_000);
    await ended;
    clearTimeout(forced);
  }
  rmSync(folder, { recursive: true, force: true });
}

function run(name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}, mayFail = false): Said {
  const done = spawnSync(programOf(name)!, args, {
    ...NOBODY,
    cwd: tmpdir(),
    env: { PATH: process.env["PATH"], LC_ALL: "C", ...env },
    encoding: "utf8",
    timeout: LONGEST_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (done.status !== 0 && !mayFail) throw new Error(`${name}: ${done.stderr || String(done.error)}`);
  return { exit: done.status, out: done.stdout.trim(), err: done.stderr };
}

/** Debian keeps the server's programs off the PATH. */
function programOf(name: string): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).map((version) => path.join(debian, version, "bin")) : [];
  const folders = [...versions.toSorted().toReversed(), ...(process.env["PATH"] ?? "").split(path.delimiter)];
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}
