// What happened around a pull request that may be a yes to it, as `rolecall diff --approvals` takes it: who said what, and when.
// What it is worth is rolecall's to say. What can't be known is left out, and then it is no yes.

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
  const pushes = await pushesOf(api, pull.value);
  return {
    value: {
      format: 1,
      authors: authorsOf(pull.value, commits.value, pushes),
      ...(pushes.length > 0 && { pushedAt: pushes[0].timestamp }),
      comments: comments.value.flatMap(commentOf),
      labels: labelsOf(pull.value, events.value),
    },
  };
}

/** Newest first, with the times at which they reached GitHub; a commit's own times are its author's to choose. */
async function pushesOf(api, pull) {
  const { repo, ref } = pull.head ?? {};
  if (repo?.full_name === undefined) return [];
  const list = await api.elsewhere(repo.full_name, `/activity?ref=${encodeURIComponent(`refs/heads/${ref}`)}`);
  const pushes = (list.value ?? []).filter((one) => typeof one.timestamp === "string");
  return pushes.sort((a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp));
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

/** Of each label that is there now, who set it last. */
function labelsOf(pull, events) {
  return (pull.labels ?? []).flatMap(({ name }) => {
    const last = events.findLast((one) => one.event === "labeled" && one.label?.name === name);
    return typeof last?.actor?.login === "string" ? [{ name, by: last.actor.login, at: last.created_at }] : [];
  });
}
