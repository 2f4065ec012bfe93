import { nearest } from "../../base/nearest.ts";
import { visible } from "../../base/visible.ts";
import { guardedFetch } from "../../io/login/addresses.ts";
import { giveBack, type GivenBack } from "../../io/login/give-back.ts";
import { openLogins, type Logins } from "../../io/login/logins.ts";
import { privateFolder } from "../../io/login/private-file.ts";
import { isTrouble, type Login, type LoginTrouble } from "../../io/login/types.ts";
import { EXIT, printJson, tell, wrongUsage, type Context } from "../command.ts";
import { saysYes } from "../yes.ts";

/** What became of one login. */
interface Ended {
  readonly login: Login;
  readonly givenBack: GivenBack | undefined;
  /** Why it is still here. */
  readonly trouble: LoginTrouble | undefined;
}

export async function logOut(context: Context, name: string | undefined, all: boolean): Promise<number> {
  const logins = openLogins(privateFolder(context.terminal.env));
  try {
    return await logOutOf(logins, context, name, all);
  } catch (problem) {
    if (!isTrouble(problem)) throw problem;
    const { says, next } = problem;
    if (context.json) printJson(context, { format: 1, problem: says, next, logouts: [] });
    else context.terminal.err.write(`rolecall: ${says}\n  ${next}\n`);
    return EXIT.errors;
  }
}

async function logOutOf(logins: Logins, context: Context, name: string | undefined, all: boolean): Promise<number> {
  const { terminal, json } = context;
  const known = logins.list();
  const chosen = name === undefined ? known : known.filter(({ server }) => server === name);
  if (name !== undefined && chosen.length === 0) return noSuchLogin(context, name, known);
  if (chosen.length > 0 && name === undefined && !all) {
    if (!json) terminal.out.write(chosen.map((login) => `  ${words(login)}\n`).join(""));
    const yes = await saysYes(context, `log out from ${chosen.length === 1 ? "it" : `all ${chosen.length}`}?`);
    if (yes === undefined)
      return wrongUsage(terminal, "nobody can be asked here whether you mean all logins", "rolecall logout --all");
    if (!yes) return EXIT.fine;
  }
  const ended: Ended[] = [];
  for (const login of chosen) ended.push(await end(logins, login));
  if (json) printJson(context, { format: 1, logouts: ended.map(endedJson) });
  else if (ended.length === 0) tell(context, "there are no logins\n");
  else for (const one of ended) tellEnd(context, one);
  return ended.every(isFine) ? EXIT.fine : EXIT.errors;
}

function tellEnd(context: Context, one: Ended): void {
  if (isFine(one)) tell(context, endedLines(one));
  else context.terminal.err.write(endedLines(one));
}

/** Deleted here whatever the server says: who logs out wants it gone. */
async function end(logins: Logins, login: Login): Promise<Ended> {
  try {
    return await logins.alone(async (open) => {
      const secrets = await open.secretsOf(login);
      const givenBack = secrets && (await giveBack(login, secrets, guardedFetch(login.resource)));
      await open.remove(login);
      return { login, givenBack, trouble: undefined };
    });
  } catch (problem) {
    if (!isTrouble(problem)) throw problem;
    return { login, givenBack: undefined, trouble: problem };
  }
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

function isFine({ givenBack, trouble }: Ended): boolean {
  return trouble === undefined && givenBack?.kind !== "failed";
}

function endedLines({ login, givenBack, trouble }: Ended): string {
  const server = visible(login.server);
  if (trouble) return `rolecall: ${server}: still logged in: ${trouble.says}\n  ${trouble.next}\n`;
  const issuer = visible(new URL(login.issuer).origin);
  if (givenBack?.kind === "failed")
    return `rolecall: ${server}: deleted here, not revoked: ${givenBack.why}\n  take it back by hand at ${issuer}\n`;
  const revoked = givenBack?.kind === "revoked" ? `revoked at ${issuer} and ` : "";
  const open = givenBack?.kind === "no-way" ? `; ${issuer} takes no tokens back: it ends by itself` : "";
  return `logged out from ${server}: ${revoked}deleted here${open}\n`;
}

function endedJson({ login, givenBack, trouble }: Ended) {
  return {
    server: login.server,
    resource: login.resource,
    issuer: login.issuer,
    revoked: givenBack?.kind === "revoked",
    deleted: trouble === undefined,
    problem: trouble?.says ?? (givenBack?.kind === "failed" ? givenBack.why : null),
  };
}
