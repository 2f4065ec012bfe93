import type { Server } from "../../3-plan/types.ts";
import { isHttp, winningVariable } from "../../live-server/authorization.ts";
import { transportData } from "../../runtime-data/transport.ts";
import { askOptions } from "../../io/ask/planned-server.ts";
import { guardedFetch } from "../../io/login/addresses.ts";
import { openBrowser } from "../../io/login/browser.ts";
import type { SignInOffer } from "../../io/login/discover.ts";
import { findOffer } from "../../io/login/find-offer.ts";
import { openLogins, type KeptLogin, type Logins } from "../../io/login/logins.ts";
import { privateFolder } from "../../io/login/private-file.ts";
import { beginLogin, type BegunLogin } from "../../io/login/sign-in-flow.ts";
import { isTrouble, trouble, type Login, type LoginSecrets, type LoginTrouble } from "../../io/login/types.ts";
import { EXIT, printJson, styleOf, tell, wrongUsage, type Context } from "../command.ts";
import { findServer } from "../find-tool.ts";
import { askingPage, loggedInJson, loggedInPage, noLoginJson, noLoginPage, openJson } from "./page.ts";
import { valueOf } from "../../live-server/variable-values.ts";
import { connectableProject } from "../whole-project.ts";

/** Everything heavy of `rolecall login`. */
export interface LoginOptions {
  readonly server: string;
  readonly scopes: readonly string[] | undefined;
  readonly port: number;
  readonly client: { readonly id: string; readonly secret: string | undefined } | undefined;
  readonly timeoutMs: number;
  readonly browser: boolean;
}

export async function logIn(context: Context, options: LoginOptions): Promise<number> {
  const compiled = await connectableProject(context, "nobody was logged in");
  if (compiled === undefined) return EXIT.errors;
  const server = findServer(compiled.plan, options.server);
  if ("problem" in server) return wrongUsage(context.terminal, server.problem, server.next);
  const stop = new AbortController();
  try {
    return await logInTo(server, context, options, stop);
  } catch (problem) {
    if (!isTrouble(problem)) throw problem;
    return tellTrouble(server, problem, context, true);
  } finally {
    stop.abort();
  }
}

async function logInTo(
  server: Server,
  context: Context,
  options: LoginOptions,
  stop: AbortController,
): Promise<number> {
  const { terminal, json } = context;
  if (terminal.env.CI && options.browser)
    throw trouble(
      "nobody can answer in a browser here: `CI` is set",
      "give its token in a variable, or pass --no-browser",
    );
  const found = await findOffer(server, askOptions(context.dir, terminal.env, server, undefined), stop.signal);
  if (found === undefined) {
    if (json) printJson(context, openJson(server));
    else tell(context, `${server.name} answers without a login: there is nothing to do\n`);
    return EXIT.fine;
  }
  const { url, offer } = found;
  const logins = openLogins(privateFolder(terminal.env));
  // What couldn't be kept in the end isn't begun.
  await logins.alone(async () => logins.list());
  const begun = await beginLogin({
    server: server.name,
    url,
    offer,
    scopes: options.scopes,
    client: options.client,
    port: options.port,
    fetch: guardedFetch(url, stop.signal),
    now: Date.now,
  });
  try {
    const { login, secrets } = await answered(server, begun, offer, context, options);
    const kept = await logins.alone((open) => open.save(login, secrets));
    showLoggedIn(server, login, secrets, kept, logins, context);
    return EXIT.fine;
  } catch (problem) {
    if (!isTrouble(problem)) throw problem;
    return tellTrouble(server, problem, context, false);
  } finally {
    begun.close();
  }
}

/** Shows what is asked, opens the browser, and waits: for the answer, the end of patience, or Ctrl-C. */
async function answered(
  server: Server,
  begun: BegunLogin,
  offer: SignInOffer,
  context: Context,
  options: LoginOptions,
): Promise<{ readonly login: Login; readonly secrets: LoginSecrets }> {
  const { terminal } = context;
  const { err, env } = terminal;
  err.write(askingPage(server, offer, begun, options, styleOf(context, err)));
  if (options.browser && !(await openBrowser(begun.address, env)))
    err.write("No browser could be opened here: open the address above by hand.\n");
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(lateTrouble(server, begun, options)), options.timeoutMs);
  });
  const stopped = terminal.stopped().then(() => {
    throw trouble("stopped; nothing was kept", `rolecall login ${server.name} begins anew`);
  });
  try {
    return await Promise.race([begun.finish(), late, stopped]);
  } finally {
    clearTimeout(timer);
  }
}

function lateTrouble({ name }: Server, begun: BegunLogin, { timeoutMs }: LoginOptions): LoginTrouble {
  const time = timeoutMs % 60_000 === 0 ? `${timeoutMs / 60_000} m` : `${timeoutMs / 1000} s`;
  const others = begun.turnedAway() > 0 ? "; an answer that wasn't meant for this login was turned away" : "";
  return trouble(`no answer came from the browser within ${time}${others}`, `rolecall login ${name} begins anew`);
}

function showLoggedIn(
  server: Server,
  login: Login,
  secrets: LoginSecrets,
  kept: KeptLogin,
  logins: Logins,
  context: Context,
): void {
  const renews = secrets.refreshToken !== undefined;
  const { out, env } = context.terminal;
  if (context.json) return printJson(context, loggedInJson(login, kept, renews));
  const file = { path: logins.file ?? "", home: env["HOME"] };
  const isSet = (name: string) => valueOf(name, server.variables, env) !== undefined;
  const wins = winningVariable(server.connect.map(transportData).filter(isHttp), isSet);
  tell(context, loggedInPage({ login, kept, renews, file, wins, now: Date.now() }, styleOf(context, out)));
}

/** `otherWay`: a login can't be had here. Who was asked and said no, or nothing, doesn't need to hear of it. */
function tellTrouble(server: Server, problem: LoginTrouble, context: Context, otherWay: boolean): number {
  const { err } = context.terminal;
  if (context.json) printJson(context, noLoginJson(server, problem));
  else err.write(noLoginPage(server, problem, otherWay, styleOf(context, err)));
  return EXIT.errors;
}
