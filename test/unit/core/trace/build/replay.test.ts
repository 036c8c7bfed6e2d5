import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallReplay, type Call } from '../../../../../src/core/trace/build/replay';

type Step = readonly ['enter' | 'leave', number, number];

function replayed(steps: readonly Step[], end = 100): { calls: Call[]; replay: CallReplay } {
  const calls: Call[] = [];
  const replay = new CallReplay((call) => calls.push(call));
  for (const [kind, called, time] of steps) replay[kind](called, time);
  replay.finish(end);
  return { calls, replay };
}

const call = (
  called: number,
  depth: number,
  begin: number,
  end: number,
  exclusive: number,
  isOutermost = true,
): Call => ({ function: called, depth, begin, end, exclusive, isOutermost });

describe('replay of enters and leaves', () => {
  it('gives calls when they end, with the time that is their own', () => {
    const { calls, replay } = replayed([
      ['enter', 0, 1],
      ['enter', 1, 2],
      ['leave', 1, 5],
      ['enter', 2, 6],
      ['enter', 1, 7],
      ['leave', 1, 8],
      ['leave', 2, 9],
      ['leave', 0, 11],
    ]);
    expect(calls).toEqual([
      call(1, 1, 2, 5, 3),
      call(1, 2, 7, 8, 1),
      call(2, 1, 6, 9, 2),
      call(0, 0, 1, 11, 4),
    ]);
    expect(replay).toMatchObject({ unmatchedLeaves: 0, missingLeaves: 0, depth: 0 });
  });

  it('tells the outermost call of a function that calls itself', () => {
    const { calls } = replayed([
      ['enter', 3, 0],
      ['enter', 4, 1],
      ['enter', 3, 2],
      ['leave', 3, 3],
      ['leave', 4, 4],
      ['leave', 3, 5],
      ['enter', 3, 6],
      ['leave', 3, 7],
    ]);
    expect(calls.map((each) => each.isOutermost)).toEqual([false, true, true, true]);
  });

  it('ignores leaves of functions that are not open', () => {
    const { calls, replay } = replayed([
      ['leave', 5, 1],
      ['enter', 0, 2],
      ['leave', 1, 3],
      ['leave', 0, 4],
      ['leave', 0, 5],
    ]);
    expect(calls).toEqual([call(0, 0, 2, 4, 2)]);
    expect(replay.unmatchedLeaves).toBe(3);
    expect(replay.missingLeaves).toBe(0);
  });

  it('ends calls without a leave with their caller, or at the end', () => {
    const { calls, replay } = replayed(
      [
        ['enter', 0, 1],
        ['enter', 1, 2],
        ['enter', 2, 3],
        ['leave', 1, 6],
        ['enter', 1, 7],
      ],
      9,
    );
    expect(calls).toEqual([
      call(2, 2, 3, 6, 3),
      call(1, 1, 2, 6, 1),
      call(1, 1, 7, 9, 2),
      call(0, 0, 1, 9, 2),
    ]);
    expect(replay.missingLeaves).toBe(3);
    expect(replay.unmatchedLeaves).toBe(0);
  });

  it('lists open calls, the outermost first', () => {
    const replay = new CallReplay(() => undefined);
    replay.enter(7, 1);
    replay.enter(2, 3);
    expect(replay.openCalls()).toEqual([
      { function: 7, begin: 1 },
      { function: 2, begin: 3 },
    ]);
    expect(replay.now).toBe(3);
  });

  it('counts an event that is earlier than the one before as simultaneous', () => {
    const { calls } = replayed(
      [
        ['enter', 0, 5],
        ['enter', 1, 2],
        ['leave', 1, 4],
        ['leave', 0, 8],
        ['enter', 0, 7],
      ],
      3,
    );
    expect(calls).toEqual([call(1, 1, 5, 5, 0), call(0, 0, 5, 8, 3), call(0, 0, 8, 8, 0)]);
  });

  const steps = fc.array(fc.tuple(fc.constantFrom('enter', 'leave'), fc.nat(4), fc.nat(50)), {
    maxLength: 60,
  });

  it('gives each enter one call, and times that add up, whatever the events', () => {
    fc.assert(
      fc.property(steps, (given) => {
        const { calls, replay } = replayed(given);
        const enters = given.filter(([kind]) => kind === 'enter').map(([, called]) => called);
        expect(calls.map((each) => each.function).sort()).toEqual([...enters].sort());
        const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
        const roots = calls.filter(({ depth }) => depth === 0);
        expect(sum(calls.map(({ exclusive }) => exclusive))).toBe(
          sum(roots.map(({ begin, end }) => end - begin)),
        );
        for (const { begin, end, exclusive } of calls) {
          expect(exclusive).toBeGreaterThanOrEqual(0);
          expect(exclusive).toBeLessThanOrEqual(end - begin);
        }
        const leaves = given.length - enters.length;
        expect(leaves - replay.unmatchedLeaves).toBe(calls.length - replay.missingLeaves);
      }),
    );
  });
});
