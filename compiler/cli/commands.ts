import type { CommandEntry } from "./command.ts";

/** Every command, in the order of the page of all. Each is loaded when it is called: `--help` reads no compiler. */

export const commands: readonly CommandEntry[] = [
  {
    name: "init",
    isFirst: true,
    aliases: [],
    summary: "a first project, from what lies in the folder",
    load: async () => (await import("./init/command.ts")).init,
  },
  {
    name: "add",
    isFirst: true,
    aliases: ["bootstrap"],
    summary: "a server into the project: declared, granted, captured, built",
    load: async () => (await import("./add/command.ts")).add,
  },
  {
    name: "capture",
    isFirst: true,
    aliases: [],
    summary: "ask the real servers, show what changed and who would hold it",
    load: async () => (await import("./capture/command.ts")).capture,
  },
  {
    name: "build",
    isFirst: true,
    aliases: ["sync"],
    summary: "compile the project into typed modules, JSON and ACCESS.md",
    load: async () => (await import("./build/command.ts")).build,
  },
  {
    name: "import",
    aliases: [],
    summary: "turn a file of another system into a source of yours",
    load: async () => (await import("./import/command.ts")).importFile,
  },
  {
    name: "diff",
    isFirst: true,
    aliases: [],
    summary: "what access changed since a git revision, with one call for each",
    load: async () => (await import("./diff/command.ts")).diff,
  },
  {
    name: "verify",
    aliases: [],
    summary: "is this true of access? yes or no, with the rule and one call",
    load: async () => (await import("./verify/command.ts")).verify,
  },
  {
    name: "results",
    aliases: [],
    summary: "Zod schemas of results, as `results:` of a server",
    load: async () => (await import("./results/command.ts")).results,
  },
  {
    name: "explain",
    isFirst: true,
    aliases: [],
    summary: "why a role may or may not call a tool, or what a code means",
    load: async () => (await import("./explain/command.ts")).explain,
  },
  {
    name: "report",
    aliases: [],
    summary: "the access matrix: every role and every server",
    load: async () => (await import("./report/command.ts")).report,
  },
  {
    name: "ls",
    aliases: [],
    summary: "the servers at a glance, and which variables are set",
    load: async () => (await import("./ls/command.ts")).ls,
  },
  {
    name: "doctor",
    aliases: [],
    summary: "can the servers be reached, and if not, what to do",
    load: async () => (await import("./doctor/command.ts")).doctor,
  },
  {
    name: "inspect",
    aliases: [],
    summary: "one server: its tools, hints, labels, limits and holders",
    load: async () => (await import("./inspect/command.ts")).inspect,
  },
  {
    name: "image",
    aliases: [],
    summary: "the packages that a base image should hold for the servers",
    load: async () => (await import("./image/command.ts")).image,
  },
  {
    name: "calls",
    aliases: [],
    summary: "the record of calls: errors, latency, availability, audit",
    load: async () => (await import("./calls/command.ts")).calls,
  },
  {
    name: "unused",
    aliases: [],
    summary: "grants that no code and no recorded call uses, and their removal",
    load: async () => (await import("./unused/command.ts")).unused,
  },
  {
    name: "login",
    aliases: [],
    summary: "log in to a server in your browser, for rolecall's own questions",
    load: async () => (await import("./login/command.ts")).login,
  },
  {
    name: "logout",
    aliases: [],
    summary: "give the tokens of a login back, and delete them here",
    load: async () => (await import("./logout/command.ts")).logout,
  },
  {
    name: "hosts",
    aliases: [],
    summary: "what each agent host holds of the rules, and how to start a role",
    load: async () => (await import("./hosts/command.ts")).hosts,
  },
  {
    name: "start",
    aliases: [],
    summary: "start an agent host as one of the roles, after a look at it",
    load: async () => (await import("./start/command.ts")).start,
  },
  {
    name: "serve",
    aliases: [],
    summary: "one MCP server for a role, with every rule of the plan held",
    load: async () => (await import("./serve/command.ts")).serve,
  },
  {
    name: "asks",
    aliases: [],
    summary: "calls and builds that wait for your yes, on a terminal",
    load: async () => (await import("./asks/command.ts")).asks,
  },
  {
    name: "state",
    aliases: [],
    summary: "the team's roster, decisions and backlog, as an MCP server",
    load: async () => (await import("./state/command.ts")).state,
  },
  {
    name: "presets",
    aliases: [],
    summary: "servers and roles that rolecall knows, to look at and to copy",
    load: async () => (await import("./presets/command.ts")).presets,
  },
  {
    name: "completion",
    aliases: [],
    summary: "a script that lets bash, zsh or fish complete names",
    load: async () => (await import("./completion/command.ts")).completion,
  },
  {
    name: "plan",
    aliases: [],
    summary: "every decision with its reasons, as JSON",
    load: async () => (await import("./plan/command.ts")).plan,
  },
];

export function findCommand(name: string): CommandEntry | undefined {
  return commands.find((command) => command.name === name || command.aliases.includes(name));
}
