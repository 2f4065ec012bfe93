/**
 * Messages as text, cut out of a stream before anything has parsed them: server-sent events, whose `data:` lines are one
 * message, or a whole body.
 */
export interface TextReader {
  push(chunk: string): void;
  /** The stream has ended; an event that wasn't finished is none. */
  end(): void;
}

export function wholeReader(take: (text: string) => void, limit: Limit): TextReader {
  const pieces: string[] = [];
  let size = 0;
  return {
    push: (chunk) => {
      size += chunk.length;
      if (size > limit.characters) limit.exceeded();
      else pieces.push(chunk);
    },
    end: () => {
      if (size <= limit.characters) take(pieces.join(""));
    },
  };
}

export function lineReader(take: (text: string) => void, limit: Limit): TextReader {
  const pieces: string[] = [];
  let size = 0;
  return {
    push: (chunk) => {
      let from = 0;
      for (let at = chunk.indexOf("\n"); at >= 0; at = chunk.indexOf("\n", from)) {
        pieces.push(chunk.slice(from, at));
        const line = pieces.join("").replace(/\r$/, "");
        pieces.length = 0;
        size = 0;
        from = at + 1;
        take(line);
      }
      if (from < chunk.length) pieces.push(chunk.slice(from));
      size += chunk.length - from;
      if (size > limit.characters) limit.exceeded();
    },
    end: () => {
      if (pieces.length > 0) take(pieces.join(""));
    },
  };
}

export interface Limit {
  readonly characters: number;
  exceeded(): void;
}

/** Events of the type `message`, which is also what an event without a type is. A line ends in LF, CR LF or CR. */
export function eventReader(take: (text: string) => void, limit: Limit): TextReader {
  let data: string[] = [];
  let type = "";
  const lines = lineReader((line) => {
    for (const part of line.split("\r")) readLine(part);
  }, limit);
  const readLine = (line: string) => {
    if (line === "") {
      if (data.length > 0 && (type === "" || type === "message")) take(data.join("\n"));
      data = [];
      type = "";
      return;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") data.push(value);
    if (field === "event") type = value;
  };
  return { push: lines.push, end: () => {} };
}
