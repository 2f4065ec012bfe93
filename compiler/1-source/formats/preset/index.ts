import type { z } from "zod/mini";
import { isObject } from "../../../base/json.ts";
import type { Preset } from "../../../../schemas/types.ts";
import { preset } from "../../../../schemas/project.ts";
import type { Format } from "../types.ts";

/** A preset of the project as the lowest layer: a server that is there unless a layer over it takes it out. */
export const presetLayer: Format<Preset> = {
  id: "preset",
  title: "a preset",
  recognises: (value) => typeof value["id"] === "string" && isObject(value["server"]),
  schema: () => preset as z.ZodMiniType<Preset>,
  read: ({ id }, made) => {
    const name = made.serverName(id, ["id"]);
    made.put(["servers", name, "preset"], id, ["id"]);
    made.put(["roles", made.role, "tools", name], "all", ["id"]);
  },
};
