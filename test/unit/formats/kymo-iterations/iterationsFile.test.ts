import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesSource } from '../../../../src/formats/byteSource';
import type {
  IterationsDirectory,
  IterationSample,
} from '../../../../src/formats/kymo-iterations/iterationsFile';
import { openIterations } from '../../../../src/formats/kymo-iterations/read';
import { IterationsWriter } from '../../../../src/formats/kymo-iterations/write';
import { KymoError } from '../../../../src/core/errors';

type Row = readonly [
  context: number,
  visits: number,
  nanoseconds: number,
  childEvents: number,
  wait?: number,
];

const directory: Omit<IterationsDirectory, 'iterations'> = {
  phase: 'step',
  regions: [
    { name: 'step', kind: 'phase', file: '/a/b.c', line: 3, endLine: 9 },
    { name: 'solve', kind: 'function' },
  ],
  locations: [
    { rank: 0, thread: 0 },
    { rank: 0, thread: 1 },
  ],
  contexts: [
    { region: 0, location: 0 },
    { region: 1, parent: 0, location: 0 },
    { region: 1, location: 1 },
  ],
  notes: ['Said.'],
};

function sample(rows: readonly Row[]): IterationSample {
  return {
    count: rows.length,
    contexts: Uint32Array.from(rows, ([context]) => context),
    visits: Float64Array.from(rows, ([, visits]) => visits),
    seconds: Float64Array.from(rows, ([, , nanoseconds]) => nanoseconds / 1e9),
    childEvents: Float64Array.from(rows, ([, , , events]) => events),
    waitSeconds: Float64Array.from(rows, ([, , , , wait = 0]) => wait / 1e9),
  };
}

function fileOf(iterations: readonly (readonly Row[])[], hasWaits = false): Uint8Array {
  const pieces: Uint8Array[] = [];
  const writer = new IterationsWriter((bytes) => pieces.push(bytes.slice()), hasWaits);
  for (const rows of iterations) writer.add(sample(rows));
  const header = writer.finish(directory);
  const bytes = Buffer.concat(pieces);
  bytes.set(header, 0);
  return bytes;
}

function rowsOf(bytes: Uint8Array, from?: number, to?: number): Row[][] {
  return Array.from(openIterations(bytesSource(bytes), 'x.kymo').samples(from, to), rowsIn);
}

function rowsIn({ count, contexts, visits, seconds, childEvents, waitSeconds }: IterationSample): Row[] {
  return Array.from({ length: count }, (_, at): Row => {
    const row = [
      contexts[at] ?? -1,
      visits[at] ?? -1,
      Math.round((seconds[at] ?? -1) * 1e9),
      childEvents[at] ?? -1,
    ] as const;
    return waitSeconds === undefined ? row : [...row, Math.round((waitSeconds[at] ?? -1) * 1e9)];
  });
}

const whole = fc.oneof(fc.nat(200), fc.nat(), fc.integer({ min: 0, max: 2 ** 50 }));
const iteration = fc
  .uniqueArray(fc.nat(2), { maxLength: 3 })
  .chain((contexts) =>
    fc.tuple(...contexts.sort().map((context) => fc.tuple(fc.constant(context), whole, fc.nat(), whole))),
  );

describe('the file of an experiment’s iterations', () => {
  it('gives back what was written, whatever the numbers', () => {
    fc.assert(
      fc.property(fc.array(iteration, { maxLength: 30 }), (iterations) => {
        const bytes = fileOf(iterations);
        expect(rowsOf(bytes)).toEqual(iterations);
        expect(openIterations(bytesSource(bytes), 'x.kymo').directory).toEqual({
          ...directory,
          iterations: iterations.length,
        });
      }),
    );
  });

  it('has the waits where they are known', () => {
    const rows = fc.array(iteration, { maxLength: 5 });
    fc.assert(
      fc.property(rows, fc.nat(), fc.boolean(), (iterations, wait, hasWaits) => {
        const written = iterations.map((of) => of.map((row): Row => [...row, wait]));
        const bytes = fileOf(written, hasWaits);
        expect(rowsOf(bytes)).toEqual(hasWaits ? written : iterations);
        expect(openIterations(bytesSource(bytes), 'x.kymo').layout).toEqual({ hasWaits, hasPreempted: true });
      }),
    );
  });

  it('begins to read at any iteration without reading those before its mark', () => {
    const iterations = Array.from({ length: 5000 }, (_, i): Row[] => [[0, 1, i, 0]]);
    const bytes = fileOf(iterations);
    let read = 0;
    const source = bytesSource(bytes);
    const counting = {
      size: source.size,
      read: (offset: number, length: number) => {
        read += length;
        return source.read(offset, length);
      },
    };
    const opened = openIterations(counting, 'x.kymo');
    read = 0;
    const samples = opened.samples(4500, 4502);
    expect(Array.from(samples, rowsIn)).toHaveLength(2);
    expect(rowsOf(bytes, 4500, 4502)).toEqual([[[0, 1, 4500, 0]], [[0, 1, 4501, 0]]]);
    expect(read).toBeLessThan(bytes.length / 2);
  });

  it('refuses what is damaged anywhere, or reads what it says', () => {
    const bytes = fileOf(
      Array.from({ length: 20 }, (_, i): Row[] => [
        [0, 1, 1000 + i, 2],
        [2, 3, 77, 0],
      ]),
    );
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), fc.boolean(), (at, value, cut) => {
        const damaged = cut ? bytes.slice(0, at) : bytes.slice();
        if (!cut) damaged[at] = value;
        try {
          rowsOf(damaged);
        } catch (error) {
          expect(error).toBeInstanceOf(KymoError);
        }
      }),
      { numRuns: 500 },
    );
  });
});
