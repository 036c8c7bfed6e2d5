import { ArchiveWriter, type ArchiveOptions } from '../../../../src/formats/otf2/write/archiveWriter';
import type { Integer } from '../../../../src/formats/otf2/bytes/values';
import { MemoryArchive } from './memoryArchive';

export const undefinedRef = 0xffffffff;

export interface SmallFunction {
  readonly name: string;
  readonly mangledName?: string;
  readonly file?: string;
  readonly line?: number;
  /** Number of the paradigm; 2: compiler. */
  readonly paradigm?: number;
  readonly isPhase?: boolean;
}

/** An event: time and function, or any other by its name with its values. */
export type SmallEvent =
  | readonly [kind: 'enter' | 'leave', time: number, region: number]
  | readonly [kind: 'send' | 'receive', time: number, partner: number, tag: number, bytes: number]
  | readonly [kind: Uppercase<string>, time: number, ...values: Integer[]];

export interface SmallTrace {
  readonly functions?: readonly (SmallFunction | string)[];
  /** Of each rank, or several lists for its threads. */
  readonly ranks: readonly (
    | readonly SmallEvent[]
    | { readonly threads: readonly (readonly SmallEvent[])[] }
  )[];
  readonly ticksPerSecond?: number;
  /** Further definitions. */
  readonly define?: (writer: ArchiveWriter) => void;
  readonly threadName?: string;
  readonly options?: ArchiveOptions;
}

/** A trace with one process for each rank, `MPI_COMM_WORLD` as communicator 0, and location ids from 0 on. */
export function smallTrace(
  { functions = [], ranks, ticksPerSecond = 1000, define, threadName = 'Master thread', options }: SmallTrace,
  name = 'traces',
): MemoryArchive {
  const memory = new MemoryArchive();
  const writer = new ArchiveWriter(name, memory.sink, options);
  const empty = writer.string('');
  writer.define('CLOCK_PROPERTIES', {
    ticksPerSecond,
    globalOffset: 0,
    length: 1,
    realtimeNanoseconds: 1_700_000_000_000_000_000n,
  });
  for (const [id, given] of functions.entries()) defineRegion(writer, id, given);
  writer.define('SYSTEM_TREE_NODE', {
    id: 0,
    name: writer.string('node 7'),
    className: writer.string('node'),
    parent: undefinedRef,
  });
  const masters: number[] = [];
  let id = 0;
  for (const [rank, own] of ranks.entries()) {
    writer.define('LOCATION_GROUP', {
      id: rank,
      name: writer.string(`MPI Rank ${rank}`),
      type: 1,
      parent: 0,
      creator: undefinedRef,
    });
    masters.push(id);
    for (const events of 'threads' in own ? own.threads : [own]) {
      const target = writer.location(id);
      for (const event of events) write(target, event);
      writer.define('LOCATION', {
        id,
        name: writer.string(threadName),
        type: 1,
        events: events.length,
        group: rank,
      });
      writer.close(id++);
    }
  }
  const members = [...ranks.keys()];
  writer.define('GROUP', { id: 0, name: empty, members: masters, type: 4, paradigm: 4, flags: 0 });
  writer.define('GROUP', { id: 1, name: empty, members, type: 5, paradigm: 4, flags: 0 });
  writer.define('COMM', {
    id: 0,
    name: writer.string('MPI_COMM_WORLD'),
    group: 1,
    parent: undefinedRef,
    flags: 0,
  });
  define?.(writer);
  writer.finish();
  return memory;
}

function defineRegion(writer: ArchiveWriter, id: number, given: SmallFunction | string): void {
  const {
    name,
    mangledName = name,
    file,
    line = 0,
    paradigm = 2,
    isPhase = false,
  } = typeof given === 'string' ? ({ name: given } as SmallFunction) : given;
  writer.define('REGION', {
    id,
    name: writer.string(name),
    canonicalName: writer.string(mangledName),
    description: writer.string(''),
    role: 1,
    paradigm,
    flags: isPhase ? 2 : 0,
    file: file === undefined ? undefinedRef : writer.string(file),
    firstLine: line,
    lastLine: line,
  });
}

function write(target: ReturnType<ArchiveWriter['location']>, [kind, time, ...values]: SmallEvent): void {
  switch (kind) {
    case 'enter':
      target.enter(time, Number(values[0]));
      break;
    case 'leave':
      target.leave(time, Number(values[0]));
      break;
    case 'send':
    case 'receive': {
      const [partner = 0, tag = 0, bytes = 0] = values;
      target.event(kind === 'send' ? 'MPI_SEND' : 'MPI_RECV', time, [partner, 0, tag, bytes]);
      break;
    }
    default:
      target.event(kind, time, values);
  }
}
