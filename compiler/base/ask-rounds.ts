/**
 * How often a client of the newer protocol is told to come again while a person is asked: each time its call waits anew.
 * Clients stop at ten by themselves, and say then that the server is broken.
 */
export const MOST_ROUNDS = 8;
