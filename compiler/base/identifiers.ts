/**
 * Identifiers of roles and servers in what is generated: only from names that the project's author chose,
 * `[a-z][a-z0-9_-]*`, and never cut. Two names may give one identifier; a check says so.
 */

/** `backend-dev` gives `BackendDevServers`. */
export function roleInterface(role: string): string {
  return `${joinedWords(role)}Servers`;
}

/** `backend-dev` gives `backendDev`; a word that can't be a name, or is taken in the index, gets a trailing `_`. */
export function roleValue(role: string): string {
  const words = joinedWords(role);
  const camel = words.charAt(0).toLowerCase() + words.slice(1);
  return unusable.has(camel) ? `${camel}_` : camel;
}

/** `azure-devops` gives `AzureDevopsTools`. */
export function serverInterface(server: string): string {
  return `${joinedWords(server)}Tools`;
}

/** The ASCII letters and digits of a text, each word with a capital: `backend-dev` gives `BackendDev`. May be empty. */
export function joinedWords(text: string): string {
  let joined = "";
  for (const word of text.split(/[^A-Za-z0-9]+/)) joined += word.charAt(0).toUpperCase() + word.slice(1);
  return joined;
}

/** Keywords, names that the language keeps for itself, and `team`, the function that the index exports. */
const unusable = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function " +
    "globalThis if implements import in instanceof interface let new null package private protected public return static super switch team this " +
    "throw true try typeof undefined var void while with yield"
  ).split(" "),
);
