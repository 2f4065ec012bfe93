import type { Gateway } from "../gateway.ts";
import type { ServerLibrary, WebHandler } from "../library.ts";

/** The protocol's side of each role that is served over HTTP: no session in either era, so each request stands alone. */
export interface HttpRoles {
  handler(role: string): WebHandler;
  close(): Promise<void>;
}

export interface HttpRolesWorld {
  readonly gateway: Gateway;
  readonly library: ServerLibrary;
  said(line: string): void;
}

export function openRoles({ gateway, library, said }: HttpRolesWorld): HttpRoles {
  const handlers = new Map<string, WebHandler>();
  const stop = gateway.whenChanged(() => handlers.forEach(({ notify }) => notify.toolsChanged()));
  const open = (role: string): WebHandler => {
    const { serverFor } = gateway.overHttp(role);
    return library.createMcpHandler(({ era, authInfo }) => serverFor(authInfo?.clientId ?? "", era === "modern"), {
      legacy: "stateless",
      maxSubscriptions: Number.MAX_SAFE_INTEGER,
      onerror: ({ message }) => said(`over HTTP, as ${role}: ${message}`),
    });
  };
  return {
    handler(role) {
      const handler = handlers.get(role) ?? open(role);
      handlers.set(role, handler);
      return handler;
    },
    async close() {
      stop();
      await Promise.all([...handlers.values()].map((handler) => handler.close()));
    },
  };
}
