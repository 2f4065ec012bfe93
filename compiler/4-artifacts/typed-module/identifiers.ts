import { pascalCase } from "../type-of-schema/names.ts";

/** Identifiers of roles and servers: only from names that the project's author chose, `[a-z][a-z0-9_-]*`. */

/** `backend-dev` gives `BackendDevServers`. */
export function roleInterface(role: string): string {
  return `${pascalCase(role)}Servers`;
}

/** `backend-dev` gives `backendDev`; a word that can't be a name, or is taken in the index, gets a trailing `_`. */
export function roleValue(role: string): string {
  const pascal = pascalCase(role);
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1);
  return unusable.has(camel) ? `${camel}_` : camel;
}

/** `azure-devops` gives `AzureDevopsTools`. */
export function serverInterface(server: string): string {
  return `${pascalCase(server)}Tools`;
}

/** Keywords, names that the language keeps for itself, and `team`, the function that the index exports. */
const unusable = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function " +
    "globalThis if implements import in instanceof interface let new null package private protected public return static super switch team this " +
    "throw true try typeof undefined var void while with yield"
  ).split(" "),
);
