import { expect, test } from "vitest";
import type { RoleName, ServerName } from "../../compiler/base/names.ts";
import { checkArguments } from "../../compiler/checks/arguments.ts";
import type { Subject } from "../../compiler/checks/types.ts";
import type { Report } from "../../compiler/diagnostics/report.ts";
import { definedBy } from "../../compiler/2-model/definition.ts";
import type { Policy, Server } from "../../compiler/2-model/types.ts";
import { manifest, planned } from "../support/compiled.ts";

/** A definition is parsed each time that it is asked for: conditions of all rules go through the tools together. */
test("each tool's definition is taken once, for all conditions", () => {
  const [sample] = planned({
    "mcp/servers.yaml": "servers: { s: { connect: [{ stdio: [x] }] } }",
    "mcp/manifests/s.json": manifest("get", "put"),
  }).plan.servers;
  const read: string[] = [];
  const said: object[] = [];
  const aServer = (name: string, pin: string): Server => {
    const tools = sample!.tools.map((tool) => ({
      ...tool,
      server: name as ServerName,
      ...definedBy(() => {
        read.push(`${pin} ${name}.${tool.name}`);
        return { title: undefined, description: undefined, inputSchema: "{}", outputSchema: undefined };
      }),
    }));
    return { name: name as ServerName, pin, manifest: {}, tools } as unknown as Server;
  };
  const servers = [aServer("a", "large"), aServer("b", "other"), aServer("c", "large")];
  const aPolicy = (name: string): Policy => {
    const place = { file: "policies.yaml", path: [name] };
    const tools = new Map(servers.map((server) => [server.name, [0, 1]]));
    return {
      name,
      roles: ["reader" as RoleName],
      selections: [{ tools }, { tools }],
      conditions: [{ argument: name, condition: { enum: ["x"] }, place }],
    } as unknown as Policy;
  };
  const subject = {
    model: { servers, roles: [], policies: ["one", "two", "three"].map(aPolicy) },
    plan: { roles: [] },
    grant: () => ({ decisions: [{ effect: "allow" }, { effect: "ask" }] }),
  } as unknown as Subject;
  checkArguments(subject, {
    add: (_code: string, _at: unknown, params: object) => void said.push(params),
  } as unknown as Report);
  expect(read).toEqual(["large a.get", "large a.put", "other b.get", "other b.put", "large c.get", "large c.put"]);
  expect(said.map((params) => "holders" in params && params.holders)).toEqual(
    Array.from({ length: 3 }, () => "role `reader` holds `a.get`, `a.put`, `b.get` and 3 more"),
  );
});
