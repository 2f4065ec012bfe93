/**
 * What a test says of a fake server, and what it gets back. Handlers say what tools answer; which tools there are, with
 * which schemas, texts and instructions, is the pin's word alone.
 */

/** `Tools`: the generated interface of the server, such as `GithubTools` of `servers/github.ts`; its tools alone have handlers then. */
export type FakeHandlers<Tools> = {
  readonly [Name in keyof Tools]?: FakeHandler<ArgumentsOf<Tools[Name]>, ResultOf<Tools[Name]>> | undefined;
};

/** An object is the structured result, and its JSON the text; a string is the text; a `FakeResult` is sent as it is. */
export type FakeHandler<Arguments, Result> = (args: Arguments) => FakeAnswer<Result> | Promise<FakeAnswer<Result>>;
export type FakeAnswer<Result> = Result | FakeResult | string;

/** A whole result, as a server sends it. With `isError` the call fails as a tool fails. */
export interface FakeResult {
  readonly content: readonly object[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/** Where no types are at hand. */
export type AnyTools = Readonly<Record<string, (args: Readonly<Record<string, unknown>>) => Promise<unknown>>>;

type ArgumentsOf<Call> = Call extends (...args: infer Given) => unknown ? NonNullable<Given[0]> : never;
type ResultOf<Call> = Call extends (...args: never[]) => Promise<{ readonly structured: infer Result }>
  ? Result
  : unknown;

export interface FakeOptions {
  /** The folder with rolecall.yaml. Default: the nearest here or above. */
  readonly project?: string | undefined;
}

export interface FakeCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Hand it to a team: `team({ fakes: [github] })`. */
export interface FakeServer {
  readonly server: string;
  readonly url: string;
  /** What reached it, in order: what the team refused isn't here. */
  readonly calls: readonly FakeCall[];
  /** From then on the server is down. It also ends by itself, with the process. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
