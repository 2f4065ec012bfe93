import type { Place } from "../base/place.ts";
import { within } from "../base/place.ts";
import { isPlaceholder, isSecretName, issuedToken, looksRandom, maskedWords } from "../base/secret-patterns.ts";
import { saysSecret } from "../base/secret-names.ts";
import { HOLE, secretIn, secretsInCookies, secretUnder } from "../base/written-secrets.ts";
import type { Report } from "../diagnostics/report.ts";
import type { NamedTemplate, Server, Template, TemplatePart, Transport } from "../2-model/types.ts";
import type { Check } from "./types.ts";

/**
 * What is written and should be a reference: a token in the form of its issuer anywhere in a source, and in a connection
 * whatever stands under a name that says secret. What is found is shown masked, on its line too.
 */
export const checkSecrets: Check = ({ model }, report) => {
  for (const server of model.servers) {
    const saying: Saying = { server, report };
    for (const transport of server.connect) checkTransport(transport, saying);
    if (server.root !== undefined) checkText(server.root, "`root`", within(server.place, "root"), saying);
  }
  for (const { token, at } of model.tokens)
    report.add("source/secret", { ...at, hide: at.hide ?? token }, { masked: maskedWords(token) });
};

interface Saying {
  readonly server: Server;
  readonly report: Report;
}

function checkTransport(transport: Transport, saying: Saying): void {
  const { place } = transport;
  if (transport.kind === "stdio") {
    for (const entry of transport.env)
      checkNamed(entry, `\`${entry.name}\` in \`env\``, within(place, "env", entry.name), saying);
    transport.command.forEach((word, i) =>
      checkArgument(word, transport.command[i - 1], within(place, "stdio", i), saying),
    );
    if (transport.cwd !== undefined) checkText(transport.cwd, "`cwd`", within(place, "cwd"), saying);
    return;
  }
  for (const header of transport.headers)
    checkNamed(header, `the header \`${header.name}\``, within(place, "headers", header.name), saying);
  checkText(transport.url, "the URL", within(place, transport.kind), saying);
}

function checkNamed({ name, value }: NamedTemplate, where: string, place: Place, saying: Saying): void {
  const text = flat(value.parts);
  const also = name.toLowerCase() === "cookie" ? secretsInCookies(text) : [];
  const found = tokenIn(value) ?? named(value, () => secretUnder(name, text) ?? also[0] ?? guessed(name, value));
  say(found && { ...found, also }, where, place, saying, variableFor(name, saying.server));
}

function checkArgument(word: Template, before: Template | undefined, place: Place, saying: Saying): void {
  const flag = /^--?([A-Za-z][\w-]*)$/.exec(before?.written ?? "")?.[1];
  const text = flat(word.parts);
  const isValue = flag !== undefined && !text.startsWith("-");
  say(
    tokenIn(word) ?? named(word, () => (isValue ? (secretUnder(flag, text) ?? guessed(flag, word)) : undefined)),
    "an argument",
    place,
    saying,
  );
}

function checkText(template: Template, where: string, place: Place, saying: Saying): void {
  say(tokenIn(template) ?? named(template, () => undefined), where, place, saying);
}

interface Found {
  readonly secret: string;
  /** By a name, and not by its form: the author may say that it is meant. */
  readonly named: boolean;
  /** Others in the same text, which stand on its line too. */
  readonly also?: readonly string[];
}

/** Nothing makes a token of an issuer harmless, not even that it is meant. */
function tokenIn(template: Template): Found | undefined {
  const secret = textsOf(template.parts).flatMap((text) => issuedToken(text) ?? [])[0];
  return secret === undefined ? undefined : { secret, named: false };
}

function named(template: Template, under: () => string | undefined): Found | undefined {
  if (template.literal === true) return undefined;
  const secret = under() ?? secretIn(flat(template.parts)) ?? inDefaults(template.parts);
  return secret === undefined ? undefined : { secret, named: true };
}

/** the default of a variable is written under the variable's name. */
function inDefaults(parts: readonly TemplatePart[]): string | undefined {
  for (const part of parts) {
    if (typeof part === "string") continue;
    const own = part.form === "default" ? secretUnder(part.name, flat(part.word)) : undefined;
    const found = own ?? inDefaults(part.word);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Beside a reference, or under a name that only has to do with secrets: what looks like one. */
function guessed(name: string, { parts }: Template): string | undefined {
  if (!saysSecret(name) && !isSecretName(name)) return undefined;
  const pieces = flat(parts)
    .split(HOLE)
    .flatMap((text) => text.trim().split(/\s+/));
  return pieces.find((piece) => looksRandom(piece) && !isPlaceholder(piece) && !isAddress(piece));
}

function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/|^[\w.-]+\.[a-z]{2,}(?:[:/]|$)|^[./~]/i.test(text);
}

/** As it will be where nothing is set; what only a variable can tell is a hole. */
function flat(parts: readonly TemplatePart[]): string {
  return parts
    .map((part) => {
      if (typeof part === "string") return part;
      const word = part.form === "default" || part.form === "if-set" ? flat(part.word) : "";
      return word === "" ? HOLE : word;
    })
    .join("");
}

/** Every text that is written, words of a `:?` message included. */
function textsOf(parts: readonly TemplatePart[]): string[] {
  return parts.flatMap((part) => (typeof part === "string" ? [part] : textsOf(part.word)));
}

function say(
  found: Found | undefined,
  where: string,
  place: Place,
  { server, report }: Saying,
  variable = variableFor("TOKEN", server),
): void {
  if (found === undefined) return;
  const { secret } = found;
  const also = (found.also ?? []).filter((one) => one !== secret);
  const params = { where, server: server.name, masked: maskedWords(secret), reference: `\${${variable}}` };
  const at = { ...place, hide: also.length === 0 ? secret : [secret, ...also] };
  if (found.named)
    report.add("server/written-secret", at, {
      ...params,
      literal: place.path.some(isOwnText) ? "{ literal: ... }" : undefined,
    });
  else report.add("server/literal-secret", at, params);
}

function variableFor(name: string, server: Server): string {
  const plain = /^[A-Z][A-Z0-9_]*$/.test(name) && name !== "TOKEN";
  return plain ? name : `${server.name.toUpperCase().replace(/-/g, "_")}_TOKEN`;
}

/** A URL and a folder can't be meant so. */
function isOwnText(key: string | number): boolean {
  return key === "env" || key === "headers" || key === "stdio";
}
