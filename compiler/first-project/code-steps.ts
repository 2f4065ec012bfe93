import { dependsOn } from "../base/depends-on.ts";
import { isObject, own, type JsonObject } from "../base/json.ts";
import { NODE_TYPES, OTHER_FOLDER, TS_IMPORTS } from "../base/typescript-settings.ts";
import type { FoundFolder } from "./types.ts";

/** What a person does before code can call tools by what builds write: each a command, or what to write where, and why. */
export function codeSteps({
  manifest,
  typescript,
  own: self,
}: Pick<FoundFolder, "manifest" | "typescript" | "own">): string[] {
  const { config, problems } = typescript;
  const lacks = (...names: string[]) => names.filter((name) => !dependsOn(manifest, name));
  const tools = config === undefined ? lacks("typescript", "@types/node") : [];
  const client = lacks("@modelcontextprotocol/client");
  return [
    ...(manifest === undefined ? ["npm init -y, then npm pkg set type=module"] : []),
    ...(manifest !== undefined && config === undefined && own(manifest, "type") !== "module"
      ? ['write "type": "module" in package.json: generated code is ES modules']
      : []),
    ...problems.map(({ says, next }) => `${next}: ${says}`),
    ...(typescript.emits === "beside" && !compilesElsewhere(manifest) ? [besideStep(typescript)] : []),
    ...(tools.length > 0 ? [`npm install --save-dev ${tools.join(" ")}`] : []),
    ...(config === undefined ? [CONFIGURE] : []),
    ...(client.length > 0 ? [`npm install ${client.join(" ")}: generated code connects by it`] : []),
    ...(lacks("rolecall").length > 0 ? ownSteps(manifest, self) : []),
  ];
}

/** What `tsc --init` leaves open: what `tsc` makes beside generated code stops the next build. */
const CONFIGURE = `npx tsc --init, then write ${NODE_TYPES}, ${TS_IMPORTS} and ${OTHER_FOLDER} in the tsconfig.json that it makes`;

function besideStep({ config, otherFolder }: FoundFolder["typescript"]): string {
  return `write ${otherFolder} in ${config}, or "noEmit": true: what \`tsc\` makes beside generated code stops the next build`;
}

/** By what its scripts hand over. */
function compilesElsewhere(manifest: JsonObject | undefined): boolean {
  const scripts = manifest && own(manifest, "scripts");
  return isObject(scripts) && Object.values(scripts).some((one) => /--(?:noEmit|outDir)\b/i.test(String(one)));
}

/** Where it can be named by its version, `init` does it. */
function ownSteps(manifest: JsonObject | undefined, self: FoundFolder["own"]): string[] {
  if (self !== undefined) return manifest === undefined ? [`npm install --save-dev --save-exact rolecall@${self}`] : [];
  return ["npm install --save-dev FILE, the one that `npm pack` writes in your clone of rolecall"];
}
