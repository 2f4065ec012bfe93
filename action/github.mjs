// The few calls of GitHub's API that are needed. No library: an action is read by those who run it.

const MOST_PAGES = 50;
const TRIES = 4;
const LONGEST_WAIT_MS = 60_000;

/**
 * @param {{ url: string, repository: string, token: string, wait?: (ms: number) => Promise<void> }} of
 * A problem is a value: `{ problem, status }`, never with the token in it.
 */
export function githubApi({ url, repository, token, wait = (ms) => new Promise((done) => setTimeout(done, ms)) }) {
  const base = `${url.replace(/\/+$/, "")}`;
  const inRepository = `${base}/repos/${repository}`;

  const ask = async (method, address, body) => {
    for (let attempt = 1; ; attempt++) {
      const answer = await send(method, address, body);
      const delay = delayOf(method, answer, attempt);
      if (delay === undefined || attempt === TRIES) return answer;
      await wait(delay);
    }
  };

  const send = async (method, address, body) => {
    try {
      const answer = await fetch(address, {
        method,
        // The token is for this address: where it leads elsewhere isn't followed.
        redirect: "manual",
        signal: AbortSignal.timeout(30_000),
        headers: {
          accept: "application/vnd.github+json",
          "x-github-api-version": "2022-11-28",
          authorization: `Bearer ${token}`,
          "user-agent": "rolecall",
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (answer.ok)
        return { value: text === "" ? null : JSON.parse(text), next: nextOf(answer.headers.get("link"), base) };
      return { problem: messageOf(text), status: answer.status, headers: answer.headers };
    } catch (error) {
      return { problem: error instanceof Error ? error.message : "no answer", status: 0 };
    }
  };

  const allPages = async (first) => {
    const found = [];
    let address = `${first}${first.includes("?") ? "&" : "?"}per_page=100`;
    for (let page = 0; address !== undefined && page < MOST_PAGES; page++) {
      const answer = await ask("GET", address);
      if (answer.problem !== undefined) return answer;
      if (!Array.isArray(answer.value)) return { problem: "the answer isn't a list", status: 0 };
      found.push(...answer.value);
      address = answer.next;
    }
    // Half of a list could be the half without the one that counts.
    if (address !== undefined) return { problem: `the list has more than ${MOST_PAGES} pages`, status: 0 };
    return { value: found };
  };

  return {
    get: (path) => ask("GET", `${inRepository}${path}`),
    all: (path) => allPages(`${inRepository}${path}`),
    /** A list of another repository, such as the fork that a change comes from. */
    elsewhere: (repositoryName, path) => allPages(`${base}/repos/${repositoryName}${path}`),
    /** Who the token is, where it is a person's. */
    user: () => ask("GET", `${base}/user`),
    post: (path, body) => ask("POST", `${inRepository}${path}`, body),
    patch: (path, body) => ask("PATCH", `${inRepository}${path}`, body),
  };
}

/** What is worth another try, and when: a limit that says so; where nothing can be written twice, a server that is down. */
function delayOf(method, { status, headers, problem }, attempt) {
  if (problem === undefined) return undefined;
  if (status === 0 || status >= 500) return method === "POST" ? undefined : attempt * 1000;
  if (status !== 403 && status !== 429) return undefined;
  const after = Number(headers?.get("retry-after") ?? Number.NaN);
  if (after >= 0) return Math.min(after * 1000, LONGEST_WAIT_MS);
  if (/rate limit/i.test(problem ?? "") || headers?.get("x-ratelimit-remaining") === "0") return LONGEST_WAIT_MS;
  return undefined;
}

/** `Link: <address>; rel="next"`, and only on the same host. */
function nextOf(link, base) {
  const found = /<([^<>]+)>;\s*rel="next"/.exec(link ?? "")?.[1];
  return found !== undefined && new URL(found).origin === new URL(base).origin ? found : undefined;
}

function messageOf(text) {
  try {
    const { message, errors } = JSON.parse(text);
    const more = Array.isArray(errors) ? errors.map((one) => one?.message ?? one?.code).filter(Boolean) : [];
    return [message, ...more].join(": ").slice(0, 300);
  } catch {
    return text.slice(0, 300);
  }
}
