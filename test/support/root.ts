import path from "node:path";

/** The repository: whatever a test reads of it is named from here, wherever the test lies. */
export const ROOT = path.join(import.meta.dirname, "..", "..");

/** Where what `npm test` bundles for itself lies: below node_modules, so that it finds the packages. */
export const BUNDLED = path.join(ROOT, "node_modules", ".rolecall");

/** The server that does whatever a test asks of it. */
export const FAULT_SERVER = path.join(ROOT, "test/support/faults/fault-server.mjs");

/** What lies beside the repository on some machines: manifests that were captured from real servers, and guides. */
export const SHARED = path.join(ROOT, "..", "shared");
