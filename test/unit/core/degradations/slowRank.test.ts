import { describe, expect, it } from 'vitest';
import { DynamicsAnalysis } from '../../../../src/core/degradations/analysis';
import { profileSeries } from '../../../../src/core/series/profileSeries';
import type { SeriesSource } from '../../../../src/core/series/series';
import { limitsFor } from '../../../../src/formats/cube4/archive/limits';
import { memoryCube } from '../../../../src/formats/cube4/memoryCube';
import { bytesSource } from '../../../../src/formats/byteSource';
import { openIterations } from '../../../../src/formats/kymo-iterations/read';
import { IterationsWriter } from '../../../../src/formats/kymo-iterations/write';
import { iterationsSeries } from '../../../../src/workflows/dynamics/iterationsSeries';
import { runOf, type Call } from '../problems/runs';

const iterations = 8;
/** Rank 2 computes longer; the others wait for it in what `exchange` calls, where they are longer with it, too, but for what they compute there. */
const solve = [2, 2, 5, 2];
const waiting = [3.5, 3, 0, 3];
const pack = [0.1, 0.1, 2, 0.1];

function profileSource(inclusive: boolean): SeriesSource {
  const region = (name: string, facts: Partial<Call['region']> = {}): Call['region'] => ({
    name,
    firstLine: 1,
    ...facts,
  });
  const none = [0, 0, 0, 0];
  const passes = Array.from({ length: iterations }, (_, i): Call => ({
    region: region(`instance=${i + 1}`, { paradigm: 'user', role: 'dynamic' }),
    seconds: none,
    calls: [
      { region: region('solve'), seconds: solve },
      {
        region: region('exchange'),
        seconds: pack,
        calls: [
          {
            region: region('MPI_Waitall', { paradigm: 'mpi' }),
            seconds: [0, 0, 0, 0],
            calls: [
              { region: region('MPI_Recv', { paradigm: 'mpi', role: 'point2point' }), seconds: waiting },
            ],
          },
        ],
      },
    ],
  }));
  const phase: Call = { region: region('step'), seconds: none, calls: passes };
  const profile = runOf({ region: region('main'), seconds: none, calls: [phase] }, 4);
  const source = profileSeries(memoryCube(profile, limitsFor(1 << 20)), {
    callPaths: false,
    inclusive,
    metrics: ['time'],
  });
  if (source === undefined) throw new Error('no iterations');
  return source;
}

function kymoSource(inclusive: boolean): SeriesSource {
  const contexts = [0, 1, 2, 3].flatMap((location) => {
    const first = 5 * location;
    return [
      { region: 0, location },
      { region: 1, parent: first, location },
      { region: 2, parent: first, location },
      { region: 3, parent: first + 2, location },
      { region: 4, parent: first + 3, location },
    ];
  });
  const pieces: Uint8Array[] = [];
  const writer = new IterationsWriter((bytes) => pieces.push(bytes.slice()));
  const seconds = [0, 1, 2, 3].flatMap((rank) => {
    const exchange = waiting[rank]! + pack[rank]!;
    return [solve[rank]! + exchange, solve[rank]!, exchange, waiting[rank]!, waiting[rank]!];
  });
  for (let i = 0; i < iterations; i++)
    writer.add({
      count: contexts.length,
      contexts: Uint32Array.from(contexts.keys()),
      visits: new Float64Array(contexts.length).fill(1),
      seconds: Float64Array.from(seconds),
      childEvents: new Float64Array(contexts.length),
    });
  const header = writer.finish({
    phase: 'step',
    notes: [],
    regions: [
      { name: 'step', kind: 'phase' },
      { name: 'solve', kind: 'function' },
      { name: 'exchange', kind: 'function' },
      { name: 'MPI_Waitall', kind: 'mpi' },
      { name: 'MPI_Recv', kind: 'mpi' },
    ],
    locations: [0, 1, 2, 3].map((rank) => ({ rank, thread: 0 })),
    contexts,
  });
  const bytes = Buffer.concat(pieces);
  bytes.set(header);
  return iterationsSeries(openIterations(bytesSource(bytes), 'iterations.kymo'), {
    callPaths: false,
    inclusive,
    metrics: ['time', 'visits'],
  });
}

async function imbalances(source: SeriesSource): Promise<readonly (readonly string[])[]> {
  const analysis = new DynamicsAnalysis({ reportThreshold: 0.02 });
  for await (const burst of source.bursts(3)) analysis.addBurst(burst);
  const { rows, series } = analysis.finish();
  expect(series.every(({ context }) => context.metric !== 'computing')).toBe(true);
  return rows.filter(({ kind }) => kind === 'imbalance').map(({ region, ranks }) => [region.name, ranks]);
}

describe.each([
  ['a profile with iterations', profileSource],
  ['iterations.kymo', kymoSource],
])('one slow rank in %s', (_, source) => {
  it.each([false, true])('is the late one, with inclusive times, too (%s)', async (inclusive) => {
    const found = await imbalances(source(inclusive));
    expect([...found].sort()).toEqual([
      ['exchange', '2'],
      ['solve', '2'],
    ]);
  });
});
