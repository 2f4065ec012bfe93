import path from "node:path";

/** The bundled command. */
export const CLI = path.join(import.meta.dirname, "..", "..", "dist", "cli.js");
