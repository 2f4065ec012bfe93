import { describe, expect, test } from "vitest";
import { subjectIn } from "../../compiler/serve/claims.ts";

/** What is asked for one subject is joined by no other: two that aren't the same are never one. */
describe("whose a token is", () => {
  test.each([
    ["a user", { sub: "alice", client_id: "web", azp: "web" }, "sub alice"],
    ["a user who is a number", { sub: 101, azp: "web" }, "sub# 101"],
    ["a user who is that number as a text", { sub: "101", azp: "web" }, "sub 101"],
    ["a client by itself", { client_id: "alice" }, "client_id alice"],
  ])("%s", (_, claims, subject) => expect(subjectIn(claims)).toBe(subject));

  test.each([
    ["nothing", {}],
    ["an app alone, which is that of all its users", { azp: "web" }],
    ["an empty `sub`", { sub: "", client_id: "web" }],
    ["a `sub` that is null", { sub: null, client_id: "web" }],
    ["a list", { sub: ["alice"], client_id: "web" }],
    ["a number that isn't read whole", { sub: 2 ** 53, client_id: "web" }],
    ["an empty client", { client_id: "" }],
    ["an inherited name", Object.create({ sub: "alice" }) as object],
  ])("isn't said by %s: that token is somebody of its own", (_, claims) =>
    expect(subjectIn(claims as never)).toBeUndefined(),
  );
});
