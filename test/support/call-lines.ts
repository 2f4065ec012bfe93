import type { RecordLine } from "../../runtime/api.ts";

/** A line as the runtime writes it, with what a test wants otherwise. */
export function callLine(more: Partial<RecordLine> = {}): RecordLine {
  return {
    ts: "2026-03-01T09:00:00.000Z",
    run_id: "r1",
    role: "reader",
    server: "github",
    tool: "list_issues",
    args: {},
    status: "ok",
    duration_ms: 10,
    decision: "allow",
    ask: null,
    transport: "http",
    session_id: null,
    protocol_version: "2025-11-25",
    http_status: 200,
    retries: 0,
    result_bytes: 100,
    plan: "sha256:ab12",
    error: null,
    ...more,
  };
}

export function jsonLines(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}
