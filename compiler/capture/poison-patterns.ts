/**
 * What a description says when it is aimed at the model and not at whoever picks a tool. Each pattern was measured on
 * the manifests of 142 public servers: "always use this tool first" and "never use this for X" are common there and
 * harmless, so an order alone is nothing; it counts when it reaches beyond the tool.
 */
export interface Pattern {
  readonly kind: "overrides" | "secrecy" | "secrets" | "conversation" | "detour";
  readonly pattern: RegExp;
}

const OTHERS = "(?:other|another|any other|all other|different)";
const READING =
  "(?:read|open|cat|load|fetch|include|send|attach|pass|upload|provide|put|copy|paste|append|forward|leak|exfiltrate)";

export const patterns: readonly Pattern[] = [
  {
    kind: "overrides",
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|every|the|your|these|those)\s+){0,3}(?:previous|prior|earlier|preceding|above|other|system|safety|developer|user'?s?)\s+(?:(?:safety|system|security)\s+)?(?:instructions?|prompts?|rules?|guidelines?|messages?|directives?|polic(?:y|ies)|restrictions?)\b/i,
  },
  {
    kind: "overrides",
    pattern:
      /<\/?(?:system|important|instructions?|admin|secret|hidden)(?:[\s_-][^<>]{0,40})?>|\[(?:system|inst|\/inst)\]|<\|(?:im_start|im_end|system|endoftext)[^>]{0,20}\|?>/i,
  },
  {
    kind: "overrides",
    pattern:
      /\b(?:you are now|from now on,? you|new system prompt|reveal (?:your|the) system prompt|your (?:real|true|actual) (?:task|goal|instructions?) (?:is|are))\b/i,
  },
  {
    kind: "secrecy",
    pattern:
      /\b(?:do\s*n[o']t|don't|never|must not|without|avoid|refrain from)\s+(?:ever\s+)?(?:tell|telling|inform|informing|mention|mentioning|reveal|revealing|disclose|disclosing|notify|notifying|alert|alerting|warn|warning|let)\b[^.\n]{0,40}?\b(?:the\s+)?users?\b(?!['’]s?\s+(?:id|name|email|data))/i,
  },
  {
    kind: "secrecy",
    pattern:
      /\b(?:do\s*n[o']t|don't|never)\s+(?:mention|reveal|disclose|explain|talk about)\s+(?:this|these|that you|any of this|the (?:sidenote|side note|instruction))/i,
  },
  {
    kind: "secrecy",
    pattern: /\b(?:hide|conceal|keep)\s+(?:this|it|that)\s+(?:secret\s+)?(?:from|hidden from)\s+(?:the\s+)?users?\b/i,
  },
  {
    kind: "secrets",
    pattern: new RegExp(
      `\\b${READING}\\b[^.\\n]{0,80}(?:~\\/\\.(?:ssh|aws|kube|gnupg|netrc|npmrc|docker|cursor|claude|config)\\b|\\bid_(?:rsa|ed25519|ecdsa)\\b|\\/etc\\/(?:passwd|shadow)\\b|\\bmcp\\.json\\b|\\bprivate keys?\\b(?=[^.\\n]{0,60}\\b(?:of|from|on) the (?:user|machine|system|computer)))`,
      "i",
    ),
  },
  {
    kind: "secrets",
    pattern: new RegExp(
      `\\b${READING}\\b[^.\\n]{0,60}\\b(?:the\\s+)?(?:user'?s?|your|all|any|their)\\s+(?:[a-z]+\\s+)?(?:passwords?|credentials|secrets|api[ _-]?keys|ssh keys?|environment variables|browser cookies|access tokens)\\b[^.\\n]{0,60}\\b(?:as|in|into|to|through|via)\\s+(?:the\\s+|this\\s+|an?\\s+)?[\`'"]?\\w+[\`'"]?\\s*(?:parameter|argument|field|tool|server|endpoint)?`,
      "i",
    ),
  },
  {
    kind: "conversation",
    pattern: new RegExp(
      `\\b${READING}\\b[^.\\n]{0,40}\\b(?:(?:whole|entire|full|complete|all)\\s+(?:of\\s+)?(?:the\\s+|our\\s+|this\\s+|your\\s+|previous\\s+|prior\\s+)?(?:conversation|chat|message)s?(?:\\s+(?:history|log))?|(?:conversation|chat)\\s+history|system prompt|previous messages)\\b`,
      "i",
    ),
  },
  {
    kind: "detour",
    pattern: new RegExp(
      `\\b(?:before|when|whenever|after|each time|every time)\\b[^.\\n]{0,30}\\b(?:using|calling|invoking|running|use|call|invoke|run)\\s+${OTHERS}\\s+(?:tools?|servers?)\\b[^.\\n]{0,60}\\b(?:must|always|first|have to|need to)\\b`,
      "i",
    ),
  },
];
