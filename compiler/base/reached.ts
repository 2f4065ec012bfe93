import { downloadedBy, runnerOf, withoutVersion } from "./package-runner.ts";

type Word = string | { readonly literal: string };
/** As it is written under `connect`. */
type Connection = { readonly stdio: readonly Word[] } | { readonly http: string } | { readonly sse: string };

/** What connections reach, whatever they are called and however one signs in: packages without their version, addresses without their query. */
export function reachedIn(connections: readonly Connection[]): string[] {
  return connections.flatMap(reachedBy);
}

function reachedBy(connection: Connection): string[] {
  if (!("stdio" in connection)) return addressOf("http" in connection ? connection.http : connection.sse);
  const words = connection.stdio.map((word) => (typeof word === "string" ? word : word.literal));
  const found = runnerOf(words) && downloadedBy(words);
  // A program that passes everything on to an address is no server itself.
  const addresses = words.slice(found === undefined ? 1 : found.index + 1).flatMap(addressOf);
  if (addresses.length > 0) return addresses;
  return found ? [withoutVersion(found.name)] : [];
}

/** A reference before the path's end may stand for anything; a default is what stands there by itself. */
function addressOf(text: string): string[] {
  const written = /^\$\{\w+:-(https?:[^${}]+)\}$/.exec(text)?.[1] ?? text;
  const plain = /^https?:\/\/[^\s?#$]+/i.exec(written)?.[0];
  if (plain === undefined || !URL.canParse(plain) || /^\$(?!\{\w+:\+\?)/.test(written.slice(plain.length))) return [];
  const { host, pathname } = new URL(plain);
  return [`${host.replace(/\.(?=$|:)/, "")}${plainPathname(pathname)}`];
}

/** As servers read it: one slash is as many, and a letter may be spelt by its number. */
function plainPathname(pathname: string): string {
  const letters = pathname.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return letters.replace(/\/{2,}/g, "/").replace(/\/$/, "");
}
