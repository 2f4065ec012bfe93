import { EventSourceParserStream } from "eventsource-parser/stream";
import { describe, expect, test } from "vitest";
import { boundedBody } from "../../../runtime/connect/bounded-body.ts";
import { costOfLine, createMeter } from "../../../runtime/connect/bounds.ts";
import { eventMeter } from "../../../runtime/connect/event-meter.ts";
import { createNoise } from "../../../runtime/connect/noise.ts";
import { clearTally, countJson, createTally, endTallyLine } from "../../../runtime/connect/tally.ts";
import { fc } from "../../support/generated.ts";

/** What a server sends is counted before it is read, and never as less than is read of it. */

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

function problemOf(work: () => void): string {
  try {
    work();
    return "fine";
  } catch (problem) {
    return (problem as Error).message;
  }
}

/** In pieces, as lengths that begin anew when they are used up. */
function piecesOf(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let from = 0, i = 0; from < bytes.length; i++) {
    const to = Math.min(bytes.length, from + cuts[i % cuts.length]!);
    pieces.push(bytes.subarray(from, to));
    from = to;
  }
  return pieces;
}

interface Held {
  readonly values: number;
  readonly depth: number;
}

/** What lies in a list or an object, and how deep. */
function heldIn(value: unknown): Held {
  if (typeof value !== "object" || value === null) return { values: 0, depth: 0 };
  const inside = Object.values(value).map(heldIn);
  return {
    values: inside.reduce((sum, { values }) => sum + 1 + values, 0),
    depth: 1 + Math.max(0, ...inside.map(({ depth }) => depth)),
  };
}

const CUTS = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
const ODD = fc.string({ unit: fc.constantFrom(...'"[]{},:\\dat \ufeff', "é", "data:", "ï»¿"), maxLength: 12 });
const OUTSIDE = fc.oneof(
  ODD,
  fc.constantFrom(
    'event: "',
    "event: message",
    ': "[',
    ":]]]]",
    ':"',
    'id: "',
    "data",
    'x"',
    "]]",
    "retry: 1",
    'data:"',
  ),
);
const END = fc.constantFrom("\n", "\r", "\r\n");

describe("the tally", () => {
  test("counts no less than is read of JSON, however it is cut and laid out", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom("", " ", "\t", "\n"), CUTS, (value, blank, cuts) => {
        const text = JSON.stringify(value, null, blank);
        const tally = createTally();
        for (const piece of piecesOf(bytesOf(text), cuts)) countJson(tally, piece);
        const { values, depth } = heldIn(JSON.parse(text));
        expect(tally.values).toBeGreaterThanOrEqual(values);
        expect(tally.deepest).toBe(depth);
      }),
    );
  });

  test.each([
    ["a table", JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id, name: "x", in: { a: id } }))), 4],
    ["keys that are all different", JSON.stringify(Object.fromEntries(keys(300).map((key) => [key, 1]))), 300],
    ["objects without likeness", JSON.stringify(keys(300).map((key) => ({ [key]: { [key]: 1, x: 1 } }))), 600],
    ["the same keys in another order", '[{"a":1,"b":1},{"b":1,"a":1},{"a":1,"b":2}]', 4],
    ["texts that aren't keys", JSON.stringify([keys(300), { a: keys(300), b: "x:y" }]), 2],
  ])("counts the keys that are new where they stand: %s", (_, text, expected) => {
    const tally = createTally();
    countJson(tally, bytesOf(text));
    expect(tally.ways.size).toBe(expected);
  });
});

function keys(many: number): string[] {
  return Array.from({ length: many }, (_, i) => `k${i}`);
}

/** Meters a stream, and gives what was metered of each event with what a reader makes of it. */
async function metered(text: string, cuts: readonly number[]): Promise<{ told: Held[]; read: string[] }> {
  const meter = createMeter();
  const told: Held[] = [];
  const tally = createTally();
  const counting = {
    ...meter,
    take: (bytes: Uint8Array) => countJson(tally, bytes),
    endLine: () => endTallyLine(tally),
    reset: () => {
      told.push({ values: tally.values, depth: tally.deepest });
      clearTally(tally);
    },
  };
  const events = eventMeter(counting, { heard: () => {}, answer: () => {} });
  for (const piece of piecesOf(bytesOf(text), cuts))
    for (let from = 0; from < piece.length; from = events.take(piece, from));
  const pieces = new Blob([bytesOf(text)]).stream().pipeThrough(new TextDecoderStream());
  const read: string[] = [];
  const parsed = pieces.pipeThrough(new EventSourceParserStream()) as unknown as AsyncIterable<{ data: string }>;
  for await (const { data } of parsed) read.push(data);
  return { told, read };
}

describe("the meter of events", () => {
  test("counts no less than a reader of the stream gets, whatever stands before it and however lines end", async () => {
    const message = fc.record({ value: fc.jsonValue(), blank: fc.constantFrom("", " "), before: fc.array(OUTSIDE) });
    await fc.assert(
      fc.asyncProperty(ODD, message, END, END, CUTS, async (first, { value, blank, before }, end, last, cuts) => {
        const wanted = JSON.stringify({ value }, null, blank);
        const junk = before.filter((line) => !line.startsWith("data"));
        const lines = wanted.split("\n").flatMap((line, i) => [...(i % 2 === 0 ? junk : []), `data: ${line}`]);
        const opening = /^\P{ASCII}*data/u.test(first) ? "" : first;
        const { told, read } = await metered(`${[opening, ...lines].join(end)}${end}${last}${last}`, cuts);
        const at = read.findIndex((data) => isSame(data, wanted));
        if (at === -1) return;
        const { values, depth } = heldIn(JSON.parse(wanted));
        expect(told.some((one) => one.values >= values && one.depth >= depth)).toBe(true);
      }),
    );
  });

  const deep = "[".repeat(300);
  test.each([
    ["a quote before it, over a CR", `event: "\revent: message\rdata: ${deep}\n\n`],
    ["a quote in a comment", `: "\ndata: ${deep}\n\n`],
    ["brackets that close what isn't open", `:${"]".repeat(400)}\ndata: ${deep}\n\n`],
    ["brackets that close in between", `data: ${"[".repeat(150)}\n:${"]".repeat(150)}\ndata: ${"[".repeat(150)}\n\n`],
    ["the mark of the byte order", `\ufeffdata: ${deep}\n\n`],
    ["and another one", `\ufeffï»¿data: ${deep}\n\n`],
    ["a backslash at the end of a line", `data: "\\\rdata: ${deep}\n\n`],
  ])("isn't misled by %s", (_, text) => {
    for (const size of [1, 3, 64 * 1024]) {
      const events = eventMeter(createMeter(), createNoise());
      const take = (): void =>
        piecesOf(bytesOf(text), [size]).forEach((piece) => {
          for (let from = 0; from < piece.length; from = events.take(piece, from));
        });
      expect(problemOf(take)).toContain("deeper than 200");
    }
  });

  test.each(["x", ":", "data:", "event: x"])(
    "lines of %j without end are too many, and an event of a few isn't",
    (line) => {
      const take = (many: number): string =>
        problemOf(() => {
          const events = eventMeter(createMeter(), { heard: () => {}, answer: () => {} });
          const chunk = bytesOf(`${line}\r`.repeat(1_000));
          for (let i = 0; i < many; i++) for (let from = 0; from < chunk.length; from = events.take(chunk, from));
        });
      expect(take(200)).toBe("fine");
      expect(take(260)).toContain("more than 250000 values");
    },
  );
});

function isSame(one: string, other: string): boolean {
  try {
    return JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other));
  } catch {
    return false;
  }
}

describe("a body that is a list of messages", () => {
  const read = async (body: string): Promise<string> => {
    const bounds = { isStream: false, noise: createNoise(), exceeded: () => {} };
    return await boundedBody(new Response(body), bounds)
      .text()
      .then(
        () => "fine",
        ({ message }: Error) => message,
      );
  };
  const notice = '{"jsonrpc":"2.0","method":"x","params":{"rows":[[1,2],[3,4]]}}';
  const listOf = (many: number): string => ` [${Array(many).fill(notice).join(" , ")}]`;

  test.each([
    [listOf(100), "fine"],
    [listOf(101), "it sent a message of more than 100 messages"],
    [`{"result":${listOf(5_000)}}`, "fine"],
    [`[{"result":${listOf(5_000)}}]`, "fine"],
  ])("is read where these are few: %#", async (body, expected) => expect(await read(body)).toBe(expected));
});

const ANSWER = JSON.stringify({ jsonrpc: "2.0", id: 1, result: Object.fromEntries(keys(110).map((key) => [key, 1])) });
const ANSWER_EVENT = `data: ${ANSWER}\n\n`;

describe("noise", () => {
  const NOTICE = 'data: {"jsonrpc":"2.0","method":"notifications/x"}\n\n';
  const streamed = async (text: string, noise = createNoise(), isStream = true): Promise<string> => {
    const body = bytesOf(text);
    const headers = { "content-type": "text/event-stream", "content-length": String(body.length) };
    const said: string[] = [];
    const exceeded = ({ message }: Error): void => void said.push(message);
    const bounded = boundedBody(new Response(body, { headers }), { isStream, noise, exceeded });
    await bounded.text().catch(() => {});
    return said.join();
  };

  test("of many small streams that say how long they are is counted together", async () => {
    const noise = createNoise();
    const one = NOTICE.repeat(1_250);
    let said = "";
    let streams = 0;
    for (; said === "" && streams < 100; streams++) said = await streamed(one, noise);
    expect(said).toContain("it sent what nothing waits for");
    expect(streams).toBeGreaterThan(18);
  });

  test("that is cut before its event ends counts too", async () => {
    const noise = createNoise();
    let said = "";
    for (let streams = 0; said === "" && streams < 100; streams++) said = await streamed("x\n".repeat(200_000), noise);
    expect(said).toContain("it sent what nothing waits for");
  });

  const flood = (cost: number, answered: boolean): string =>
    problemOf(() => {
      const noise = createNoise();
      for (let i = 0; i < 1_000; i++) {
        noise.heard(cost);
        if (answered) noise.answer();
      }
    });

  test("of large messages is as much as of many small ones, and what is answered is none", () => {
    expect(flood(3_000, false)).toContain("it sent what nothing waits for");
    expect(flood(3_000, true)).toBe("fine");
    expect(flood(5, false)).toBe("fine");
  });

  // As many as come in one piece are counted before the first of them is read.
  test.each([
    ["one at a time", 1],
    ["in pieces", 250],
  ])("is no answer of 110 keys, 20,000 times, %s", (_, together) => {
    const noise = createNoise();
    const costs = [1, 3, costOfLine(bytesOf(ANSWER)), 9.9, 60];
    const told = problemOf(() => {
      for (let i = 0; i < 20_000; i += together) {
        for (let k = 0; k < together; k++) noise.heard(costs[(i + k) % costs.length]);
        for (let k = 0; k < together; k++) noise.answer();
      }
    });
    expect(told).toBe("fine");
  });

  test("among answers is told all the same", () => {
    const noise = createNoise();
    const told = problemOf(() => {
      for (let i = 0; i < 20_000; i++) {
        for (const cost of [8, 8, 8]) noise.heard(cost);
        noise.answer();
      }
    });
    expect(told).toContain("it sent what nothing waits for");
  });

  test.each([
    [ANSWER_EVENT, costOfLine(bytesOf(ANSWER))],
    ["", 0],
    ["data: {}", 1],
    [`${ANSWER_EVENT}data: {}\n`, costOfLine(bytesOf(ANSWER)) + 1],
  ])("is what a stream leaves unfinished, and not its end: %#", (text, expected) => {
    let heard = 0;
    const events = eventMeter(createMeter(), { heard: (cost = 1) => void (heard += cost), answer: () => {} });
    events.take(bytesOf(text), 0);
    events.end();
    expect(heard).toBeCloseTo(expected, 1);
  });
});
