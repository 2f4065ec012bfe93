import fc from "fast-check";

/**
 * The same runs each time, so that a red test is red for everybody: `SEED=7 npm test` looks elsewhere.
 * Whoever attacks takes a new one each time.
 */
fc.configureGlobal({ seed: Number(process.env["SEED"] ?? 1) });

export { fc };
