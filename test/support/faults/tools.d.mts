export const TOOLS: readonly { readonly name: string; readonly description: string; readonly inputSchema: object }[];
