import { hostCodes } from "./catalogue/host.ts";
import { importCodes } from "./catalogue/import.ts";
import { invariantCodes } from "./catalogue/invariant.ts";
import { manifestCodes } from "./catalogue/manifest.ts";
import { outputCodes } from "./catalogue/output.ts";
import { policyCodes } from "./catalogue/policy.ts";
import { referenceCodes } from "./catalogue/reference.ts";
import { roleCodes } from "./catalogue/role.ts";
import { serverCodes } from "./catalogue/server.ts";
import { shapeCodes, sourceCodes } from "./catalogue/source.ts";
import { stateCodes } from "./catalogue/state.ts";

/** Every code that rolecall can say: `subject/slug`, one file for each subject. */
export const catalogue = {
  ...sourceCodes,
  ...shapeCodes,
  ...referenceCodes,
  ...serverCodes,
  ...manifestCodes,
  ...roleCodes,
  ...policyCodes,
  ...invariantCodes,
  ...importCodes,
  ...hostCodes,
  ...stateCodes,
  ...outputCodes,
} as const;

export type DiagnosticCode = keyof typeof catalogue;

export const adjustableCodes: readonly string[] = Object.entries(catalogue)
  .filter(([, entry]) => "adjustable" in entry)
  .map(([code]) => code)
  .sort();
