import { planHead, roleJsons, serverJson } from "../../3-plan/plan-json.ts";
import type { JsonValue } from "../../base/json.ts";
import type { Locate } from "../../base/place.ts";
import { visibleJson } from "../../base/visible.ts";
import type { Plan } from "../../3-plan/types.ts";
import { EXIT, type Command } from "../command.ts";
import { wholeProject } from "../whole-project.ts";
import { noWords } from "../words.ts";

const help = `rolecall plan: every decision of the project as JSON, with its reasons.

usage: rolecall plan [--project DIR]

For each role, server and tool: allow, ask or deny, the conditions, and every
line that decided it as file, line and column; for each role and server what
it may read, in the same way. It is the input for tools of your own. For a
review, read access.json instead: it holds no line numbers, so that an edit
elsewhere doesn't change it.

  rolecall plan > plan.json
  rolecall plan | jq '.roles[] | {name, servers: [.servers[].name]}'

flags:
  --project DIR   the folder with rolecall.yaml, when it isn't here or above
  --json          as without it: the plan is always JSON

Exit code 1 when the project has errors: then there is no plan to show.
`;

export const plan: Command = {
  help,
  flags: [],
  forPrograms: true,
  run: async (context, args) => {
    const wrong = noWords("plan", args, context);
    if (wrong !== undefined) return wrong;
    const project = await wholeProject(context);
    if (project === undefined) return EXIT.errors;
    for (const part of planText(project.plan, project.locate)) context.terminal.out.write(part);
    return EXIT.fine;
  },
};

/** The text of `planJson`, one server or role at a time. */
export function* planText(plan: Plan, locate: Locate): Generator<string> {
  const head = Object.entries(planHead(plan)).map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${indented(value, "  ")},\n`,
  );
  yield `{\n${head.join("")}`;
  yield* listText(
    "servers",
    plan.servers.map((server) => serverJson(server, locate)),
  );
  yield ",\n";
  yield* listText("roles", roleJsons(plan, locate));
  yield "\n}\n";
}

function* listText(key: string, items: Iterable<JsonValue>): Generator<string> {
  yield `  "${key}": [`;
  let between = "\n";
  for (const item of items) {
    yield `${between}    ${indented(item, "    ")}`;
    between = ",\n";
  }
  yield between === "\n" ? "]" : "\n  ]";
}

function indented(value: JsonValue, indent: string): string {
  return visibleJson(JSON.stringify(value, null, 2)).replaceAll("\n", `\n${indent}`);
}
