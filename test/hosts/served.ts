import { joinedName } from "../../compiler/base/joined-name.ts";
import type { Host, ServerTool } from "./host.ts";

const ENTRY = "rolecall";
/** The project's one role that work is handed to: where it is, its entry may stand beside another's. */
const HANDED_WORK = "reader";

/** A host that is told of `rolecall serve` alone: what it can't judge is judged behind it, and it knows no server's name. */
export function served(host: Host): Host {
  return {
    ...behindGateway(host),
    id: `${host.id}-served`,
    served: "all",
    entry: (id) => `{ id: ${id}, via: serve }`,
    shown: (tool) => through(host, tool),
  };
}

/** A host that is told of servers, and of `rolecall serve` for what it can't hold itself. */
export function partlyServed(host: Host): Host {
  const isDirect = ({ server, conditioned }: ServerTool): boolean =>
    (host.conditions === "held" || conditioned !== true) &&
    host.keeps?.includes(server) !== true &&
    (host.resources !== "left-out" || !HAS_RESOURCES.includes(server));
  return {
    ...behindGateway(host),
    id: `${host.id}-gateway`,
    served: "some",
    entry: (id) => `{ id: ${id}, whenUnenforceable: gateway }`,
    shown: (tool) => (isDirect(tool) ? host.shown(tool) : through(host, tool)),
  };
}

const HAS_RESOURCES: readonly string[] = ["vault", "wiki"];

function behindGateway(host: Host): Omit<Host, "entry" | "served"> {
  return {
    ...host,
    installedAs: host.installedAs ?? host.id,
    conditions: "held",
    keeps: [],
    resources: host.resources === "left-out" ? "closed" : host.resources,
    isOurs: (name) => host.isOurs?.(name) === true || name.startsWith(beginning(host)),
    readResource: (server) => [...host.readResource(server), ...host.readResource(server).map(asOfEntry(server))],
  };
}

function through(host: Host, { server, tool, role }: ServerTool): string {
  const entry = role === HANDED_WORK && host.delegation === "opened" ? `${ENTRY}-${role}` : ENTRY;
  return host.shown({ server: entry, tool: tool === "" ? "" : joinedName(server, tool) });
}

function beginning(host: Host): string {
  const shown = host.shown({ server: ENTRY, tool: "" });
  return shown.slice(0, shown.indexOf(ENTRY) + ENTRY.length);
}

/** The resource of a server, asked of the entry. */
function asOfEntry(server: string): (call: ReturnType<Host["readResource"]>[number]) => typeof call {
  return ({ name, args }) => ({
    name: name.replace(server, ENTRY),
    args: Object.fromEntries(Object.entries(args).map(([key, value]) => [key, value === server ? ENTRY : value])),
  });
}
