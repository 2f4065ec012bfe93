import { milliseconds } from "../base/duration.ts";
import { plainPath } from "../base/plain-path.ts";
import { DEFAULTS } from "../base/project-layout.ts";
import type { Project } from "../../schemas/types.ts";
import type { SourceSettings } from "./types.ts";

/** What rolecall.yaml says of the project, paths in one spelling, with our word where it says nothing. */
export function settingsOf(written: Project): SourceSettings {
  const { project, out, folder, envExample, importExtension, runtime, diff } = written;
  return {
    name: project,
    out: plainPath(out ?? DEFAULTS.out),
    folder: plainPath(folder ?? DEFAULTS.folder),
    importExtension: importExtension ?? DEFAULTS.importExtension,
    runtime: runtime ?? DEFAULTS.runtime,
    envExample: envExample === undefined ? undefined : plainPath(envExample),
    diff,
    serve: serveSettings(written.serve),
  };
}

function serveSettings(written: NonNullable<Project["serve"]> = {}): SourceSettings["serve"] {
  const { command, idle, env, record, prompt, askHold, askTimeout, approvers } = written;
  const usual = DEFAULTS.serve;
  return {
    command: command ?? usual.command,
    idleMs: idle === undefined ? usual.idleMs : milliseconds(idle),
    env: env === undefined ? usual.env : { file: plainPath(env), isWritten: true },
    record: record === undefined ? usual.record : plainPath(record),
    tellsPrompt: prompt ?? usual.tellsPrompt,
    askHoldMs: askHold === undefined ? usual.askHoldMs : milliseconds(askHold),
    askTimeoutMs: askTimeout === undefined ? usual.askTimeoutMs : milliseconds(askTimeout),
    approvers: approvers ?? usual.approvers,
  };
}
