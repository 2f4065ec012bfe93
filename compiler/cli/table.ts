import { cutToWidth, displayWidth, padToWidth } from "../base/display-width.ts";
import { bounded } from "../base/visible.ts";
import { wrap } from "../base/wrap.ts";
import { paintWith, type Look, type Paint } from "../diagnostics/paint.ts";
import type { Style } from "../diagnostics/render-text.ts";

/** A table as data. Text in it has been through `visible`; looks are put on after everything is measured. */
export interface Table {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly TableCell[])[];
}

export interface TableColumn {
  readonly title: string;
  readonly align?: "right";
  /** Its text may be cut when the table is too wide. */
  readonly mayShrink?: true;
}

/** Pieces stand beside each other where there is room, below each other where there isn't. */
export type TableCell = readonly Piece[];

export interface Piece {
  readonly text: string;
  readonly look?: Look;
}

const GAP = "  ";
const NARROWEST = 12;
/** Less of a sentence than this says nothing. */
const WORTH_READING = 24;

/** The widest shape that fits: one line a row, pieces stacked, long text cut, or a block for each row. */
export function tableLines(whole: Table, style: Style): string[] {
  const table = withShortTexts(whole);
  const room = style.width ?? Infinity;
  const joined = joinPieces(table);
  const shape = [joined, table].find((t) => widthOf(t) <= room) ?? firstThatShrinks([joined, table], room, style);
  return shape === undefined ? blockLines(joined, style) : gridLines(shape, paintWith(style.colour));
}

/** For matrices: the first column stays, the others go into as many tables below each other as the width asks for. */
export function matrixLines(whole: Table, style: Style): string[] {
  const table = withShortTexts(whole);
  const room = style.width ?? Infinity;
  const joined = joinPieces(table);
  if (widthOf(joined) <= room) return gridLines(joined, paintWith(style.colour));
  const label = Math.max(NARROWEST, Math.floor(room * 0.4));
  const narrow = cutColumn(cutTitles(table, Math.max(NARROWEST, room - label - 2), style), 0, label, style);
  return splitColumns(narrow, room).flatMap((part, i) => [
    ...(i === 0 ? [] : [""]),
    ...gridLines(part, paintWith(style.colour)),
  ]);
}

function withShortTexts({ columns, rows }: Table): Table {
  return {
    columns: columns.map((column) => ({ ...column, title: bounded(column.title) })),
    rows: rows.map((row) => row.map((cell) => cell.map((piece) => ({ ...piece, text: bounded(piece.text) })))),
  };
}

export function text(words: string, look?: Look): TableCell {
  return [look === undefined ? { text: words } : { text: words, look }];
}

function splitColumns(table: Table, room: number): Table[] {
  const widths = columnWidths(table);
  const parts: number[][] = [];
  let used = Infinity;
  for (let column = 1; column < widths.length; column++) {
    if (used + GAP.length + widths[column]! > room) {
      parts.push([0]);
      used = widths[0]!;
    }
    parts.at(-1)!.push(column);
    used += GAP.length + widths[column]!;
  }
  return parts.length === 0 ? [table] : parts.map((part) => pick(table, part));
}

function pick(table: Table, wanted: readonly number[]): Table {
  return { columns: wanted.map((i) => table.columns[i]!), rows: table.rows.map((row) => wanted.map((i) => row[i]!)) };
}

function gridLines(table: Table, paint: Paint): string[] {
  const widths = columnWidths(table);
  const line = (pieces: readonly (Piece | undefined)[]) =>
    pieces
      .map((piece, i) => paddedPiece(piece ?? { text: "" }, widths[i]!, table.columns[i]!, paint))
      .join(GAP)
      .trimEnd();
  const head = line(table.columns.map((column) => ({ text: column.title, look: "quiet" as const })));
  const body = table.rows.flatMap((row) => {
    const height = row.reduce((most, cell) => Math.max(most, cell.length), 1);
    return Array.from({ length: height }, (_, i) => line(row.map((cell) => cell[i])));
  });
  return [head, ...body];
}

/** Paint goes around the words only, so that the blanks after the last column can be taken off. */
function paddedPiece(piece: Piece, width: number, column: TableColumn, paint: Paint): string {
  const blank = padToWidth("", width - displayWidth(piece.text));
  const painted = piece.look === undefined ? piece.text : paint(piece.look, piece.text);
  return column.align === "right" ? blank + painted : painted + blank;
}

function blockLines(table: Table, style: Style): string[] {
  const paint = paintWith(style.colour);
  const label = Math.max(...table.columns.slice(1).map((column) => displayWidth(column.title)));
  return table.rows.flatMap((row, r) => {
    const [head, ...rest] = row;
    const details = rest.flatMap((cell, i) => {
      const words = cell.map((piece) => piece.text).join(", ");
      if (words === "") return [];
      return wrap(`  ${padToWidth(table.columns[i + 1]!.title, label)}  ${words}`, style.width, " ".repeat(label + 4));
    });
    const name = wrap(head?.[0]?.text ?? "", style.width).map((line) => paint("strong", line));
    return [...(r === 0 ? [] : [""]), ...name, ...details];
  });
}

function joinPieces(table: Table): Table {
  const join = (cell: TableCell): TableCell => {
    const look = cell.every((piece) => piece.look === cell[0]!.look) ? cell[0]?.look : undefined;
    return cell.length < 2 ? cell : text(cell.map((piece) => piece.text).join(", "), look);
  };
  return { columns: table.columns, rows: table.rows.map((row) => row.map(join)) };
}

/** The last column that may shrink (words about the row) gives way before names are cut. */
function firstThatShrinks(tables: readonly Table[], room: number, style: Style): Table | undefined {
  const shrinkable = tables[0]!.columns.flatMap((column, i) => (column.mayShrink ? [i] : []));
  const last = shrinkable.slice(-1);
  const gently = tables.map((table) => shrink(table, last, WORTH_READING, room, style));
  return [...gently, ...tables.map((table) => shrink(table, shrinkable, NARROWEST, room, style))].find(
    (t) => t !== undefined,
  );
}

/** Cuts the given columns, the last one first; nothing when that isn't enough. */
function shrink(
  table: Table,
  shrinkable: readonly number[],
  narrowest: number,
  room: number,
  style: Style,
): Table | undefined {
  const widths = columnWidths(table);
  let over = widthOf(table) - room;
  let smaller = table;
  for (const column of shrinkable.toReversed()) {
    const target = Math.max(narrowest, displayWidth(table.columns[column]!.title), widths[column]! - over);
    if (over <= 0 || target >= widths[column]!) continue;
    smaller = cutColumn(smaller, column, target, style);
    over -= widths[column]! - target;
  }
  return over <= 0 ? smaller : undefined;
}

function cutColumn(table: Table, column: number, width: number, style: Style): Table {
  const cut = (cell: TableCell): TableCell =>
    cell.map((piece) => ({ ...piece, text: cutToWidth(piece.text, width, signOf(style)) }));
  return {
    columns: table.columns,
    rows: table.rows.map((row) => row.map((cell, i) => (i === column ? cut(cell) : cell))),
  };
}

function cutTitles(table: Table, width: number, style: Style): Table {
  return {
    columns: table.columns.map((column) => ({ ...column, title: cutToWidth(column.title, width, signOf(style)) })),
    rows: table.rows,
  };
}

function signOf(style: Style): string {
  return style.ascii ? "..." : "…";
}

function columnWidths(table: Table): number[] {
  return table.columns.map((column, i) =>
    table.rows.reduce(
      (widest, row) => row[i]!.reduce((w, piece) => Math.max(w, displayWidth(piece.text)), widest),
      displayWidth(column.title),
    ),
  );
}

function widthOf(table: Table): number {
  const widths = columnWidths(table);
  return widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);
}
