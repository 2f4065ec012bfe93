#!/usr/bin/env node
import { engine } from "./engine.ts";
import { main } from "./main.ts";
import { processTerminal } from "./terminal.ts";

// No top-level await: this module is bundled as CommonJS.
void main(process.argv.slice(2), processTerminal(), engine).then((code) => (process.exitCode = code));
