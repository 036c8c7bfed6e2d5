import { describe, expect, test } from 'vitest';
import { at } from '../../../../src/core/at';
import { randomNumbers } from '../../../../src/core/randomNumbers';
import {
  compareTraces,
  compareTracesInSteps,
  type ComparedViews,
  type TraceOptions,
  type TraceView,
} from '../../../../src/core/trace/views/compareTraces';
import type { CallTrace } from '../../../../src/core/trace/callTrace';
import { traceSentence } from '../../../../src/core/trace/pair/differenceWords';
import { frequencyTrace } from '../../../../src/core/trace/frequency';
import { KeyTable } from '../../../../src/core/trace/keyTable';
import { inMemory, type TraceSource } from '../../../../src/core/trace/traceSource';

import { readText } from './readText';

function head(rank: number, ranks: number): string {
  return `#mvtrace 1 rank=${rank} nranks=${ranks}\nF 1 /src/a.f\nF 2 /src/b.f\nF 3 /src/c.f\n`;
}

function compared(texts: readonly (string | readonly string[])[], options: TraceOptions = {}): ComparedViews {
  const table = new KeyTable();
  const traces = (text: string | readonly string[]): readonly TraceSource[] =>
    [text].flat().map((own) => inMemory(readText(own, table).trace));
  return compareTraces(
    texts.map((text, view) => ({ name: `view ${view}`, traces: traces(text) })),
    table,
    options,
  );
}

function sentences(result: ComparedViews): readonly string[] {
  return result.pairs.flatMap(({ comparison, words }) =>
    comparison.differences.map((difference) => `${difference.kind}: ${traceSentence(difference, words)}`),
  );
}

const calls = (instructions: number | string, seconds = 1): string =>
  `${head(0, 4)}E 1 5\nX 1 9 ${seconds} ${instructions}\n`;

describe('M9: the sensitivity', () => {
  test.each([
    [1000, 1049, 0.05, 0],
    [1000, 1050, 0.05, 0],
    [1000, 1051, 0.05, 1],
    [1000, 951, 0.05, 0],
    [1000, 949, 0.05, 1],
    [1000, 1001, 0, 1],
    [1000, 1000, 0, 0],
    [0, 0, 0.05, 0],
    [0, 5, 0.05, 1],
  ])('%d instructions and %d, %d: %d changed', (before, after, sensitivity, changed) => {
    const result = compared([calls(before), calls(after)], { sensitivity });
    expect(at(result.pairs, 0).comparison.changed).toBe(changed);
  });
  test('is 5 % where none is given', () => {
    expect(at(compared([calls(1000), calls(1049)]).pairs, 0).comparison.changed).toBe(0);
    expect(sentences(compared([calls(1000), calls(1051)]))).toEqual([
      'increased: a.f [5-9] has 5.1 % more instructions itself (1000 → 1051).',
    ]);
  });
});

describe('M3: the time', () => {
  const visits = (times: readonly number[]): string =>
    `${head(0, 4)}${times.map((time) => `E 1 5\nX 1 9 ${time} -\n`).join('')}`;
  test('is compared without instructions, and it is said', () => {
    const result = compared([calls('-', 1), calls('-', 1.2)]);
    expect([result.metric, result.notes]).toEqual([
      'time',
      ['The traces have no numbers of instructions: times are compared, which vary from run to run.'],
    ]);
    expect(sentences(result)).toEqual(['slower: a.f [5-9] takes 20.0 % longer itself (1 s → 1.2 s).']);
  });
  test('can be asked for, and other metrics only where they are', () => {
    expect(compared([calls(1), calls(1)], { metric: 'time' }).notes).toEqual([]);
    expect(() => compared([calls('-'), calls('-')], { metric: 'instructions' })).toThrow(
      /Not all traces have “instructions”\. They have: time/,
    );
  });
  test('is no change within what the visits differ by', () => {
    expect(sentences(compared([visits([1, 2, 3]), visits([1.5, 2.5, 3.5])]))).toEqual([]);
    expect(sentences(compared([visits([2, 2.01, 1.99]), visits([6.5, 6.51, 6.49])]))).toHaveLength(1);
  });
  test('that was none before is no multiple of it', () => {
    expect(sentences(compared([calls('-', 0), calls('-', 2)]))).toEqual([
      'slower: a.f [5-9] takes 2 s itself, and took no time before.',
    ]);
    expect(sentences(compared([calls(0), calls(7)]))).toEqual([
      'increased: a.f [5-9] has 7 instructions itself, and had none before.',
    ]);
  });
  test('changed clearly is named, however noisy functions of few visits and of many are', () => {
    const program = (changed: number, noise: number): string =>
      `${head(0, 4)}${[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
        .map((line) => {
          const visit = (line === 5 ? changed : 1) * (1 + (noise * (((line * 7) % 11) - 5)) / 5);
          return `E 1 ${line + 1}\nX 1 ${line + 1} ${visit} -\n`.repeat(
            line === 0 ? 400 : line === 5 ? 2 : 3,
          );
        })
        .join('')}`;
    expect(sentences(compared([program(1, 0), program(2.4, 0.1)]))).toEqual([
      expect.stringMatching(/^slower: a\.f \[6-6\] takes 2\.26 times as long/),
    ]);
    expect(sentences(compared([program(1, 0), program(1.2, 0.1)]))).toEqual([]);
  });
  describe('of single runs', () => {
    /** Functions of 40 visits each, whose times differ by up to this share. */
    const run = (seed: number, factor: (line: number, visit: number) => number, by = 0.05): string => {
      const random = randomNumbers(seed);
      return `${head(0, 4)}${[1, 2, 3, 4, 5, 6, 7]
        .flatMap((line) =>
          Array.from({ length: 40 }, (_, visit) => {
            const time = factor(line, visit) * (1 + by * (2 * random() - 1));
            return `E 1 ${line}\nX 1 ${line} ${time} -\n`;
          }),
        )
        .join('')}`;
    };
    const named = (factor: (line: number, visit: number) => number, by?: number): readonly string[] =>
      Array.from({ length: 5 }, (_, seed) =>
        sentences(compared([run(seed, () => 1, by), run(seed + 100, factor, by)])),
      ).flat();
    test('on a machine that is slower is no change of the functions', () => {
      expect(named(() => 1)).toEqual([]);
      expect(named((line) => 1.5 + 0.01 * line)).toEqual([]);
    });
    test('is said in a note, with the typical change', () => {
      const notes = (factor: (line: number, visit: number) => number): string =>
        compared([run(1, () => 1), run(2, factor)])
          .notes.slice(1)
          .join('\n');
      expect(notes(() => 1.02)).toBe('');
      expect(notes((line) => 1.5 + 0.01 * line)).toMatch(
        /^Computing takes .* s → .* s, and a visit typically 1\.5 times as long \(median of 7 functions\), as on a machine that is slower or busier, or with a larger input: /,
      );
      expect(notes(() => 0.5)).toMatch(/typically 0\.50 times as long .* faster or less busy/);
      // Visits that are interrupted: typical ones seem shorter, while all takes longer.
      expect(notes((_, visit) => (visit === 0 ? 60 : 0.8))).toMatch(
        /^Computing .* no function is named by its time/,
      );
      // One function that changed is named, and is not what all changed by.
      expect(notes((line) => (line === 3 ? 1.9 : 1))).toBe('');
    });
    test('that no function is named by is said, where there are too few functions and visits', () => {
      const single = (time: number): string =>
        `${head(0, 4)}${'E 1 1\nX 1 1 1 -\n'.repeat(2)}E 2 9\nX 2 9 ${time} -\n`;
      const { notes } = compared([single(1), single(5)]);
      expect(sentences(compared([single(1), single(5)]))).toEqual([]);
      expect(notes.slice(1)).toEqual([
        expect.stringMatching(/^Computing takes 3 s → 7 s, and no function is named by its time: /),
      ]);
    });
    test('of one function beside that is', () => {
      const slower = named((line) => (line === 3 ? 1.4 : 1));
      expect(slower.map((text) => text.replace(/[\d.]+ %.*/, ''))).toEqual(
        Array(5).fill('slower: a.f [3-3] takes '),
      );
      expect(named((line) => (line === 3 ? 1.9 : 1.2))).toHaveLength(5);
      expect(named((line) => (line === 3 ? 0.6 : 1))).toHaveLength(5);
    });
    test('is named beyond two standard deviations of single visits (here 12 %), and not below', () => {
      expect(named((line) => (line === 3 ? 1.17 : 1), 0.2)).toEqual([]);
      expect(named((line) => (line === 3 ? 1.35 : 1), 0.2)).toHaveLength(5);
    });
    test('of two visits is judged', () => {
      const twice = (seed: number, time: number): string =>
        `${run(seed, () => 1)}${`E 2 9\nX 2 9 ${time} -\n`.repeat(2)}`;
      expect(sentences(compared([twice(1, 20), twice(2, 60)]))).toHaveLength(1);
    });
    test('of some visits that were interrupted is not', () => {
      expect(named((line, visit) => (line === 3 && visit < 3 ? 50 : 1))).toEqual([]);
    });
    test('of single visits is not judged beside others', () => {
      const single = (seed: number, time: number): string => `${run(seed, () => 1)}E 2 9\nX 2 9 ${time} -\n`;
      expect(sentences(compared([single(1, 20), single(2, 60)]))).toEqual([]);
    });
  });
  describe('of another number of calls', () => {
    const times = (count: number, seconds: number): string =>
      `${head(0, 4)}E 2 5\n${`E 1 5\nX 1 9 ${seconds} -\n`.repeat(count)}X 2 9 1 -\n`;
    const slower = (before: string, after: string): readonly string[] =>
      sentences(compared([before, after])).filter((text) => /^(slower|faster)/.test(text));
    test('is explained by them as far as it is', () => {
      expect(slower(times(10, 1), times(20, 1))).toEqual([
        'slower: a.f [5-9] takes 2 times as long itself (10 s → 20 s), because it is called 2 times as often.',
      ]);
      expect(slower(times(10, 1), times(14, 1.3))).toEqual([
        'slower: a.f [5-9] takes 82.0 % longer itself (10 s → 18.2 s), partly because it is called 40.0 % more often.',
      ]);
      // What they explain less than half of is not told from the machine.
      expect(slower(times(10, 1), times(14, 1.45))).toEqual([]);
      expect(slower(times(10, 1), times(11, 1.5))).toEqual([]);
    });
    test('is none where more of them take less, and single ones do not differ clearly', () => {
      expect(slower(times(10, 1), times(11, 0.6))).toEqual([]);
      expect(slower(times(10, 1), times(11, 0.2))).toEqual([
        expect.stringMatching(/^faster: a\.f \[5-9\] takes 78\.0 % less time itself \(10 s → 2\.2 s\)\.$/),
      ]);
    });
  });
  test('of waiting is none of the program, and a note says how it changed', () => {
    const program = (name: string, seconds: number): string =>
      `#mvtrace 1 rank=0 nranks=4\nF 1 /src/a.f\nF 2 ${name}\nE 1 5\nX 1 9 1 -\nE 2 5\nX 2 5 ${seconds} -\n`;
    const waits = compared([program('MPI_Allreduce', 1), program('MPI_Allreduce', 3)]);
    expect(sentences(waits)).toEqual([]);
    expect(waits.notes.join()).toContain('1 s → 3 s waiting and communicating');
    const computes = compared([program('allreduce', 1), program('allreduce', 3)]);
    expect([sentences(computes).length, computes.notes.join().includes('waiting')]).toEqual([1, false]);
  });
  test('of a function with less than 0.5 % of it is none', () => {
    const both = (small: number): string => `${head(0, 4)}E 1 5\nX 1 9 1 -\nE 2 5\nX 2 9 ${small} -\n`;
    expect(sentences(compared([both(0.002), both(0.004)]))).toEqual([]);
    expect(sentences(compared([both(0.02), both(0.04)]))).toHaveLength(1);
  });
});

const ring = (rank: number, ranks: number, step = 1): string =>
  `${head(rank, ranks)}E 1 5\nM MPI_SEND ${rank} ${(rank + step) % ranks} 10 int 0\nM MPI_RECV ${(rank + ranks - step) % ranks} ${rank} 10 int 0\nM MPI_BCAST 0 - 1 int 1\nX 1 9 1 100\n`;

describe('M20: partners as distances', () => {
  test('a ring is the same on all ranks', () => {
    expect(sentences(compared([ring(1, 4), ring(3, 4)], { isRelative: true }))).toEqual([]);
    expect(sentences(compared([ring(1, 4), ring(3, 4)])).map((text) => text.split(':')[0])).toEqual([
      'changed-partners',
      'changed-partners',
    ]);
  });
  test('M18: several processes are compared by distances, of different numbers per process', () => {
    const all = (ranks: number): readonly string[] =>
      Array.from({ length: ranks }, (_, rank) => ring(rank, ranks));
    const result = compared([all(4), all(8)]);
    expect(sentences(result)).toEqual([]);
    expect(result.notes).toEqual(['Of 4 and 8 processes: numbers are per process.']);
    expect(at(result.pairs, 0).comparison).toMatchObject({ matched: 4, unchanged: 4 });
  });
  test.each([
    ['both neighbours, which are one of two processes', 2, 4, [1, -1], [1, -1], 0],
    ['the fourth of five, which is the one before', 3, 5, [-1], [2], 0],
    ['other neighbours', 3, 8, [1, -1], [1, 3], 1],
    ['neighbours of as many processes', 4, 4, [1], [-1], 1],
  ])('%s', (_, few, many, before, after, changes) => {
    const run = (ranks: number, steps: readonly number[]): readonly string[] =>
      Array.from(
        { length: ranks },
        (_, rank) =>
          `${head(rank, ranks)}E 1 5\n${steps.map((step) => `M MPI_SEND ${rank} ${(rank + step + ranks) % ranks} 10 int 0\n`).join('')}X 1 9 1 100\n`,
      );
    expect(sentences(compared([run(few, before), run(many, after)]))).toHaveLength(changes);
    expect(sentences(compared([run(many, after), run(few, before)]))).toHaveLength(changes);
  });
  test('half of the ring is said as the numbers have it', () => {
    expect(sentences(compared([ring(0, 2), ring(1, 2)])).join()).toMatch(
      /rank 0 instead of 1: it is 1 rank back/,
    );
    expect(sentences(compared([ring(1, 2), ring(0, 2)])).join()).toMatch(
      /rank 1 instead of 0: it is 1 rank further/,
    );
  });
  test('OTF2 has no names of the calls that communicate', () => {
    const plain = (rank: number): string => ring(0, 8, rank).replace('MPI_SEND', 'send');
    expect(sentences(compared([plain(1), plain(2)]))[0]).toMatch(/a\.f \[5-9\] sends to rank 2 instead of 1/);
  });
  test('a shift of all partners is said', () => {
    expect(sentences(compared([ring(0, 8), ring(0, 8, 2)]))).toEqual([
      'changed-partners: a.f [5-9] sends (MPI_SEND) to rank 2 instead of 1: it is 1 rank further.',
      'changed-partners: a.f [5-9] receives (MPI_RECV) from rank 6 instead of 7: it is 1 rank back.',
    ]);
  });
});

test('M23: traces with little in common are said to be of two programs', () => {
  const other = `${head(0, 4)}E 2 5\nE 2 7\nE 2 9\nX 2 9 1 1\nX 2 9 1 1\nX 2 9 1 1\n`;
  expect(compared([calls(1000), other]).notes).toEqual([
    'Only 0 of 4 call paths are in both: these may be traces of two different programs.',
  ]);
  expect(compared([calls(1000), calls(1000)]).notes).toEqual([]);
});

test('new and gone calls that are too many to be named are counted', () => {
  const call = (line: number, below = ''): string => `E 2 ${line}\n${below}X 2 ${line} 1 ${line}\n`;
  const many = (count: number, below?: string): string =>
    Array.from({ length: count }, (_, i) => call(i + 1, i + 1 === count ? below : undefined)).join('');
  const program = (calls: string): string => `${head(0, 4)}E 1 5\n${calls}X 1 9 1 1000000\n`;
  const result = compared([program(''), program(many(20_003, many(5_002)))]);
  const { added, unnamed, differences } = at(result.pairs, 0).comparison;
  expect([added, unnamed]).toEqual([25_005, 5]);
  expect(result.notes).toContain(
    '5 of 25005 call paths that are new or gone are not named: those with the least at stake, and those below others that are new or gone.',
  );
  const named = differences.filter(({ kind }) => kind === 'added-work');
  expect(named.length).toBe(25_000);
  const least = named.filter(({ isConsequence }) => !isConsequence).map(({ stake }) => stake);
  expect(Math.min(...least)).toBe(4);
  expect(compared([program(''), program(many(20_000))]).notes.join()).not.toContain('not named');
});

test('an element type is compared exactly', () => {
  const typed = (type: string): string => `${head(0, 4)}E 1 5\nM MPI_SEND 0 1 10 ${type} 0\nX 1 9 1 100\n`;
  expect(sentences(compared([typed('double'), typed('float')]))).toEqual([
    'changed-message-size: MPI_SEND to 1 in a.f [5-9] has elements of float instead of double.',
  ]);
});

test('a moved function is matched', () => {
  const at9 = `${head(0, 4)}E 1 9\nX 1 12 1 1000\n`;
  expect(sentences(compared([calls(1000), at9]))).toEqual([]);
});

test('of a call that is left out, one call is at stake, and not the noise of all', () => {
  const visits = (count: number, time: number): string =>
    `${head(0, 4)}E 1 1\n${`E 2 5\nX 2 9 ${time} -\n`.repeat(count)}X 1 9 1 -\n`;
  const { differences } = at(compared([visits(100, 0.5), visits(99, 0.6)]).pairs, 0).comparison;
  const count = differences.find(({ kind }) => kind === 'changed-count');
  expect([count?.stake, count?.seconds].map((value) => value?.toFixed(2))).toEqual(['0.55', '0.55']);
});

test('calls in another order are a difference of their caller', () => {
  const order = (first: number, second: number): string =>
    `${head(0, 4)}E 1 5\n${[first, second]
      .map((file) => `E ${file} 1\nX ${file} 2 1 10\n`)
      .join('')
      .repeat(3)}X 1 9 1 100\n`;
  expect(sentences(compared([order(2, 3), order(3, 2)]))).toEqual([
    'changed-order: a.f [5-9] makes the same calls in another order: c.f [1-2], b.f [1-2]; before: b.f [1-2], c.f [1-2].',
  ]);
});

describe('the order of calls', () => {
  const one = (file: number, below = ''): string => `E ${file} 1\n${below}X ${file} 2 1 1\n`;
  /** Calls of a function, each of these calls in this order; `b2` is b with two calls of c below. */
  const steps = (...orders: readonly string[]): string =>
    `${head(0, 4)}${orders
      .map(
        (order) =>
          `E 1 5\n${order
            .split(' ')
            .map((name) => one(name.startsWith('b') ? 2 : 3, name === 'b2' ? one(3).repeat(2) : ''))
            .join('')}X 1 9 1 1\n`,
      )
      .join('')}`;
  const found = (before: readonly string[], after: readonly string[]): readonly string[] =>
    sentences(compared([steps(...before), steps(...after)])).filter((text) =>
      text.startsWith('changed-order'),
    );

  test('is the same where only what is called below comes in turns', () => {
    // Of b b2 and b2 b, traces are folded differently.
    expect(found(['b c b2 c b c'], ['b2 c b c b c'])).toEqual([]);
    expect(found(['b c b2 c b c', 'b c b2 c b2 c'], ['b2 c b c b c', 'b2 c b2 c b c'])).toEqual([]);
  });
  test('that varies from call to call in one of the runs is none of the program', () => {
    expect(found(['b c', 'c b', 'b c'], ['c b', 'c b', 'b c'])).toEqual([]);
    expect(found(['b c', 'c b2'], ['c b', 'b2 c'])).toEqual([]);
    expect(found(['b c', 'b2 c'], ['c b', 'b2 c'])).toEqual([]);
    expect(found(['c b', 'b2 c'], ['b c', 'b2 c'])).toEqual([]);
  });
  test('that is another one in all calls is named, also where they do other things below', () => {
    expect(found(['b c', 'b2 c', 'b c'], ['c b', 'c b2', 'c b'])).toEqual([
      'changed-order: a.f [5-9] makes the same calls in another order: c.f [1-2], b.f [1-2]; before: b.f [1-2], c.f [1-2].',
    ]);
    // Of calls of other functions, the order is another one anyway.
    expect(found(['b c', 'c', 'b c'], ['c b', 'c', 'c b'])).toHaveLength(1);
  });
});

test('calls in another order are found in every process, with its rank', () => {
  const run = (reversed: readonly number[], rank: number): string =>
    `${head(rank, 4)}E 1 5\n${(reversed.includes(rank) ? [3, 2] : [2, 3])
      .map((file) => `E ${file} 1\nX ${file} 2 1 10\n`)
      .join('')}X 1 9 1 100\n`;
  const view = (...reversed: number[]): readonly string[] => [0, 1, 2, 3].map((rank) => run(reversed, rank));
  const where = (one: readonly string[], other: readonly string[]): readonly string[] =>
    sentences(compared([one, other])).map((text) => /in another order(.*?):/.exec(text.slice(15))?.[1] ?? '');
  expect(where(view(), view(2, 3))).toEqual([' on ranks 2-3']);
  expect(where(view(1), view())).toEqual([' on rank 1']);
  expect(where(view(), view(0, 1, 2, 3))).toEqual(['']);
  expect(where(view(1), view(1))).toEqual([]);
  // Of another number of processes, those of the first one.
  expect(where(view(), view(0).slice(0, 3))).toEqual(['']);
});

describe('traces that are not kept', () => {
  const one = (file: number): string => `E ${file} 1\nX ${file} 2 1 10\n`;
  const run = (first: number, rank: number): string =>
    `${head(rank, 4)}E 1 5\n${one(first)}${one(5 - first)}X 1 9 1 ${first}00\nE 3 9\nM MPI_SEND ${rank} ${(rank + 1) % 4} 8 MPI_BYTE 0\nX 3 9 1 10\n`;
  const texts = [2, 3].map((first) => [0, 1, 2, 3].map((rank) => run(first, rank)));

  /** Views whose traces are made again at each reading, and how often each was. @param traceOf of a view and rank, at its first, second … reading */
  function readAgain(traceOf: (view: number, rank: number, reading: number) => CallTrace): {
    readonly views: readonly TraceView[];
    readonly reads: readonly number[][];
  } {
    const reads = texts.map((own) => own.map(() => 0));
    const views = texts.map((own, view) => ({
      name: `view ${view}`,
      traces: own.map((_, rank) => ({
        rank,
        read: () => traceOf(view, rank, (reads[view]![rank]! += 1)),
      })),
    }));
    return { views, reads };
  }
  const textOf = (table: KeyTable, view: number, rank: number): CallTrace =>
    readText(texts[view]![rank]!, table).trace;
  const orders = (result: ComparedViews): readonly string[] =>
    sentences(result).filter((text) => text.startsWith('changed-order'));
  const sumOfReads = (reads: readonly number[][]): number => reads.flat().reduce((sum, own) => sum + own, 0);

  test('are compared as those that are, and read no more than once to sum them up and once for their order', () => {
    const table = new KeyTable();
    const { views, reads } = readAgain((view, rank) => textOf(table, view, rank));
    expect(sentences(compareTraces(views, table))).toEqual(sentences(compared(texts)));
    expect(orders(compared(texts))).toHaveLength(1);
    // The first ones once more, for their alignment is kept.
    expect(reads).toEqual([
      [3, 2, 2, 2],
      [3, 2, 2, 2],
    ]);
  });

  test('are compared in steps, so that a comparison can be cancelled after each that is read', () => {
    const table = new KeyTable();
    const { views, reads } = readAgain((view, rank) => textOf(table, view, rank));
    const seen: number[] = [];
    const done: (number | undefined)[] = [];
    const steps = compareTracesInSteps(views, table);
    for (let step = steps.next(); step.done !== true; step = steps.next()) {
      seen.push(sumOfReads(reads));
      done.push(step.value);
    }
    // Two of a pair are read for its order.
    expect(seen.slice(0, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 8]);
    expect(seen.at(-1)).toBe(16);
    // The last two are read behind the last step.
    expect(done).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 8, 10, 12, 14].map((reads) => reads / 16));
  });

  test('have no order where they are too large for it, and are not read for it', () => {
    const table = new KeyTable();
    const { views, reads } = readAgain((view, rank) =>
      rank === 2 && view === 1
        ? frequencyTrace([textOf(table, view, rank)], table)
        : textOf(table, view, rank),
    );
    expect(orders(compareTraces(views, table))).toEqual([
      expect.stringMatching(/in another order: c\.f/) as string,
    ]);
    expect(sumOfReads(reads)).toBe(16);
  });

  test('are all that there is to read where they are too large for their order', () => {
    const table = new KeyTable();
    const { views } = readAgain((view, rank) => frequencyTrace([textOf(table, view, rank)], table));
    const done: (number | undefined)[] = [];
    const steps = compareTracesInSteps(views, table);
    for (let step = steps.next(); step.done !== true; step = steps.next()) done.push(step.value);
    // Before the first one is read nobody knows.
    expect(done).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((reads) => reads / 8));
  });

  test('may have grown meanwhile: what came since is no difference of what calls the program', () => {
    const table = new KeyTable();
    const calls = (first: number): string =>
      `${head(0, 4)}E 1 5\nX 1 9 1 1\nE 4 1\n${one(first)}${one(5 - first)}X 4 2 1 1\n`.replace(
        'F 3',
        'F 4 /src/d.c\nF 3',
      );
    const { views } = readAgain((view, _, reading) =>
      reading === 1
        ? readText(`${head(0, 4)}E 1 5\nX 1 9 1 1\n`, table).trace
        : readText(calls(view + 2), table).trace,
    );
    expect(sentences(compareTraces(views, table))).toEqual([]);
  });
});
