import { afterEach, beforeEach, expect, test } from "vitest";
import { CAPTURE_SERVER, captureProject, tool, type CaptureProject } from "../support/capture-project.ts";
import { hostDoctor, READ } from "../support/host-doctor.ts";
import { errorOf, generatedProject, type GeneratedProject } from "../support/generated-team.ts";
import { FAULT_SERVER } from "../support/root.ts";

/** A preset's `also`: what a variable may be called besides, to everybody who looks it up. */

const KEY = "an-invented-key-of-notes";
const preset = (stdio: string): string => `id: notes
variables:
  - { name: NOTES_TOKEN, for: signs you in, also: [NOTES_KEY, NOTES_API_KEY] }
server:
  connect:
    - stdio: ${stdio}
      env: { TOKEN: "\${NOTES_TOKEN}", KIND: "\${NOTES_TOKEN:+personal}" }
`;

let project: CaptureProject;
beforeEach(() => {
  project = captureProject();
});
afterEach(() => project.remove());

function declare(hosts: string): void {
  project.fake("notes", { pages: [[tool("find", READ)]], counter: `${project.dir}/starts` });
  project.write(
    "mcp/presets/notes.yaml",
    preset(`[${process.execPath}, ${CAPTURE_SERVER}, ${project.dir}/notes.settings.json]`),
  );
  project.declare(
    { notes: "{ preset: notes }" },
    `envExample: .env.example\nhosts: [${hosts}]\nroles:\n  tester: { tools: { notes: all } }\n`,
  );
}

test("capture, doctor and ls find it, and say under which name", async () => {
  declare("ai-sdk");
  const scene = { env: { NOTES_KEY: "", NOTES_API_KEY: KEY } };
  expect(await project.run(["capture", "--accept"], scene)).toMatchObject({ exit: 0 });
  expect(project.read("mcp/manifests/notes.json")).not.toContain(KEY);
  expect(await project.run(["doctor"], scene)).toMatchObject({ exit: 0 });
  expect((await project.run(["doctor"])).out).toContain("`NOTES_TOKEN` isn't set");
  expect((await project.run(["ls"], scene)).out).toContain("NOTES_TOKEN set as NOTES_API_KEY");
  await project.run(["build"]);
  expect(project.read(".env.example")).toContain("# also accepted: NOTES_KEY, NOTES_API_KEY\n");
});

test("a host that has the variable's name in its file looks under no other, and that is told", async () => {
  declare("ai-sdk, { id: opencode, assume: { NOTES_TOKEN: set } }");
  const doctor = hostDoctor(project);
  doctor.pin("notes", ["find"]);
  expect(await project.run(["build"])).toMatchObject({ exit: 0 });
  expect(project.read(".env.example")).toContain("# also accepted: NOTES_KEY, NOTES_API_KEY, but not in OpenCode\n");
  const { out } = await doctor.look("opencode", { NOTES_KEY: KEY });
  expect(out).toContain("NOTES_TOKEN isn't set");
  expect(out.replace(/\s+/g, " ")).toContain("other names NOTES_KEY, NOTES_API_KEY: OpenCode doesn't look under them");
  expect(project.has("starts")).toBe(false);
  // A host in the app's own process connects as the runtime does.
  const { out: inProcess } = await doctor.look("ai-sdk", { NOTES_KEY: KEY });
  expect(inProcess).toContain("1 reachable");
});

test("an app's calls have it, its own name first, and it is masked like any other", async () => {
  const app: GeneratedProject = await generatedProject(
    {
      "rolecall.yaml":
        "version: 1\nproject: harbor\nservers: { notes: { preset: notes } }\nroles: { tester: { tools: { notes: [seen, echo] } } }\n",
      "mcp/presets/notes.yaml": preset(`[${process.execPath}, ${FAULT_SERVER}, "{}"]`),
    },
    [["capture", "--accept"], ["build"]],
    () => ({ NOTES_KEY: KEY }),
  );
  const seenWith = async (env: Record<string, string>): Promise<Record<string, string>> => {
    const team = app.team({ env });
    const { structured } = await team.as("tester")["notes"]!["seen"]!();
    await team.close();
    return (structured as { env: Record<string, string> }).env;
  };
  try {
    expect(await seenWith({ NOTES_API_KEY: KEY })).toMatchObject({ TOKEN: KEY, KIND: "personal" });
    expect(await seenWith({ NOTES_KEY: "", NOTES_API_KEY: KEY })).toMatchObject({ TOKEN: KEY });
    expect(await seenWith({ NOTES_API_KEY: "another", NOTES_TOKEN: KEY })).toMatchObject({ TOKEN: KEY });
    const team = app.team({ env: { NOTES_API_KEY: KEY } });
    const refused = await errorOf(team.as("tester")["notes"]!["echo"]!(`no object: ${KEY}` as never));
    expect(refused.message).not.toContain(KEY);
    const missing = app.team({ env: {} });
    expect(await errorOf(missing.as("tester")["notes"]!["seen"]!())).toMatchObject({ code: "missing-variable" });
    await Promise.all([team.close(), missing.close()]);
  } finally {
    app.remove();
  }
});
