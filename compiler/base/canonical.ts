/** RFC 8785 text, the same that the runtime makes: digests and judgements agree because the code is one. */
export { canonicalText, MAX_DEPTH } from "../../runtime/canonical.ts";
