import type { CallTrace, EntryKey, MessageKey } from '../../../../src/core/trace/callTrace';
import type { KeyTable } from '../../../../src/core/trace/keyTable';

/** An entry of a trace as tests write it. */
export interface HandEntry {
  readonly key: EntryKey;
  readonly count?: number;
  readonly seconds?: number;
  readonly instructions?: number;
  /** Of one message. */
  readonly size?: number;
  readonly below?: readonly HandEntry[];
}

export function call(
  name: string,
  facts: Omit<HandEntry, 'key' | 'below'> = {},
  below: readonly HandEntry[] = [],
): HandEntry {
  const [, file, first, last] = /^(.*)\[(\d+)-(\d+)\]$/.exec(name) ?? [];
  const key: EntryKey =
    file === undefined
      ? { kind: 'context', name, place: { name } }
      : {
          kind: 'context',
          name: file,
          place: { name: file, file, line: Number(first) },
          lastLine: Number(last),
        };
  return { key, ...facts, below };
}

export function message(
  kind: MessageKey['kind'],
  partner: number | undefined,
  facts: Omit<HandEntry, 'key'> = {},
): HandEntry {
  const names = { send: 'MPI_SEND', receive: 'MPI_RECV', collective: 'MPI_ALLREDUCE' };
  return { key: { kind, call: names[kind], ...(partner === undefined ? {} : { partner }) }, ...facts };
}

function numberOf(table: KeyTable, key: EntryKey): number {
  return key.kind === 'context' ? table.context(key.name, key.place, key.lastLine) : table.message(key);
}

/** A trace of these entries, without folding them. */
export function handTrace(
  table: KeyTable,
  entries: readonly HandEntry[],
  facts: Partial<Pick<CallTrace, 'name' | 'rank' | 'ranks' | 'loops'>> = {},
): CallTrace {
  const rows: HandEntry[] = [];
  const depths: number[] = [];
  const ends: number[] = [];
  const put = (entry: HandEntry, depth: number): void => {
    const row = rows.push(entry) - 1;
    depths[row] = depth;
    for (const child of entry.below ?? []) put(child, depth + 1);
    ends[row] = rows.length;
  };
  for (const entry of entries) put(entry, 1);
  const columns = {
    size: rows.length,
    key: Uint32Array.from(rows, ({ key }) => numberOf(table, key)),
    end: Uint32Array.from(ends),
  };
  const numbers = (of: (entry: HandEntry) => number): Float64Array => Float64Array.from(rows, of);
  return {
    ...{ name: 'a trace', rank: 0, ranks: 1, loops: [], ...facts },
    table,
    ...columns,
    depth: Uint32Array.from(depths),
    count: numbers(({ count = 1 }) => count),
    seconds: numbers(({ seconds = 0 }) => seconds),
    counters: new Map([['instructions', numbers(({ instructions = 0 }) => instructions)]]),
    bytes: numbers(({ count = 1, size = 0 }) => count * size),
    leastBytes: numbers(({ size = 0 }) => size),
    mostBytes: numbers(({ size = 0 }) => size),
    sizeUnit: 'elements',
  };
}

/** Calls named by letters, with those in parentheses below the one before them: `A(BC)D`. */
export function letters(text: string): readonly HandEntry[] {
  let position = 0;
  const list = (): HandEntry[] => {
    const entries: HandEntry[] = [];
    while (position < text.length && text[position] !== ')') {
      const name = text[position++] ?? '';
      let below: HandEntry[] = [];
      if (text[position] === '(') {
        position++;
        below = list();
        position++;
      }
      entries.push(call(name, { instructions: 1 }, below));
    }
    return entries;
  };
  return list();
}

/** The two processes of the specification's Fig. 4: shares of all instructions stand for their numbers. */
export function figure4(table: KeyTable): readonly [CallTrace, CallTrace] {
  const share = (percent: number): number => percent * 1_000;
  const own = (percent: number, below = 0): number => share(percent) - below;
  const wrapper = (
    lines: string,
    count: number,
    seconds: number,
    percent: number,
    below: HandEntry[],
  ): HandEntry => call(`mpi_stuff.f[${lines}]`, { count, seconds, instructions: share(percent) }, below);
  const p2p = (kind: 'send' | 'receive', partner: number, size: number): HandEntry =>
    message(kind, partner, { count: 40, size });
  const one = message('collective', undefined, { size: 1 });
  const side = (
    rank: number,
    values: readonly number[],
    receives: HandEntry[],
    sends: HandEntry[],
    times: number,
  ): CallTrace => {
    const [source = 0, sweep = 0, octant = 0, first = 0, second = 0, reduce = 0, flux = 0, third = 0] =
      values;
    return handTrace(
      table,
      [
        call('source.f[2-47]', { seconds: 0.01528, instructions: share(source) }),
        call(
          'sweep.f[2-625]',
          { seconds: 1.50463, instructions: own(sweep, share(octant + first + second)) },
          [
            call('octant.f[1-114]', { count: 8, seconds: 0.00012, instructions: share(octant) }),
            wrapper('85-102', times, 0.67697, first, receives),
            wrapper('73-83', times, 0.21291, second, sends),
          ],
        ),
        call('mpi_stuff.f[187-200]', { seconds: 0.18991, instructions: share(reduce) }, [one]),
        call('flux_err.f[2-36]', { seconds: 0.00405, instructions: own(flux, share(third)) }, [
          wrapper('161-172', 1, 0.02339, third, [one]),
        ]),
      ],
      { name: `rank ${rank}`, rank, ranks: 12 },
    );
  };
  return [
    side(
      1,
      [0.889, 98.828, 0, 0.024, 0.01, 0.001, 0.283, 0],
      [p2p('receive', 3, 750)],
      [p2p('send', 0, 510), p2p('send', 3, 750), p2p('receive', 0, 510)],
      80,
    ),
    side(
      2,
      [0.89, 98.825, 0, 0.037, 0.015, 0.001, 0.284, 0.001],
      [p2p('receive', 3, 510), p2p('receive', 4, 750)],
      [p2p('send', 0, 750), p2p('receive', 0, 750), p2p('send', 4, 750), p2p('send', 3, 510)],
      120,
    ),
  ];
}
