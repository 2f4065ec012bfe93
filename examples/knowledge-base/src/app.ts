import { team } from "./mcp/index.js";

const almanac = team({ ask: ({ title }) => (console.log(`asked: ${title}`), false) });
const curator = almanac.as("curator");
const entities = [
  { name: "Gull Rock", entityType: "place", observations: ["a light every 12 s"] },
  { name: "Marigold", entityType: "ship", observations: ["two masts"] },
];
await curator.memory.create_entities({ entities });
await curator.memory.create_relations({ relations: [{ from: "Marigold", to: "Gull Rock", relationType: "passed" }] });

const person = [{ name: "Ada", entityType: "person", observations: ["keeper"] }];
console.log(await curator.memory.create_entities({ entities: person }).then(() => "written", said));
console.log(await curator.memory.delete_entities({ entityNames: ["Marigold"] }).then(() => "deleted", said));

const { structured } = await almanac.as("reader").memory.read_graph();
console.log(structured.entities.map(({ name, entityType }) => `${name} (${entityType})`).join(", "));
console.log(structured.relations.map(({ from, relationType, to }) => `${from} ${relationType} ${to}`).join(", "));
await almanac.close();

function said(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
