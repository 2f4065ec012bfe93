import path from "node:path";
import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { nearest } from "../base/nearest.ts";
import { compile } from "../compile.ts";
import { lazyLibraries } from "../io/libraries.ts";
import { hasProject, projectAbove } from "../io/read/find-project.ts";
import { openProject } from "../io/read/project-files.ts";

/** What the fake declares: the pin's own values, as the real server sent them. */
export interface FakePin {
  readonly serverInfo: JsonObject;
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
  /** By name, each as `tools/list` has it. */
  readonly tools: ReadonlyMap<string, JsonObject>;
}

/** The pin that a project has for a server: the project is read as a build reads it. */
export function readPin(server: string, project: string | undefined): FakePin {
  const dir = project ?? nearestProject(process.cwd());
  const files = openProject(dir);
  const { plan } = compile(files, [], lazyLibraries());
  const found = plan.servers.find(({ name }) => name === server);
  if (found === undefined) {
    const near = nearest(
      server,
      plan.servers.map(({ name }) => name),
    );
    throw wrong(server, `the project has no such server${near === undefined ? "" : `; did you mean \`${near}\`?`}`);
  }
  if (found.manifest === undefined) throw wrong(server, `it has no manifest yet: \`rolecall capture ${server}\``);
  const manifest = files.read(found.manifest.file);
  if (manifest.problem !== undefined) throw wrong(server, `\`${found.manifest.file}\` can't be read`);
  return pinOf(JSON.parse(manifest.text) as JsonValue, server);
}

export function wrong(server: string, why: string): TypeError {
  return new TypeError(`fakeServer("${server}"): ${why}`);
}

function nearestProject(dir: string): string {
  if (hasProject(dir)) return dir;
  const above = projectAbove(dir);
  if (above === undefined)
    throw new TypeError("there is no rolecall.yaml here or above: name its folder, `{ project: ... }`");
  return path.join(dir, above);
}

function pinOf(manifest: JsonValue, server: string): FakePin {
  const known = isObject(manifest) ? manifest : {};
  const { serverInfo, capabilities, instructions, tools } = known;
  const listed = (Array.isArray(tools) ? tools : []).filter(isObject);
  return {
    serverInfo: isObject(serverInfo) ? serverInfo : { name: server, version: "0.0.0" },
    capabilities: isObject(capabilities) ? { tools: {}, ...capabilities } : { tools: {} },
    instructions: typeof instructions === "string" ? instructions : undefined,
    tools: new Map(listed.map((tool) => [String(tool["name"]), withoutDigest(tool)])),
  };
}

/** It is ours, and no server sends it. */
function withoutDigest(tool: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(tool).filter(([key]) => key !== "digest"));
}
