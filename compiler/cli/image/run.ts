import { neededBy } from "../../3-plan/packages.ts";
import type { Plan } from "../../3-plan/types.ts";
import { EXIT, printJson, styleOf, type Context } from "../command.ts";
import { neededJson } from "./json.ts";
import { neededPage } from "./page.ts";

export function showNeeded(context: Context, plan: Plan): number {
  const { out } = context.terminal;
  const needed = neededBy(plan);
  if (context.json) printJson(context, neededJson(plan, needed));
  else out.write(neededPage(needed, styleOf(context, out)));
  return EXIT.fine;
}
