import { references } from "../../2-model/template.ts";
import type { Server, Variable } from "../../3-plan/types.ts";
import type { JsonObject } from "../../base/json.ts";
import { visible } from "../../base/visible.ts";
import { wrap } from "../../base/wrap.ts";
import { paintWith } from "../../diagnostics/paint.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import type { SignInOffer } from "../../io/login/discover.ts";
import type { KeptLogin } from "../../io/login/logins.ts";
import type { Login, LoginTrouble } from "../../io/login/types.ts";
import { factLines, page, type LabelledFact } from "../page.ts";
import { durationWords } from "../tool-words.ts";

/** `rolecall login`: what is asked, what became of it, and the other way. No token ever gets into a page. */
export function askingPage(
  server: Server,
  offer: SignInOffer,
  begun: { readonly address: string; readonly scopes: readonly string[] },
  how: { readonly browser: boolean; readonly timeoutMs: number },
  style: Style,
): string {
  const strong = (line: string) => paintWith(style.colour)("strong", line);
  const where = how.browser ? "Your browser opens this address; if it doesn't, do so by hand:" : "Open this address:";
  return page([
    [
      strong(`${server.name} asks for a login`),
      ...factLines(
        [
          ["server", [visible(offer.resource)]],
          ["log in at", [visible(new URL(begun.address).origin)]],
          ["asks for", [scopeWords(begun.scopes, "what the server gives when nothing is named")]],
        ],
        style,
      ),
    ],
    [where, visible(begun.address)],
    [`Waiting for the answer, at most ${durationWords(how.timeoutMs)}; Ctrl-C stops.`],
  ]);
}

interface LoggedIn {
  readonly login: Login;
  readonly kept: KeptLogin;
  readonly renews: boolean;
  readonly file: { readonly path: string; readonly home: string | undefined };
  /** The variable whose header is sent instead. */
  readonly wins: string | undefined;
  readonly now: number;
}

export function loggedInPage({ login, kept, renews, file, wins, now }: LoggedIn, style: Style): string {
  const strong = (line: string) => paintWith(style.colour)("strong", line);
  const facts: LabelledFact[] = [
    ["sent to", [`${visible(login.resource)}, nowhere else`]],
    ["issued by", [visible(login.issuer)]],
    ["scopes", [scopeWords(login.scopes, "not said by the server")]],
    ["kept in", keptWords(kept, file)],
    ["ends", [endWords(login, renews, now)]],
  ];
  const next =
    wins === undefined
      ? `rolecall capture ${login.server} uses it. Apps don't: give an app a token in a variable.`
      : `\`${visible(wins)}\` is set, and its header wins: the login is used where it isn't.`;
  return page([[strong(`logged in to ${login.server}`), ...factLines(facts, style)], wrap(next, style.width)]);
}

function keptWords({ place, why }: KeptLogin, { path, home }: LoggedIn["file"]): string[] {
  if (place === "keychain") return ["the system's keychain"];
  const short = home && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
  return [`${visible(short)}, which only you can read`, ...(why === undefined ? [] : [`(no keychain: ${why})`])];
}

function endWords({ expiresAt, server }: Login, renews: boolean, now: number): string {
  if (expiresAt === undefined) return renews ? "renewed when the server asks" : "when the server says so";
  const minutes = Math.max(1, Math.round((expiresAt - now) / 60_000));
  const time =
    minutes < 120
      ? `${minutes} m`
      : minutes < 2880
        ? `${Math.round(minutes / 60)} h`
        : `${Math.round(minutes / 1440)} days`;
  return `in ${time}, ${renews ? "and is renewed by itself" : `then: rolecall login ${server}`}`;
}

function scopeWords(scopes: readonly string[], none: string): string {
  return scopes.length === 0 ? none : scopes.map(visible).join(", ");
}

export function noLoginPage(server: Server, problem: LoginTrouble, otherWay: boolean, style: Style): string {
  const said = wrap(`rolecall: ${server.name}: ${problem.says}`, style.width, "  ");
  const next = wrap(`  ${problem.next}`, style.width, "  ");
  return page([[...said, ...next], ...(otherWay ? otherWayLines(server, style) : [])]);
}

/** The variable, what it is for, and what the preset says, such as the command that gives a token. */
function otherWayLines(server: Server, style: Style): string[][] {
  const strong = (line: string) => paintWith(style.colour)("strong", line);
  const facts: LabelledFact[] = tokenVariables(server).map((variable) => [
    visible(variable.name),
    variableWords(variable),
  ]);
  const notes = server.notes.flatMap((note) => note.trim().split("\n"));
  const byHand = [
    strong("The other way: a token in a header, below the server's address."),
    `  headers: ${headerExample(server)}`,
  ];
  const overHttp = server.connect.some((transport) => transport.kind !== "stdio");
  const lines =
    facts.length > 0
      ? [strong("The other way: a token in a variable."), ...factLines(facts, style)]
      : overHttp
        ? byHand
        : [];
  return [lines, notes.flatMap((line) => wrap(`  ${visible(line)}`, style.width, "  "))];
}

function variableWords({ purpose, url, required }: Variable): string[] {
  const words = purpose === undefined ? (required ? "needed" : "optional") : visible(purpose);
  return [words, ...(url === undefined ? [] : [`get one at ${visible(url)}`])];
}

function headerExample({ name }: Server): string {
  const variable = `${name.toUpperCase().replaceAll("-", "_")}_TOKEN`;
  return `{ Authorization: "\${${variable}:+Bearer \${${variable}}}" }`;
}

/** Those that stand where tokens do: in headers, and in the environment of a process. */
function tokenVariables(server: Server): readonly Variable[] {
  const hidden = server.connect.flatMap((transport) =>
    transport.kind === "stdio" ? transport.env : transport.headers,
  );
  const names = new Set(hidden.flatMap(({ value }) => [...references(value.parts)].map((reference) => reference.name)));
  return server.variables.filter(({ name }) => names.has(name));
}

export function loggedInJson(login: Login, kept: KeptLogin, renews: boolean): JsonObject {
  const { server, resource, issuer, scopes, expiresAt } = login;
  const ends = expiresAt === undefined ? null : new Date(expiresAt).toISOString();
  return { format: 1, server, needed: true, loggedIn: true, resource, issuer, scopes, ends, renews, kept: kept.place };
}

export function openJson({ name }: Server): JsonObject {
  return { format: 1, server: name, needed: false, loggedIn: false };
}

export function noLoginJson(server: Server, { says, next }: LoginTrouble): JsonObject {
  const variables = tokenVariables(server).map(({ name, purpose, url }) => ({
    name,
    for: purpose ?? null,
    url: url ?? null,
  }));
  const otherWay = { variables, notes: server.notes };
  return { format: 1, server: server.name, needed: true, loggedIn: false, says, next, otherWay };
}
