const PATH = /^(?:\.{0,2}[/\\]|\.{1,2}$|[A-Za-z]:[/\\])/;

/** A name is a revision and never a file: a change could bring a file of that name, and be compared with itself. */
export function isPath(named: string): boolean {
  return PATH.test(named);
}
