import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareTraceInputs, type TraceCompareReport } from '../../../../src/workflows/compareTraces';
import { smallTrace, type SmallEvent, type SmallTrace } from '../../formats/otf2/smallTrace';

let folder = '';
beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'kymo otf2 traces '))));
afterAll(() => rmSync(folder, { recursive: true }));

/** Compares OTF2 traces. */
function compared(...traces: readonly SmallTrace[]): TraceCompareReport {
  const inputs = traces.map((trace, input) => {
    const given = mkdtempSync(path.join(folder, `run ${input} `));
    smallTrace(trace).save(given);
    return { given, name: `run ${input}`, part: {} };
  });
  return compareTraceInputs(inputs);
}

describe('collective operations', () => {
  const operations = { bcast: 1, allreduce: 11 };
  const program = (size: number, bytes = 8): SmallTrace => ({
    functions: ['main'],
    ranks: Array.from({ length: size }, (_, rank): readonly SmallEvent[] => [
      ['enter', 0, 0],
      ['MPI_COLLECTIVE_END', 1, operations.allreduce, 0, 0xffffffff, bytes * size, bytes * size],
      ['MPI_COLLECTIVE_END', 2, operations.bcast, 0, 0, rank === 0 ? bytes * size : 0, bytes],
      ['leave', 100, 0],
    ]),
  });
  test('are as large on any number of processes', () => {
    expect(compared(program(2), program(4)).differences).toEqual([]);
    expect(compared(program(2), program(4, 16)).differences.map(({ sentence }) => sentence)).toEqual([
      'allreduce in main has messages of 16 bytes instead of 8 bytes.',
      'bcast of 0 in main has messages of 16 bytes instead of 8 bytes.',
    ]);
  });
});

test('threads that are not compared are counted in a note', () => {
  const work: readonly SmallEvent[] = [
    ['enter', 0, 0],
    ['leave', 100, 0],
  ];
  const of = (ranks: SmallTrace['ranks']): string =>
    compared({ functions: ['main'], ranks }, { functions: ['main'], ranks }).notes.join('\n');
  expect(of([{ threads: [work, work, work] }, work])).toMatch(
    /only the first thread of each process is compared; other threads: 2\./,
  );
  expect(of([work, { threads: [work, []] }])).not.toContain('threads');
});
