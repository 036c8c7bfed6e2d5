import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { FoldSink } from '../../../../../src/core/trace/build/foldSink';
import type { TraceSink } from '../../../../../src/core/trace/build/traceBuilder';

/** Writes what it gets. */
function written(): TraceSink & { readonly lines: string[]; seconds: number; counted: number } {
  const sink = {
    lines: [] as string[],
    seconds: 0,
    counted: 0,
    enter: (key: number): void => void sink.lines.push(`enter ${key}`),
    leave: (seconds: number, counters: ArrayLike<number>): void => {
      sink.seconds += seconds;
      sink.counted += counters[0] ?? 0;
      sink.lines.push(`leave ${seconds} ${[...Array.from(counters)].join(' ')}`);
    },
    message: (key: number, bytes: number): void => void sink.lines.push(`message ${key} ${bytes}`),
    iteration: (number?: number): void => void sink.lines.push(`iteration ${number ?? ''}`),
  };
  return sink;
}

test('what functions that are left out do is of what calls them, through several of them', () => {
  const sink = written();
  const fold = new FoldSink(sink, (key) => key >= 10);
  fold.enter(1);
  fold.enter(10);
  fold.enter(11);
  fold.message(3, 8, 0);
  fold.iteration(2);
  fold.leave(1, [10]);
  fold.enter(2);
  fold.leave(2, [20]);
  fold.leave(4, [40]);
  fold.leave(8, [80]);
  expect(sink.lines).toEqual([
    'enter 1',
    'message 3 8',
    'iteration 2',
    'enter 2',
    'leave 2 20',
    'leave 13 130',
  ]);
});

test('nothing is lost below the top, whatever is left out', () => {
  const calls = fc.array(fc.integer({ min: -1, max: 5 }), { maxLength: 60 });
  fc.assert(
    fc.property(calls, fc.integer({ min: 1, max: 6 }), (steps, from) => {
      const sink = written();
      const fold = new FoldSink(sink, (key) => key >= from);
      let [depth, seconds] = [1, 1];
      fold.enter(0);
      for (const step of steps) {
        if (step >= 0) {
          fold.enter(step);
          depth++;
        } else if (depth > 1) {
          fold.leave(1, [2]);
          seconds++;
          depth--;
        }
      }
      for (; depth > 1; depth--, seconds++) fold.leave(1, [2]);
      fold.leave(1, [2]);
      expect([sink.seconds, sink.counted]).toEqual([seconds, 2 * seconds]);
      const [enters, leaves] = ['enter', 'leave'].map(
        (kind) => sink.lines.filter((line) => line.startsWith(kind)).length,
      );
      expect(enters).toBe(leaves);
      expect(sink.lines.some((line) => /^enter \d/.test(line) && Number(line.slice(6)) >= from)).toBe(false);
    }),
  );
});
