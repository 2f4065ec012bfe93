/** Whether a file below the sources is one, by its name: in any case of letters, `Policies.YAML` is meant too. */
export function isSourceName(name: string): boolean {
  return /\.(?:yaml|yml|json)$/i.test(name);
}
