import { pathToFileURL } from "node:url";

/**
 * What a JavaScript module of the user's exports, by absolute path: its code runs. Written as text, since the bundler of
 * our commands makes `require` of `import()`, which takes no module that awaits at its top.
 */
export async function loadModule(file: string): Promise<object> {
  // oxlint-disable-next-line no-new-func, no-implied-eval
  const load = new Function("url", "return import(url)") as (url: string) => Promise<object>;
  return await load(pathToFileURL(file).href);
}
