import { team } from "./mcp/index.js";

const bakery = team();
const clerk = bakery.as("clerk");
const placed = await clerk.orders.place_order({ what: "seed rolls" });
console.log(`order ${placed.structured.id}: ${placed.structured.what}, ${placed.structured.state}`);
const { orders } = (await clerk.orders.list_orders()).structured;
console.log(orders.map(({ what }) => what).join(", "));
// @ts-expect-error no role holds drop_order
const refused = await clerk.orders.drop_order?.({ id: 1 }).catch((error: unknown) => error);
console.log(refused === undefined ? "a clerk throws no order away" : "it was otherwise than expected");
await bakery.close();
