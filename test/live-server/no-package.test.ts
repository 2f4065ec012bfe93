import { describe, expect, test } from "vitest";
import { noPackage } from "../../compiler/live-server/no-package.ts";

/** One line of what runners say of a package that isn't there. Their words are as they were seen. */

const NPM_404 = `npm error code E404
npm error 404 Not Found - GET https://packages.example/acme-notes - Not found
npm error 404  The requested resource 'acme-notes@1.0.0' could not be found or you do not have permission to access it.
npm error 404 Note that you can also install from a
npm error 404 tarball, folder, http url, or git url.
npm error A complete log of this run can be found in: /tmp/x/_logs/a.log`;
const NPM_OLD_404 = `npm ERR! code E404
npm ERR! 404  'acme-notes@1.0.0' is not in this registry.`;
const NPM_TARGET = `npm error code ETARGET
npm error notarget No matching version found for @acme/notes@9.9.9.
npm error notarget In most cases you or one of your dependencies are requesting a package version that doesn't exist.`;
const UV = `  × No solution found when resolving tool dependencies:
  ╰─▶ Because acme-notes was not found in the package registry and you require acme-notes==1.0.0, we can conclude that
      your requirements are unsatisfiable.`;
const SEARCH = "check its name in `stdio`, as with: npm search acme-notes; a private one needs npm login";

describe("a package that isn't there", () => {
  test.each<[string, string, readonly string[], string, string]>([
    ["npm", NPM_404, ["npx", "-y", "acme-notes@1.0.0"], "npm has no package `acme-notes`", SEARCH],
    ["an older npm", NPM_OLD_404, ["npx", "acme-notes@1.0.0", "."], "npm has no package `acme-notes`", SEARCH],
    ["an npm of few words", "code E404", ["npx", "-y", "acme-notes"], "npm has no package `acme-notes`", SEARCH],
    [
      "npm, of a version",
      NPM_TARGET,
      ["npx", "-y", "@acme/notes@9.9.9"],
      "npm has no version 9.9.9 of `@acme/notes`",
      "write one that it has: npm view '@acme/notes' versions",
    ],
    [
      "npm, of a name that a shell would run",
      NPM_404.replaceAll("acme-notes", "a;touch"),
      ["npx", "-y", "a;touch@1.0.0"],
      "npm has no package `a;touch`",
      "check its name in `stdio`, as with: npm search 'a;touch'; a private one needs npm login",
    ],
    [
      "npm, of another that it needs",
      NPM_404,
      ["npx", "-y", "other@1.0.0"],
      "there is no package `acme-notes@1.0.0`",
      "run its command by hand to see which it needs",
    ],
    [
      "npm, of rolecall where something else starts it",
      NPM_404.replace("acme-notes@1.0.0", "rolecall@*"),
      ["npx", "--no", "rolecall", "state", "--name", "team-state"],
      "`npx --no` finds no `rolecall` here",
      "install it in the project; or take the server out, and write `state: { name: team-state }` in rolecall.yaml: builds pin it, and it is started as `serve: { command }` says",
    ],
    [
      "npm, that downloads nothing",
      'npm error npx canceled due to missing packages and no YES option: ["acme-notes@1.0.0"]',
      ["npx", "--no", "acme-notes"],
      "`npx --no` finds no `acme-notes` here",
      "install `acme-notes` in the project",
    ],
    [
      "uv",
      UV,
      ["uvx", "acme-notes==1.0.0"],
      "uv finds no package `acme-notes`",
      "check its name in `stdio`: it is looked for on PyPI",
    ],
    [
      "docker",
      "Error response from daemon: manifest unknown: manifest unknown",
      ["docker", "run", "acme/notes:9"],
      "there is no such image, or no such tag of it",
      "check its name in `stdio`",
    ],
  ])("by %s", (_, said, words, says, next) => {
    expect(noPackage(said, [["node", "server.mjs"], words])).toEqual({ says, next });
  });

  test("is nothing that other words are about", () => {
    for (const said of ["", "Error: connect ECONNREFUSED", "404 pages were read", "dial tcp: no such host"])
      expect(noPackage(said, [["npx", "-y", "acme-notes"]])).toBeUndefined();
  });
});

/** As npm 10, uv 0.9 and Docker 28 said it without a network. */
const REFUSED = `npm warn Unknown user config "x".
npm error code ECONNREFUSED
npm error syscall connect
npm error FetchError: request to http://127.0.0.1:9/acme-notes failed, reason: connect ECONNREFUSED 127.0.0.1:9
npm error     at ClientRequest.<anonymous> (/usr/lib/node_modules/npm/index.js:130:14) {
npm error   code: 'ECONNREFUSED',
npm error   type: 'system'
npm error }`;
const UNRESOLVED = `npm error code EAI_AGAIN
npm error syscall getaddrinfo
npm error request to https://packages.example/acme-notes failed, reason: getaddrinfo EAI_AGAIN packages.example`;
const UV_OFFLINE = `error: Request failed after 3 retries
  Caused by: Failed to fetch: \`https://packages.example/simple/acme-notes/\`
  Caused by: error sending request for url (https://packages.example/simple/acme-notes/)
  Caused by: dns error`;
const DOCKER_OFFLINE = `Unable to find image 'acme/notes:9' locally
docker: Error response from daemon: Get "https://packages.example/v2/": dial tcp: lookup packages.example: no such host`;

describe("a registry that can't be reached", () => {
  test.each<[string, string, string, readonly string[]]>([
    ["refused, by npm", "npm", REFUSED, ["npx", "-y", "acme-notes@1.0.0"]],
    ["of a name that isn't found, by npm", "npm", UNRESOLVED, ["npx", "-y", "acme-notes@1.0.0"]],
    ["by an older npm", "npm", "npm ERR! code ENOTFOUND", ["npx", "acme-notes@1.0.0"]],
    ["by uv", "uv", UV_OFFLINE, ["uvx", "acme-notes==1.0.0"]],
    ["by docker", "docker", DOCKER_OFFLINE, ["docker", "run", "acme/notes:9"]],
  ])("is one line: %s", (_, who, said, words) => {
    expect(noPackage(said, [["node", "server.mjs"], words])).toEqual({
      says: `${who} can't reach its registry`,
      next: "check your network or proxy; `rolecall image` lists what to install beforehand",
    });
  });

  test("is no word of a server that was started", () => {
    expect(noPackage(REFUSED, [["node", "server.mjs"]])).toBeUndefined();
    expect(noPackage("Error: getaddrinfo EAI_AGAIN db", [["npx", "-y", "acme-notes"]])).toBeUndefined();
  });
});
