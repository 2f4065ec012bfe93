/** So many marks upon one letter are sorted at once; no language has so many, and the time to sort them grows with its square. */
const LONGER_RUN = /(\p{M}{30})\p{M}+/gu;

/** One form for all spellings of a text, in time of its length. Of a longer run of marks only the beginning is kept. */
export function normalText(text: string, form: "NFC" | "NFKC"): string {
  return text.replace(LONGER_RUN, "$1").normalize(form);
}
