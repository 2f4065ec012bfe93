import { keyOf } from "../base/place.ts";
import type { Check } from "./types.ts";

export const checkScopes: Check = ({ model }, report) => {
  for (const server of model.servers) {
    for (const scope of server.scopes ?? []) {
      if (/^(execute|admin):|^\*$/.test(scope.name))
        report.add("server/dangerous-scope", keyOf(scope.place), { scope: scope.name, server: server.name });
    }
  }
};
