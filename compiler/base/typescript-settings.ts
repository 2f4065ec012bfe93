/** What a tsconfig.json says for generated code, as it is written there: whoever advises it says the same. */

export const NODE_TYPES = '"types": ["node"]';

/** For `importExtension: ts`, as Node runs TypeScript. */
export const TS_IMPORTS = '"rewriteRelativeImportExtensions": true';
/** The first TypeScript that knows it. */
export const KNOWS_TS_IMPORTS = 5.7;

/** Where what a compiler makes of generated code isn't beside it. From TypeScript 6 on it wants both. */
export const OTHER_FOLDER = '"outDir": "dist", "rootDir": "."';
/** Where the second is written. */
export const OTHER_FOLDER_ALONE = '"outDir": "dist"';
