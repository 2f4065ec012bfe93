/** Lines for CODEOWNERS: whoever owns these files is asked when access changes. */
export function ownersLines({ folder, out }: { readonly folder: string; readonly out: string }): string[] {
  const paths = ["/rolecall.yaml", `/${folder}/`, `/${out}/access.json`, "/.github/CODEOWNERS"];
  return [
    "# in .github/CODEOWNERS, so that an owner sees each change of access:",
    ...paths.map((path) => `${path} @OWNER`),
  ];
}
