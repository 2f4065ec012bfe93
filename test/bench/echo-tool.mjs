import { createHash } from "node:crypto";

/** Its keys are in order, so that its JSON is the canonical text that a pin is made of. */
export const ECHO = {
  annotations: { readOnlyHint: true },
  description: "Gives back a text.",
  inputSchema: {
    properties: {
      count: { type: "integer" },
      path: { type: "string" },
      tags: { items: { type: "string" }, type: "array" },
      text: { type: "string" },
    },
    required: ["text"],
    type: "object",
  },
  name: "echo",
};

const digest = `sha256:${createHash("sha256").update(JSON.stringify(ECHO)).digest("hex")}`;

/** What a build would write of a server with this tool, and of a role that holds it. */
export function echoRole(connect, { where, ...more } = {}) {
  const { description, inputSchema } = ECHO;
  const data = {
    format: 1,
    server: "echo",
    connect: [connect],
    timeoutMs: 30_000,
    breaker: { failures: 3, cooldownMs: 60_000 },
    connection: "project",
    mustConnect: false,
    tools: { echo: { digest, description, inputSchema, readOnly: true, idempotent: false, labels: [] } },
    notHeld: ["remove"],
    ...more,
  };
  const servers = { echo: { tools: { echo: "allow" }, ...(where && { where }) } };
  return {
    name: "bench",
    data: JSON.stringify({ format: 1, role: "bench", servers, delegates: [] }),
    load: { echo: async () => ({ data: JSON.stringify(data) }) },
  };
}
