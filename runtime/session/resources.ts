import { UNTRUSTED } from "../untrusted.ts";
import type {
  OfferedResource,
  OfferedResources,
  OfferedTemplate,
  ReadResource,
  ResourceContent,
} from "../resource-api.ts";
import type { JsonValue, ResourceRules } from "../contract.ts";
import { leftOfList, MOST_OF_LIST } from "../connect/bounds.ts";
import { RolecallError } from "../errors.ts";
import { isList, isObject, type JsonObject } from "../json-values.ts";
import { templateMayMatch, uriRefusal } from "../resource-uri.ts";
import { shown, told } from "./degradation.ts";
import { finish, observeBefore } from "./finish.ts";
import { finalError, refusal } from "./refusal.ts";
import { refuseStopped, send } from "./send.ts";
import { connect, isAnswer, useServer } from "./servers.ts";
import { startServers } from "./start.ts";
import { startTrail } from "./trail.ts";
import type { CallDeadline, Entry, LiveOptions, ResourceMethod, RoleServer, SessionState, Trail } from "./types.ts";
import { cutShort, deadlineOf, inCallersTime, sharedByMany } from "./waiting.ts";

/** What a role reads of its servers beside their tools: judged, limited, sent and recorded as calls are. */

const READ_METHOD = "resources/read";
/** Of one server: a list that never ends is cut, and so is one that nobody could look through. */
const MOST_LIST_PAGES = 50;
const MOST_LISTED = 5_000;

export async function readResource(
  session: SessionState,
  server: string,
  uri: string,
  options: LiveOptions = {},
): Promise<ReadResource> {
  const trail = startTrail(session, server, READ_METHOD);
  trail.client = options.client;
  trail.caller = options.caller;
  trail.deadline = deadlineOf(options.timeoutMs, trail.started);
  if (options.signal !== undefined) sharedByMany(options.signal);
  return trail.deadline === undefined
    ? await readOne(session, trail, uri, options)
    : await inCallersTime(trail.deadline, options, (inTime) => readOne(session, trail, uri, inTime));
}

async function readOne(session: SessionState, trail: Trail, uri: string, options: LiveOptions): Promise<ReadResource> {
  const { server } = trail;
  try {
    // Half a pair is no text that could be hashed; no such address is read.
    trail.args = Object.freeze({ uri: uri.replace(/\p{Surrogate}/gu, "\ufffd") });
    observeBefore(session, trail);
    refuseStopped({ session, trail, options });
    const rules = session.role.servers.get(server)?.resources;
    const why = rules === undefined ? "the role holds nothing of that server" : uriRefusal(uri, rules);
    if (rules === undefined || why !== undefined) throw readDenied(session, trail, uri, why!);
    trail.effect = "allow";
    const sent = await askedOf(session, trail, READ_METHOD, options);
    trail.result = sent;
    const contents = await contentsIn(sent.raw, uri, rules, () => refuseStopped({ session, trail, options }));
    if (contents === undefined)
      throw refusal(
        session,
        trail,
        "tool-failed",
        `\`${shown(server)}\` gave no content for \`${told(session.team.secrets, uri)}\``,
      );
    // As it came, but for what the role doesn't hold.
    const meta = readMeta(session, trail, { ...sent, raw: { ...(sent.raw as JsonObject), contents } as JsonObject });
    finish(session, trail, { structured: undefined, text: "", content: [], meta });
    const text = contents.flatMap(({ text: part }) => (typeof part === "string" ? [part] : [])).join("\n");
    return { contents, text, meta };
  } catch (error) {
    const final = finalError(session, trail, error);
    finish(session, trail, final);
    throw final;
  }
}

function readDenied(session: SessionState, trail: Trail, uri: string, why: string): RolecallError {
  const { secrets } = session.team;
  trail.server = told(secrets, trail.server);
  const words = `role \`${session.role.name}\` may not read \`${told(secrets, uri)}\`, since ${told(secrets, why)}`;
  return refusal(session, trail, "tool-denied", words);
}

type SentQuestion = Awaited<ReturnType<typeof send>>;

function readMeta(
  session: SessionState,
  trail: Trail,
  { raw, info }: SentQuestion,
): ReadResource["meta"] & { cached: boolean } {
  return {
    server: trail.server,
    tool: READ_METHOD,
    durationMs: session.team.elapsed() - trail.started,
    transport: info.transport,
    retries: trail.retries,
    cached: false,
    untrusted: true,
    raw,
  };
}

async function askedOf(
  session: SessionState,
  trail: Trail,
  method: ResourceMethod,
  options: LiveOptions,
): Promise<SentQuestion> {
  if (session.awaited.size > 0) await cutShort(startServers(session), options.signal);
  const { use: server, link } = await useServer(session, trail.server);
  const entry: Entry = {
    held: { name: method, effect: "allow", rules: [] },
    server,
    link,
    tool: { digest: null, inputSchema: {}, readOnly: true, idempotent: true, labels: [UNTRUSTED] },
    shown: `${shown(trail.server)}.${method}`,
    checkArguments: () => undefined,
    judge: undefined,
    checkResult: undefined,
    repeatable: true,
    cacheMs: undefined,
    method,
  };
  trail.use = server;
  trail.entry = entry;
  await cutShort(connect(session.team, server, link), options.signal);
  refuseStopped({ session, trail, options });
  return send({ session, trail, entry, options });
}

/** What bears an address that the role doesn't hold isn't handed on: a server may answer for more than it was asked. */
async function contentsIn(
  raw: JsonValue,
  uri: string,
  rules: ResourceRules,
  mayGoOn: () => void,
): Promise<ResourceContent[] | undefined> {
  const list = isObject(raw) ? raw["contents"] : undefined;
  if (!isList(list)) return undefined;
  const bearing = list.filter(
    (one): one is JsonObject & ResourceContent => isObject(one) && typeof one["uri"] === "string",
  );
  const judge = (one: JsonObject & ResourceContent): readonly ResourceContent[] => {
    const own = one.uri;
    return own === uri || own === `${uri}/` || uriRefusal(own, rules) === undefined ? [one] : [];
  };
  return givingWay(bearing, "uri", judge, mayGoOn);
}

/** Characters of addresses that are judged in one step: some twenty milliseconds, whatever they and the globs are. */
const MOST_AT_ONCE = 32 * 1024;

/** A server may list thousands of long addresses: between steps others have their turn, and `mayGoOn` throws where the time is over. */
async function givingWay<T extends JsonObject, R>(
  list: readonly T[],
  key: string,
  judge: (one: T) => readonly R[],
  mayGoOn: () => void,
): Promise<R[]> {
  const found: R[] = [];
  let left = MOST_AT_ONCE;
  for (const one of list) {
    const address = one[key];
    left -= typeof address === "string" ? address.length : 0;
    if (left < 0) {
      await new Promise<void>((go) => void setImmediate(go));
      mayGoOn();
      left = MOST_AT_ONCE;
    }
    found.push(...judge(one));
  }
  return found;
}

/** Of all servers of which the role reads anything. One that gives no list is left out, and named. */
export async function offeredResources(
  session: SessionState,
  only: string | undefined,
  options: LiveOptions = {},
): Promise<OfferedResources> {
  const reading = [...session.role.servers].flatMap(([server, { resources }]) =>
    resources === undefined || (only !== undefined && server !== only) ? [] : [{ server, rules: resources }],
  );
  const deadline = deadlineOf(options.timeoutMs, session.team.elapsed());
  if (options.signal !== undefined) sharedByMany(options.signal);
  const listing = (inTime: LiveOptions): Promise<ListedBy[]> =>
    Promise.all(reading.map((one) => offeredBy(session, one, { options: inTime, deadline })));
  const lists = deadline === undefined ? await listing(options) : await inCallersTime(deadline, options, listing);
  return {
    resources: lists.flatMap(({ resources }) => resources),
    templates: lists.flatMap(({ templates }) => templates),
    failed: lists.flatMap(({ server, why }) => (why === undefined ? [] : [{ server, why }])),
  };
}

interface ListedBy {
  readonly server: string;
  readonly resources: readonly OfferedResource[];
  readonly templates: readonly OfferedTemplate[];
  readonly why: string | undefined;
}

/** All pages of all lists have the caller's time together. */
interface Listing {
  readonly options: LiveOptions;
  readonly deadline: CallDeadline | undefined;
}

async function offeredBy(
  session: SessionState,
  { server, rules }: { readonly server: string; readonly rules: NonNullable<RoleServer["resources"]> },
  listing: Listing,
): Promise<ListedBy> {
  const [resources, templates] = await Promise.allSettled([
    listOf(session, server, listing, {
      method: "resources/list",
      key: "resources",
      address: "uri",
      judge: (one) => offeredResource(server, one, rules),
    }),
    listOf(session, server, listing, {
      method: "resources/templates/list",
      key: "resourceTemplates",
      address: "uriTemplate",
      judge: (one) => offeredTemplate(server, one, rules),
    }),
  ]);
  // Many servers have no templates, and say so by an error. That the list was stopped is another thing.
  const isNone = templates.status === "rejected" && isAnswer(templates.reason);
  const failed = isNone ? [resources] : [resources, templates];
  const [why] = failed.flatMap((one) => (one.status === "rejected" ? [listReason(one.reason)] : []));
  return {
    server,
    resources: resources.status === "fulfilled" ? resources.value : [],
    templates: templates.status === "fulfilled" ? templates.value : [],
    why,
  };
}

function listReason(error: unknown): string {
  return error instanceof RolecallError ? error.advice : String(error);
}

interface Asked<T> {
  readonly method: Exclude<ResourceMethod, typeof READ_METHOD>;
  /** Of an answer: where its list stands. */
  readonly key: string;
  /** Of what is listed: where its address stands. */
  readonly address: string;
  judge(one: JsonObject): readonly T[];
}

async function listOf<T>(
  session: SessionState,
  server: string,
  { options, deadline }: Listing,
  { method, key, address, judge }: Asked<T>,
): Promise<readonly T[]> {
  const found: JsonObject[] = [];
  let cursor: string | undefined;
  let left = MOST_OF_LIST;
  let trail = startTrail(session, server, method);
  try {
    for (let page = 0; page < MOST_LIST_PAGES && found.length < MOST_LISTED && left > 0; page++) {
      trail = startTrail(session, server, method);
      trail.deadline = deadline;
      trail.args = cursor === undefined ? {} : { cursor };
      refuseStopped({ session, trail, options });
      const { raw } = await askedOf(session, trail, method, options);
      left = leftOfList(raw, left);
      const list = isObject(raw) ? raw[key] : undefined;
      if (isList(list)) for (const one of list) if (isObject(one)) found.push(one);
      const next = isObject(raw) ? raw["nextCursor"] : undefined;
      if (typeof next !== "string" || next === cursor) break;
      cursor = next;
    }
    const mayGoOn = (): void => refuseStopped({ session, trail, options });
    return await givingWay(found.slice(0, MOST_LISTED), address, judge, mayGoOn);
  } catch (error) {
    throw finalError(session, trail, error);
  }
}

function offeredResource(server: string, one: JsonObject, rules: ResourceRules): OfferedResource[] {
  const { uri, size } = one;
  if (typeof uri !== "string" || uriRefusal(uri, rules) !== undefined) return [];
  return [{ server, uri, ...offeredWords(one), ...(typeof size === "number" && { size }) }];
}

function offeredTemplate(server: string, one: JsonObject, rules: ResourceRules): OfferedTemplate[] {
  const { uriTemplate } = one;
  if (typeof uriTemplate !== "string" || !templateMayMatch(uriTemplate, rules)) return [];
  return [{ server, uriTemplate, ...offeredWords(one) }];
}

const LONGEST_LISTED_NAME = 1_000;
const LONGEST_WORDS = 10_000;

function offeredWords({
  name,
  title,
  description,
  mimeType,
}: JsonObject): Omit<OfferedResource, "server" | "uri" | "size"> {
  const text = (value: JsonValue | undefined, most: number): string | undefined =>
    typeof value === "string" ? value.slice(0, most) : undefined;
  return {
    name: text(name, LONGEST_LISTED_NAME) ?? "",
    title: text(title, LONGEST_LISTED_NAME),
    description: text(description, LONGEST_WORDS),
    mimeType: text(mimeType, 200),
  };
}
