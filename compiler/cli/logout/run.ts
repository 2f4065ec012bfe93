import { nearest } from "../../base/nearest.ts";
import { visible } from "../../base/visible.ts";
import { endLogin, type EndedLogin } from "../../io/login/give-back.ts";
import { openLogins, type Logins } from "../../io/login/logins.ts";
import { privateFolder } from "../../io/login/private-file.ts";
import { isTrouble, type Login } from "../../io/login/types.ts";
import { EXIT, printJson, say, tell, wrongUsage, type Context } from "../command.ts";
import { saysYes } from "../yes.ts";

export async function logOut(context: Context, name: string | undefined, all: boolean): Promise<number> {
  const logins = openLogins(privateFolder(context.terminal.env));
  try {
    return await logOutOf(logins, context, name, all);
  } catch (problem) {
    if (!isTrouble(problem)) throw problem;
    const { says, next } = problem;
    if (context.json) printJson(context, { format: 1, problem: says, next, logouts: [] });
    else say(context.terminal, says, next);
    return EXIT.errors;
  }
}

async function logOutOf(logins: Logins, context: Context, name: string | undefined, all: boolean): Promise<number> {
  const { terminal } = context;
  const known = logins.list();
  const chosen = name === undefined ? known : known.filter(({ server }) => server === name);
  if (name !== undefined && chosen.length === 0) return noSuchLogin(context, name, known);
  const yes = name !== undefined || all || (await meansThem(context, chosen));
  if (yes === undefined)
    return wrongUsage(terminal, "nobody can be asked here whether you mean all logins", "rolecall logout --all");
  if (!yes) return EXIT.fine;
  const ended: EndedLogin[] = [];
  for (const login of chosen) ended.push(await endLogin(logins, login));
  showEnds(context, ended);
  return ended.every(isFine) ? EXIT.fine : EXIT.errors;
}

function showEnds(context: Context, ended: readonly EndedLogin[]): void {
  if (context.json) printJson(context, { format: 1, logouts: ended.map(endedJson) });
  else if (ended.length === 0) tell(context, "there are no logins\n");
  else for (const one of ended) tellEnd(context, one);
}

async function meansThem(context: Context, logins: readonly Login[]): Promise<boolean | undefined> {
  if (logins.length === 0) return true;
  if (!context.json) context.terminal.out.write(logins.map((login) => `  ${words(login)}\n`).join(""));
  return saysYes(context, `log out from ${logins.length === 1 ? "it" : `all ${logins.length}`}?`);
}

function tellEnd(context: Context, one: EndedLogin): void {
  if (isFine(one)) tell(context, endedLines(one));
  else context.terminal.err.write(endedLines(one));
}

function noSuchLogin(context: Context, name: string, known: readonly Login[]): number {
  const names = [...new Set(known.map(({ server }) => server))];
  const near = nearest(name, names);
  return wrongUsage(
    context.terminal,
    `there is no login for \`${visible(name)}\`` + (near === undefined ? "" : `; did you mean \`${visible(near)}\`?`),
    names.length === 0 ? "there are no logins" : `your logins: ${names.map(visible).join(", ")}`,
  );
}

function words({ server, resource }: Login): string {
  return `${visible(server)}  ${visible(resource)}`;
}

function isFine({ givenBack, trouble }: EndedLogin): boolean {
  return trouble === undefined && givenBack?.kind !== "failed";
}

function endedLines({ login, givenBack, trouble }: EndedLogin): string {
  const server = visible(login.server);
  if (trouble) return `rolecall: ${server}: still logged in: ${trouble.says}\n  ${trouble.next}\n`;
  const issuer = visible(new URL(login.issuer).origin);
  if (givenBack?.kind === "failed")
    return `rolecall: ${server}: deleted here, not revoked: ${givenBack.why}\n  take it back by hand at ${issuer}\n`;
  const revoked = givenBack?.kind === "revoked" ? `revoked at ${issuer} and ` : "";
  const open = givenBack?.kind === "no-way" ? `; ${issuer} takes no tokens back: it ends by itself` : "";
  return `logged out from ${server}: ${revoked}deleted here${open}\n`;
}

function endedJson({ login, givenBack, trouble }: EndedLogin) {
  return {
    server: login.server,
    resource: login.resource,
    issuer: login.issuer,
    revoked: givenBack?.kind === "revoked",
    deleted: trouble === undefined,
    problem: trouble?.says ?? (givenBack?.kind === "failed" ? givenBack.why : null),
  };
}
