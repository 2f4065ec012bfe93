// A second opinion on what a project grants: the language page read sentence by sentence, slowly and without cleverness,
// so that property tests can compare the compiler with it. It assumes that the project is valid.
//
// Readings taken (where the text leaves room: the one that widens least)
//  1. Guards globs follow the rules of path globs: `*` within a segment, a leading dot only where it is written.
//  2. A preset's `policies` hold once a server uses it; its id as server part there also stands for every server that uses it.
//  3. `manifest: x` is the file mcp/manifests/x.json; it isn't followed through server x's own `manifest`.
//  4. `tools` of the preset and `tools` of the server both hold: only connection, limits and scopes are replaced.
//  5. A written `scopes` replaces the preset's whole: a map stands alone, a list picks from the preset's map.
//  6. Where there is a map, a listed scope that it lacks covers nothing, `read:x` and `write:x` too.
//  7. `scope:x` looks in the whole map, also at what the list leaves out; without a map only listed scopes exist.
//  8. Scope maps, labels and hints hold names or globs, never classes.
//  9. Hints correct annotations one by one, the server's before the preset's; of two that match, the cautious value wins.
// 10. What is said to be read-only and destructive, by whomever, is destructive and not read-only.
// 11. An annotation that isn't a boolean is absent; without a manifest all annotations and hints are.
// 12. A `tools` ceiling with `exclude` alone starts from everything.
// 13. A backslash escapes in exact names too; `\is:x` is a name; a last lone backslash is itself.
// 14. In policies and invariants the server part stands once, before the first plain dot of the whole selector, and governs
//     every part of ` & `; a selector that begins with a class, or has no dot, is about every server.
// 15. `{ absent: x }` restricts like x where it restricts, and grants nothing in an include.
// 16. Characters are code points; only path globs normalise to NFC.
// 17. "`exclude` alone" is an entry without `include`, whatever `ask` and `where` say; those two alone include nothing.
// 18. A written `extends`, even an empty one, is an extends.
// 19. Without a manifest only exact includes grant; excludes, ceilings, labels and policies still restrict by name.
// 20. A policy's `where` on a tool without a pin refuses every argument: no schema names one.
// 21. Arguments that JSON can't carry (NaN, lone surrogates, class instances, holes) are refused for every tool; a member
//     that is undefined is left out; no arguments are `{}`; with a `where` they must be an object.
// 22. "Arguments that its pinned schema names" holds at every depth: `properties`, through items, $ref, allOf, anyOf, oneOf;
//     an object of which the schema names nothing is free within its argument (settled with the project; the argument is
//     named); additionalProperties and patternProperties name no argument, and of a map's values what is said is all.
// 23. A dot in an argument path always goes into an object, `[]` only into an array.
// 24. An array at the end of a path is judged element by element, with `[]` written or not, by `enum` and `schema` too.
// 25. An empty array is refused even with `optional`; only an element of an array that is an array is an "array in an array".
// 26. `optional` speaks for its own condition: an argument left out needs it from every condition on it.
// 27. `pattern`: the value has at most 4,096 UTF-16 units.
// 28. `root` is known only as a literal absolute POSIX path without `$`; not written, it is the cwd that all of `connect` share.
// 29. Where the root isn't known all absolute paths are refused; relative ones are judged.
// 30. "Below the root" is by text: `/x/../root/a` isn't below `/root`. The absolute path of the root is the root.
// 31. `$`, `%xx` and `:` are refused anywhere; quotes are Unicode's and the backtick; control characters are category Cc.
// 32. Segments `.` are dropped, in the glob too. Empty segments (`a//b`, `a/`, the empty text): refused.
// 33. `..` within the root is resolved; what resolves to the root itself is the root, and `**` alone matches it.
// 34. `**` is a whole segment, stands for none too (`tests/**` holds for `tests`), and never for one with a leading dot.
// 35. Path globs have no escapes, classes or braces; `**` beside other letters is `*`.
// 36. "Holds for the roles that extend it" is about policies; an invariant is about the roles that it names.
// 37. A tool held asked and, through a delegate, unasked is both: it breaks `always ... ask`, and satisfies `can`.
// 38. `can` with a glob wants every tool that matches; an exact name that no manifest has is broken.
// 39. `asked: ignore` is for `together` alone.
// 40. In guards "anybody" is the server alone, the preset's hints over it, and the project's over both; a scope by `read:` or
//     `write:` is united over the same words.
import { allHold, canonicalCopy, takesOnlyNamed } from "./conditions.ts";
import type { ReferenceProject, ReferenceProject as Project } from "./files.ts";
import { anyMatches, matches, guarding, matchesAcross, pinned, pinnedTool, root, withinCeilings } from "./servers.ts";
import { anyName, asList, granting, isExact, isObject, letters, longForm, meaning, own, textOf } from "./shapes.ts";
import type { Conditions, Entry, Policy, Verdict } from "./shapes.ts";

// ---------------------------------------------------------------- roles

/** The role and all its ancestors. */
export function lineage(p: Project, role: string, seen: readonly string[] = []): readonly string[] {
  if (seen.includes(role) || !p.roles.has(role)) return seen;
  return asList(p.roles.get(role)?.extends).reduce<readonly string[]>(
    (all, parent) => lineage(p, parent, all),
    [...seen, role],
  );
}

/** What the role and its ancestors write about a server. */
function entries(p: Project, role: string, server: string): { of: string; entry: Entry }[] {
  return lineage(p, role).flatMap((of) => {
    const entry = own(p.roles.get(of)?.tools, server);
    return entry === undefined ? [] : [{ of, entry: longForm(entry) }];
  });
}

function includes(p: Project, of: string, entry: Entry, server: string, tool: string): boolean {
  // An exact include without a manifest compiles; nothing else grants there.
  if (pinned(p, server) === undefined)
    return anyName(
      granting(entry.include).filter((item) => isExact(textOf(item))),
      tool,
    );
  if (entry.include !== undefined) return anyMatches(p, server, tool, granting(entry.include));
  // `exclude` alone starts from the whole manifest only in a role without `extends`.
  return entry.exclude !== undefined && p.roles.get(of)?.extends === undefined;
}

/** Union of every include, minus union of every exclude, within the ceilings, minus what policies deny. */
function isHeld(p: Project, role: string, server: string, tool: string): boolean {
  const written = entries(p, role, server);
  return (
    exists(p, server, tool) &&
    written.some(({ of, entry }) => includes(p, of, entry, server, tool)) &&
    !written.some(({ entry }) => anyMatches(p, server, tool, entry.exclude)) &&
    withinCeilings(p, server, tool) &&
    !policiesAbout(p, role, server, tool).some((policy) => policy.effect === "deny")
  );
}

function exists(p: Project, server: string, tool: string): boolean {
  if (!p.servers.has(server)) return false;
  return pinned(p, server) === undefined || pinnedTool(p, server, tool) !== undefined;
}

/** A tool that anyone wants asked is asked. */
function isAsked(p: Project, role: string, server: string, tool: string): boolean {
  return (
    entries(p, role, server).some(({ entry }) => anyMatches(p, server, tool, entry.ask)) ||
    policiesAbout(p, role, server, tool).some((policy) => policy.effect === "ask")
  );
}

/** Every `where` written for a tool holds, all at once. */
function conditionsOn(p: Project, role: string, server: string, tool: string): Conditions[] {
  const written = entries(p, role, server).flatMap(({ entry }) => Object.entries(entry.where ?? {}));
  const matching = written.filter(([selector]) => matches(p, server, tool, letters(selector)));
  return [
    ...matching.map(([, conditions]) => conditions),
    ...policiesAbout(p, role, server, tool).flatMap(({ where }) => (where === undefined ? [] : [where])),
  ];
}

/** deny > ask > allow. */
export function verdict(p: ReferenceProject, role: string, server: string, tool: string): Verdict {
  if (!isHeld(p, role, server, tool)) return "deny";
  return isAsked(p, role, server, tool) ? "ask" : "allow";
}

/** The verdict on one call: conditions judge the one canonical copy of its arguments. */
export function may(p: ReferenceProject, role: string, server: string, tool: string, args: unknown): Verdict {
  const copy = canonicalCopy(args);
  if (copy === undefined) return "deny";
  const conditions = conditionsOn(p, role, server, tool);
  if (conditions.length > 0) {
    if (!isObject(copy.args) || !takesOnlyNamed(pinnedTool(p, server, tool)?.inputSchema, copy.args)) return "deny";
    if (!conditions.every((each) => allHold(each, copy.args, root(p, server)))) return "deny";
  }
  return verdict(p, role, server, tool);
}

export function roles(p: ReferenceProject): string[] {
  return [...p.roles.keys()].sort();
}

/** Every pinned tool; of a server without a manifest, what some role includes by name. */
export function tools(p: ReferenceProject): { server: string; tool: string }[] {
  return [...p.servers.keys()].sort().flatMap((server) => {
    const names = pinned(p, server)?.map((tool) => tool.name) ?? exactIncludes(p, server);
    return [...new Set(names)].sort().map((tool) => ({ server, tool }));
  });
}

function exactIncludes(p: Project, server: string): string[] {
  const items = roles(p).flatMap((role) => entries(p, role, server).flatMap(({ entry }) => granting(entry.include)));
  return items
    .map(textOf)
    .filter(isExact)
    .map((name) => meaning(letters(name)));
}

// ---------------------------------------------------------------- policies

/** A policy about a role holds for the roles that extend it. */
function policiesAbout(p: Project, role: string, server: string, tool: string): readonly Policy[] {
  return p.policies.filter(
    (policy) =>
      lineage(p, role).some((one) => anyName(policy.roles, one)) &&
      asList(policy.tools).some((item) =>
        matchesAcross(policy.guard || policy.from ? guarding(p) : p, server, tool, item, policy.from),
      ),
  );
}
