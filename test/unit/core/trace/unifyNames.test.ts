import { expect, test } from 'vitest';
import { at } from '../../../../src/core/at';
import type { CallTrace } from '../../../../src/core/trace/callTrace';
import { KeyTable } from '../../../../src/core/trace/keyTable';
import { rekeyed } from '../../../../src/core/trace/relative';
import { unifyNames } from '../../../../src/core/trace/unifyNames';
import { call, handTrace, type HandEntry } from './handTrace';

function trace(table: KeyTable, ...lines: readonly number[]): CallTrace {
  const construct = (kind: string, line: number, below: readonly HandEntry[] = []): HandEntry => {
    const name = `!$omp ${kind} @a.f90:${line}`;
    return { key: { kind: 'context', name, place: { name, file: '/src/a.f90', line } }, below };
  };
  const regions = lines.map((line) => construct('parallel', line, [construct('implicit barrier', line)]));
  return handTrace(table, [call('main', {}, regions)]);
}

/** The traces with their keys of today. */
function unified(views: readonly CallTrace[], table: KeyTable) {
  const { keys, formerNames } = unifyNames(views, table);
  const traces = views.map((own, view) => rekeyed(own, (key) => at(keys, view).get(key) ?? key));
  return { traces, formerNames };
}

/** By view: keys of its entries as they are today. */
function keysOf(...views: readonly (readonly number[])[]) {
  const table = new KeyTable();
  const { traces, formerNames } = unified(
    views.map((lines) => trace(table, ...lines)),
    table,
  );
  return { keys: traces.map(({ key }) => [...key]), formerNames };
}

test('OpenMP constructs whose lines moved are the same, and have no other name', () => {
  const { keys, formerNames } = keysOf([10, 13], [13, 16], [14, 17]);
  expect(keys[0]).toEqual(keys[2]);
  expect(keys[1]).toEqual(keys[2]);
  expect(formerNames.map(({ size }) => size)).toEqual([0, 0, 0]);
});

test('an OpenMP construct that is gone is none that has its line now', () => {
  const { keys } = keysOf([10, 20, 40], [10, 20], [20, 30]);
  const [first = [], second = [], third = []] = keys;
  expect(second).toEqual(third);
  expect(first.slice(0, 5)).toEqual(second);
  expect(second).not.toContain(first[5]);
  const [before = [], after = []] = keysOf([10, 14, 30], [14, 30]).keys;
  // Which one is gone cannot be told by the lines alone, except that nothing else has to move.
  expect(before.filter((key) => after.includes(key))).toHaveLength(5);
  expect(after).toEqual([before[0], ...before.slice(3)]);
});

test('an OpenMP construct that is gone keeps its name', () => {
  const table = new KeyTable();
  const views = [trace(table, 10, 14), trace(table, 14), trace(table, 10)];
  const [first, second, third] = unified(views, table).traces.map(({ key }) => [...key]);
  const gone = first?.[1] ?? -1;
  expect(table.keys[gone]).toMatchObject({ name: '!$omp parallel @a.f90:10' });
  expect(second).not.toContain(gone);
  expect(second).toEqual(third);
});
