import { describe, expect, it } from 'vitest';
import { inEvents } from '../../../../../src/core/degradations/report/events';
import type { Found, RowOfMembers } from '../../../../../src/core/degradations/report/makeRows';
import type { ReportRow } from '../../../../../src/core/degradations/model/result';
import type { SeriesRegion } from '../../../../../src/core/series/series';
import { finding, found, pattern, problemRule, row, solve, wait } from './made';

const iterations = 1000;
type Ranges = ReportRow['iterations'];

interface Made {
  readonly kind?: ReportRow['kind'];
  readonly rule?: string;
  readonly region?: SeriesRegion;
  readonly rank?: number;
  readonly static?: boolean;
  readonly of?: Partial<Found>;
}

function made(title: string, where: Ranges, own: Made = {}): RowOfMembers {
  const { kind = 'degradation-trend', rule = 'hot-spot', region = solve, rank = 0, of = {} } = own;
  const isStatic = own.static ?? false;
  const problem = found(rank, 0.5, {
    ...{ rule: problemRule(rule), context: { region, metric: 'time', rank, thread: 0 } },
    ...of,
  });
  const member = {
    ...{ rank, thread: 0, size: 0.5, intervals: where, found: problem, finding: undefined },
    ...{ severity: 0.5, excess: 0.25, aftermath: 0, confidence: 1 },
  };
  const shown = row({ kind, title, region, ranks: String(rank), iterations: where });
  const { excess, ...rest } = shown;
  return {
    row: isStatic ? rest : { ...rest, excess: excess ?? 0 },
    ...{ members: [member], static: isStatic, quantities: {} },
  };
}

/** In their order; what is a part of an event with the title of the row that this begins with. */
const events = (...rows: readonly RowOfMembers[]): readonly string[] =>
  inEvents(rows, iterations).map(({ row: { title }, event }) =>
    event === undefined ? title : `${title} of ${event.row.title}`,
  );

const waiting = { rule: 'communication', region: wait } as const;
const imbalance = { rule: 'imbalance', kind: 'degradation-trend' } as const;

describe('an event', () => {
  it('begins with what the others wait for, although waiting costs more', () => {
    const rise: Ranges = [[100, 900]];
    expect(events(made('wait', rise, waiting), made('solve', rise))).toEqual(['solve', 'wait of solve']);
    expect(events(made('imbalance', rise, imbalance), made('solve', rise))).toEqual([
      'solve',
      'imbalance of solve',
    ]);
  });

  it('has the costliest of several that take longer first, and its parts behind it', () => {
    const rise: Ranges = [[100, 900]];
    const rows = [
      made('solve', rise),
      made('alone', [[1, 50]]),
      made('pack', rise),
      made('wait', rise, waiting),
    ];
    expect(events(...rows)).toEqual(['solve', 'pack of solve', 'wait of solve', 'alone']);
  });

  it('has rises whose borders are within four percent of the run', () => {
    const first = made('a', [[100, 200]]);
    expect(events(first, made('b', [[140, 240]]))).toEqual(['a', 'b of a']);
    expect(events(first, made('b', [[141, 240]]))).toEqual(['a', 'b']);
    expect(events(first, made('b', [[100, 241]]))).toEqual(['a', 'b']);
  });

  it('has rises that share three quarters of what they have together', () => {
    const first = made('a', [[1, 400]]);
    expect(events(first, made('b', [[1, 300]]))).toEqual(['a', 'b of a']);
    expect(events(first, made('b', [[1, 299]]))).toEqual(['a', 'b']);
  });

  it('has the same number of rises in each of its rows', () => {
    const twice: Ranges = [
      [100, 200],
      [600, 700],
    ];
    expect(events(made('a', twice), made('b', twice))).toEqual(['a', 'b of a']);
    expect(events(made('a', twice), made('b', [[100, 200]]))).toEqual(['a', 'b']);
  });

  it('has peaks half of which are at the same time, and never peaks and a rise', () => {
    const peaks = { kind: 'degradation-peaks' } as const;
    const at = (...places: readonly number[]): Ranges => places.map((place) => [place, place] as const);
    const first = made('a', at(10, 200, 400, 600), peaks);
    expect(events(first, made('b', at(11, 201), peaks))).toEqual(['a', 'b of a']);
    expect(events(first, made('b', at(11, 300), peaks))).toEqual(['a', 'b']);
    // One iteration apart is the same time, two are not.
    expect(events(first, made('b', at(12, 202), peaks))).toEqual(['a', 'b']);
    expect(events(made('a', [[10, 12]]), made('b', [[10, 12]], peaks))).toEqual(['a', 'b']);
  });

  it('has peaks of one period only: regular ones meet others now and then', () => {
    const peaks = (period: number): Made => ({ kind: 'degradation-peaks', of: { period } });
    const places: Ranges = [
      [10, 10],
      [20, 20],
    ];
    expect(events(made('a', places, peaks(10)), made('b', places, peaks(10)))).toEqual(['a', 'b of a']);
    expect(events(made('a', places, peaks(10)), made('b', places, peaks(5)))).toEqual(['a', 'b']);
  });

  it('has the imbalance of its place that shows later, where most of the slow ranks are its own', () => {
    const late = (ranks: readonly number[], region = solve): RowOfMembers =>
      made('imbalance', [[600, 900]], { ...imbalance, region, of: { ranks } });
    const first = made('solve', [[100, 900]], { rank: 1 });
    expect(events(first, late([1]))).toEqual(['solve', 'imbalance of solve']);
    expect(events(first, late([1, 2, 3]))).toEqual(['solve', 'imbalance']);
    // Half of them are not most of them.
    expect(events(first, late([1, 2]))).toEqual(['solve', 'imbalance']);
    expect(events(first, late([1], wait))).toEqual(['solve', 'imbalance']);
  });

  it('has the imbalance of its place most of which is in its iterations', () => {
    const first = made('solve', [[100, 900]], { rank: 1 });
    const places: Ranges = [
      [20, 30],
      [600, 900],
    ];
    const partsOf = (...costs: readonly [number, number]): readonly string[] => {
      const own = made('imbalance', places, { ...imbalance, of: { ranks: [1] } });
      const patterns = places.map(([from, to], i) =>
        pattern('trend', from - 1, to - 1, { excess: costs[i] ?? 0, aftermath: 0 }),
      );
      const members = own.members.map((member) => ({
        ...member,
        finding: finding('degradation-trends', patterns),
      }));
      return events(first, { ...own, members });
    };
    expect(partsOf(1, 3)).toEqual(['solve', 'imbalance of solve']);
    expect(partsOf(1.1, 3)).toEqual(['solve', 'imbalance']);
  });

  it('is the imbalance that moves, for all changes in its place: they are ranks that are slow for a while', () => {
    const moving = made('moves', [[1, iterations]], {
      ...{ rule: 'imbalance', kind: 'imbalance', static: true, of: { movesEach: 3 } },
    });
    const rows = [made('peak', [[5, 7]], { kind: 'degradation-peak' }), moving];
    expect(events(...rows, made('elsewhere', [[5, 7]], { ...waiting, kind: 'degradation-peak' }))).toEqual([
      'moves',
      'peak of moves',
      'elsewhere',
    ]);
  });

  it('is nothing of the whole run: static rows stay where they are', () => {
    const whole: Ranges = [[1, iterations]];
    const rows = [made('hot', whole, { static: true }), made('cold', whole, { static: true })];
    expect(events(...rows, made('rise', whole))).toEqual(['hot', 'cold', 'rise']);
  });
});
