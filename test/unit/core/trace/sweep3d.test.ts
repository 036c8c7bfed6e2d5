import { expect, test } from 'vitest';
import { at } from '../../../../src/core/at';
import { inclusiveValues } from '../../../../src/core/trace/values';
import type { CallTrace } from '../../../../src/core/trace/callTrace';
import { compareTraces, type TraceOptions } from '../../../../src/core/trace/views/compareTraces';
import { traceSentence } from '../../../../src/core/trace/pair/differenceWords';
import { pathName, namesTo } from '../../../../src/core/trace/pair/entryWords';
import { KeyTable } from '../../../../src/core/trace/keyTable';
import { inMemory } from '../../../../src/core/trace/traceSource';
import { sweep3d } from '../../../sweep3d';
import { readText } from './readText';

function compared(ranks: readonly (1 | 2)[], options: TraceOptions = {}) {
  const table = new KeyTable();
  const views = ranks.map((rank) => ({
    name: `rank ${rank}`,
    traces: [inMemory(readText(sweep3d(rank), table).trace)],
  }));
  const result = compareTraces(views, table, options);
  const { comparison, words, characteristics } = at(result.pairs, 0);
  return {
    ...{ result, comparison, characteristics },
    differences: comparison.differences.map((difference) => ({
      ...difference,
      path: namesTo(difference.node, words.tree).join(' > '),
      sentence: traceSentence(difference, words),
    })),
  };
}

function rowsOf(trace: CallTrace): readonly string[] {
  const inclusive = inclusiveValues(
    trace,
    trace.counters.get('instructions') ?? new Float64Array(trace.size),
  );
  const total = inclusive.reduce((sum, value, row) => sum + (trace.depth[row] === 1 ? value : 0), 0);
  return [...trace.key].map((key, row) => {
    const share = ((inclusive[row] ?? 0) / total) * 100;
    return `${String(trace.count[row]).padStart(3, '0')} ${share.toFixed(3)} ${'.'.repeat(trace.depth[row] ?? 0)}${pathName(at(trace.table.keys, key))}`;
  });
}

test('M4 M6 M7: the left column of the worked example', () => {
  const { result } = compared([1, 2]);
  expect(rowsOf(at(result.frequencies, 0))).toEqual([
    '001 0.889 .source.f [2-47]',
    '001 98.827 .sweep.f [2-625]',
    '008 0.000 ..octant.f [1-114]',
    '080 0.024 ..mpi_stuff.f [85-102]',
    '040 0.000 ...MPI_RECV from 3',
    '040 0.000 ...MPI_RECV from 0',
    '080 0.010 ..mpi_stuff.f [73-83]',
    '040 0.000 ...MPI_SEND to 0',
    '040 0.000 ...MPI_SEND to 3',
    '001 0.001 .mpi_stuff.f [187-200]',
    '001 0.000 ..MPI_ALLREDUCE',
    '001 0.283 .flux_err.f [2-36]',
    '001 0.000 ..mpi_stuff.f [161-172]',
    '001 0.000 ...MPI_ALLREDUCE',
  ]);
});

test('M13: 14 matched, 2 added, 0 deleted, 6 changed, 8 unchanged', () => {
  const { comparison, result } = compared([1, 2]);
  expect(comparison).toMatchObject({ matched: 14, added: 2, deleted: 0, changed: 6, unchanged: 8 });
  expect(at(result.frequencies, 1).size).toBe(16);
  expect(result.notes).toEqual([]);
});

test('M10: swapped, 14 matched, 0 added, 2 deleted', () => {
  const { comparison, differences } = compared([2, 1]);
  expect(comparison).toMatchObject({ matched: 14, added: 0, deleted: 2, changed: 6, unchanged: 8 });
  const mirrored = compared([1, 2]).differences;
  const named = (list: typeof differences): readonly string[] =>
    list.map(({ kind, path }) => `${kind} ${path}`).sort();
  const swap = (name: string): string =>
    name.replace(
      /^(increased|decreased|added|removed)/,
      (word) =>
        ({ increased: 'decreased', decreased: 'increased', added: 'removed', removed: 'added' })[word] ??
        word,
    );
  expect(named(differences)).toEqual(named(mirrored).map(swap).sort());
});

test('M19: the partner 4 is new, sizes 510 and 750 change places, the wrappers are called 50 % more often', () => {
  const { characteristics } = compared([1, 2]);
  expect(characteristics.map(({ kind, sentence }) => `${kind}: ${sentence}`)).toEqual([
    'partners: mpi_stuff.f [85-102] receives (MPI_RECV) from rank 4 in addition to 0 and 3.',
    'message sizes: Messages of mpi_stuff.f [85-102] have other sizes: 750 ↔ 510 elements.',
    'counts: mpi_stuff.f [85-102] is called 50.0 % more often by sweep.f [2-625] (80 → 120 times).',
    'partners: mpi_stuff.f [73-83] sends (MPI_SEND) to rank 4 in addition to 0 and 3.',
    'message sizes: Messages of mpi_stuff.f [73-83] have other sizes: 510 ↔ 750 elements.',
    'counts: mpi_stuff.f [73-83] is called 50.0 % more often by sweep.f [2-625] (80 → 120 times).',
  ]);
  const shares = characteristics.map(({ share }) => share);
  expect(shares).toEqual([...shares].sort((a, b) => b - a));
});

test('what another difference explains is marked as its consequence', () => {
  const { differences } = compared([1, 2]);
  expect(
    differences.filter(({ isConsequence }) => isConsequence).map(({ kind, path }) => `${kind} ${path}`),
  ).toEqual([
    'increased sweep.f [2-625] > mpi_stuff.f [85-102]',
    'increased sweep.f [2-625] > mpi_stuff.f [73-83]',
  ]);
  expect(
    differences.filter(({ kind }) => kind === 'changed-message-size').map(({ sentence }) => sentence),
  ).toContain(
    'MPI_RECV from 3 in mpi_stuff.f [85-102] has messages of 510 elements instead of 750 elements.',
  );
});

test('M15: shares of 1 % and of 0.5 % highlight sweep, and sweep and source', () => {
  const { result } = compared([1, 2]);
  const hot = (least: number): readonly string[] =>
    rowsOf(at(result.frequencies, 0)).filter((row) => Number(row.split(' ')[1]) >= least);
  expect(hot(1)).toEqual(['001 98.827 .sweep.f [2-625]']);
  expect(hot(0.5)).toHaveLength(2);
});

test('M17: at the top are four contexts; the iteration can be chosen alone', () => {
  const table = new KeyTable();
  const whole = readText(sweep3d(1), table);
  expect([...whole.trace.depth].filter((depth) => depth === 1)).toHaveLength(4);
  expect([...readText(sweep3d(1), table, { first: 1, last: 1 }).trace.count]).toEqual([...whole.trace.count]);
  expect(readText(sweep3d(1), table, { first: 2, last: 2 }).trace.size).toBe(0);
});

test('M18: a chain of three views compares each with the next one', () => {
  const { result } = compared([1, 2, 1]);
  expect(result.pairs.map(({ comparison: { added, deleted } }) => [added, deleted])).toEqual([
    [2, 0],
    [0, 2],
  ]);
});
