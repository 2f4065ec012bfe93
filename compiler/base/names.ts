/**
 * Names, told apart by the type checker. A tool is always the pair (server, tool): no joined
 * string is ever split again, whatever a server calls its tools.
 */
declare const brand: unique symbol;
type Branded<Kind extends string> = string & { readonly [brand]: Kind };

export type ServerName = Branded<"server">;
export type RoleName = Branded<"role">;
/** As the server sent it, whatever that is: an empty text too. */
export type ToolName = Branded<"tool">;
/** `sha256:` and 64 hex digits. */
export type Digest = Branded<"digest">;

/** `server.tool`, for people. The first dot divides: server names hold none. */
export function toolPath(server: ServerName, tool: ToolName): string {
  return `${server}.${tool}`;
}
