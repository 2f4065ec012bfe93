import * as z from "zod/mini";

const names = z.array(z.string());

/** Strict where access is written; what else such a file says (entry points, budgets, contracts) is about other things. */
export const governanceDocument = () =>
  z.looseObject({
    slug: z.optional(z.string()),
    id: z.optional(z.string()),
    name: z.optional(z.string()),
    description: z.optional(z.string()),
    requires: z.optional(z.looseObject({ mcp: z.optional(names) })),
    permissions: z.optional(names),
    skills: z.optional(names),
    depends_on: z.optional(z.looseObject({ skills: z.optional(names) })),
    policies: z.optional(
      z.strictObject({
        tools: z.record(z.string(), z.enum(["allow", "deny", "require-approval"])),
      }),
    ),
  });

export type GovernanceDocument = z.infer<ReturnType<typeof governanceDocument>>;
