import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../../src/core/randomNumbers';
import type { IterationSample } from '../../../../src/formats/control/messages';
import { LiveIterations } from '../../../../src/measurement/results/live/liveIterations';
import { mergeResults } from '../../../../src/measurement/results/mergeResults';
import { runDynamics } from '../../../../src/workflows/dynamics';
import { LiveIterationsFile } from '../../../../src/workflows/watch/liveIterationsFile';
import { fn } from '../../core/selection/graphs';
import { buildStream, type StreamRecord } from '../../formats/kymo-iterations/streamBuilder';
import { buildResult } from '../../formats/kymo-result/resultBuilder';
import { volume } from '../../../volume';

const slots = ['main', 'step', 'solve', 'exchange'];
const graph = {
  functions: slots.map((key, at) =>
    fn(key, { name: key, file: '/src/a.c', line: 10 * at + 1, endLine: 10 * at + 5 }),
  ),
  edges: slots.map(() => []),
};
const program = { slots, graph, executable: '/bin/program', selectionId: '00000000000000ab' };
const ticksPerSecond = 1e6;
const ranks = 2;

/** Ticks of `solve` and `exchange` in an iteration of a rank. */
type Ticks = readonly [number, number];

/** Iterations of each rank: noise, and perhaps a trend, a step or peaks of one of the two functions on one rank or all. */
function randomRun(seed: number): readonly (readonly Ticks[])[] {
  const random = randomNumbers(seed);
  const iterations = 40 + Math.floor(60 * random());
  const [shape, victim, only, begin] = [
    Math.floor(4 * random()),
    Math.floor(2 * random()),
    Math.floor((ranks + 1) * random()),
    random(),
  ];
  const [noise, amount] = [0.1 * random(), 0.2 + 2 * random()];
  const growth = (i: number): number => {
    if (shape === 1) return (amount * i) / iterations;
    if (shape === 2) return i > begin * iterations ? amount : 0;
    return shape === 3 && i % 16 === 7 ? amount : 0;
  };
  return Array.from({ length: ranks }, (_, rank) =>
    Array.from({ length: iterations }, (__, i): Ticks => {
      const of = (at: number): number =>
        Math.round(
          4000 *
            (1 + noise * random()) *
            (1 + (at === victim && (only === ranks || only === rank) ? growth(i) : 0)),
        );
      return [of(0), of(1)];
    }),
  );
}

const nodesOfPhase = [
  { thread: 0, parent: 1, slot: 2 },
  { thread: 0, parent: 1, slot: 3 },
] as const;

/** Values by node: phase, `solve` and `exchange`. */
const valuesOf = ([solve, exchange]: Ticks): readonly [number, number, number, number][] => [
  [1, 1, 500 + solve + exchange, 2],
  [2, 1, solve, 0],
  [3, 1, exchange, 0],
];

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kymo-live-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What the analysis says of the file in the folder, but for the place of the file. */
async function findings(): Promise<unknown> {
  const inputs = [path.join(folder, 'iterations.kymo')];
  const { rows, properties, series, iterations } = (await runDynamics({ inputs }, { workspace: folder }))
    .result;
  const shown = series.map(({ context, sentence, impactShare, noise }) => ({
    context,
    sentence,
    impactShare,
    noise,
  }));
  return { rows, properties, series: shown, iterations };
}

async function whenOver(run: ReturnType<typeof randomRun>): Promise<unknown> {
  run.forEach((iterations, rank) => {
    const sum = (of: (ticks: Ticks) => number): number => iterations.reduce((all, t) => all + of(t), 0);
    const count = iterations.length;
    const all = { visits: count, minimum: 1, maximum: 1e9 };
    const phase = sum(([solve, exchange]) => 500 + solve + exchange);
    const nodes = [
      { parent: 0, slot: 0, visits: 1, ticks: phase + 1000, events: count },
      { parent: 1, slot: 1, ...all, ticks: phase, events: 2 * count },
      { parent: 2, slot: 2, ...all, ticks: sum(([solve]) => solve) },
      { parent: 2, slot: 3, ...all, ticks: sum(([, exchange]) => exchange) },
    ];
    const records: StreamRecord[] = [
      { phase: { thread: 0, slot: 1, above: [0] } },
      ...nodesOfPhase.map((node) => ({ node })),
      ...iterations.flatMap((ticks): StreamRecord[] => [
        ...valuesOf(ticks).map((values) => ({ values })),
        { end: 'whole' },
      ]),
    ];
    const name = path.join(folder, `a.${rank}`);
    const process = { rank, ranks, pid: rank + 1, ticksPerSecond };
    writeFileSync(`${name}.kymo`, buildResult({ ...process, threads: [{ ticks: phase + 2000, nodes }] }));
    writeFileSync(`${name}.iterations`, buildStream(records));
  });
  await mergeResults({ ...program, directory: folder, iterationsInto: folder });
  return findings();
}

/** Sends it in portions of any size, and writes the file now and then. */
async function whileItRuns(run: ReturnType<typeof randomRun>, seed: number): Promise<unknown> {
  const random = randomNumbers(seed + 1000);
  const live = new LiveIterations(program);
  const file = new LiveIterationsFile(folder);
  const streams = run.map((iterations, rank) => {
    const stream = live.begin(() => rank, `process ${rank}`);
    stream.define(1, [{ thread: 0, parent: 0, slot: 1, above: [0] }]);
    stream.define(2, nodesOfPhase);
    return { stream, iterations, sent: 0 };
  });
  const write = (): void => {
    file.add(live.take());
    if (live.directory !== undefined && file.isDue) file.write({ ...live.directory, notes: [] });
  };
  while (streams.some(({ iterations, sent }) => sent < iterations.length)) {
    for (const sender of streams) {
      const portion = sender.iterations.slice(sender.sent, sender.sent + Math.floor(40 * random()));
      for (const ticks of portion)
        sender.stream.add(sampleOf(ticks, ++sender.sent), { regions: [], ticksPerSecond });
    }
    write();
  }
  for (const { stream } of streams) stream.end();
  write();
  if (live.directory !== undefined) file.write({ ...live.directory, notes: [] });
  file.close();
  return findings();
}

function sampleOf(ticks: Ticks, number: number): IterationSample {
  const column = (at: number): Float64Array => Float64Array.from(valuesOf(ticks), (row) => row[at] ?? 0);
  return {
    kind: 'iteration',
    number,
    lost: 0,
    cutShort: false,
    preemptedNanoseconds: 0,
    node: Uint32Array.from(column(0)),
    visits: column(1),
    ticks: column(2),
    childEvents: column(3),
  } as IterationSample;
}

describe('what is found of a run while it runs, when its last iteration is there', () => {
  it('is what is found of its result, whatever portions arrive', async () => {
    const seeds = volume({ full: 100, usual: 25 });
    let found = 0;
    for (let seed = 0; seed < seeds; seed++) {
      const run = randomRun(seed);
      const live = (await whileItRuns(run, seed)) as { readonly properties: readonly unknown[] };
      rmSync(path.join(folder, 'iterations.kymo'));
      expect(live, `seed ${seed}`).toEqual(await whenOver(run));
      found += live.properties.length;
    }
    expect(found).toBeGreaterThan(seeds / 2);
  });
});
