import { decodedTexts } from "./decoded-text.ts";

/**
 * As it is and without its escapes, each as forms write spaces, and what is shown of a list of its bytes. In two bytes a
 * letter a zero parts a backslash from what it would mean: it goes alone.
 */
export function spellingsOf(value: string): string[] {
  // A byte at an end of a text is read as half a letter, and within one as a letter of its own.
  const within = decodedTexts(`-${value}-`).map(({ text }) => text.slice(1, -1));
  const texts = [...new Set([value, ...decodedTexts(value).map(({ text }) => text), ...within])];
  const forms = texts.filter((text) => text.includes(" ")).map((text) => text.replaceAll(" ", "+"));
  const shown = value.length > SHOWN_NUMBERS ? [Buffer.from(value).toString("utf8", 0, SHOWN_NUMBERS)] : [];
  const parted = value.includes("\\") ? [value.replaceAll("\\", "")] : [];
  return [...texts, ...forms, ...shown, ...parted, ...inWideLetters(value)];
}

/** As a program shows them that takes each byte for a letter. Of plain letters the other byte is a zero, which goes. */
function inWideLetters(value: string): string[] {
  if (!/[^\0-\xff]/.test(value)) return [];
  const bytes = Buffer.from(value, "utf16le");
  return [bytes, Buffer.from(bytes).swap16()].map((one) => one.toString("latin1").replaceAll("\0", ""));
}

/** In hexadecimal and in base64, also of text in two bytes a letter and, in base64, of JSON and of an address. */
export function encodingsOf(value: string): string[] {
  const hexadecimal = inHexadecimals(value);
  return [
    ...hexadecimal,
    ...hexadecimal.map((text) => text.toUpperCase()),
    ...inBase64(Buffer.from(value)),
    ...inBase64(wideBytes(value)),
    ...swappedBytes(value).flatMap(inBase64),
    ...inBase64(Buffer.from(JSON.stringify(value).slice(1, -1))),
    ...inBase64(Buffer.from(inAddress(value))),
  ];
}

/** One in the other. */
export function nestedEncodingsOf(value: string): string[] {
  const hexadecimal = Buffer.from(value).toString("hex");
  const base64 = inBase64(Buffer.from(value));
  const hexOfBase64 = base64.map((text) => Buffer.from(text).toString("hex"));
  return [
    ...[...base64, hexadecimal, hexadecimal.toUpperCase()].flatMap((text) => inBase64(Buffer.from(text))),
    ...hexOfBase64,
    ...hexOfBase64.map((text) => text.toUpperCase()),
  ];
}

/** Half of a letter can't be written in one. */
function inAddress(value: string): string {
  return encodeURIComponent(value.replace(/[\ud800-\udfff]/gu, "\ufffd"));
}

/** Whichever byte comes first: of both the same is certain. */
function wideBytes(value: string): Buffer {
  return Buffer.from(value, "utf16le").subarray(0, /[\0-\xff]$/.test(value) ? -1 : undefined);
}

/** Of others nothing is the same. */
function swappedBytes(value: string): Buffer[] {
  return /[^\0-\xff]/.test(value) ? [Buffer.from(value, "utf16le").swap16()] : [];
}

function inHexadecimals(value: string): string[] {
  const bytes = Buffer.from(value);
  const wide = [wideBytes(value), ...swappedBytes(value)];
  return [bytes, ...wide, bytes.subarray(0, SHOWN_BYTES)].map((part) => part.toString("hex"));
}

/** Of a buffer and of a list Node shows so many. */
const SHOWN_BYTES = 50;
const SHOWN_NUMBERS = 100;

const NOTHING = Buffer.alloc(2);

/** Fewer characters stand in other texts too. */
const SHORTEST_IN_BASE64 = 6;

/** What is certain of it wherever it begins within three bytes: alone, and behind a user's name as `Basic` has it. */
function inBase64(bytes: Buffer): string[] {
  const behind = Buffer.concat([NOTHING, bytes]);
  return [0, 1, 2].flatMap((before) => {
    const text = behind.toString("base64", NOTHING.length - before);
    const certain = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    if (certain.length < SHORTEST_IN_BASE64) return [];
    return /[+/]/.test(certain) ? [certain, certain.replaceAll("+", "-").replaceAll("/", "_")] : [certain];
  });
}
