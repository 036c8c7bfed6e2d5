import { describe, expect, test } from 'vitest';
import { noCost, type CostReport } from '../../../../../src/core/diagnosis/budget/costReport';
import { foldSource } from '../../../../../src/core/diagnosis/folding/foldSource';
import type { ToFrontEnd } from '../../../../../src/core/diagnosis/strategies/messages';
import { Reduction } from '../../../../../src/core/diagnosis/strategies/reduction';
import { TimeAligned } from '../../../../../src/overlay/services/timeAligned';

const cost = (total: number): CostReport => ({ ...noCost, total });

function reductionOf(children: readonly number[]): Reduction {
  return new Reduction(
    children,
    0.1,
    (all, start) =>
      new TimeAligned({
        children: all,
        intervals: { kind: 'fixed', width: 1 },
        operation: 'mean',
        quantity: 'level',
        start,
      }),
  );
}

const sample = (
  value: number,
  start: number,
  more: Partial<Extract<ToFrontEnd, { type: 'sample' }>> = {},
): ToFrontEnd => ({
  type: 'sample',
  request: 7,
  isGlobal: true,
  value,
  start,
  end: start + 1,
  processes: 2,
  cost: noCost,
  ...more,
});
const reply = (
  accepted: number,
  failures: Extract<ToFrontEnd, { type: 'reply' }>['failures'] = [],
): ToFrontEnd => ({
  type: 'reply',
  request: 7,
  isGlobal: true,
  accepted,
  failures,
});

describe('what becomes of messages on their way up', () => {
  test('D5: samples of all children become their mean, weighted by processes, with the largest cost', () => {
    const reduction = reductionOf([0, 1]);
    expect(reduction.push(0, sample(0.2, 4, { cost: cost(0.05) }))).toEqual([]);
    expect(reduction.push(1, sample(0.5, 4, { processes: 1, cost: cost(0.02) }))).toEqual([
      sample(0.3, 4, { processes: 3, cost: cost(0.05) }),
    ]);
  });

  test('an interval of which a process has no data is not of the whole program', () => {
    const reduction = reductionOf([0, 1]);
    reduction.push(0, sample(0.2, 4));
    reduction.push(0, sample(0.2, 5));
    expect(reduction.push(1, sample(0.4, 5))).toEqual([sample(0.30000000000000004, 5, { processes: 4 })]);
  });

  test('samples of one host pass, with the largest cost of all', () => {
    const reduction = reductionOf([0, 1]);
    reduction.push(1, { type: 'cost', cost: cost(0.2) });
    const own = sample(0.2, 4, { isGlobal: false, cost: cost(0.1) });
    expect(reduction.push(0, own)).toEqual([{ ...own, cost: cost(0.2) }]);
  });

  test('one answer to a request of all, when all have answered; with the reason of each that could not', () => {
    const reduction = reductionOf([0, 1, 2]);
    expect(reduction.push(0, reply(4))).toEqual([]);
    expect(reduction.push(1, reply(3, [{ host: 'node0009', message: 'busy' }]))).toEqual([]);
    expect(reduction.push(2, reply(1))).toEqual([reply(8, [{ host: 'node0009', message: 'busy' }])]);
    const own: ToFrontEnd = { type: 'reply', request: 3, isGlobal: false, accepted: 1, failures: [] };
    expect(reduction.push(0, own)).toEqual([own]);
  });

  test('D5: costs without samples are one message when each child has sent one', () => {
    const reduction = reductionOf([0, 1]);
    expect(reduction.push(0, { type: 'cost', cost: cost(0.3) })).toEqual([]);
    expect(reduction.push(0, { type: 'cost', cost: cost(0.1) })).toEqual([]);
    expect(reduction.push(1, { type: 'cost', cost: cost(0.2) })).toEqual([{ type: 'cost', cost: cost(0.2) }]);
    expect(reduction.push(1, { type: 'cost', cost: cost(0.2) })).toEqual([]);
  });

  test('all are steady when each child is', () => {
    const reduction = reductionOf([0, 1]);
    const steady = (child: number, isSteady: boolean): readonly ToFrontEnd[] =>
      reduction.push(child, { type: 'steady', isSteady });
    expect([steady(0, true), steady(1, true), steady(0, true), steady(1, false), steady(0, false)]).toEqual([
      [],
      [{ type: 'steady', isSteady: true }],
      [],
      [{ type: 'steady', isSteady: false }],
      [],
    ]);
  });

  test('D9: nothing waits for a child that is lost', () => {
    const reduction = reductionOf([0, 1]);
    reduction.push(0, sample(0.2, 4, { cost: cost(0.1) }));
    reduction.push(1, { type: 'cost', cost: cost(0.9) });
    reduction.push(0, reply(1));
    reduction.push(0, { type: 'steady', isSteady: true });
    const left = reduction.leave(1);
    expect(left).toContainEqual(reply(1));
    expect(left).toContainEqual({ type: 'steady', isSteady: true });
    expect(reduction.push(0, sample(0.4, 5, { cost: cost(0.1) }))).toContainEqual(
      sample(0.4, 5, { cost: cost(0.1) }),
    );
  });

  test('changes of results go up as one', () => {
    const change = (number: number): ToFrontEnd => {
      const host = { level: 'host', label: `c${number}`, number, truth: 'true', children: [] } as const;
      return {
        type: 'results',
        change: foldSource({ level: 'hypothesis', label: '', children: [host] }, { strictSignatures: false }),
      };
    };
    const reduction = reductionOf([0, 1]);
    expect([reduction.push(0, change(1)), reduction.push(1, change(2))]).toEqual([[], []]);
    const [all, ...others] = reduction.take();
    expect(others).toEqual([]);
    expect(all).toMatchObject({
      type: 'results',
      change: {
        names: {
          hosts: new Map([
            [1, 'c1'],
            [2, 'c2'],
          ]),
        },
      },
    });
    expect(reduction.take()).toEqual([]);
  });

  test('P2: a flood of new resources is thinned, each is passed on once, and it stays one for the front end', () => {
    const reduction = reductionOf([0, 1]);
    const tag = (number: number): ToFrontEnd => ({
      type: 'resource',
      tree: 'SyncObject',
      parent: ['Message'],
      name: `${number}`,
    });
    for (let second = 0; second < 3; second++)
      for (let i = 0; i < 200; i++) for (const child of [0, 1]) reduction.push(child, tag(200 * second + i));
    const passed = Array.from({ length: 5 }, () => reduction.take());
    expect(passed.map(({ length }) => length)).toEqual([12, 12, 12, 12, 12]);
    expect(passed.flat().slice(0, 3)).toEqual([tag(0), tag(1), tag(2)]);
    for (let i = 0; i < 100; i++) reduction.take();
    expect(reduction.take()).toEqual([]);
  });

  test('what is no longer measured leaves nothing behind', () => {
    const reduction = reductionOf([0, 1]);
    reduction.push(0, sample(0.2, 4));
    reduction.push(0, reply(1));
    reduction.disabled(7);
    expect(reduction.push(1, sample(0.4, 4))).toEqual([]);
    expect(reduction.push(1, reply(1))).toEqual([]);
    expect(reduction.push(0, reply(1))).toEqual([reply(2)]);
  });
});
