/** Stands for what a build writes beside a host's file: by role, server and tool, the name that the model sees. */
export const given: string = "{}";
