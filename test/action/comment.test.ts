import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ROOT } from "../support/root.ts";
import { fakeGithub, type FakeComment, type FakeGithub } from "./fake-github.ts";

/** Which comment is ours, over the API as GitHub answers it: the one that begins with our project's marker. */

const action = (file: string) => import(pathToFileURL(path.join(ROOT, "action", file)).href);
const { putComment, markerOf } = (await action("comment.mjs")) as {
  putComment(api: object, of: object): Promise<{ readonly done?: string; readonly problem?: string }>;
  markerOf(project: string): string;
};
const { githubApi } = (await action("github.mjs")) as { githubApi(of: object): object };

let github: FakeGithub;
beforeEach(async () => {
  github = await fakeGithub();
});
afterEach(() => github.close());

const put = (page: string, project = ".", wanted = true) =>
  putComment(githubApi({ url: github.url, repository: "ada/harbor", token: "fake", wait: () => Promise.resolve() }), {
    number: 7,
    project,
    page,
    wanted,
  });
const written = (id: number, body: string): FakeComment => ({
  id,
  body,
  user: { login: "other[bot]", id: 9, type: "Bot" },
  created_at: "2026-11-19T08:00:00Z",
  updated_at: "2026-11-19T08:00:00Z",
});

test("another bot's that speaks of rolecall, or quotes ours, stays as it is", async () => {
  const others = ["rolecall is out in 0.2", `> ${markerOf(".")}\n> quoted`];
  github.comments.push(...others.map((body, i) => written(i + 1, body)));
  expect(await put("### Access: one\n")).toEqual({ done: "written" });
  expect(await put("### Access: two\n")).toEqual({ done: "edited" });
  expect(github.comments.map(({ body }) => body)).toEqual([...others, `${markerOf(".")}\n### Access: two\n`]);
});

test("each project of a repository has one of its own", async () => {
  for (const page of ["### Access: one\n", "### Access: two\n"])
    for (const project of ["apps/a", "apps/ab", "apps/a--b"]) await put(page, project);
  expect(github.comments.map(({ body }) => body)).toEqual(
    ["apps/a", "apps/ab", "apps/a--b"].map((project) => `${markerOf(project)}\n### Access: two\n`),
  );
});

test("a project's name can't end the marker", () => {
  expect(markerOf("a --> @octocat\n<b>")).toMatch(/^<!-- (?:(?!--)[^<>\n])* -->$/);
});

test("the same page isn't written again, and where none is wanted there is none", async () => {
  expect(await put("### Access: no change\n", ".", false)).toEqual({ done: "nothing" });
  await put("### Access: one\n");
  expect(await put("### Access: one\n")).toEqual({ done: "unchanged" });
  expect(await put("### Access: no change\n", ".", false)).toEqual({ done: "edited" });
});
