import { expect, test } from 'vitest';
import { KeyTable } from '../../../../src/core/trace/keyTable';
import type { TraceSink } from '../../../../src/core/trace/build/traceBuilder';
import { Folded } from '../../../../src/workflows/comparing/folded';
import { KeptTraces } from '../../../../src/workflows/comparing/keptTraces';
import { ThreadReading, TraceBuilders } from '../../../../src/workflows/comparing/threadReading';

/** Reads ranks of a run, each of so many different calls, with room for three rows. */
function read(calls: readonly number[], times = 1): readonly string[] {
  const table = new KeyTable();
  const reading = new ThreadReading({
    ...{ given: 'run', part: {}, folded: new Folded({}, [], table), phase: undefined, table },
    ...{ kept: new KeptTraces(() => undefined), builders: new TraceBuilders(table, { mostRows: 3 }) },
  });
  for (let time = 0; time < times; time++)
    for (const [rank, count] of calls.entries()) {
      const trace = reading.read(
        {
          ...{ rank, thread: 0, isFirst: true, ranks: calls.length, counters: [] },
          ...{ isPhase: undefined, firstIteration: 1 },
        },
        (sink: TraceSink) => {
          for (let own = 0; own < count; own++) {
            sink.enter(table.context(`f${own}`, { name: `f${own}` }));
            sink.leave(1, []);
          }
          return { sizeUnit: 'bytes', unmatchedLeaves: rank, missingLeaves: 0 };
        },
      );
      expect([trace.rank, trace.size, trace.isMerged === true]).toEqual([rank, count, count > 3]);
    }
  return reading.notes();
}

test('threads with too many rows are named in one note, the first of them', () => {
  expect(read([2, 3])).toEqual(['run: leaves of functions that were not entered are ignored: 1.']);
  const [note, ...others] = read([4, 2, 4]);
  expect(note).toMatch(/^run, rank 0, rank 2: The trace has more than 3 different rows/);
  expect(others).toHaveLength(1);
  expect(read([4, 4, 4, 4, 4])[0]).toMatch(/^run, rank 0, rank 1, rank 2 and 2 more: /);
});

test('what is noticed of a thread counts once, however often it is read', () => {
  expect(read([4, 2, 4], 3)).toEqual(read([4, 2, 4]));
});
