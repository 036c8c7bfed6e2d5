import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Ordinal } from '../../../../src/overlay/services/ordinal';
import type { AggregatedSample, Aggregation, Sample } from '../../../../src/overlay/services/sample';
import { ServiceError } from '../../../../src/overlay/services/serviceError';
import { TimeAligned, type Alignment } from '../../../../src/overlay/services/timeAligned';

const s = (value: number, start: number, end: number): Sample => ({ value, start, end });
const children = [0, 1, 2, 3];
const example: readonly (readonly Sample[])[] = [
  [s(10, 0, 10), s(20, 10, 20), s(10, 20, 30)],
  [s(12, 0, 12), s(6, 12, 24), s(6, 24, 30)],
  [s(5, 0, 5), s(5, 5, 10), s(10, 10, 20), s(10, 20, 30)],
  [s(8, 0, 8), s(24, 8, 32)],
];
/** Child and number of its sample, in the order of the arrivals. */
const arrivals: readonly (readonly [number, number])[] = [
  [0, 0],
  [1, 0],
  [2, 0],
  [3, 0],
  [2, 1],
  [0, 1],
  [1, 1],
  [2, 2],
  [3, 1],
  [0, 2],
  [1, 2],
  [2, 3],
];

const sums: Alignment = {
  children,
  intervals: { kind: 'fixed', width: 10 },
  operation: 'sum',
  quantity: 'delta',
  start: 0,
};

/** What is passed on after each arrival of the example, as `child.sample: [start,end)=value`. */
function replay(aggregation: Aggregation): readonly string[] {
  return arrivals.flatMap(([child, i]) =>
    aggregation
      .push(child, example[child]![i]!)
      .map(({ value, start, end }) => `${child}.${i}: [${start},${end})=${value}`),
  );
}

describe('time-aligned aggregation', () => {
  test('S5: fixed intervals of 10 give 40, 46 and 38 of the example, each when its last sample arrives', () => {
    const aligned = new TimeAligned(sums);
    expect(replay(aligned)).toEqual(['3.1: [0,10)=40', '3.1: [10,20)=46', '2.3: [20,30)=38']);
    // 124 of 126 are passed on; 2 wait for child 3 to end.
    expect(children.flatMap((child) => aligned.leave(child))).toEqual([
      { value: 2, start: 30, end: 40, coverage: 1, weight: 1 },
    ]);
    expect(aligned.late).toBe(0);
  });

  test('S5: intervals up to the earliest end give the seven of the example', () => {
    expect(replay(new TimeAligned({ ...sums, intervals: { kind: 'earliest-end' } }))).toEqual([
      '3.0: [0,5)=20',
      '2.1: [5,8)=12',
      '3.1: [8,10)=8',
      '3.1: [10,12)=10',
      '3.1: [12,20)=36',
      '2.3: [20,24)=14',
      '2.3: [24,30)=24',
    ]);
  });

  test.each([
    ['min', ['3.1: [0,10)=10', '3.1: [10,20)=6', '2.3: [20,30)=8']],
    ['max', ['3.1: [0,10)=10', '3.1: [10,20)=20', '2.3: [20,30)=10']],
    ['mean', ['3.1: [0,10)=10', '3.1: [10,20)=11.5', '2.3: [20,30)=9.5']],
  ] as const)('S5: %s of the parts of the children', (operation, expected) => {
    expect(replay(new TimeAligned({ ...sums, operation }))).toEqual(expected);
  });

  test('S6: the ordinal baseline gives 35 and 55 over intervals that do not agree', () => {
    const ordinal = new Ordinal(children, 'sum');
    expect(replay(ordinal)).toEqual(['3.0: [0,12)=35', '3.1: [5,32)=55']);
    // The third of all but child 3.
    expect(ordinal.leave(3).map(({ value }) => value)).toEqual([26]);
  });

  const input = fc.record({
    width: fc.integer({ min: 200, max: 2000 }).map((ms) => ms / 1000),
    kind: fc.constantFrom('fixed', 'earliest-end'),
    lengths: fc.array(
      fc.array(
        fc.tuple(
          fc.integer({ min: 0, max: 9 }),
          fc.integer({ min: 1, max: 3000 }),
          fc.integer({ min: -1000, max: 1000 }),
        ),
        { maxLength: 8 },
      ),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
    order: fc.infiniteStream(fc.nat({ max: 3 })),
  });

  test('S5: values are conserved on 10^4 random inputs, with gaps, in any order of arrival', () => {
    fc.assert(
      fc.property(input, ({ width, kind, lengths, order }) => {
        const aligned = new TimeAligned({
          children: lengths.map((_, child) => child),
          intervals: kind === 'fixed' ? { kind, width } : { kind: 'earliest-end' },
          operation: 'sum',
          quantity: 'delta',
          start: 0,
        });
        const queues = lengths.map((of) => {
          let time = 0;
          return of.map(([gap, length, value]) => {
            const start = time + (gap === 9 ? 0.7 : 0);
            time = start + length / 1000;
            return s(value, start, time);
          });
        });
        const total = queues.flat().reduce((sum, { value }) => sum + value, 0);
        const scale = queues.flat().reduce((sum, { value }) => sum + Math.abs(value), 1);
        const passedOn: AggregatedSample[] = [];
        for (let left = queues.flat().length; left > 0; left--) {
          const wish = order.next().value as number;
          const from = [...queues.keys()]
            .map((i) => (i + wish) % queues.length)
            .find((i) => queues[i]!.length > 0)!;
          passedOn.push(...aligned.push(from, queues[from]!.shift()!));
        }
        for (const child of queues.keys()) passedOn.push(...aligned.leave(child));
        const emitted = passedOn.reduce((sum, { value }) => sum + value, 0);
        expect(Math.abs(emitted - total)).toBeLessThanOrEqual(1e-12 * scale);
        expect(aligned.late).toBe(0);
        // Far fewer calls of expect than intervals.
        const wrong = passedOn.filter(
          ({ start, end, coverage }, i) =>
            end - start < 0.000_999 || coverage <= 0 || start < (passedOn[i - 1]?.end ?? 0),
        );
        expect(wrong).toEqual([]);
      }),
      { numRuns: 10_000 },
    );
  });

  test('S5: nothing is lost or counted twice while children join, leave, stall and repeat themselves', () => {
    const event = fc.record({
      child: fc.nat({ max: 3 }),
      what: fc.constantFrom('push', 'push', 'push', 'push', 'push', 'push', 'join', 'leave', 'double'),
      start: fc.integer({ min: -2000, max: 20_000 }).map((ms) => ms / 1000),
      length: fc.oneof(
        fc.integer({ min: 1, max: 4000 }).map((ms) => ms / 1000),
        fc.constant(1e-9),
      ),
      value: fc.integer({ min: -1000, max: 1000 }),
    });
    const kinds = fc.constantFrom('fixed', 'earliest-end');
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 60 }),
        kinds,
        fc.integer({ min: 1, max: 5 }),
        (events, kind, mostWaiting) => {
          const intervals =
            kind === 'fixed' ? ({ kind, width: 0.5 } as const) : ({ kind: 'earliest-end' } as const);
          const aligned = new TimeAligned({ ...sums, children: [0, 1], intervals, mostWaiting });
          const sumOf = (samples: readonly AggregatedSample[]) =>
            samples.reduce((sum, { value }) => sum + value, 0);
          let [given, passedOn, scale] = [0, 0, 1];
          for (const { child, what, start, length, value } of events)
            if (what === 'join') aligned.join(child);
            else if (what === 'leave') passedOn += sumOf(aligned.leave(child));
            else if (what === 'double') aligned.double();
            else
              try {
                passedOn += sumOf(aligned.push(child, s(value, start, start + length)));
                given += value;
                scale += Math.abs(value);
              } catch (error) {
                if (!(error instanceof ServiceError)) throw error;
              }
          for (const child of children) passedOn += sumOf(aligned.leave(child));
          expect(Math.abs(passedOn + aligned.late - given)).toBeLessThanOrEqual(1e-9 * scale);
        },
      ),
      { numRuns: 3000 },
    );
  });

  test('S5: a tree has the sums of a flat network, because each process aligns to the same borders', () => {
    const offsets = [0, 0.05, 0.11, 0.17, 0.02, 0.09];
    const samplesOf = (child: number) =>
      Array.from({ length: 40 }, (_, i) =>
        s(child + i, i === 0 ? 0 : offsets[child]! + 0.2 * i, offsets[child]! + 0.2 * (i + 1)),
      );
    const make = (of: readonly number[]) =>
      new TimeAligned({ ...sums, children: of, intervals: { kind: 'fixed', width: 0.2 } });
    const [flat, root, inner] = [
      make([0, 1, 2, 3, 4, 5]),
      make([10, 11]),
      [make([0, 1, 2]), make([3, 4, 5])],
    ];
    const found: [AggregatedSample[], AggregatedSample[]] = [[], []];
    for (let i = 0; i < 40; i++)
      for (let child = 0; child < 6; child++) {
        const sample = samplesOf(child)[i]!;
        found[0].push(...flat.push(child, sample));
        const half = child < 3 ? 0 : 1;
        for (const part of inner[half]!.push(child, sample)) found[1].push(...root.push(10 + half, part));
      }
    expect(found[1].length).toBe(found[0].length);
    expect(found[0].length).toBeGreaterThan(35);
    found[0].forEach(({ value, start, end }, i) => {
      expect(found[1][i]).toMatchObject({ start, end, weight: 6 });
      expect(found[1][i]!.value).toBeCloseTo(value, 9);
      expect(found[1][i]!.coverage).toBeCloseTo(1, 9);
    });
  });

  test('S5: a gap counts as 0 and is reported as coverage', () => {
    const aligned = new TimeAligned({ ...sums, children: [0, 1] });
    aligned.push(0, s(10, 0, 10));
    aligned.push(0, s(10, 10, 20));
    aligned.push(1, s(4, 0, 4));
    expect(aligned.push(1, s(6, 14, 20))).toEqual([
      { value: 14, start: 0, end: 10, coverage: 0.7, weight: 2 },
      { value: 16, start: 10, end: 20, coverage: 0.8, weight: 2 },
    ]);
  });

  test('S5: coverage and weight of an inner process count as many back ends as it stands for', () => {
    const aligned = new TimeAligned({ ...sums, children: [0, 1], operation: 'mean' });
    aligned.push(0, { ...s(10, 0, 10), coverage: 0.5, weight: 3 });
    expect(aligned.push(1, s(2, 0, 10))).toEqual([
      { value: 8, start: 0, end: 10, coverage: 0.625, weight: 4 },
    ]);
  });

  test('S5: a late joiner does not hold others up before its first sample, and begins in its own interval', () => {
    const aligned = new TimeAligned({ ...sums, children: [0] });
    aligned.join(7);
    expect(aligned.push(0, s(10, 0, 10))).toHaveLength(1);
    expect(aligned.push(7, s(8, 26, 30))).toEqual([]);
    expect(aligned.push(0, s(10, 10, 20))).toEqual([
      { value: 10, start: 10, end: 20, coverage: 1, weight: 1 },
    ]);
    expect(aligned.push(0, s(10, 20, 30))).toEqual([
      { value: 18, start: 20, end: 30, coverage: 1, weight: 2 },
    ]);
    expect(aligned.push(0, s(10, 30, 40))).toEqual([]);
    expect(aligned.push(7, s(1, 30, 40))).toMatchObject([{ value: 11 }]);
  });

  test('S5: with intervals up to the earliest end, a joiner is a border too', () => {
    const aligned = new TimeAligned({ ...sums, children: [0], intervals: { kind: 'earliest-end' } });
    aligned.join(7);
    aligned.push(7, s(6, 4, 10));
    expect(aligned.push(0, s(10, 0, 10))).toEqual([
      { value: 4, start: 0, end: 4, coverage: 1, weight: 1 },
      { value: 12, start: 4, end: 10, coverage: 1, weight: 2 },
    ]);
  });

  test('S5: a first start within 10 ms of a border is moved to it, one farther away is not', () => {
    const startOf = (start: number) => {
      const aligned = new TimeAligned({ ...sums, children: [0], intervals: { kind: 'fixed', width: 1 } });
      aligned.join(7);
      aligned.push(7, s(1, start, 2));
      return aligned.push(0, s(1, 0, 1)).at(-1)!.value - 1;
    };
    expect(startOf(0.991)).toBe(0);
    expect(startOf(0.98)).toBeCloseTo(0.02 / 1.02, 12);
    expect(startOf(0.009)).toBeCloseTo(0.5, 12);
  });

  test('S5: no interval is shorter than 1 ms', () => {
    const aligned = new TimeAligned({ ...sums, children: [0, 1], intervals: { kind: 'earliest-end' } });
    aligned.push(0, s(4, 0, 4));
    expect(aligned.push(1, s(1, 0, 0.0004))).toEqual([]);
    const [first, second] = aligned.push(1, s(3, 0.0004, 4));
    expect(first).toMatchObject({ start: 0, end: 0.001 });
    expect(second).toMatchObject({ start: 0.001, end: 4 });
    expect(first!.value + second!.value).toBeCloseTo(8, 12);
  });

  test('S5: a child that leaves is drained, then no longer waited for', () => {
    const aligned = new TimeAligned({ ...sums, children: [0, 1] });
    aligned.push(1, s(15, 0, 15));
    expect(aligned.leave(1)).toEqual([]);
    expect(aligned.push(0, s(20, 0, 20))).toEqual([
      { value: 20, start: 0, end: 10, coverage: 1, weight: 2 },
      { value: 15, start: 10, end: 20, coverage: 1, weight: 2 },
    ]);
    expect(aligned.push(0, s(5, 20, 30))).toEqual([{ value: 5, start: 20, end: 30, coverage: 1, weight: 1 }]);
    expect(() => aligned.push(1, s(1, 30, 40))).toThrow(ServiceError);
  });

  test('S5: a child that comes back before it is drained is waited for again', () => {
    const aligned = new TimeAligned({ ...sums, children: [0, 1] });
    aligned.push(1, s(15, 0, 15));
    aligned.leave(1);
    aligned.join(1);
    expect(aligned.push(0, s(20, 0, 20))).toMatchObject([{ value: 20 }]);
    expect(aligned.push(1, s(5, 15, 20))).toMatchObject([{ value: 20, coverage: 1 }]);
  });

  test('S5: leaving passes on at once what only waited for that child', () => {
    const aligned = new TimeAligned({ ...sums, children: [0, 1] });
    aligned.push(0, s(10, 0, 10));
    expect(aligned.leave(1)).toMatchObject([{ value: 10, start: 0, end: 10 }]);
  });

  test('S5: a child that stalls becomes a gap when too much waits for it, and what it sends then is counted as late', () => {
    const aligned = new TimeAligned({ ...sums, children: [0, 1], mostWaiting: 4 });
    aligned.push(1, s(5, 0, 5));
    for (const i of [0, 1, 2, 3]) expect(aligned.push(0, s(10, 10 * i, 10 * i + 10))).toEqual([]);
    expect(aligned.push(0, s(10, 40, 50))).toEqual([
      { value: 15, start: 0, end: 10, coverage: 0.75, weight: 2 },
    ]);
    expect(aligned.push(1, s(30, 5, 35))).toMatchObject([{ value: 20 }, { value: 20 }]);
    expect(aligned.late).toBe(5);
    aligned.leave(0);
    aligned.leave(1);
    expect(aligned.late).toBe(5);
  });

  test('S5: levels are means over time, and gaps do not lower them', () => {
    const aligned = new TimeAligned({ ...sums, children: [0, 1], quantity: 'level' });
    aligned.push(0, s(100, 0, 4));
    aligned.push(0, s(50, 4, 14));
    aligned.push(0, s(70, 14, 20));
    expect(aligned.push(1, s(10, 5, 25))).toEqual([
      { value: 80, start: 0, end: 10, coverage: 0.75, weight: 2 },
      { value: 72, start: 10, end: 20, coverage: 1, weight: 2 },
    ]);
    expect(aligned.late).toBe(0);
  });

  test('S5: after a pause of the program the aggregation goes on at the next data', () => {
    const aligned = new TimeAligned({ ...sums, children: [0], intervals: { kind: 'fixed', width: 0.2 } });
    aligned.push(0, s(1, 0, 0.2));
    const [next, ...more] = aligned.push(0, s(3, 1e9 + 0.1, 1e9 + 0.2));
    expect(more).toEqual([]);
    expect(next).toMatchObject({ value: 3, coverage: expect.closeTo(0.5, 5) as number });
  });

  test('S5: the width doubles at a border that both widths share', () => {
    const aligned = new TimeAligned({ ...sums, children: [0], intervals: { kind: 'fixed', width: 1 } });
    aligned.push(0, s(1, 0, 1));
    aligned.double();
    expect(aligned.push(0, s(7, 1, 8)).map(({ start, end }) => [start, end])).toEqual([
      [1, 2],
      [2, 4],
      [4, 6],
      [6, 8],
    ]);
  });

  test('S5: numbers that no measurement has are refused, and change nothing', () => {
    const aligned = new TimeAligned(sums);
    for (const wrong of [
      s(NaN, 0, 1),
      s(Infinity, 0, 1),
      s(1, 1, 1),
      s(1, 2, 1),
      s(1, NaN, 1),
      s(1, 0, 1e11),
      s(1, 0, 1e9),
      { ...s(1, 0, 1), coverage: 2 },
      { ...s(1, 0, 1), weight: 0 },
    ])
      for (const aggregation of [aligned, new Ordinal(children, 'sum')]) {
        if (wrong.end === 1e9 && aggregation !== aligned) continue;
        expect(() => aggregation.push(0, wrong)).toThrow(ServiceError);
      }
    expect(replay(aligned)).toHaveLength(3);
    expect(() => new TimeAligned({ ...sums, intervals: { kind: 'fixed', width: 0 } })).toThrow(
      'not possible',
    );
    expect(() => aligned.push(4, s(1, 0, 1))).toThrow('Rank 4 is not a child');
  });

  test('S6: a stalled child of the baseline does not fill the memory, and a late joiner is waited for from its first sample on', () => {
    const ordinal = new Ordinal([0, 1], 'sum', 2);
    ordinal.push(0, s(1, 0, 1));
    ordinal.push(0, s(2, 1, 2));
    expect(ordinal.push(0, s(3, 2, 3))).toMatchObject([{ value: 1, weight: 1 }]);
    ordinal.join(2);
    expect(ordinal.push(1, s(5, 0, 1))).toMatchObject([{ value: 7, weight: 2 }]);
    ordinal.push(2, s(4, 0, 1));
    expect(ordinal.push(1, s(6, 1, 2))).toMatchObject([{ value: 13, weight: 3 }]);
  });
});
