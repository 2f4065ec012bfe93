import type { Dice } from "../dice.ts";

const KEYS = ["a", "b", "filesystem", "x-1", "'q'", '"a b"', "'it''s'", "read:files", "1"];
const SCALARS = ["x", "10s", "1", "true", "'q # q'", '"a, b"', "is:read-only", "list_*", "${X}", "a - b", "[]", "{}"];

/** One document, with a comment here and there: each is another one. */
export function sourceText(dice: Dice, isJson: boolean): string {
  let count = 0;
  const comment = () => `# c${++count};`;
  const unit = dice.one([2, 4, 3]);
  const mark = dice.chance(20) ? "\uFEFF" : "";
  const head = dice.chance(30) && !isJson ? `${comment()}\n` : "";
  const start = dice.chance(20) && !isJson ? "---\n" : "";
  const eol = dice.chance(30) ? "\r\n" : "\n";
  const isEnded = dice.chance(70);
  const text = mark + head + start + (isJson ? jsonText(dice, unit) : yamlText(dice, unit, comment));
  return (isEnded ? `${text}\n` : text).replaceAll("\n", eol);
}

function yamlText(dice: Dice, unit: number, comment: () => string): string {
  return blockMap(3, "").join("\n");

  function names(): string[] {
    return dice.sample(KEYS, 1 + dice.below(3));
  }

  function rest(): string {
    return dice.chance(25) ? ` ${comment()}` : "";
  }

  function above(indent: string): string[] {
    return [
      ...(dice.chance(15) ? [""] : []),
      ...(dice.chance(15) ? [dice.chance(70) ? `${indent}${comment()}` : comment()] : []),
    ];
  }

  function blockMap(depth: number, indent: string): string[] {
    return names().flatMap((key) => [...above(indent), ...entry(key, depth, indent)]);
  }

  function entry(key: string, depth: number, indent: string): string[] {
    const deeper = indent + " ".repeat(unit);
    switch (depth === 0 ? dice.below(3) : dice.below(7)) {
      case 0:
        return [`${indent}${key}: ${dice.one(SCALARS)}${rest()}`];
      case 1:
        return [`${indent}${key}: ${flow(depth, deeper)}${rest()}`];
      case 2:
        return [`${indent}${key}: ${dice.one(["|", ">-", "|-"])}`, `${deeper}some # text`, "", `${deeper}more`];
      case 3:
        return [`${indent}${key}:${rest()}`, ...blockMap(depth - 1, deeper)];
      case 4:
        return [`${indent}${key}:${rest()}`, ...blockList(depth - 1, dice.chance(50) ? indent : deeper)];
      case 5:
        return [`${indent}${key}: plain words`, `${deeper}on two lines${rest()}`];
      default:
        return [`${indent}${key}:${rest()}`];
    }
  }

  function blockList(depth: number, indent: string): string[] {
    return dice
      .some(1, 3, () => {
        const item = dice.chance(50)
          ? blockMap(depth, `${indent}  `)
          : [`${indent}  ${flow(depth, `${indent}  `)}${rest()}`];
        const first = item.findIndex((line) => line.trim() !== "" && !line.trim().startsWith("#"));
        return item.slice(first).map((line, i) => (i === 0 ? `${indent}- ${line.slice(indent.length + 2)}` : line));
      })
      .flatMap((lines) => [...above(indent), ...lines]);
  }

  function flow(depth: number, indent: string): string {
    if (depth === 0 || dice.chance(30)) return dice.one(SCALARS).replace("${X}", "$X");
    const isMap = dice.chance(50);
    const items = (isMap ? names() : ["", ""]).map((key) => (key === "" ? "" : `${key}: `) + flow(depth - 1, indent));
    const comma = dice.chance(20) ? "," : "";
    const [open, close] = isMap ? "{}" : "[]";
    if (dice.chance(50)) return `${open} ${items.join(", ")}${comma} ${close}`;
    const lines = items.map((item, i) => `${indent}  ${item}${i < items.length - 1 ? "," : comma}${rest()}`);
    return [`${open}${rest()}`, ...lines, indent + close].join("\n");
  }
}

function jsonText(dice: Dice, unit: number): string {
  return jsonMap(2, "");

  function jsonMap(depth: number, indent: string): string {
    const inner = `${indent}${unit === 3 ? "\t" : " ".repeat(unit)}`;
    const held = () =>
      depth === 0 ? dice.one(["1", '"x"', "[]", "{}"]) : dice.one([jsonMap, jsonList])(depth - 1, inner);
    const entries = dice.sample(['"a"', '"b"', '"c d"', '"1"'], 1 + dice.below(3)).map((key) => `${key}: ${held()}`);
    return dice.chance(40)
      ? `{ ${entries.join(", ")} }`
      : `{\n${entries.map((one) => inner + one).join(",\n")}\n${indent}}`;
  }

  function jsonList(depth: number, indent: string): string {
    const items = dice.some(0, 3, () => (depth === 0 ? '"x"' : jsonMap(depth - 1, indent)));
    return `[${items.join(", ")}]`;
  }
}
