import { expect, test } from "vitest";
import { projectWord } from "../../compiler/base/project-word.ts";
import { fc } from "../support/generated.ts";

/** A project's name is any text, and the word for it stands in the commands of hosts' files. */
test.each(["harbor", "harbor.web", "@acme/harbor", "Harbor_2", "2-fast"])("%s stays as it is", (name) => {
  expect(projectWord(name)).toBe(name);
});

test("any other is a word that means nothing to a host or a shell, and no two are one", () => {
  expect(projectWord("our harbor")).toMatch(/^our-harbor-[0-9a-f]{8}$/);
  expect(projectWord("гавань")).toMatch(/^project-[0-9a-f]{8}$/);
  expect(projectWord("порт")).not.toBe(projectWord("гавань"));
  for (const name of ["--status", "${HOME}", "$HOME", "{env:HOME}", "a\nb", '"', "a".repeat(200)])
    expect(projectWord(name), name).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]*-[0-9a-f]{8}$/);
});

test("over any names", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), (name) => {
      expect(projectWord(name)).toMatch(/^[A-Za-z0-9_@][A-Za-z0-9_.@/-]{0,63}$/);
    }),
  );
});
