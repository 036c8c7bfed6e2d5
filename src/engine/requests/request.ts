import type { ProgressSink } from '../../core/progress';

/** The context that a handler receives besides its options. */
export interface Context {
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly progress: ProgressSink;
}

/** The way of a request: one short answer, one answer after long work, or many answers. */
export type Way = 'query' | 'job' | 'stream';

/**
 * The process in which a request runs: the one that all short questions share, that of one opened document (a file or an analysis in memory),
 * or one of its own that ends with the answer.
 */
export type Home = 'shared' | 'document' | 'own';

interface Needs<AHome extends Home> {
  readonly home?: AHome;
  /** The request runs commands of the workspace or writes such commands; it is refused until the workspace is trusted. */
  readonly runsCommands?: boolean;
  /** The request changes files; once begun, it is not repeated in another process. */
  readonly writes?: boolean;
}

export interface Request<AWay extends Way, AHome extends Home, Options, Answer> {
  readonly way: AWay;
  readonly home: AHome;
  readonly runsCommands: boolean;
  readonly writes: boolean;
  readonly answer: (options: Options, context: Context) => Answer;
}

/** Requests by name. */
export type RequestTable = Readonly<
  Record<string, Request<Way, Home, never, Promise<unknown> | AsyncIterable<unknown>>>
>;

/** Defines a question with one answer. Cancelling discards the answer at once. */
export function query<Options, Result, AHome extends 'shared' | 'document' = 'shared'>(
  answer: (options: Options, context: Context) => Promise<Result>,
  needs: Needs<AHome> = {},
): Request<'query', AHome, Options, Promise<Result>> {
  return request('query', needs.home ?? ('shared' as AHome), needs, answer);
}

/** Defines long work with one result, in a process of its own. Cancelling ends the work and all programs that it started. */
export function job<Options, Result>(
  answer: (options: Options, context: Context) => Promise<Result>,
  needs: Needs<'own'> = {},
): Request<'job', 'own', Options, Promise<Result>> {
  return request('job', 'own', needs, answer);
}

/** Defines a request with answers until its end or until the caller leaves the iteration. */
export function stream<Options, Part, AHome extends Home = 'shared'>(
  answer: (options: Options, context: Context) => AsyncIterable<Part>,
  needs: Needs<AHome> = {},
): Request<'stream', AHome, Options, AsyncIterable<Part>> {
  return request('stream', needs.home ?? ('shared' as AHome), needs, answer);
}

function request<AWay extends Way, AHome extends Home, Options, Answer>(
  way: AWay,
  home: AHome,
  { runsCommands = false, writes = false }: Needs<AHome>,
  answer: (options: Options, context: Context) => Answer,
): Request<AWay, AHome, Options, Answer> {
  return { way, home, runsCommands, writes, answer };
}

/** Splits a table into pieces that the extension host parses in a few milliseconds. */
export function* pieces<Element>(all: readonly Element[], size: number): Iterable<readonly Element[]> {
  for (let first = 0; first < all.length; first += size) yield all.slice(first, first + size);
}
