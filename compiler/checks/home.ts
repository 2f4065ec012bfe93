import { within, type Place } from "../base/place.ts";
import type { Report } from "../diagnostics/report.ts";
import type { Server, Template } from "../2-model/types.ts";
import type { Check } from "./types.ts";

/** `~` stands for the home folder in a shell, and nothing here is read by one. */
export const checkHome: Check = ({ model }, report) => {
  for (const server of model.servers) {
    if (server.root) say(server.root, "`root`", within(server.place, "root"), server, report);
    for (const transport of server.connect) {
      if (transport.kind !== "stdio") continue;
      const { command, env, cwd, place } = transport;
      if (cwd) say(cwd, "`cwd`", within(place, "cwd"), server, report);
      for (const { name, value } of env) say(value, `\`${name}\``, within(place, "env", name), server, report);
      command.forEach((word, i) => say(word, "an argument", within(place, "stdio", i), server, report));
    }
  }
};

const HOME = /^((?:--?[\w-]+=)?)~(?=\/|\\|$)/;

function say({ written }: Template, where: string, place: Place, server: Server, report: Report): void {
  if (!HOME.test(written)) return;
  const suggestion = written.replace(HOME, "$1${HOME}");
  report.add("server/home-not-known", place, { where, server: server.name, suggestion });
}
