import { isObject } from "../../../base/json.ts";
import type { KeyPath } from "../../../base/place.ts";
import { putAddress, putProcess } from "../connection.ts";
import { magsagSpelled, putScopes } from "../magsag-spelling.ts";
import type { Format, Translation } from "../types.ts";
import { magsagPresetDocument, type MagsagPresetDocument, type MagsagTransport } from "./schema.ts";

/** A server of MAGSAG's second generation: one transport, what to fall back on, and who has to say yes. */
export const magsagPreset: Format<MagsagPresetDocument> = {
  id: "magsag-preset",
  title: "MAGSAG's preset",
  recognises: (value) => "id" in value && isObject(value["transport"]),
  schema: magsagPresetDocument,
  read: (preset, made) => {
    const name = made.serverName(preset.id, ["id"]);
    const { permissions = {}, options = {}, notes } = preset;
    putTransport(made, name, 0, preset.transport, ["transport"]);
    (preset.fallback ?? []).forEach((transport, i) => putTransport(made, name, i + 1, transport, ["fallback", i]));
    for (const key of ["version", "description"] as const) made.put(["servers", name, key], preset[key], [key]);
    if (notes !== undefined && notes.length > 0) made.put(["servers", name, "notes"], notes, ["notes"]);
    putScopes(made, name, permissions.scope, ["permissions", "scope"]);
    const readOnly: (readonly [boolean | string | undefined, KeyPath])[] = [
      [preset.read_only, ["read_only"]],
      [options.read_only, ["options", "read_only"]],
      [permissions.read_only, ["permissions", "read_only"]],
    ];
    for (const [value, at] of readOnly)
      if (restricts(value, at, made) && permissions.scope?.length !== 0)
        made.put(["servers", name, "tools"], "read-only", at);
    const asks = ["permissions", "write_requires_approval"];
    if (restricts(permissions.write_requires_approval, asks, made)) askBeforeWriting(made, name, asks);
  },
};

function putTransport(made: Translation, server: string, i: number, transport: MagsagTransport, at: KeyPath): void {
  const options = { i, spell: magsagSpelled };
  if (transport.type === "stdio") putProcess(made, server, transport, at, options);
  else putAddress(made, server, transport.type, transport, at, options);
}

/**
 * A switch that takes something away is off only where the file says `false` itself. What an environment says isn't known
 * when a plan is made, and must not widen it later.
 */
function restricts(value: boolean | string | undefined, at: KeyPath, made: Translation): boolean {
  if (value === undefined || value === false) return false;
  const word = String(value).trim();
  if (/^false$/i.test(word)) return false;
  const stands = /^\$\{\w+:-?([^${}]*)\}$/.exec(word)?.[1] ?? word;
  if (!/^true$/i.test(word)) made.strictly(at, word, /^true$/i.test(stands));
  return true;
}

function askBeforeWriting(made: Translation, server: string, written: KeyPath): void {
  const policy = { name: `${made.file}: write_requires_approval`, roles: ["*"], effect: "ask" };
  made.put(["policies", 0], policy, written);
  made.put(["policies", 0, "tools"], [`${server}.is:write`], written);
  made.asks(`${server}.is:write`, policy.roles, written);
}
