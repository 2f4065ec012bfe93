import { expect, test } from "vitest";
import { heldIn } from "../../../compiler/io/read/held-names.ts";

/** What a file holds that git couldn't merge, or that only looks so; undefined: it may be anything. */
test.each<readonly [says: string, file: string, text: string, names: readonly string[] | undefined]>([
  [
    "JSON in conflict, with what both sides began from",
    "c.json",
    '{ "mcp_servers": {\n<<<<<<< a\n"a": 1\n||||||| o\n"o": 1\n=======\n"b": 1\n>>>>>>> b\n} }',
    ["a", "b", "o"],
  ],
  [
    "JSON with markers in comments",
    "c.json",
    '{\n/*\n<<<<<<< a\n*/\n/*\n||||||| o\n*/\n// \u2028\n"mcp_servers": { "o": 1 }\n/*\n=======\n*/\n/*\n>>>>>>> b\n*/\n}',
    undefined,
  ],
  [
    "TOML in conflict",
    "c.toml",
    "[mcp_servers]\n<<<<<<< a\na = 1\n||||||| o\no = 1\n=======\nb = 1\n>>>>>>> b\n",
    ["a", "b", "o"],
  ],
  [
    "TOML with markers in texts",
    "c.toml",
    'w = """\n<<<<<<< a\n"""\nx = """\n||||||| o\n"""\n# \u2028\nmcp_servers.o = 1\ny = """\n=======\n"""\nz = """\n>>>>>>> b\n"""\n',
    undefined,
  ],
])("%s", (_, file, text, names) => {
  const held = heldIn(file, text)?.names(["mcp_servers"]);
  expect(held?.map(({ name }) => name).toSorted()).toEqual(names);
});
