/** `a/*.ts` stays within a folder, `a/**` doesn't; nothing else is special. */
export function matches(file: string, pattern: string): boolean {
  const parts = pattern.split(/(\*\*|\*)/).map((part) => {
    if (part === "**") return ".*";
    return part === "*" ? "[^/]*" : literally(part);
  });
  return new RegExp(`^${parts.join("")}$`).test(file);
}

/** Text as a regular expression that matches just it. */
export function literally(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\*]/g, "\\$&");
}
