// For NODE_OPTIONS: notes in the file that LOADED_FILES names what each process of the command loads, before it has ended.
import { appendFileSync, statSync } from "node:fs";
import { Module } from "node:module";

const who = process.argv.includes("--role") ? "shim" : "daemon";
for (const ending of [".js", ".cjs"]) {
  const load = Module._extensions[ending] ?? Module._extensions[".js"];
  Module._extensions[ending] = (module, file) => {
    const { size: bytes } = statSync(file);
    appendFileSync(process.env.LOADED_FILES, `${JSON.stringify({ who, file, bytes })}\n`);
    return load(module, file);
  };
}
