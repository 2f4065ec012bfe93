import type { Roles } from "./mcp/index.js";

/** What a tester does with its tools. It is handed a session of its role, and can call what the role holds. */
export async function reportFailure(tester: Roles["tester"], project: string, title: string): Promise<number> {
  const open = await tester.tracker.list_issues({ project, state: "open" });
  const known = open.structured.issues.find((issue) => issue.title === title);
  if (known) return known.id;
  const created = await tester.tracker.create_issue({ project, title, labels: ["test"] });
  await tester.files.write_file({ path: `tests/issue-${created.structured.id}.md`, text: title });
  return created.structured.id;
}

export async function notForTesters(tester: Roles["tester"]): Promise<void> {
  // @ts-expect-error a tester doesn't hold merge_change: this line doesn't compile
  await tester.tracker.merge_change({ id: 1 });
}
