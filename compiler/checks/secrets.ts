import type { Place } from "../base/place.ts";
import { within } from "../base/place.ts";
import type { Report } from "../diagnostics/report.ts";
import type { NamedTemplate, Server, Template, Transport } from "../2-model/types.ts";
import { findSecret, findSecretInUrl, isSecretName } from "../base/secret-patterns.ts";
import type { Check } from "./types.ts";

/** A literal that looks like a secret, anywhere in a connection. What is found is shown masked, on its line too. */
export const checkSecrets: Check = ({ model }, report) => {
  for (const server of model.servers) for (const transport of server.connect) checkTransport(transport, server, report);
};

function checkTransport(transport: Transport, server: Server, report: Report): void {
  const { place } = transport;
  if (transport.kind === "stdio") {
    for (const entry of transport.env) checkNamed(entry, "env", within(place, "env", entry.name), server, report);
    transport.command.forEach((word, i) =>
      checkArgument(word, transport.command[i - 1], within(place, "stdio", i), server, report),
    );
    return;
  }
  for (const header of transport.headers)
    checkNamed(header, "header", within(place, "headers", header.name), server, report);
  say(
    literals(transport.url).flatMap((text) => findSecretInUrl(text) ?? [])[0],
    "the URL",
    within(place, transport.kind),
    server,
    report,
  );
}

function checkNamed(
  { name, value }: NamedTemplate,
  kind: "env" | "header",
  place: Place,
  server: Server,
  report: Report,
): void {
  const where = kind === "env" ? `\`${name}\` in \`env\`` : `the header \`${name}\``;
  const named = isSecretName(name) || (kind === "header" && name.toLowerCase() === "authorization");
  say(
    literals(value).flatMap((text) => findSecret(text, named) ?? findSecretInUrl(text) ?? [])[0],
    where,
    place,
    server,
    report,
    variableFor(name, server),
  );
}

function checkArgument(
  word: Template,
  before: Template | undefined,
  place: Place,
  server: Server,
  report: Report,
): void {
  const [, flag, value] = /^--?([\w-]+)=(.*)$/s.exec(word.written) ?? [];
  const flagBefore = /^--?([\w-]+)$/.exec(before?.written ?? "")?.[1];
  const named = isSecretName(flag ?? flagBefore ?? "");
  const found = literals(word).flatMap(
    (text) =>
      findSecret(value !== undefined && text === word.written ? value : text, named) ?? findSecretInUrl(text) ?? [],
  )[0];
  say(found, "an argument", place, server, report);
}

function say(
  secret: string | undefined,
  where: string,
  place: Place,
  server: Server,
  report: Report,
  variable = variableFor("TOKEN", server),
): void {
  if (secret === undefined) return;
  const masked = `\`${secret.slice(0, 4)}…\` (${secret.length} characters)`;
  report.add(
    "server/literal-secret",
    { ...place, hide: secret },
    { where, server: server.name, masked, reference: `\${${variable}}` },
  );
}

function variableFor(name: string, server: Server): string {
  const plain = /^[A-Z][A-Z0-9_]*$/.test(name) && name !== "TOKEN";
  return plain ? name : `${server.name.toUpperCase().replace(/-/g, "_")}_TOKEN`;
}

/** What stands there as it is; defaults of references included, for they are committed too; a `:?` message is words. */
function literals(template: Template): string[] {
  const collect = (parts: Template["parts"]): string[] =>
    parts.flatMap((part) => (typeof part === "string" ? [part] : part.form === "required" ? [] : collect(part.word)));
  return collect(template.parts);
}
