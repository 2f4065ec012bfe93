// A server of one's own, on the official SDK. A real one would ask an API at ORDERS_URL with ORDERS_KEY.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const { ORDERS_URL: url, ORDERS_KEY: key } = process.env;
const orders = new Map([
  [1, { id: 1, what: "rye bread", state: "open" }],
  [2, { id: 2, what: "plum cake", state: "baked" }],
]);
const server = new McpServer(
  { name: "orders", version: "1.0.0" },
  { instructions: "Orders of one bakery, by number." },
);
const order = { id: z.number(), what: z.string(), state: z.enum(["open", "baked"]) };

server.registerTool(
  "list_orders",
  {
    description: "Lists all orders.",
    outputSchema: { orders: z.array(z.object(order)) },
    annotations: { readOnlyHint: true },
  },
  () => answer({ orders: [...orders.values()] }),
);
server.registerTool(
  "place_order",
  {
    description: "Takes a new order.",
    inputSchema: { what: z.string() },
    outputSchema: order,
    annotations: { destructiveHint: false },
  },
  ({ what }) => {
    // It was started with what its `env` declares, and with nothing else of the app's environment.
    if (!url || !key) throw new Error("ORDERS_URL and ORDERS_KEY are needed");
    const placed = { id: orders.size + 1, what, state: "open" };
    orders.set(placed.id, placed);
    return answer(placed);
  },
);
server.registerTool(
  "drop_order",
  { description: "Throws an order away.", inputSchema: { id: z.number() }, annotations: { destructiveHint: true } },
  ({ id }) => answer({ dropped: orders.delete(id) }),
);
await server.connect(new StdioServerTransport());

function answer(value) {
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}
