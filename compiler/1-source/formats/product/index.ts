import { isObject, type JsonValue } from "../../../base/json.ts";
import type { KeyPath } from "../../../base/place.ts";
import { putAddress, putProcess } from "../connection.ts";
import { plainReferences } from "../plain-references.ts";
import type { Format, Translation } from "../types.ts";
import { productDocument, productRows, type ProductDocument, type ProductRows, type ProductServer } from "./schema.ts";

/** A product's manifest: the servers under `mcp.servers`, as a list or as a map, all held by one role. */
export const product: Format<ProductDocument> = {
  id: "product",
  title: "a product manifest",
  recognises: ({ mcp }) => isObject(mcp) && areServers(mcp["servers"]),
  rolesAddUp: true,
  schema: productDocument,
  read: ({ id, mcp: { servers } }, made) => {
    const whose = id === undefined ? undefined : { id: String(id), at: ["id"] };
    const at = ["mcp", "servers"];
    const found = Array.isArray(servers)
      ? servers.map((one, i) => ({ theirs: one.name, one, at: [...at, i], named: [...at, i, "name"] }))
      : Object.entries(servers).map(([theirs, one]) => ({ theirs, one, at: [...at, theirs], named: [...at, theirs] }));
    readServers(found, made, () => whose);
  },
};

/** Rows of `kb.project_mcp_servers` as JSON, which bring back what was edited in the database. */
export const rows: Format<ProductRows> = {
  id: "product-rows",
  title: "rows of project_mcp_servers",
  recognises: () => false,
  recognisesList: (items) => items.length > 0 && items.every(isRow),
  rolesAddUp: true,
  schema: productRows,
  read: (document, made) => {
    sayOthers(document, made);
    const found = document.map((one, i) => ({ theirs: one.name, one, at: [i], named: [i, "name"] }));
    readServers(found, made, ({ product_id: id }, at) =>
      id === null || id === undefined ? undefined : { id: String(id), at: [...at, "product_id"] },
    );
  },
};

/** Editors' settings have servers under these keys too, in another form. */
function areServers(value: JsonValue | undefined): boolean {
  if (!Array.isArray(value) && !isObject(value)) return false;
  const servers = Object.values(value);
  return servers.length === 0 || servers.some((one) => isObject(one) && ("transport" in one || "config" in one));
}

function isRow(value: JsonValue): boolean {
  return isObject(value) && ["name", "transport", "config"].every((key) => Object.hasOwn(value, key));
}

/** What is enabled in one project needn't be in another. */
function sayOthers(document: ProductRows, made: Translation): void {
  const [first] = document;
  document.forEach(({ project_id: id }, i) => {
    if (id !== first?.project_id)
      made.refuse([i, "project_id"], "a row of another project", "export the rows of one project to each file");
  });
}

interface Found<Server> {
  readonly theirs: string;
  readonly one: Server;
  readonly at: KeyPath;
  /** Where its name stands. */
  readonly named: KeyPath;
}

type Described = Omit<ProductServer, "description"> & { readonly description?: string | null | undefined };

function readServers<Server extends Described>(
  found: readonly Found<Server>[],
  made: Translation,
  productOf: (one: Server, at: KeyPath) => { readonly id: string; readonly at: KeyPath } | undefined,
): void {
  made.put(["roles", made.role], {}, []);
  const seen = new Set<string>();
  for (const { theirs, one, at, named } of found) {
    if (seen.has(theirs)) {
      made.refuse(named, `a second server \`${theirs}\``, "give it a name of its own, or a file of its own");
      continue;
    }
    seen.add(theirs);
    const name = made.serverName(theirs, named);
    const whose = productOf(one, at);
    made.put(["servers", name, "product", "id"], whose?.id, whose?.at ?? at);
    if (name !== theirs) made.put(["servers", name, "product", "name"], theirs, named);
    made.put(["servers", name, "description"], one.description || undefined, [...at, "description"]);
    if (one.enabled === false) made.put(["servers", name, "enabled"], false, [...at, "enabled"]);
    readConnection(name, one as ProductServer, at, made);
    made.put(["roles", made.role, "tools", name], "all", named);
  }
}

function readConnection(name: string, one: ProductServer, at: KeyPath, made: Translation): void {
  const spell = plainReferences(made);
  const config = [...at, "config"];
  if (one.transport === "stdio") putProcess(made, name, one.config, config, { spell });
  else putAddress(made, name, one.transport, one.config, config, { spell });
}
