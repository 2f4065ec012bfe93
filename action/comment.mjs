// One comment on a pull request, found by our marker and edited in place.

/** Invisible on the page. A project of its own has a comment of its own. */
export function markerOf(project) {
  return `<!-- rolecall access ${encodeURIComponent(project).replaceAll("--", "%2D%2D")} -->`;
}

/**
 * A comment that isn't there is only written where `wanted`; one that is there is brought up to date. Where the page is too
 * long all the same, its first lines are the comment. Returns what was done, or `{ problem }`.
 */
export async function putComment(api, { number, project, page, wanted }) {
  const marker = markerOf(project);
  const found = await findOurs(api, number, marker);
  if (found.problem !== undefined) return found;
  if (found.value === undefined && !wanted) return { done: "nothing" };
  const short = `${page.split("\n", 1)[0].slice(0, 1000)}\n\nToo long for a comment: the summary of the check has the rest.\n`;
  for (const text of [page, short]) {
    const body = `${marker}\n${text}`;
    if (found.value?.body === body) return { done: "unchanged" };
    const answer = await write(api, number, found.value, body);
    if (answer.status === 422) continue;
    return answer.problem === undefined ? { done: found.value ? "edited" : "written" } : answer;
  }
  return { problem: "the comment is refused, however short it is", status: 422 };
}

function write(api, number, comment, body) {
  return comment === undefined
    ? api.post(`/issues/${number}/comments`, { body })
    : api.patch(`/issues/comments/${comment.id}`, { body });
}

/**
 * Anybody can write our marker, and whoever wrote a comment can change it later. So only one of a bot's is ours, or of the
 * person whose token it is.
 */
async function findOurs(api, number, marker) {
  const comments = await api.all(`/issues/${number}/comments`);
  if (comments.problem !== undefined) return comments;
  const marked = comments.value.filter(({ body }) => typeof body === "string" && body.startsWith(marker));
  const ofBot = marked.find(({ user }) => user?.type === "Bot");
  if (ofBot !== undefined || marked.length === 0) return { value: ofBot };
  const me = await api.user();
  return { value: me.problem === undefined ? marked.find(({ user }) => user?.id === me.value.id) : undefined };
}

const MOST_CHARACTERS = 60_000;

/** For the page of a run that isn't trusted: text that is shown as it is, with no link, mention or markup. */
export function inert(text) {
  const whole = text.slice(0, MOST_CHARACTERS);
  const cut = whole === text ? text : `${whole.slice(0, whole.lastIndexOf("\n"))}\n... more was left out`;
  const shown = cut.replaceAll(/[\p{Cc}\p{Cf}]/gu, (one) =>
    one === "\n" ? one : `\\u{${one.codePointAt(0).toString(16)}}`,
  );
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${shown.trimEnd()}\n${fence}`;
}
