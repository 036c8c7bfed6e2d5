import { describe, expect, it } from 'vitest';
import type { FunctionMeasure } from '../../../../../src/core/functions/functionMeasures';
import { shareOf } from '../../../../../src/core/functions/share';
import type { Selection } from '../../../../../src/core/selection/selection';
import { callColumns, callsOf } from '../../../../../src/workflows/refine/results/callColumns';
import { fn, graphOf } from '../../../core/selection/graphs';

const base = { run: 'i1.r1', clock: 'cpu' as const, seconds: 100, leftOut: [] };

function measured(seconds: number): FunctionMeasure {
  const share = shareOf(seconds, base);
  return { inclusive: share, exclusive: share, inclusiveDoubt: 0, exclusiveDoubt: 0, visits: 1, base };
}

/** `main` and `search` are recorded; `push`, `value` and `detach` were inlined; the others could be recorded. */
const graph = graphOf(
  [
    fn('main'),
    fn('search'),
    fn('propagate'),
    fn('value'),
    fn('push', { statements: 12 }),
    fn('detach', { statements: 3, loopDepth: 1, loops: 1 }),
    fn('cheap'),
    fn('never'),
    fn('unreachable'),
    fn('memcpy', { isSystem: true, hasBody: false }),
    fn('append', { isSystem: true }),
    fn('swap', { isSystem: true, statements: 40, loopDepth: 2, loops: 2 }),
  ],
  [
    ['main', 'search'],
    ['search', 'propagate'],
    ['search', 'detach'],
    ['propagate', 'value'],
    ['propagate', 'push'],
    ['push', 'memcpy'],
    ['search', 'append'],
    ['search', 'swap'],
    ['main', 'push'],
    ['main', 'cheap'],
    ['search', 'cheap'],
    ['search', 'never'],
    ['unreachable', 'value'],
  ],
);
const shown = graph.functions.flatMap(({ hasBody }, index) => (hasBody ? [index] : []));
const withSite = ['main', 'search', 'propagate', 'cheap', 'never', 'unreachable'];
const sites = new Map(withSite.map((key) => [key, 'probe' as const]));
const selection: Selection = {
  decisions: new Map(
    withSite.map((key) => {
      const selected = key === 'main' || key === 'search';
      const rule = selected ? ('hot-spot' as const) : key === 'never' ? 'not-executed' : 'too-expensive';
      return [key, { key, selected, reason: { rule } }];
    }),
  ),
};
const measures = new Map([
  ['main', measured(5)],
  ['search', measured(90)],
  ['propagate', measured(70)],
  ['append', measured(9)],
  ['cheap', measured(0.1)],
]);

const columnsOf = (
  known: Parameters<typeof callsOf>[0],
  prepared: Parameters<typeof callsOf>[1],
  rows: readonly number[],
): ReturnType<typeof callColumns> => callColumns(known, prepared, callsOf(known, prepared), rows);

describe('whose time is where', () => {
  const rows = columnsOf({ graph, selection, measures }, { sites }, shown);
  const names = (positions: readonly number[] = []): readonly (string | undefined)[] =>
    positions.map((row) => graph.functions[shown[row] ?? -1]?.key);
  const row = (key: string) => rows[shown.findIndex((index) => graph.functions[index]?.key === key)];

  it('of each function that runs and is not recorded: in the nearest recorded callers, the hottest first', () => {
    expect(names(row('value')?.timeIn)).toEqual(['search']);
    expect(names(row('propagate')?.timeIn)).toEqual(['search']);
    expect(names(row('push')?.timeIn)).toEqual(['search', 'main']);
    expect(names(row('swap')?.timeIn)).toEqual(['search']);
    for (const key of ['main', 'search', 'never', 'unreachable']) expect(row(key)?.timeIn).toBeUndefined();
  });

  it('of one that was never called, where copies of it were inlined', () => {
    const inlinedToo = new Set(['never', 'search']);
    const columns = columnsOf({ graph, selection, measures }, { sites, inlinedToo }, shown);
    const timeIn = (key: string): readonly number[] | undefined =>
      columns[shown.findIndex((index) => graph.functions[index]?.key === key)]?.timeIn;
    expect(names(timeIn('never'))).toEqual(['search']);
    expect(timeIn('search')).toBeUndefined();
  });

  it('and from the side of these: what was seen to matter, then by statements and loops, then what was seen not to; of system headers what matters', () => {
    expect(row('search')?.contains?.count).toBe(6);
    expect(names(row('search')?.contains?.functions)).toEqual([
      'propagate',
      'append',
      'detach',
      'push',
      'value',
      'cheap',
    ]);
    expect(names(row('main')?.contains?.functions)).toEqual(['push', 'cheap']);
  });

  it('and only what is worth recording, has no site and is no part of a system header is missed', () => {
    const missed = shown.filter((_, at) => rows[at]?.missed === true);
    expect(names(missed)).toEqual(['push', 'detach']);
  });

  it('in lists of at most 50, with how many there are', () => {
    const many = Array.from({ length: 120 }, (_, index) => `f${index}`);
    const wide = graphOf(
      [fn('main'), ...many.map((key) => fn(key))],
      many.map((key) => ['main', key]),
    );
    const [main] = columnsOf({ graph: wide, selection, measures: new Map() }, { sites }, [
      ...wide.functions.keys(),
    ]);
    expect(main?.contains?.count).toBe(120);
    expect(main?.contains?.functions).toHaveLength(50);
  });
});
