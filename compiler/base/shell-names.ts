/** A verb of running joined to a word for a command line, or such a word alone. */
const RUNS_COMMANDS =
  /^(bash|shell|terminal|exec|run_?command)$|(^|[_-])(exec|execute|run|start|spawn|create)[_-]?(the[_-])?(shell|command|cmd|process|script|terminal|bash|powershell)s?($|[_-])/i;

/** Whether a server's tool runs whatever command it is given, as its labels or its name say: it does what any tool does. */
export function runsCommands({ name, labels }: { readonly name: string; readonly labels: readonly string[] }): boolean {
  return labels.includes("shell") || RUNS_COMMANDS.test(name);
}
