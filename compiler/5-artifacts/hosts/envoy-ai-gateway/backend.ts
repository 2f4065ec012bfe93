import type { JsonObject } from "../../../base/json.ts";
import { spellTransport, type Spelling } from "../../../4-fit/spelling.ts";
import type { Spelt } from "../../../4-fit/types.ts";
import type { HostChoice, Transport } from "../../../3-plan/types.ts";

/** A server as the gateway is told it: an address, and one secret of the cluster at most. */
export interface ToldBackend {
  readonly hostname: string;
  readonly port: number;
  readonly isSecure: boolean;
  readonly path: string;
  readonly key: BackendKey | undefined;
}

interface BackendKey {
  /** The variable whose value the secret has to hold. */
  readonly variable: string;
  /** Undefined: `Authorization`, where it is put behind `Bearer `. */
  readonly header: string | undefined;
}

/** Kubernetes knows no variables: one is told only where a secret can stand for it. */
const spelling: Spelling = { plain: (name) => `\${${name}}`, places: ["headers"], taken: /\$\{/ };

export function tell(transport: Transport, choice: HostChoice): Spelt<ToldBackend> {
  if (transport.kind !== "http") return { problem: "is told http alone" };
  const spelt = spellTransport(transport, spelling, choice);
  if (spelt.problem !== undefined) return spelt;
  if (spelt.value.kind === "stdio") return { problem: "is told http alone" };
  const address = addressOf(spelt.value.url);
  if (address.problem !== undefined) return address;
  const key = keyOf(spelt.value.headers);
  return key.problem === undefined ? { value: { ...address.value, key: key.value.key } } : key;
}

function addressOf(text: string): Spelt<Omit<ToldBackend, "key">> {
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return { problem: "can't read the address" };
  const url = new URL(text);
  const { protocol, hostname, port, pathname } = url;
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return { problem: "has no place for more of a URL than host, port and path" };
  if (/^(?:localhost|.*\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(hostname))
    return { problem: `would look for \`${hostname}\` in its own pod` };
  if (/^\[|^\d+(?:\.\d+){3}$/.test(hostname))
    return { problem: `looks for names alone, and \`${hostname}\` is a number` };
  if (pathname.length > MOST_OF_PATH) return { problem: `takes paths of at most ${MOST_OF_PATH} characters` };
  const isSecure = protocol === "https:";
  return { value: { hostname, port: Number(port || (isSecure ? 443 : 80)), isSecure, path: pathname } };
}

const MOST_OF_PATH = 1024;

/** A secret is sent in one header, as it is, or behind `Bearer ` in `Authorization`. */
function keyOf(
  headers: readonly (readonly [name: string, value: string])[],
): Spelt<{ readonly key: BackendKey | undefined }> {
  const [first, second] = headers;
  if (second !== undefined) return { problem: "has a place for one header alone" };
  if (first === undefined) return { value: { key: undefined } };
  const [name, text] = first;
  const isAuthorization = name.toLowerCase() === "authorization";
  const variable = (isAuthorization ? /^Bearer \$\{(\w+)\}$/ : /^\$\{(\w+)\}$/).exec(text)?.[1];
  const form = isAuthorization ? "`Bearer ${NAME}`" : "a variable alone";
  if (variable === undefined) return { problem: `takes ${form} in header \`${name}\`` };
  return { value: { key: { variable, header: isAuthorization ? undefined : name } } };
}

/** Unlike a name of the variable, it is one server's alone, so that no server is sent another one's. */
export function secretName(server: string): string {
  return `${server}-key`;
}

/** What a route refers to. */
export function backendObjects(
  server: string,
  told: ToldBackend,
  metadata: (name: string) => JsonObject,
): JsonObject[] {
  const { hostname, port, isSecure } = told;
  const backend: JsonObject = {
    apiVersion: "gateway.envoyproxy.io/v1alpha1",
    kind: "Backend",
    metadata: metadata(server),
    spec: { endpoints: [{ fqdn: { hostname, port } }] },
  };
  const tls: JsonObject = {
    apiVersion: "gateway.networking.k8s.io/v1alpha3",
    kind: "BackendTLSPolicy",
    metadata: metadata(`${server}-tls`),
    spec: {
      targetRefs: [{ group: "gateway.envoyproxy.io", kind: "Backend", name: server }],
      validation: { wellKnownCACertificates: "System", hostname },
    },
  };
  return isSecure ? [backend, tls] : [backend];
}
