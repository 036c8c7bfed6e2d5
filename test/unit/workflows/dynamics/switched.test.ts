import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../../src/core/randomNumbers';
import { DynamicsAnalysis } from '../../../../src/core/degradations/analysis';
import type { DynamicsResult } from '../../../../src/core/degradations/model/result';
import { catalogue } from '../../../../src/core/rules/catalogue';
import { bytesSource } from '../../../../src/formats/byteSource';
import type { IterationsDirectory } from '../../../../src/formats/kymo-iterations/iterationsFile';
import { openIterations } from '../../../../src/formats/kymo-iterations/read';
import { IterationsWriter } from '../../../../src/formats/kymo-iterations/write';
import { iterationsSeries } from '../../../../src/workflows/dynamics/iterationsSeries';

/** step calls solve and, from `on` to `off`, extra is recorded in it: it takes 3 of 10 ms always, and 1 ms more while it is recorded. */
const [length, on, off] = [400, 150, 320];

function file(switched: boolean, late: (iteration: number) => number = () => 0): Uint8Array {
  const directory: Omit<IterationsDirectory, 'iterations'> = {
    phase: 'step',
    notes: [],
    regions: [
      { name: 'step', kind: 'phase' },
      { name: 'solve', kind: 'function' },
      { name: 'extra', kind: 'function' },
      { name: 'inner', kind: 'function' },
    ],
    locations: [{ rank: 0, thread: 0 }],
    contexts: [
      { region: 0, location: 0 },
      { region: 1, parent: 0, location: 0 },
      { region: 3, parent: 0, location: 0 },
      { region: 2, parent: 0, location: 0 },
      { region: 3, parent: 3, location: 0 },
    ],
    ...(switched
      ? {
          partlyRecorded: [2],
          switches: [
            [on - 1, on],
            [off, off],
          ] as const,
        }
      : {}),
  };
  const random = randomNumbers(7);
  const pieces: Uint8Array[] = [];
  const writer = new IterationsWriter((bytes) => pieces.push(bytes.slice()));
  for (let iteration = 0; iteration < length; iteration++) {
    const isOn = iteration >= on && iteration < off;
    const noise = 1e-4 * random();
    const more = late(iteration);
    const values: readonly (readonly [number, number])[] = [
      [0, 0.01 + noise + (isOn ? 0.001 : 0) + more],
      [1, 0.004 + more],
      ...(isOn
        ? ([
            [3, 0.004],
            [4, 0.001],
          ] as const)
        : ([[2, 0.001]] as const)),
    ];
    writer.add({
      count: values.length,
      contexts: Uint32Array.from(values, ([context]) => context),
      visits: Float64Array.from(values, () => 1),
      seconds: Float64Array.from(values, ([, seconds]) => seconds),
      childEvents: new Float64Array(values.length),
    });
  }
  const header = writer.finish(directory);
  const bytes = Buffer.concat(pieces);
  bytes.set(header, 0);
  return bytes;
}

async function analysed(bytes: Uint8Array): Promise<DynamicsResult> {
  const opened = openIterations(bytesSource(bytes), 'x');
  const source = iterationsSeries(opened, { callPaths: false, inclusive: false, metrics: ['time'] });
  const analysis = new DynamicsAnalysis({}, catalogue, {}, opened.directory.switches ?? []);
  for await (const burst of source.bursts(1024)) analysis.addBurst(burst);
  return analysis.finish();
}

const findings = ({ properties }: DynamicsResult): readonly string[] =>
  properties.filter(({ kind }) => kind !== 'hot-spot').map(({ title }) => title);

describe('functions that are switched while the program runs', () => {
  it('would look like changes of the program', async () => {
    expect(findings(await analysed(file(false))).length).toBeGreaterThan(0);
  });

  it('are no finding: neither their begin and end, nor what is less in their callers, nor what recording costs', async () => {
    const result = await analysed(file(true));
    expect(findings(result)).toEqual([]);
    expect(result.noDynamics).toBe(true);
    expect(result.series.map(({ context }) => context.region.name)).not.toContain('extra');
  });

  it('hide nothing that the program does at another time', async () => {
    const result = await analysed(file(true, (iteration) => (iteration >= 250 ? 0.004 : 0)));
    const begins = result.properties
      .filter(({ kind }) => kind !== 'hot-spot')
      .flatMap(({ iterations = [] }) => iterations.map(([from]) => from));
    expect(begins.some((from) => Math.abs(from - 250) <= 3)).toBe(true);
    expect(begins.some((from) => Math.abs(from - on) <= 5 || Math.abs(from - off) <= 5)).toBe(false);
  });

  it('have their time in their callers, and what they call is called by these', async () => {
    const opened = openIterations(bytesSource(file(true)), 'x');
    const options = { callPaths: false, inclusive: false, metrics: ['time', 'visits'] };
    const sums = new Map<string, number>();
    for await (const burst of iterationsSeries(opened, options).bursts(512))
      for (const { context, values } of burst.series) {
        const { metric, region } = context;
        sums.set(
          `${region.kind} ${region.name} ${metric}`,
          values.reduce((sum, value) => sum + value, 0),
        );
      }
    const total = sums.get('phase step time') ?? 0;
    const [step = 0, solve = 0, inner = 0] = ['step', 'solve', 'inner'].map((name) =>
      sums.get(`function ${name} time`),
    );
    expect(step + solve + inner).toBeCloseTo(total, 6);
    expect(inner).toBeCloseTo(0.001 * length, 6);
    expect(sums.get('function inner visits')).toBe(length);
    expect([...sums.keys()].some((key) => key.includes('extra'))).toBe(false);
  });

  it('are said in the file as they were written', () => {
    const { partlyRecorded, switches } = openIterations(bytesSource(file(true)), 'x').directory;
    expect(partlyRecorded).toEqual([2]);
    expect(switches).toEqual([
      [on - 1, on],
      [off, off],
    ]);
  });
});
