/**
 * Rows of the requirements that wait for formats, presets and serve, by the test that sees each working. A test that goes takes its
 * rows along: `rows.test.ts` holds that every file is there, and `npm run requirements` prints what nothing sees.
 */
export const SEEN: Readonly<Record<string, string>> = {
  "test/1-source/formats/squad.test.ts": "S0.11 S0.12 S0.15 S0.25 S0.26 S0.27 S0.29 S0.30 S0.31 S0.33 S0.106",
  "test/presets/presets.test.ts":
    "S0.3 S0.8 S0.23 S0.58 S0.60 S0.62 S0.121 S1.6 S1.51 S1.52 S1.53 S1.54 S1.55 S3.25 S3.31 S3.33 S3.58 S3.59",
  "test/presets/roles.test.ts":
    "S0.57 S0.59 S0.61 S0.63 S0.75 S0.76 S0.77 S0.80 S0.81 S0.84 S0.85 S0.88 S0.89 S0.93 S0.97",
  "test/cli/presets.long.test.ts": "S0.56 S1.65 S2.48",
  "test/cli/add.long.test.ts": "S0.126 S2.49",
  "test/cli/add-refresh.long.test.ts": "S3.8 S3.12",
  "test/1-source/formats/magsag.test.ts": "S1.4 S1.11 S1.12 S1.47 S1.62 S1.72 S3.13 S3.17 S3.22 S3.26 S3.47",
  "test/1-source/formats/magsag-seeds.test.ts": "S1.10 S1.15 S1.20 S3.11 S3.49",
  "test/1-source/formats/proliferate.test.ts": "S2.5 S2.7 S2.8 S2.9 S2.10 S2.11 S2.12 S2.13 S2.18 S2.45 S2.57",
  "test/1-source/formats/proliferate-document.test.ts": "S2.4 S2.14 S2.15 S2.16",
  "test/2-model/layers.test.ts": "S2.19 S2.20 S2.37 S2.47",
  "test/e2e/rows.test.ts": "S2.1",
  "test/1-source/formats/product.test.ts": "S4.12",
  "test/cases/formats/squad/case.json": "S0.53",
  "test/requirements/squad-rows.test.ts": "S0.13 S0.14 S0.17 S0.22",
  "test/requirements/whole-rows.test.ts": "M.1 S0.113 S0.114 S0.133 S3.15",
  "test/runtime/connect/transports.long.test.ts": "S1.32",
  "test/cli/doctor/doctor.long.test.ts": "S3.41",
  "test/requirements/state-rows.long.test.ts":
    "S0.4 S0.7 S0.43 S0.44 S0.45 S0.46 S0.47 S0.48 S0.49 S0.50 S0.51 S0.52 S0.54 S0.55 S0.111 S0.112 S0.120 S0.127 S0.131",
  "test/serve/through-stdio.test.ts": "S1.2",
  "test/5-artifacts/hosts/postgres.long.test.ts": "S4.1 S4.2 S4.4 S4.5 S4.6 S4.8 S4.9 S4.13",
};

/** Rows whose check is about something that isn't there yet, and what it waits for. */
export const LATER: Readonly<Record<string, string>> = {
  "S0.128": "later: `--print-config`; the entry is in docs/state.md, and the Inspector and Claude Code were asked",
  "S3.46": "later: serve over HTTP",
  "S2.36": "later: the studio's form; its data is `presets --json`",
};
