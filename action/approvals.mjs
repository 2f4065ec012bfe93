// What happened around a pull request that may be a yes to it, as `rolecall diff --approvals` takes it: who said what, and when.
// What it is worth is rolecall's to say. What is known in part is handed on as nothing: a missing author could be who says yes.

const MOST_COMMITS = 250;

/** @returns {Promise<{ value: object } | { problem: string }>} */
export async function approvalsOf(api, number) {
  const [pull, comments, events, commits] = await Promise.all([
    api.get(`/pulls/${number}`),
    api.all(`/issues/${number}/comments`),
    api.all(`/issues/${number}/events`),
    api.all(`/pulls/${number}/commits`),
  ]);
  const problem = [pull, comments, events, commits].find((answer) => answer.problem !== undefined)?.problem;
  if (problem !== undefined) return { problem };
  // GitHub lists no more: who made the others isn't known.
  if (commits.value.length >= MOST_COMMITS) return { problem: `it has ${MOST_COMMITS} commits or more` };
  const pushes = await pushesOf(api, pull.value);
  if (pushes.problem !== undefined) return { problem: `who pushed isn't known: ${pushes.problem}` };
  return {
    value: {
      format: 1,
      authors: authorsOf(pull.value, commits.value, pushes.value),
      pushedAt: pushes.value[0].timestamp,
      comments: comments.value.flatMap(commentOf),
      labels: labelsOf(pull.value, events.value),
    },
  };
}

/** Newest first, with the times at which they reached GitHub; a commit's own times are its author's to choose. */
async function pushesOf(api, pull) {
  const { repo, ref } = pull.head ?? {};
  if (repo?.full_name === undefined) return { problem: "the repository that it comes from is gone" };
  const list = await api.elsewhere(repo.full_name, `/activity?ref=${encodeURIComponent(`refs/heads/${ref}`)}`);
  if (list.problem !== undefined) return list;
  const pushes = list.value;
  if (pushes.length === 0) return { problem: "GitHub lists no push" };
  if (!pushes.every(({ timestamp, actor }) => !Number.isNaN(Date.parse(timestamp)) && typeof actor?.login === "string"))
    return { problem: "GitHub doesn't say of each push who and when" };
  return { value: pushes.sort((a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp)) };
}

/** Whose change it may be: one too many only refuses. */
function authorsOf(pull, commits, pushes) {
  const logins = [
    pull.user?.login,
    ...commits.flatMap(({ author, committer }) => [author?.login, committer?.login]),
    ...pushes.map(({ actor }) => actor?.login),
  ];
  // What GitHub merges or edits on its page is committed by this name, whoever did it.
  return [...new Set(logins.filter((login) => typeof login === "string" && login !== "web-flow"))];
}

function commentOf({ user, body, created_at, updated_at }) {
  if (typeof user?.login !== "string" || typeof body !== "string") return [];
  return [{ by: user.login, body, edited: created_at !== updated_at }];
}

/** Of each label that is there now, who set it last; one that was set for another base says nothing of this one. */
function labelsOf(pull, events) {
  const since = events.slice(events.findLastIndex((one) => one.event === "base_ref_changed") + 1);
  return (pull.labels ?? []).flatMap(({ name }) => {
    const last = since.findLast((one) => one.event === "labeled" && one.label?.name === name);
    return typeof last?.actor?.login === "string" ? [{ name, by: last.actor.login, at: last.created_at }] : [];
  });
}
