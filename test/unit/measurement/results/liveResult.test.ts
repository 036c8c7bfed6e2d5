import { describe, expect, it } from 'vitest';
import { at } from '../../../../src/core/at';
import type { ControlMessage, ProcessState } from '../../../../src/formats/control/messages';
import { LiveResult } from '../../../../src/measurement/results/live/liveResult';

const cost = { pairSeconds: 20e-9, spreadSeconds: 0, insideSeconds: 10e-9, outsideSeconds: 10e-9 };
const state: ProcessState = {
  ...{ pid: 17, rank: 1, ranks: 4, host: 'n1', program: 'a.out', noSwitching: undefined },
  ...{ writesIterations: false, isSuspended: false, timerIsMonotonicClock: false, generation: 0 },
  ...{ slotCount: 10, threadCount: 1, phaseSlot: undefined, selectionId: 'ab', iterations: 0 },
  ...{ tick: 0n, ticksPerSecond: 1000, realNanoseconds: 0n, beginTick: 0n, beginRealNanoseconds: 0n },
  ...{ cpuSeconds: 0, probeCost: cost, entryCost: cost },
};
const waitingSlot = 0xffff_fffc;
const untimed = 0x8000_0000;
const paths = {
  kind: 'paths',
  first: 1,
  paths: [
    { thread: 0, parent: 0, slot: 1 },
    { thread: 0, parent: 1, slot: 2 },
    { thread: 0, parent: 2, slot: waitingSlot },
    { thread: 0, parent: 1, slot: 3 + untimed },
    { thread: 5, parent: 0, slot: 2 },
  ],
} as const satisfies ControlMessage;

/** Of so many paths: visits, and ticks of ended and of open visits. */
function values(
  ...rows: readonly (readonly [path: number, visits: number, ticks: number, open: number])[]
): ControlMessage {
  const column = (which: 1 | 2 | 3): Float64Array => Float64Array.from(rows, (row) => row[which]);
  return {
    ...{ kind: 'values', serial: 1, of: 'paths', perThread: true, differences: false, hasMore: false },
    ...{ tick: 0n, threadsWithoutOpen: 0, path: Uint32Array.from(rows, ([path]) => path) },
    ...{ visits: column(1), ticks: column(2), openTicks: column(3) },
  };
}

const later = (ticks: bigint, cpuSeconds: number): ControlMessage => ({
  ...{ kind: 'state', serial: 2, ...state, tick: ticks, realNanoseconds: ticks * 1_000_000n, cpuSeconds },
});

describe('the result of a process that runs', () => {
  it('is what came in the window, open visits with their time so far', () => {
    const result = new LiveResult(state);
    const first = [paths, values([1, 1, 0, 400], [2, 3, 100, 50], [3, 2, 30, 0]), later(500n, 0.5)];
    for (const message of first) result.take(message);
    result.restart();
    const second = [
      values([1, 1, 0, 900], [2, 8, 350, 0], [3, 9, 70, 0], [4, 6, 0, 0], [5, 2, 60, 0]),
      later(1500n, 1.25),
    ];
    for (const message of second) result.take(message);
    const { threads, cpuSeconds, beginNanoseconds, endNanoseconds, rank, rankCount } = result.window();
    expect([cpuSeconds, beginNanoseconds, endNanoseconds, rank, rankCount]).toEqual([0.75, 5e8, 15e8, 1, 4]);
    expect(threads.map(({ number }) => number)).toEqual([0, 5]);
    const thread = at(threads, 0);
    expect([...thread.slot.slice(1)]).toEqual([1, 2, 3]);
    expect([...thread.untimed]).toEqual([0, 0, 0, 1]);
    expect([...thread.visits]).toEqual([1, 0, 5, 6]);
    expect([...thread.inclusiveTicks]).toEqual([500, 500, 200, 0]);
    expect([...thread.waitingTicks]).toEqual([0, 0, 40, 0]);
    expect([...thread.childEvents]).toEqual([5, 5, 0, 0]);
    // Outside of functions, the thread had a processor for what is left of the 0.75 s of CPU time.
    expect([...at(threads, 1).inclusiveTicks]).toEqual([60 + 750 - (500 - 40) - 60, 60]);
    expect(at(threads, 1).lifetimeTicks).toBe(290);
  });

  it('has no more waiting than time, in threads that wait outside of all functions and in visits that began before the window', () => {
    const result = new LiveResult(state);
    const idle = {
      kind: 'paths',
      first: 1,
      paths: [
        { thread: 5, parent: 0, slot: 2 },
        { thread: 5, parent: 0, slot: waitingSlot },
        { thread: 5, parent: 1, slot: waitingSlot },
      ],
    } as const satisfies ControlMessage;
    for (const message of [idle, values([1, 1, 0, 40], [2, 0, 100, 0]), later(500n, 0.1)])
      result.take(message);
    result.restart();
    // The thread waited 700 ticks between its functions; of a visit of 60 ticks, 50 before, that waited 110 in all.
    const second = [values([1, 2, 100, 0], [2, 0, 800, 0], [3, 0, 110, 0]), later(1500n, 0.3)];
    for (const message of second) result.take(message);
    const { threads } = result.window();
    const thread = at(threads, 0);
    expect([...thread.waitingTicks]).toEqual([700, 60]);
    // All of the processor's 200 ticks were outside of functions.
    expect([...thread.inclusiveTicks]).toEqual([60 + 700 + 200, 60]);
  });

  it('takes at least what its callees take, which are read later', () => {
    const result = new LiveResult(state);
    for (const message of [paths, values([1, 1, 100, 0], [2, 3, 103, 0]), later(500n, 0.2)])
      result.take(message);
    const thread = at(result.window().threads, 0);
    expect([...thread.inclusiveTicks].slice(1)).toEqual([103, 103, 0]);
  });

  it('goes on in the window until it is begun anew', () => {
    const result = new LiveResult(state);
    for (const message of [paths, values([1, 2, 10, 0]), later(100n, 0.1)]) result.take(message);
    expect(at(result.window().threads, 0).visits[1]).toBe(2);
    expect(at(result.window().threads, 0).visits[1]).toBe(2);
    result.restart();
    expect(at(result.window().threads, 0).visits[1]).toBe(0);
  });

  it.each([
    ['values of a call path that was never named', values([6, 1, 1, 0])],
    ['values of no call path', values([0, 1, 1, 0])],
    ['call paths out of turn', { ...paths, first: 3 }],
    ['a region in a slot of the selection', region(9)],
    ['a region far behind the last one', region(0xffff_ff00)],
  ])('refuses %s, and takes no memory for it', (_, message: ControlMessage) => {
    const result = new LiveResult(state);
    result.take(paths);
    expect(() => {
      result.take(message);
    }).toThrow(/^Process 17 on n1 sent /);
  });

  it('is as long as its thread had a processor: a single one by its open visit, or by the processor time', () => {
    const lifetime = (...messages: readonly ControlMessage[]): number => {
      const result = new LiveResult(state);
      for (const message of [{ ...paths, paths: paths.paths.slice(0, 2) }, ...messages]) result.take(message);
      return at([...at(result.window().threads, 0).inclusiveTicks], 0);
    };
    expect(lifetime(values([1, 1, 0, 600]), later(1000n, 0.7))).toBe(600);
    expect(lifetime(values([1, 2, 600, 0]), later(1000n, 0.7))).toBe(700);
    expect(lifetime(values([1, 2, 600, 0]), later(1000n, 0.2))).toBe(600);
    expect(lifetime(values([1, 2, 600, 0]), later(1000n, 5))).toBe(1000);
  });

  it('knows for how long threads were pre-empted that are in a recorded function, and of no others', () => {
    const inside = (...messages: readonly ControlMessage[]): unknown => {
      const result = new LiveResult(state);
      for (const message of [paths, ...messages]) result.take(message);
      return result.window().inside;
    };
    const none = { wallSeconds: 0, preemptedSeconds: 0 };
    expect(inside(values([1, 1, 0, 600]), later(1000n, 0.6))).toEqual({
      wallSeconds: 1,
      preemptedSeconds: 0.4,
    });
    // The other thread may have slept outside of all functions.
    expect(inside(values([1, 1, 0, 1000], [5, 1, 10, 0]), later(1000n, 1))).toEqual({
      ...none,
      wallSeconds: 1,
    });
    expect(inside(values([1, 1, 600, 0]), later(1000n, 0.6))).toEqual(none);
    const suspended = { ...later(400n, 0.4), isSuspended: true } as ControlMessage;
    expect(inside(values([1, 1, 0, 400]), suspended, later(900n, 0.4))).toEqual({
      ...none,
      wallSeconds: 0.4,
    });
  });

  it('lacks the time in which the program was suspended', () => {
    const result = new LiveResult(state);
    const suspended = { ...later(400n, 0.4), isSuspended: true } as ControlMessage;
    for (const message of [paths, values([1, 2, 300, 0], [5, 1, 10, 0]), suspended, later(900n, 0.4)])
      result.take(message);
    result.take(later(1000n, 0.5));
    // Of the 500 ticks, the functions have 310; the others are shared out by what each thread has outside of them.
    const outside = (500 - 310) / (200 + 490);
    expect(result.window().threads.map(({ inclusiveTicks }) => inclusiveTicks[0])).toEqual([
      300 + outside * 200,
      10 + outside * 490,
    ]);
  });
});

function region(slot: number): ControlMessage {
  return { kind: 'regions', regions: [{ slot, kind: 0, line: 1, name: 'r', file: '' }] };
}
