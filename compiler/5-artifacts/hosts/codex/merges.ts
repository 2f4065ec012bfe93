import type { MergedPlace, SettingAt } from "../../../4-fit/merged-place.ts";

/** With the sandbox open and nobody asked for approvals, a tool runs whatever its `approval_mode` says; `codex exec` asks nobody anyway. */
const UNASKED: readonly SettingAt[] = [
  { at: ["sandbox_mode"], undoes: "asks", unless: ["read-only", "workspace-write"] },
  { at: ["default_permissions"], undoes: "asks", unless: [":read-only", ":workspace"] },
  { at: ["approvals_reviewer"], undoes: "asks", unless: ["user"] },
];

/** A project's stands above the profile, a person's own below it; what either has and the profile hasn't is joined to it. */
export const MERGES: readonly MergedPlace[] = [
  {
    in: "above",
    file: ".codex/config.toml",
    names: [{ of: "servers", at: ["mcp_servers"], isOpen: true }],
    settings: [
      ...UNASKED,
      { at: ["approval_policy"], undoes: "asks", unless: ["untrusted", "on-request", "on-failure"] },
      { at: ["permissions"], undoes: "asks" },
      { at: ["agents", "enabled"], undoes: "handing over", unless: [false] },
      { at: ["features", "multi_agent_v2"], undoes: "handing over", unless: [false] },
      { at: ["developer_instructions"], undoes: "prompt" },
    ],
  },
  {
    in: { variable: "CODEX_HOME", otherwise: ".codex" },
    file: "config.toml",
    names: [{ of: "servers", at: ["mcp_servers"] }],
    settings: UNASKED,
  },
];
