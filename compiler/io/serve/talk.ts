import { connect, type Socket } from "node:net";

/** What both ends of a socket do: connect, and read the one line that comes first. */

/** Of whoever comes. */
const LONGEST_FIRST_LINE = 64 * 1024;
const LINE_END = 10;

/** Undefined: nobody is there. */
export function reach(address: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once("error", () => resolve(undefined));
    socket.once("connect", () => {
      socket.removeAllListeners("error");
      // Whoever uses it hears of its end by `close`.
      socket.on("error", () => {});
      resolve(socket);
    });
  });
}

/** What comes behind it stays to be read. Undefined: none came, in time or at all. */
export function firstLine(
  socket: Socket,
  withinMs: number,
  longest: number = LONGEST_FIRST_LINE,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    let begun = Buffer.alloc(0);
    const end = (line: string | undefined, rest?: Buffer): void => {
      clearTimeout(timer);
      socket.off("data", hear);
      socket.off("close", gone);
      socket.pause();
      if (rest !== undefined && rest.length > 0) socket.unshift(rest);
      resolve(line);
    };
    const gone = (): void => end(undefined);
    const timer = setTimeout(gone, withinMs);
    const hear = (chunk: Buffer): void => {
      begun = Buffer.concat([begun, chunk]);
      const at = begun.indexOf(LINE_END);
      if (at !== -1) end(begun.subarray(0, at).toString("utf8"), begun.subarray(at + 1));
      else if (begun.length > longest) end(undefined);
    };
    socket.on("data", hear);
    socket.once("close", gone);
  });
}
