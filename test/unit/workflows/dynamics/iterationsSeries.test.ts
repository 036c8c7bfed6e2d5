import { describe, expect, it } from 'vitest';
import { bytesSource } from '../../../../src/formats/byteSource';
import type { IterationsDirectory } from '../../../../src/formats/kymo-iterations/iterationsFile';
import { openIterations } from '../../../../src/formats/kymo-iterations/read';
import { IterationsWriter } from '../../../../src/formats/kymo-iterations/write';
import {
  iterationsSeries,
  type IterationsSeriesOptions,
} from '../../../../src/workflows/dynamics/iterationsSeries';
import { collect } from '../../formats/series/collect';

const usual: IterationsSeriesOptions = {
  callPaths: false,
  inclusive: false,
  metrics: ['time', 'visits', 'overhead'],
};

/** step calls f, which calls itself and g; step calls g, too; a thread runs h. All times inclusive, in seconds. */
const directory: Omit<IterationsDirectory, 'iterations'> = {
  phase: 'step',
  notes: [],
  regions: [
    { name: 'step', kind: 'phase', file: '/a.c', line: 3 },
    { name: 'f', kind: 'function' },
    { name: 'g', kind: 'function' },
    { name: 'h', kind: 'function' },
  ],
  locations: [
    { rank: 4, thread: 0 },
    { rank: 4, thread: 1 },
  ],
  contexts: [
    { region: 0, location: 0 },
    { region: 1, parent: 0, location: 0 },
    { region: 1, parent: 1, location: 0 },
    { region: 2, parent: 2, location: 0 },
    { region: 2, parent: 0, location: 0 },
    { region: 3, location: 1 },
    { region: 2, parent: 5, location: 1 },
  ],
};
const iterations: Values = [
  [
    [0, 1, 10],
    [1, 2, 7],
    [2, 2, 5],
    [3, 1, 1],
    [4, 3, 2],
  ],
  [
    [0, 1, 4],
    [5, 1, 3],
    [6, 2, 1],
  ],
  [[0, 1, 2]],
];

type Values = readonly (readonly (readonly [
  context: number,
  visits: number,
  seconds: number,
  wait?: number,
])[])[];

function file(of = directory, values: Values = iterations, hasWaits = false): Uint8Array {
  const pieces: Uint8Array[] = [];
  const writer = new IterationsWriter((bytes) => pieces.push(bytes.slice()), hasWaits);
  for (const iteration of values)
    writer.add({
      count: iteration.length,
      contexts: Uint32Array.from(iteration, ([context]) => context),
      visits: Float64Array.from(iteration, ([, visits]) => visits),
      seconds: Float64Array.from(iteration, ([, , seconds]) => seconds),
      childEvents: new Float64Array(iteration.length),
      waitSeconds: Float64Array.from(iteration, ([, , , wait = 0]) => wait),
    });
  const header = writer.finish(of);
  const bytes = Buffer.concat(pieces);
  bytes.set(header);
  return bytes;
}

async function table(
  options: Partial<IterationsSeriesOptions> = {},
  bytes = file(),
): Promise<Record<string, number[]>> {
  const source = iterationsSeries(openIterations(bytesSource(bytes), 'iterations.kymo'), {
    ...usual,
    ...options,
  });
  expect(source).toMatchObject({ unit: 's', phase: 'step', iterations: 3 });
  const series = await collect(source, 2);
  return Object.fromEntries(
    series.map(({ context: { region, callPath, metric, rank, thread }, values }) => [
      `${metric} ${region.kind === 'phase' ? '<phase>' : (callPath ?? [region]).map(({ name }) => name).join('/')} ${rank}/${thread}`,
      Array.from(values, (value) => Math.round(value * 1e6) / 1e6),
    ]),
  );
}

describe('series of an experiment’s iterations', () => {
  it('per region, without what is called, so that all add up to the phase', async () => {
    expect(await table({ metrics: ['time'] })).toEqual({
      'time <phase> 4/0': [10, 4, 2],
      'time step 4/0': [1, 4, 2],
      'time f 4/0': [6, 0, NaN],
      'time g 4/0': [3, 0, NaN],
      'time h 4/1': [0, 2, NaN],
      'time g 4/1': [0, 1, NaN],
    });
  });

  it('with what is called a recursion counts once; call paths are kept apart when asked for', async () => {
    expect(await table({ metrics: ['time'], inclusive: true })).toMatchObject({
      'time <phase> 4/0': [10, 4, 2],
      'time f 4/0': [7, 0, NaN],
      'time g 4/0': [3, 0, NaN],
      'time h 4/1': [0, 3, NaN],
    });
    expect(await table({ metrics: ['time'], callPaths: true })).toMatchObject({
      'time f 4/0': [2, 0, NaN],
      'time f/f 4/0': [4, 0, NaN],
      'time f/f/g 4/0': [1, 0, NaN],
      'time g 4/0': [2, 0, NaN],
      'time h/g 4/1': [0, 1, NaN],
    });
  });

  it('waiting in MPI is that of the calls themselves, or with what is called that of each function around them once', async () => {
    const values: Values = [
      [
        [0, 1, 10],
        [1, 1, 7],
        [2, 1, 5],
        [3, 1, 4, 3],
        [4, 1, 2, 1],
      ],
      [[0, 1, 4]],
      [
        [0, 1, 4],
        [4, 1, 2, 2],
      ],
    ];
    const waits = file(directory, values, true);
    expect(await table({ metrics: ['wait'] }, waits)).toEqual({
      'time <phase> 4/0': [10, 4, 4],
      'wait g 4/0': [4, 0, 2],
    });
    expect(await table({ metrics: ['wait'], inclusive: true }, waits)).toEqual({
      'time <phase> 4/0': [10, 4, 4],
      'wait f 4/0': [3, 0, NaN],
      'wait g 4/0': [4, 0, 2],
    });
    expect(await table({ metrics: ['wait'] }, file(directory, values))).toEqual({
      'time <phase> 4/0': [10, 4, 4],
    });
  });

  it('a call waits no longer than it takes', async () => {
    // Times lack those in which the thread had no processor, and ends of waiting are measured on two processes.
    const waits = file(
      directory,
      [
        [
          [0, 1, 10],
          [4, 1, 2, 5],
        ],
        [[0, 1, 4]],
        [[0, 1, 4]],
      ],
      true,
    );
    expect(await table({ metrics: ['wait'] }, waits)).toMatchObject({ 'wait g 4/0': [2, 0, NaN] });
  });

  it('a phase that is called from several places, is several functions, or goes on on another thread has one time', async () => {
    const phases = file(
      {
        ...directory,
        regions: [...directory.regions, { name: 'step', kind: 'phase', file: '/a.c', line: 9 }],
        contexts: [
          { region: 0, location: 0 },
          { region: 0, location: 0 },
          { region: 4, location: 0 },
          { region: 1, parent: 1, location: 0 },
          { region: 0, location: 1 },
        ],
      },
      [
        [[0, 1, 5]],
        [
          [1, 1, 4],
          [3, 1, 3],
        ],
        [
          [2, 1, 7],
          [4, 1, 2],
        ],
      ],
    );
    expect(await table({ metrics: ['time'] }, phases)).toMatchObject({
      'time <phase> 4/0': [5, 4, 9],
      'time f 4/0': [0, 3, NaN],
    });
  });

  it('a visit of another thread that ends late has no time of what it called before', async () => {
    const late = file(directory, [
      [
        [0, 1, 4],
        [6, 1, 3],
      ],
      [
        [0, 1, 4],
        [6, 1, 3],
      ],
      [
        [0, 1, 4],
        [5, 1, 7.5],
        [6, 1, 1],
      ],
    ]);
    expect(await table({ metrics: ['time'] }, late)).toMatchObject({
      'time h 4/1': [0, 0, 0.5],
      'time g 4/1': [3, 3, 1],
    });
  });

  it('visits, and what recording them cost where that is known', async () => {
    const counted = await table({ metrics: ['visits', 'overhead'], pairSeconds: 0.5 });
    expect(counted).toMatchObject({
      'visits f 4/0': [4, 0, NaN],
      'visits g 4/0': [4, 0, NaN],
      'overhead g 4/0': [2, 0, NaN],
    });
    expect(Object.keys(await table()).some((key) => key.startsWith('overhead'))).toBe(false);
  });
});
