export const ours = 1;
