import type { Server } from "../3-plan/types.ts";
import { expandTransport } from "../capture/expand.ts";
import { guardedFetch } from "../io/oauth/addresses.ts";
import { openBrowser } from "../io/oauth/browser.ts";
import { askForLogin, type HttpWay, type SignInOffer } from "../io/oauth/discover.ts";
import { openLogins, type Kept, type Logins } from "../io/oauth/logins.ts";
import { privateFolder } from "../io/oauth/private-file.ts";
import { beginLogin, type BegunLogin } from "../io/oauth/sign-in-flow.ts";
import { isTrouble, trouble, type Login, type Secrets, type Trouble } from "../io/oauth/types.ts";
import { EXIT, printJson, styleOf, wrongUsage, type Context } from "./command.ts";
import { findServer } from "./find-tool.ts";
import { version } from "./version.ts";
import { askingPage, loggedInJson, loggedInPage, noLoginJson, noLoginPage, openJson } from "./views/login-page.ts";
import { connectableProject } from "./whole-project.ts";

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
  const found = await findOffer(server, context, stop.signal);
  if (found === undefined) {
    if (json) printJson(context, openJson(server));
    else terminal.out.write(`${server.name} answers without a login: there is nothing to do\n`);
    return EXIT.fine;
  }
  const { way, offer } = found;
  const logins = openLogins(privateFolder(terminal.env));
  // What couldn't be kept in the end isn't begun.
  await logins.alone(async () => logins.list());
  const begun = await beginLogin({
    server: server.name,
    url: way.url,
    offer,
    scopes: options.scopes,
    client: options.client,
    port: options.port,
    fetch: guardedFetch(way.url, stop.signal),
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

/** The first transport over HTTP that says something decides, as when rolecall connects. Undefined: it asks for no login. */
async function findOffer(
  server: Server,
  { terminal }: Context,
  signal: AbortSignal,
): Promise<{ readonly way: HttpWay; readonly offer: SignInOffer } | undefined> {
  const http = server.connect.filter((transport) => transport.kind !== "stdio");
  if (http.length === 0)
    throw trouble(
      "it is a process on this machine, and logs in by its own means",
      "give what it needs in its variables",
    );
  let last: Trouble | undefined;
  for (const transport of http) {
    const header = transport.headers.find(({ name }) => name.toLowerCase() === "authorization");
    const always = header?.value.parts.some((part) => typeof part === "string" || part.form !== "if-set") === true;
    if (always)
      throw trouble(
        "the project gives it a token in `Authorization`, which wins over a login",
        `set its variable; or write \`${"Authorization: ${NAME:+Bearer ${NAME}}"}\` to allow both`,
      );
    const expanded = expandTransport(transport, (name) => terminal.env[name]);
    if (!("connection" in expanded)) throw trouble(expanded.says, expanded.next);
    const way = withoutAuthorization(expanded.connection as HttpWay);
    const asking = await askForLogin(way, guardedFetch(way.url, signal), version);
    if (asking.kind === "asks") return { way, offer: asking };
    if (asking.kind === "open") return undefined;
    last = asking.trouble;
    if (!asking.goOn) break;
  }
  throw last!;
}

function withoutAuthorization(way: HttpWay): HttpWay {
  const headers = Object.entries(way.headers).filter(([name]) => name.toLowerCase() !== "authorization");
  return { ...way, headers: Object.fromEntries(headers) };
}

/** Shows what is asked, opens the browser, and waits: for the answer, the end of patience, or Ctrl-C. */
async function answered(
  server: Server,
  begun: BegunLogin,
  offer: SignInOffer,
  context: Context,
  options: LoginOptions,
): Promise<{ readonly login: Login; readonly secrets: Secrets }> {
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

function lateTrouble({ name }: Server, begun: BegunLogin, { timeoutMs }: LoginOptions): Trouble {
  const time = timeoutMs % 60_000 === 0 ? `${timeoutMs / 60_000} m` : `${timeoutMs / 1000} s`;
  const others = begun.turnedAway() > 0 ? "; an answer that wasn't meant for this login was turned away" : "";
  return trouble(`no answer came from the browser within ${time}${others}`, `rolecall login ${name} begins anew`);
}

function showLoggedIn(
  server: Server,
  login: Login,
  secrets: Secrets,
  kept: Kept,
  logins: Logins,
  context: Context,
): void {
  const renews = secrets.refreshToken !== undefined;
  const { out, env } = context.terminal;
  if (context.json) return printJson(context, loggedInJson(login, kept, renews));
  const header = server.connect.find((transport) => transport.kind !== "stdio")?.headers;
  const set = header
    ?.filter(({ name }) => name.toLowerCase() === "authorization")
    .flatMap(({ value }) => value.parts.flatMap((part) => (typeof part === "string" ? [] : [part.name])))
    .find((name) => env[name]);
  const file = { path: logins.file ?? "", home: env["HOME"] };
  out.write(loggedInPage({ login, kept, renews, file, wins: set, now: Date.now() }, styleOf(context, out)));
}

/** `otherWay`: a login can't be had here. Who was asked and said no, or nothing, doesn't need to hear of it. */
function tellTrouble(server: Server, problem: Trouble, context: Context, otherWay: boolean): number {
  const { err } = context.terminal;
  if (context.json) printJson(context, noLoginJson(server, problem));
  else err.write(noLoginPage(server, problem, otherWay, styleOf(context, err)));
  return EXIT.errors;
}
