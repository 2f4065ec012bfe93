import packageJson from "../../package.json" with { type: "json" };

export const version: string = packageJson.version;

/** Put in by the bundler: a digest of the sources, since two builds of one version needn't be the same. */
declare const BUILD_ID: string | undefined;

/** What caches belong to. */
export const buildId: string = typeof BUILD_ID === "undefined" ? version : `${version}+${BUILD_ID}`;
