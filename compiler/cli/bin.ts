#!/usr/bin/env node
import { EXIT } from "./command.ts";
import { engine } from "./engine.ts";
import { main } from "./main.ts";
import { processTerminal } from "./terminal.ts";

// When the output couldn't be written, the exit code says so, whatever the command found.
const terminal = processTerminal(() => (process.exitCode = EXIT.couldNotCheck));

// No top-level await: this module is bundled as CommonJS.
void main(process.argv.slice(2), terminal, engine).then((code) => {
  process.exitCode ??= code;
  return terminal.ended();
});
