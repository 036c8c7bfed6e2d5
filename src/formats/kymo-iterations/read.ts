import { KymoError } from '../../core/errors';
import { isRecord, present } from '../../core/present';
import type { SeriesRegion } from '../../core/series/series';
import { isRegionKind } from '../series/contexts';
import type { ByteSource } from '../byteSource';
import {
  headerBytes,
  iterationsPerMark,
  layoutAt,
  magicOf,
  ticksPerSecond,
  type IterationContext,
  type IterationLocation,
  type IterationsDirectory,
  type IterationSample,
  type IterationsLayout,
  type PreemptedPhase,
  type IterationsFileErrorReason,
} from './iterationsFile';
import { VarintReader } from './varints';

/** An open `iterations.kymo`. */
export interface IterationsFile {
  readonly directory: IterationsDirectory;
  /** Whether samples have `waitSeconds` and `preempted`. */
  readonly layout: IterationsLayout;
  /**
   * The iterations `from` … `to` − 1 in order (default: all). A sample is valid until the next one is requested.
   * @throws KymoError `invalid-iterations` where the file is damaged
   */
  samples(from?: number, to?: number): Generator<IterationSample, void, undefined>;
}

const mostDirectoryBytes = 1 << 29;

/**
 * Reads the directory of an `iterations.kymo`; values are read on request.
 * @throws KymoError `not-iterations`, `invalid-iterations`
 */
export function openIterations(source: ByteSource, file: string): IterationsFile {
  const fail = (offset: number, message: string): never => {
    throw new KymoError<IterationsFileErrorReason>(
      'invalid-iterations',
      `${file}, byte ${offset}: ${message}. The file is damaged; measure again.`,
      { file, offset },
    );
  };
  const header = Buffer.from(source.read(0, headerBytes));
  const layout = layoutAt(header);
  if (layout === undefined)
    throw new KymoError<IterationsFileErrorReason>(
      'not-iterations',
      `${file} does not hold iterations of an experiment (it begins with neither ${magicOf(false)} nor ${magicOf(true)}), or was not written to its end.`,
      { file, offset: 0 },
    );
  if (header.length < headerBytes) fail(header.length, 'cut off within the header');
  const [begin = 0, bytes = 0, iterations = 0] = [16, 24, 32].map((offset) =>
    Number(header.readBigUInt64LE(offset)),
  );
  if (begin < headerBytes || bytes > mostDirectoryBytes || begin + bytes !== source.size)
    fail(16, `a directory of ${bytes} bytes at ${begin} in a file of ${source.size}`);
  const { directory, marks } = parseDirectory(source.read(begin, bytes), iterations, (message) =>
    fail(begin, message),
  );
  return {
    directory,
    layout,
    *samples(from = 0, to = iterations) {
      const last = Math.min(to, iterations);
      const mark = Math.floor(from / iterationsPerMark);
      const offset = marks[mark] ?? begin;
      if (offset < headerBytes || offset > begin) fail(begin, `iteration ${from} at ${offset}`);
      const reader = new VarintReader(source, offset, begin, fail);
      const sample = new Sample(directory.contexts.length, layout);
      for (let iteration = mark * iterationsPerMark; iteration < last; iteration++) {
        sample.read(reader, fail);
        if (iteration >= from) yield sample;
      }
      if (last === iterations && last > from && !reader.isAtEnd)
        fail(reader.position, 'more iterations than the header states');
    },
  };
}

class Sample implements IterationSample {
  count = 0;
  readonly contexts: Uint32Array;
  readonly visits: Float64Array;
  readonly seconds: Float64Array;
  readonly childEvents: Float64Array;
  readonly waitSeconds: Float64Array | undefined;
  preempted: readonly PreemptedPhase[] | undefined;

  constructor(
    private readonly room: number,
    private readonly layout: IterationsLayout,
  ) {
    this.contexts = new Uint32Array(room);
    this.visits = new Float64Array(room);
    this.seconds = new Float64Array(room);
    this.childEvents = new Float64Array(room);
    this.waitSeconds = layout.hasWaits ? new Float64Array(room) : undefined;
  }

  read(reader: VarintReader, fail: (offset: number, message: string) => never): void {
    this.count = reader.next();
    if (this.count > this.room) fail(reader.position, `${this.count} values of ${this.room} contexts`);
    let context = -1;
    for (let index = 0; index < this.count; index++) {
      context += reader.next() + 1;
      if (context >= this.room) fail(reader.position, `context ${context} of ${this.room}`);
      this.contexts[index] = context;
      this.visits[index] = reader.next();
      this.seconds[index] = reader.next() / ticksPerSecond;
      this.childEvents[index] = reader.next();
      if (this.waitSeconds !== undefined) this.waitSeconds[index] = reader.next() / ticksPerSecond;
    }
    if (this.layout.hasPreempted) this.preempted = this.readPreempted(reader, fail);
  }

  private readPreempted(
    reader: VarintReader,
    fail: (offset: number, message: string) => never,
  ): readonly PreemptedPhase[] {
    const count = reader.next();
    if (count > this.room) fail(reader.position, `${count} pre-empted phases of ${this.room} contexts`);
    return Array.from({ length: count }, () => {
      const context = reader.next();
      if (context >= this.room) fail(reader.position, `context ${context} of ${this.room}`);
      return { context, seconds: reader.next() / ticksPerSecond };
    });
  }
}

/** Reads and checks the JSON at the end of the file. */
function parseDirectory(
  bytes: Uint8Array,
  iterations: number,
  fail: (message: string) => never,
): { readonly directory: IterationsDirectory; readonly marks: readonly number[] } {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    fail('the directory is not JSON');
  }
  const { kymoIterations, phase, regions, locations, contexts, pairSeconds, notes, marks, ...more } =
    isRecord(value) ? value : {};
  if (kymoIterations !== 1 || typeof phase !== 'string') fail('a directory of another version');
  if (!isListOf(regions, isRegion)) return fail('the directory’s regions are not understood');
  if (!isListOf(locations, isNumbers(2)) || !isListOf(contexts, isNumbers(3)))
    return fail('the directory’s contexts are not understood');
  if (pairSeconds !== undefined && !(typeof pairSeconds === 'number' && pairSeconds >= 0))
    return fail('the directory’s cost of recording is not understood');
  if (!isListOf(notes, (note): note is string => typeof note === 'string'))
    return fail('the directory’s notes are not understood');
  const switched =
    switchedOf(more) ?? fail('the entry for switched functions in the directory cannot be read');
  if (!isListOf(marks, isWhole) || marks.length !== Math.ceil(iterations / iterationsPerMark))
    return fail('the directory’s places do not fit the number of iterations');
  return {
    marks,
    directory: {
      phase,
      iterations,
      regions,
      locations: locations.map(([rank = 0, thread = 0]): IterationLocation => ({ rank, thread })),
      contexts: contexts.map(([region = 0, parent = -1, location = 0], position): IterationContext => {
        if (
          region < 0 ||
          region >= regions.length ||
          location < 0 ||
          location >= locations.length ||
          parent >= position
        )
          fail(`context ${position} is of region ${region}, parent ${parent}, location ${location}`);
        return parent < 0 ? { region, location } : { region, parent, location };
      }),
      ...present({ pairSeconds }),
      ...switched,
      notes,
    },
  };
}

/** Undefined: it is not understood. */
function switchedOf({
  partlyRecorded = [],
  switches = [],
}: Readonly<Record<string, unknown>>): Pick<IterationsDirectory, 'partlyRecorded' | 'switches'> | undefined {
  if (!isListOf(partlyRecorded, isWhole) || !isListOf(switches, isNumbers(2))) return undefined;
  const ranges = switches.map(([first = 0, last = 0]) => [first, last] as const);
  return {
    ...(partlyRecorded.length === 0 ? {} : { partlyRecorded }),
    ...(ranges.length === 0 ? {} : { switches: ranges }),
  };
}

function isListOf<T>(value: unknown, is: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.every(is);
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isNumbers(length: number): (value: unknown) => value is readonly number[] {
  return (value): value is readonly number[] =>
    Array.isArray(value) && value.length === length && value.every(isWhole);
}

function isRegion(value: unknown): value is SeriesRegion {
  if (!isRecord(value)) return false;
  const { name, file, line, endLine, kind } = value;
  const optional = (part: unknown, type: string): boolean => part === undefined || typeof part === type;
  return (
    typeof name === 'string' &&
    isRegionKind(kind) &&
    optional(file, 'string') &&
    optional(line, 'number') &&
    optional(endLine, 'number')
  );
}
