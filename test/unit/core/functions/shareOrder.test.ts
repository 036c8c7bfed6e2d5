import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byShare, lastRunShare, shareRank, type SharedTime } from '../../../../src/core/functions/shareOrder';

const base = (round: number) => ({
  run: `i${round}.r1`,
  clock: 'cpu' as const,
  seconds: 10 - round,
  leftOut: [],
});
const share = fc.double({ min: 0, max: 1, noNaN: true });
const row = (exclusiveShare: number, round = 5): SharedTime => ({
  exclusiveShare,
  inclusiveShare: 1,
  base: base(round),
  ...(round < 5 ? { earlier: true } : {}),
});
const anyRow = fc.tuple(share, fc.integer({ min: 0, max: 5 })).map(([value, round]) => row(value, round));

describe('functions by their shares', () => {
  const names = { last: row(0.1), more: row(0.6), second: row(0.9, 2), third: row(0.2, 3), none: {} };

  it('are of the last run first, then of the rounds before it, and those that were never measured', () => {
    const order = Object.entries(names).sort(([, a], [, b]) => byShare('exclusiveShare')(a, b));
    expect(order.map(([name]) => name)).toEqual(['more', 'last', 'third', 'second', 'none']);
  });

  it('are compared by share within a run, and never across', () => {
    fc.assert(
      fc.property(anyRow, anyRow, (a, b) => {
        const order = Math.sign(byShare('exclusiveShare')(a, b));
        const rounds = Number(b.base?.run.slice(1, 2)) - Number(a.base?.run.slice(1, 2));
        const shares = (b.exclusiveShare ?? 0) - (a.exclusiveShare ?? 0);
        if (rounds !== 0) expect(order).toBe(Math.sign(rounds));
        // Digits that nobody sees are lost beside the number of a round.
        else if (Math.abs(shares) > 1e-9) expect(order).toBe(Math.sign(shares));
        expect(shareRank(undefined, undefined)).toBeLessThan(shareRank(0, 0));
      }),
    );
  });

  it('have a part of the last run only where that recorded them', () => {
    expect(lastRunShare(names.more, 'exclusiveShare')).toBe(0.6);
    expect(lastRunShare(names.second, 'exclusiveShare')).toBeUndefined();
  });
});
