import type { Hello } from "../../serve/hello.ts";
import { openGateway } from "../../io/serve/gateway.ts";
import { loadServerLibrary } from "../../io/serve/library.ts";
import { servePlan } from "../../serve/serve-plan.ts";
import { EXIT, type Context } from "../command.ts";
import { version } from "../version.ts";

export async function serveHere(context: Context, { role, server }: Pick<Hello, "role" | "server">): Promise<number> {
  const built = await context.engine.build(context.dir, { check: true, cache: false });
  if (built.plan === undefined || built.outcome === undefined) return EXIT.errors;
  const gateway = openGateway(servePlan(built.plan), {
    library: await loadServerLibrary(),
    version,
    options: { root: context.dir },
    said: (line) => context.terminal.err.write(`${line}\n`),
  });
  const client = gateway.admit(
    { role, server, member: undefined, host: undefined, version },
    { input: process.stdin, output: process.stdout },
  );
  if ("exit" in client) {
    context.terminal.err.write(`rolecall: ${client.says}\n  ${client.next}\n`);
    return client.exit;
  }
  await new Promise((resolve) => process.stdin.once("end", resolve));
  await gateway.close();
  return EXIT.fine;
}
