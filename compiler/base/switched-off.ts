/** `enabled: false`, wherever it was said: the server is there for no role. */
export function isOff({ ceilings }: { readonly ceilings: readonly { readonly kind: string }[] }): boolean {
  return ceilings.some(({ kind }) => kind === "enabled");
}
