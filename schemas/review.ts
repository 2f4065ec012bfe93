import * as z from "zod/mini";
import { accessDigest, date, listOf, login, notEmpty, optional, text } from "./parts.ts";

/** What `rolecall diff` is told. Nothing of it changes what is built. */

const exception = z.strictObject({
  roles: listOf(text),
  tools: listOf(text),
  direction: z.enum(["widens", "changed"]),
  reason: text,
  until: date,
});

export const diff = z
  .strictObject({
    exceptions: optional(
      listOf(exception),
      "Changes of tools that `--fail-on` passes by, until a date. They count from the next change on.",
    ),
    approvers: optional(listOf(login), "Whose comment or label may approve a change that isn't their own."),
    label: optional(text, "The label that approves a change, set by an approver after the last push."),
  })
  .check(z.refine(notEmpty, "empty"));

export const approval = z.strictObject({
  digest: accessDigest,
  by: login,
  reason: text,
  date,
});
