import { expect, test } from 'vitest';
import { at } from '../../../../src/core/at';
import { inMemory } from '../../../../src/core/trace/traceSource';
import { compareTraces } from '../../../../src/core/trace/views/compareTraces';
import type { CallTrace } from '../../../../src/core/trace/callTrace';
import { namesTo } from '../../../../src/core/trace/pair/entryWords';
import { KeyTable } from '../../../../src/core/trace/keyTable';
import { plantedPair, type Planted } from './plantedTraces';
import { volume } from '../../../volume';

const seeds = Array.from({ length: volume({ full: 100, usual: 30 }) }, (_, seed) => seed);

function named(
  traces: readonly [CallTrace, CallTrace],
  table: KeyTable,
  metric?: string,
): readonly Planted[] {
  const views = traces.map((trace, view) => ({
    name: String(view),
    traces: [inMemory(metric === 'time' ? { ...trace, counters: new Map() } : trace)],
  }));
  const { comparison, words } = at(compareTraces(views, table).pairs, 0);
  return comparison.differences.flatMap(({ kind, node, isConsequence }) => {
    if (isConsequence) return [];
    // Messages are at the function that sends them.
    const names = namesTo(node, words.tree);
    return [{ kind, path: (kind === 'changed-message-size' ? names.slice(0, -1) : names).join('/') }];
  });
}

test.each([
  ['without noise', 0, undefined],
  ['with 2 % noise of times and instructions', 0.02, undefined],
  ['with 2 % noise of times, and no instructions', 0.02, 'time'],
])('changes that were planted are named, and no others: %s', (_, noise, metric) => {
  let [all, found, others, total] = [0, 0, 0, 0];
  const misses: string[] = [];
  const byKind: Record<string, number> = {};
  for (const seed of seeds) {
    const table = new KeyTable();
    const { traces, planted } = plantedPair(seed, table, 3, noise);
    const list = named(traces, table, metric);
    const has = (own: readonly Planted[], one: Planted): boolean =>
      own.some(({ kind, path }) => kind === one.kind && path === one.path);
    all += planted.length;
    total += list.length;
    for (const one of planted) {
      byKind[one.kind] = (byKind[one.kind] ?? 0) + 1;
      if (has(list, one)) found++;
      else misses.push(`seed ${seed}: missed ${one.kind} ${one.path}`);
    }
    for (const one of list)
      if (!has(planted, one)) {
        others++;
        misses.push(`seed ${seed}: not planted ${one.kind} ${one.path}`);
      }
  }
  console.log(
    `${found} of ${all} planted changes named; ${others} of ${total} named were not planted`,
    byKind,
  );
  if (misses.length > 0) console.log(misses.slice(0, 12).join('\n'));
  expect(all).toBeGreaterThan(2.5 * seeds.length);
  expect(found).toBeGreaterThanOrEqual(0.95 * all);
  expect(others).toBeLessThanOrEqual(0.02 * total);
});

test('two runs of one program do not differ, whatever the noise', () => {
  for (const noise of [0, 0.02]) {
    const different = seeds.filter((seed) => {
      const table = new KeyTable();
      return named(plantedPair(seed, table, 0, noise).traces, table).length > 0;
    });
    expect(different.length).toBeLessThanOrEqual(noise === 0 ? 0 : 0.05 * seeds.length);
  }
});

const mirrored: Readonly<Record<string, string>> = {
  'added-work': 'removed-work',
  'removed-work': 'added-work',
};

test('M10: swapped traces have swapped differences', () => {
  for (const seed of seeds) {
    const table = new KeyTable();
    const {
      traces: [before, after],
    } = plantedPair(seed, table, 3, 0);
    const list = (own: readonly Planted[]): readonly string[] =>
      own.map(({ kind, path }) => `${kind} ${path}`).sort();
    const swapped = named([after, before], table).map(({ kind, path }) => ({
      kind: mirrored[kind] ?? kind,
      path,
    }));
    expect(list(swapped)).toEqual(list(named([before, after], table)));
  }
});
