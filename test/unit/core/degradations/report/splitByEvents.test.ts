import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultDynamicsOptions } from '../../../../../src/core/degradations/model/options';
import { inEvents } from '../../../../../src/core/degradations/report/events';
import {
  makeRows,
  type Found,
  type RowOfMembers,
} from '../../../../../src/core/degradations/report/makeRows';
import { splitByEvents } from '../../../../../src/core/degradations/report/splitByEvents';
import { finding, found, pattern, problemRule, solve, wait } from './made';
import '../../../../seed';

type Peak = readonly [at: number, excess: number, length?: number];

const iterations = 400;
const peaks = (list: readonly Peak[]) =>
  list.map(([at, excess, length = 1]) => pattern('peak', at, at + length - 1, { excess, sum: 2 * excess }));
const on = (rule: string, name: string, rank: number, list: readonly Peak[], others: Partial<Found> = {}) =>
  found(rank, undefined, {
    rule: problemRule(rule),
    context: {
      region: { ...(rule === 'communication' ? wait : solve), name },
      metric: 'time',
      rank,
      thread: 0,
    },
    dynamics: [finding('degradation-peaks', peaks(list), { severity: 0.5 })],
    ...others,
  });

const made = (problems: readonly Found[]) => makeRows(problems, iterations, defaultDynamicsOptions);
const split = (rows: readonly RowOfMembers[], slow: readonly number[] = []) =>
  splitByEvents(rows, iterations, defaultDynamicsOptions, (_, [from]) =>
    slow.length === 0 ? [] : [slow[from % slow.length] ?? 0],
  );
/** Name, ranks and iterations of each row, with the name of what its event begins with. */
const shown = (rows: readonly RowOfMembers[]) =>
  inEvents(rows, iterations).map(({ row, event }) =>
    [
      row.region.name,
      row.ranks,
      row.iterations.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(),
      event?.row.region.name,
    ].join(' '),
  );

describe('peaks at several moments', () => {
  it('of an imbalance have no row where they are those of several kinds of periodic work', () => {
    const every = (period: number): readonly Peak[] =>
      Array.from({ length: Math.floor(iterations / period) }, (_, i) => [(i + 1) * period - 1, 1]);
    const work = (period: number, rank: number) =>
      on('hot-spot', 'a', rank, every(period), { period, phaseTime: 400 });
    const imbalance = (list: readonly Peak[], name = 'a') => on('imbalance', name, 0, list);
    const both = [...every(20), ...every(27)].sort((a, b) => a[0] - b[0]);
    const imbalances = (...problems: readonly Found[]) =>
      split(made(problems)).filter(({ members }) => members[0]?.found.rule.id === 'imbalance').length;
    expect(imbalances(work(20, 1), work(27, 2), imbalance(both))).toBe(0);
    // One kind of work: a part of its event.
    expect(imbalances(work(20, 1), imbalance(every(20)))).toBe(1);
    expect(imbalances(work(20, 1), work(27, 2), imbalance(every(20)))).toBe(1);
    // At other moments, or in another place.
    const others = both.map(([at, cost]): Peak => [at + (at % 2 === 0 ? 5 : 0), cost]);
    expect(imbalances(work(20, 1), work(27, 2), imbalance(others))).toBe(1);
    expect(imbalances(work(20, 1), work(27, 2), imbalance(both, 'b'))).toBe(1);
  });

  it('are rows of the events that they are parts of', () => {
    const rows = made([
      on('hot-spot', 'a', 1, [[99, 8]]),
      on('hot-spot', 'b', 2, [[199, 9]]),
      on('communication', 'w', 3, [
        [99, 7],
        [199, 9],
        [299, 2],
      ]),
    ]);
    expect(new Set(split(rows).map(({ row }) => row.title.split(' in ')[0]))).toEqual(
      new Set(['Degradation peak']),
    );
    expect(shown(split(rows))).toEqual(['b 2 200 ', 'w 3 200 b', 'a 1 100 ', 'w 3 100 a', 'w 3 300 ']);
  });

  it('stay together where one thing is late at all of them', () => {
    const rows = made([
      on('hot-spot', 'a', 1, [
        [99, 8],
        [199, 1],
      ]),
      on('communication', 'w', 3, [
        [99, 7],
        [199, 9],
      ]),
    ]);
    expect(shown(split(rows))).toEqual(['a 1 100,200 ', 'w 3 100,200 a']);
  });

  it('begin with what costs most at this moment, not in the whole run', () => {
    const rows = made([
      on('hot-spot', 'a', 1, [
        [99, 80],
        [199, 2],
      ]),
      on('hot-spot', 'b', 2, [[199, 9]]),
    ]);
    expect(shown(split(rows))).toEqual(['a 1 100 ', 'b 2 200 ', 'a 1 200 b']);
  });

  it('that cost too little for a row of their own stay with the others', () => {
    const cost = 100 * defaultDynamicsOptions.thresholdTime * 0.25;
    const rowsWith = (least: number) =>
      made([
        on('hot-spot', 'a', 1, [[99, 8]]),
        on('communication', 'w', 3, [
          [99, least],
          [199, 9],
        ]),
      ]);
    expect(shown(split(rowsWith(1.01 * cost)))).toEqual(['w 3 200 ', 'a 1 100 ', 'w 3 100 a']);
    expect(shown(split(rowsWith(0.99 * cost)))).toEqual(['w 3 100,200 ', 'a 1 100 ']);
  });

  it('that cost too little are at their place among those of the costliest event', () => {
    const rows = made([
      on('hot-spot', 'a', 1, [[99, 8]]),
      on('communication', 'w', 3, [
        [49, 0.1],
        [99, 7],
        [199, 9],
      ]),
    ]);
    expect(shown(split(rows))).toEqual(['w 3 50,200 ', 'a 1 100 ', 'w 3 100 a']);
  });

  it('are at the same time where one lasts twice as long and an iteration more', () => {
    const rowsWith = (length: number) =>
      made([on('hot-spot', 'a', 1, [[98, 9, length]]), on('communication', 'w', 3, [[99, 7, 2]])]);
    const isPart = (length: number) => shown(split(rowsWith(length)))[1]?.endsWith(' a');
    expect([isPart(5), isPart(6)]).toEqual([true, false]);
  });

  it('are no part of what lasts much longer', () => {
    const rows = made([on('hot-spot', 'a', 1, [[90, 9, 40]]), on('communication', 'w', 3, [[99, 7]])]);
    expect(shown(split(rows))).toEqual(['a 1 91-130 ', 'w 3 100 ']);
  });

  it('of an imbalance have the ranks that are slow at them', () => {
    const imbalance = on(
      'imbalance',
      'a',
      -1,
      [
        [100, 8],
        [201, 9],
        [300, 7],
      ],
      { ranks: [5, 6] },
    );
    expect(shown(split(made([imbalance]), [5, 6]))).toEqual(['a 6 101,301 ', 'a 5 202 ']);
    // With a late rank at each of too many moments, it says nothing to name them.
    const many = Array.from({ length: 9 }, (_, i): Peak => [10 + 7 * i + (i % 3), 5]);
    const often = on('imbalance', 'a', -1, many, { ranks: [5, 6] });
    expect(
      split(
        made([often]),
        Array.from({ length: iterations }, (_, i) => i),
      ),
    ).toHaveLength(1);
  });

  it('of an imbalance that moves are its parts as they are', () => {
    const moving = found(-1, 0.5, {
      ...{ rule: problemRule('imbalance'), context: { region: solve, metric: 'time', rank: 0, thread: 0 } },
      ...{ ranks: [0, 1], movesEach: 3 },
    });
    const rows = made([
      moving,
      on('hot-spot', 'solve', 1, [
        [99, 8],
        [199, 3],
      ]),
      on('hot-spot', 'b', 1, [[199, 9]]),
    ]);
    expect(shown(split(rows))).toEqual(shown(rows));
  });

  it('are periodic only where chance does not make them as regular', () => {
    const kindOf = (...begins: readonly number[]) =>
      made([
        on(
          'communication',
          'w',
          3,
          begins.map((at) => [at, 5]),
          { period: 19 },
        ),
      ])[0]?.row.kind;
    expect(kindOf(33, 52, 71, 95)).toBe('degradation-peaks');
    expect(kindOf(33, 52, 71, 91)).toBe('periodic-peaks');
  });

  it('are each in one row, and the costs of the rows of a place add up to what they were', () => {
    const peak = fc.tuple(
      fc.integer({ min: 0, max: 30 }),
      fc.integer({ min: 0, max: 20 }),
      fc.integer({ min: 1, max: 3 }),
    );
    const problem = fc
      .tuple(
        fc.constantFrom('hot-spot', 'communication', 'imbalance'),
        fc.integer({ min: 0, max: 4 }),
        fc.uniqueArray(peak, { minLength: 1, maxLength: 6, selector: ([at]) => at }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
      )
      .map(([rule, rank, list, mostCost]) =>
        on(
          rule,
          rule,
          rank,
          [...list].sort((a, b) => a[0] - b[0]).map(([at, ...rest]): Peak => [10 * at, ...rest]),
          {
            mostCost: 100 * mostCost,
          },
        ),
      );
    const problems = fc.uniqueArray(problem, {
      maxLength: 12,
      selector: ({ rule, context }) => `${rule.id} ${context.rank}`,
    });
    fc.assert(
      fc.property(problems, (all) => {
        const before = made(all);
        const sums = (rows: readonly RowOfMembers[]) => {
          const places = new Map<string, number[]>();
          for (const { members } of rows)
            for (const { found: of, excess, severity, finding: own } of members) {
              const key = `${of.rule.id} ${of.context.rank}`;
              const [cost = 0, share = 0, count = 0] = places.get(key) ?? [];
              places.set(key, [cost + excess, share + severity, count + (own?.patterns.length ?? 0)]);
            }
          return [...places].sort(([a], [b]) => (a < b ? -1 : 1));
        };
        const close = ([key, values]: readonly [string, readonly number[]]) => [
          key,
          values.map((value) => expect.closeTo(value, 9) as number),
        ];
        expect(sums(split(before, [1, 2]))).toEqual(sums(before).map(close));
      }),
    );
  });
});
