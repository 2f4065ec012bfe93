import { EXIT, printJson, styleOf, type Args, type Compiled, type Context } from "../command.ts";
import { matrixJson, matrixMarkdown, matrixText, tokensText } from "./access-matrix.ts";
import { reviewOf } from "./review.ts";

/** The table of all roles and servers, and what stands below it. */
export function showAll({ plan }: Compiled, context: Context, args: Args): number {
  const { out } = context.terminal;
  const review = reviewOf(plan);
  if (context.json) printJson(context, matrixJson(review));
  else if (args.on.has("markdown")) out.write(matrixMarkdown(review));
  else out.write((args.on.has("tokens") ? tokensText : matrixText)(review, styleOf(context, out)));
  return EXIT.fine;
}
