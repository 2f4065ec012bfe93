import type { Check } from "./types.ts";

export const checkScopes: Check = ({ model }, report) => {
  for (const server of model.servers) {
    for (const scope of server.scopes ?? []) {
      if (/^(execute|admin):|^\*$/.test(scope.name)) report.add("server/dangerous-scope", scope.place, { scope: scope.name, server: server.name });
    }
  }
};
