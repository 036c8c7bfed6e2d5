import { describe, expect, it } from 'vitest';
import { compareLoaded, compareShares, tolerance, type FunctionRow } from '../../../bench/programs/agreement';

function row(name: string, inclusiveShare?: number, more: Partial<FunctionRow> = {}): FunctionRow {
  const share = inclusiveShare === undefined ? {} : { inclusiveShare };
  return {
    key: name,
    name,
    selected: inclusiveShare !== undefined,
    reason: 'out: a rule',
    ...share,
    ...more,
  };
}

const states = (
  sampled: Record<string, number>,
  rows: readonly FunctionRow[],
  findings: Parameters<typeof compareShares>[2] = [],
): readonly string[] =>
  compareShares({ inclusiveShares: new Map(Object.entries(sampled)) }, rows, findings).map(
    ({ name, state }) => `${name} ${state}`,
  );

describe('shares beside those of perf', () => {
  it('agree within three points, and within a tenth where that is more', () => {
    expect(tolerance(0.1)).toBe(0.03);
    expect(tolerance(0.8)).toBeCloseTo(0.08);
    expect(states({ a: 0.8, b: 0.2, c: 0.1 }, [row('a', 0.725), row('b', 0.235), row('c', 0.125)])).toEqual([
      'a agrees',
      'b differs',
      'c agrees',
    ]);
  });

  it('are compared for functions of five percent of the samples and more', () => {
    expect(states({ cold: 0.049, hot: 0.05 }, [])).toEqual(['hot missing']);
  });

  it('are found by the linker’s name, and by the shown one', () => {
    const rows = [
      row('N::f(int)', 0.5, { key: '_ZN1N1fEi', mangledName: '_ZN1N1fEi' }),
      row('local', 0.3, { key: 'local@/src/a.c:3' }),
    ];
    expect(states({ _ZN1N1fEi: 0.5, local: 0.3 }, rows)).toEqual(['N::f(int) agrees', 'local agrees']);
  });

  it('are explained for constructors and functions without a linker’s name, which each tool writes in its own way', () => {
    const inMain = { timeIn: [0] };
    const rows = [
      row('main', 1),
      row('S::S()', undefined, { mangledName: '_ZN1SC1Ev', ...inMain }),
      row('(anonymous)::Heap::make [T = {anonymous}::Text; Args = {const S&}]', undefined, inMain),
      row('{anonymous}::Text::Text(const S&)', undefined, inMain),
    ];
    const sampled = {
      _ZN1SC4Ev: 0.4,
      'make<(anonymous namespace)::Text, S const&>': 0.3,
      Text: 0.2,
      Tex: 0.1,
    };
    expect(states(sampled, rows).map((text) => text.replace(/.* /, ''))).toEqual([
      'explained',
      'explained',
      'explained',
      'missing',
    ]);
  });

  it('of functions that share a name are added up', () => {
    const rows = [row('local', 0.2, { key: 'local@/a.c:1' }), row('local', 0.3, { key: 'local@/b.c:1' })];
    expect(states({ local: 0.5 }, rows)).toEqual(['local agrees']);
  });

  it('may be missing where the result names who holds the time', () => {
    const rows = [row('main', 1), row('tiny', undefined, { timeIn: [0] }), row('lost')];
    const compared = compareShares(
      {
        inclusiveShares: new Map([
          ['tiny', 0.2],
          ['lost', 0.1],
        ]),
      },
      rows,
      [],
    );
    expect(compared).toEqual([
      { name: 'tiny', perf: 0.2, state: 'explained', why: 'in main' },
      { name: 'lost', perf: 0.1, state: 'missing', why: 'out: a rule' },
    ]);
  });

  it('may be less for perf by the time of functions that it does not see a function call, for it jumps to them', () => {
    const inclusiveShares = new Map(Object.entries({ coarsen: 0.3, masked: 0.1, other: 0.2 }));
    const state = (kymo: number, callee: string): string | undefined =>
      compareShares(
        { inclusiveShares, tailCalls: new Map([['coarsen', new Set([callee])]]) },
        [row('coarsen', kymo)],
        [],
      )[0]?.state;
    expect(state(0.4, 'masked')).toBe('explained');
    expect(state(0.4, 'cold')).toBe('differs');
    expect(state(0.6, 'masked')).toBe('differs');
    expect(state(0.2, 'masked')).toBe('differs');
  });

  it('may be missing where a finding or the function’s own row says why', () => {
    const rows = [row('away'), row('asm', undefined, { notRecorded: 'is written in assembler' })];
    const findings = [
      { kind: 'hot-spot', title: 'no explanation', region: { name: 'away' } },
      { kind: 'inlined-away', title: 'away is inlined into main', region: { name: 'away' } },
    ];
    expect(states({ away: 0.2, asm: 0.1 }, rows, findings)).toEqual(['away explained', 'asm explained']);
    expect(states({ away: 0.2 }, rows, findings.slice(0, 1))).toEqual(['away missing']);
  });
});

describe('a result that was made on a busy machine', () => {
  it('records the same hot functions with the same shares', () => {
    const quiet = [row('a', 0.9), row('b', 0.3), row('c', 0.06), row('cold', 0.01)];
    const loaded = [row('a', 0.86), row('b', 0.36), row('c')];
    expect(compareLoaded(quiet, loaded)).toEqual({
      onlyOnce: ['c'],
      toldOnce: ['c'],
      apart: ['b 30.0 → 36.0 %'],
    });
  });
});
