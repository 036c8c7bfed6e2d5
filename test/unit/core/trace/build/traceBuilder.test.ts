import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import type { CallTrace } from '../../../../../src/core/trace/callTrace';
import { frequencyTrace } from '../../../../../src/core/trace/frequency';
import { IterationSink } from '../../../../../src/core/trace/build/iterations';
import { KeyTable } from '../../../../../src/core/trace/keyTable';
import { distance, relativeTrace } from '../../../../../src/core/trace/relative';
import { Structures } from '../../../../../src/core/trace/structures';
import { TraceBuilder, type BuilderOptions } from '../../../../../src/core/trace/build/traceBuilder';

const facts = { name: 'a', rank: 0, ranks: 4, sizeUnit: 'bytes' } as const;

/** Letters are calls: `A(B C)` is A that calls B and C; digits messages to that rank. */
function folded(text: string, table = new KeyTable(), options: BuilderOptions = {}): CallTrace {
  const builder = new TraceBuilder(table, { counters: ['instructions'], ...options });
  play(text, builder, table);
  return builder.finish(facts);
}

function play(
  text: string,
  builder: Pick<TraceBuilder, 'enter' | 'leave' | 'message' | 'iteration'>,
  table: KeyTable,
): void {
  const open: boolean[] = [];
  for (let position = 0; position < text.length; position++) {
    const letter = text.charAt(position);
    if (letter === '|') builder.iteration();
    else if (letter === ')') builder.leave(open.pop() === true ? 1 : 0, [10]);
    else if (/\d/.test(letter))
      builder.message(table.message({ kind: 'send', call: 'MPI_SEND', partner: Number(letter) }), 8, 0);
    else if (/[A-Z]/.test(letter)) {
      builder.enter(table.context(letter, { name: letter }));
      if (text.charAt(position + 1) === '(') {
        open.push(true);
        position++;
      } else builder.leave(1, [10]);
    }
  }
}

/** `A2(B6 C3)`, with loops in brackets: `[B C]3`. */
function shown(trace: CallTrace): string {
  const rows = (first: number, end: number): string => {
    const words: string[] = [];
    for (let row = first; row < end; row = trace.end[row] ?? end) {
      const key = trace.table.keys[trace.key[row] ?? 0];
      const opening = trace.loops.filter((loop) => loop.first === row).length;
      const last = trace.end[row] ?? 0;
      const closing = trace.loops
        .filter((loop) => loop.end === last && loop.first <= row && depthOf(loop.first) === depthOf(row))
        .reverse();
      const inside = rows(row + 1, last);
      const name = key?.kind === 'context' ? key.name : `${key?.partner}`;
      words.push(
        `${'['.repeat(opening)}${name}×${trace.count[row]}${inside === '' ? '' : `(${inside})`}${closing.map(({ repeats }) => `]${repeats}`).join('')}`,
      );
    }
    return words.join(' ');
  };
  const depthOf = (row: number): number => trace.depth[row] ?? 0;
  return rows(0, trace.size);
}

test.each([
  ['AAAA', 'A×4'],
  ['ABABAB', '[A×3 B×3]3'],
  ['AABABAAB', '[A×5 B×3]3'],
  ['ABABCABABC', '[[A×4 B×4]4 C×2]2'],
  ['ABCABABC', '[[A×3 B×3]3 C×2]2'],
  ['M(ABAB)M(AB)', 'M×2([A×3 B×3]3)'],
  ['M(AB)M(AB)M(ABABAB)', 'M×3([A×5 B×5]5)'],
  ['M(AB)M(AC)', 'M×1(A×1 B×1) M×1(A×1 C×1)'],
  ['M(AB)M(AC)M(AB)M(AC)', '[M×2(A×2 B×2) M×2(A×2 C×2)]2'],
  ['A(1)A(1)A(2)', 'A×2(1×2) A×1(2×1)'],
  ['ABCACABCACABCAC', 'A×1 B×1 [[C×6 A×5]5 B×2]2 …'],
])('%s is folded', (text, expected) => {
  const found = shown(folded(text));
  if (!expected.includes('…')) expect(found).toBe(expected);
  else expect(found.length).toBeLessThan(70);
});

test('structures ignore how often something repeats, in all traces of a table', () => {
  const table = new KeyTable();
  const structures = new Structures();
  const [a, b, c] = ['M(ABAB)', 'M(AB)', 'M(BA)'].map((text) => structures.of(folded(text, table))[0]);
  expect(a).toBe(b);
  expect(a).not.toBe(c);
});

const calls = fc.letrec<{ call: string; calls: string }>((tie) => ({
  call: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('A', 'B', 'C', '1', '2'),
    fc.tuple(fc.constantFrom('A', 'B', 'M'), tie('calls')).map(([name, inside]) => `${name}(${inside})`),
    fc.tuple(tie('calls'), fc.integer({ min: 2, max: 4 })).map(([inside, times]) => inside.repeat(times)),
  ),
  calls: fc.array(tie('call'), { maxLength: 4, depthIdentifier: 'calls' }).map((parts) => parts.join('')),
})).calls;

/** Calls of each call path, and the messages, counted one by one. */
function counted(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const path: string[] = [];
  for (let position = 0; position < text.length; position++) {
    const letter = text.charAt(position);
    if (letter === ')') path.pop();
    else {
      const own = [...path, letter].join('/');
      counts.set(own, (counts.get(own) ?? 0) + 1);
      if (text.charAt(position + 1) === '(') {
        path.push(letter);
        position++;
      }
    }
  }
  return counts;
}

function countsOf(trace: CallTrace): Map<string, number> {
  const counts = new Map<string, number>();
  const path: string[] = [];
  for (let row = 0; row < trace.size; row++) {
    const key = trace.table.keys[trace.key[row] ?? 0];
    path.length = (trace.depth[row] ?? 1) - 1;
    path.push(key?.kind === 'context' ? key.name : String(key?.partner));
    const own = path.join('/');
    counts.set(own, (counts.get(own) ?? 0) + (trace.count[row] ?? 0));
  }
  return counts;
}

/** Rows end where their subtrees do; loops lie in each other or apart. */
function expectNested(trace: CallTrace): void {
  for (let row = 0; row < trace.size; row++) {
    let end = row + 1;
    while (end < trace.size && (trace.depth[end] ?? 0) > (trace.depth[row] ?? 0)) end++;
    expect(trace.end[row]).toBe(end);
  }
  // Loops lie in each other or apart.
  for (const one of trace.loops)
    for (const other of trace.loops)
      expect(
        one.first >= other.end ||
          other.first >= one.end ||
          (one.first >= other.first && one.end <= other.end) ||
          (other.first >= one.first && other.end <= one.end),
      ).toBe(true);
}

test('M2 M7: folded and merged traces have the counts of the calls, whatever is called in whatever order', () => {
  fc.assert(
    fc.property(calls, fc.constantFrom(3, 2e6), (text, mostRows) => {
      const table = new KeyTable();
      const trace = folded(text, table, { mostRows });
      const expected = counted(text);
      if (mostRows > 3) {
        expect(countsOf(trace)).toEqual(expected);
        const merged = frequencyTrace([trace], table);
        expect(countsOf(merged)).toEqual(expected);
        expect(merged.size).toBe(expected.size);
      }
      const sum = (values: Float64Array | undefined): number =>
        (values ?? new Float64Array()).reduce((all, value) => all + value, 0);
      const functions = text.replace(/[^A-Z]/g, '').length;
      // Where there is no room, what is called at the top has no caller that its time could stay with.
      if (mostRows === 3) expect(sum(trace.seconds)).toBeLessThanOrEqual(functions);
      else expect(sum(trace.seconds)).toBe(functions);
      expect(sum(trace.counters.get('instructions'))).toBe(10 * sum(trace.seconds));
      if (mostRows > 3) expect(sum(trace.bytes)).toBe(8 * text.replace(/\D/g, '').length);
      expectNested(trace);
    }),
  );
});

test('M24: a trace of a million repetitions has a row for each different call, and of each call the squares of its times', () => {
  const table = new KeyTable();
  const builder = new TraceBuilder(table);
  const [main, step] = ['main', 'step'].map((name) => table.context(name, { name }));
  builder.enter(main ?? 0);
  for (let call = 0; call < 1e6; call++) {
    builder.enter(step ?? 0);
    builder.leave(2, []);
  }
  builder.leave(1, []);
  const trace = builder.finish(facts);
  expect([...trace.count]).toEqual([1, 1e6]);
  expect([...(trace.squares ?? [])]).toEqual([1, 4e6]);
});

test('a million calls in each other do no harm', () => {
  const table = new KeyTable();
  const builder = new TraceBuilder(table);
  const key = table.context('f', { name: 'f' });
  for (let call = 0; call < 1e6; call++) builder.enter(key);
  const trace = builder.finish(facts);
  expect(trace.size).toBe(1e6);
  expect(frequencyTrace([trace], table).depth.at(-1)).toBe(1e6);
});

test('beyond the budget of rows call paths are merged, and it is said', () => {
  const table = new KeyTable();
  const builder = new TraceBuilder(table, { mostRows: 30 });
  let state = 1;
  play(
    `M(${Array.from({ length: 200 }, () => `${'ABC'.charAt((state = (state * 48271) % 2147483647) % 3)}(${'DEF'.charAt((state % 7) % 3)})`).join('')})`,
    builder,
    table,
  );
  const trace = builder.finish(facts);
  expect(trace.size).toBeLessThanOrEqual(13);
  expect(trace.count.reduce((sum, count) => sum + count, 0)).toBe(401);
  expect(builder.notes).toEqual([expect.stringContaining('more than 30 different rows')]);
});

test('call paths beyond the budget are left out, their time stays with their callers, and it is said', () => {
  const table = new KeyTable();
  const builder = new TraceBuilder(table, { mostRows: 3 });
  play('M(A(BCDEF)G(H(I)))', builder, table);
  const trace = builder.finish(facts);
  expect(trace.seconds.reduce((sum, seconds) => sum + seconds, 0)).toBe(10);
  expect(builder.notes.join(' ')).toMatch(/left out/);
});

test('M17: iterations are chosen by their numbers; calls around them are no part of them', () => {
  const table = new KeyTable();
  const ranged = (first: number, last: number): string => {
    const builder = new TraceBuilder(table);
    const sink = new IterationSink(builder, { first, last });
    play('X M(Y|AB|AAC|D)Z|E', sink, table);
    sink.end();
    return shown(builder.finish(facts));
  };
  expect(ranged(1, 1)).toBe('A×1 B×1');
  expect(ranged(2, 3)).toBe('A×2 C×1 D×1');
  expect(ranged(3, 3)).toBe('D×1');
  expect(ranged(4, 9)).toBe('E×1');
});

test('an iteration that ends within a call ends the call', () => {
  const table = new KeyTable();
  const builder = new TraceBuilder(table);
  const sink = new IterationSink(builder, { first: 1, last: 1 });
  play('M(|A(B|C)D)', sink, table);
  sink.end();
  expect([shown(builder.finish(facts)), sink.cut, sink.iterations]).toEqual(['A×1(B×1)', 1, 2]);
});

test('a builder whose room is used again builds what a new one does', () => {
  fc.assert(
    fc.property(
      fc.array(calls, { minLength: 2, maxLength: 4 }),
      fc.constantFrom(3, 1e6),
      (texts, mostRows) => {
        const table = new KeyTable();
        const again = new TraceBuilder(table, { mostRows });
        const built = texts.map((text) => {
          again.reset();
          play(`M(${text})`, again, table);
          return { notes: again.notes, trace: again.finish(facts) };
        });
        for (const [at, text] of texts.entries()) {
          const own = new TraceBuilder(table, { mostRows });
          play(`M(${text})`, own, table);
          expect(built[at]).toEqual({ notes: own.notes, trace: own.finish(facts) });
        }
      },
    ),
  );
});

test('M20: partners as distances are the same for a pattern that all ranks share', () => {
  const table = new KeyTable();
  const structures = new Structures();
  const of = (rank: number, text: string): number | undefined =>
    structures.of(relativeTrace({ ...folded(text, table), rank }, table))[0];
  expect(of(1, 'M(20)')).toBe(of(3, 'M(02)'));
  expect(of(1, 'M(20)')).not.toBe(of(3, 'M(20)'));
  expect([
    distance(0, 2, 4),
    distance(2, 0, 4),
    distance(3, 0, 4),
    distance(0, 3, 4),
    distance(0, 5, 4),
  ]).toEqual([2, 2, 1, -1, 5]);
});
