import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PropertyInput } from '../../../../src/core/problems/context/makeContext';
import { standardMetrics } from '../../../../src/core/profile/metrics';
import { profileOfLocations } from '../../../../src/core/profile/ofLocations';
import type { Metric, Profile } from '../../../../src/core/profile/profile';
import { ProfileBuilder } from '../../../profileBuilder';
import { panelProfile, type PanelProfile } from '../../../../src/workflows/opened/panelProfile';
import { runOf } from '../../core/problems/runs';
import { randomRun } from '../../core/functions/randomRuns';

/** All numbers of a panel, but the time as measured, which all parts of a run have or none. */
function numbersOf({ profile, columns, base, efficiency, efficiencyOf, rankTimes, rankRows }: PanelProfile) {
  return {
    locations: profile.locations,
    columns: columns
      .filter(({ name }) => name !== 'measured_time')
      .map((column) => ({
        name: column.name,
        inclusive: [...column.inclusive],
        exclusive: [...column.exclusive],
        at: Array.from(profile.callPaths.parent.keys(), column.at),
        rows: profile.regions.map((_, region) =>
          rankRows().row(region, 'inclusive', column.combine, column.at),
        ),
      })),
    base,
    efficiency,
    functions: profile.regions.map((_, region) => efficiencyOf(region)),
    times: [undefined, ...profile.regions.keys()].map((region) => rankTimes?.(region)),
  };
}

/** Sums in another order are off by roundings. */
function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(9)) + 0;
  if (value instanceof Float64Array) return Array.from(value, rounded);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, rounded(own)]));
}

const cost = { pairSeconds: 1e-3, spreadSeconds: 0, insideSeconds: 4e-4, outsideSeconds: 6e-4 };

describe('the panel of some of the processes', () => {
  const expectSame = (input: PropertyInput, chosen: readonly number[]): void => {
    const of = panelProfile(input).of(Uint32Array.from(chosen));
    const only = panelProfile({
      ...input,
      profile: profileOfLocations(input.profile, Uint32Array.from(chosen)),
    });
    const { base, ...numbers } = numbersOf(of);
    const { base: baseOfOnly, ...numbersOfOnly } = numbersOf(only);
    expect(rounded(numbers)).toEqual(rounded(numbersOfOnly));
    const isAll = chosen.length === input.profile.locations.length;
    const { processes, ...ofBase } = base ?? {};
    expect(rounded(ofBase)).toEqual(rounded({ ...baseOfOnly }));
    expect(processes === undefined).toBe(isAll || base === undefined);
  };

  it('is that of a profile that has no others', () =>
    fc.assert(
      fc.property(randomRun, fc.boolean(), fc.nat(14), ({ profile, keys }, isCalibrated, mask) => {
        const chosen = [...profile.locations.keys()].filter((location) => ((mask + 1) >> location) & 1);
        if (chosen.length === 0) return;
        const calibration = isCalibrated ? { calibration: { probe: cost, entry: cost } } : {};
        expectSame({ profile, keys, run: 'r', ...calibration }, chosen);
      }),
      { numRuns: 300 },
    ));

  it('is so with messages, the start of MPI, and least and most times', () => {
    const mpi = (name: string, role = 'barrier') => ({ name, paradigm: 'mpi', role });
    const calls = [
      { region: mpi('MPI_Init'), seconds: [4, 3, 5, 4, 4, 4] },
      {
        region: { name: 'solve' },
        seconds: [5, 4, 3, 2, 1, 1],
        calls: [{ region: mpi('MPI_Barrier'), seconds: [0, 1, 2, 3, 0, 4] }],
      },
    ];
    const run = runOf({ region: { name: 'main' }, seconds: [1, 1, 1, 1, 1, 2], calls }, 3, 2);
    const { minimumTime } = standardMetrics;
    const cells = Float64Array.from({ length: run.callPaths.count * 6 }, (_, cell) => 1 + ((cell * 5) % 7));
    const profile: Profile = {
      ...run,
      metrics: [...run.metrics, minimumTime],
      stored: new Map([...run.stored, [minimumTime.name, cells]]),
    };
    for (const chosen of [[0, 2, 4], [1, 2, 3], [5], [0, 1, 2, 3, 4, 5]])
      expectSame({ profile, run: 'r' }, chosen);
  });

  it('is so of a profile without time', () => {
    const run = runOf({ region: { name: 'main' }, seconds: [1, 2, 3], visits: [4, 5, 6] }, 3);
    const profile = { ...run, metrics: run.metrics.filter(({ name }) => name !== 'time') };
    expectSame({ profile, run: 'r' }, [0, 2]);
    expect([...(panelProfile({ profile }).of(Uint32Array.of(0, 2)).columns[0]?.exclusive ?? [])]).toEqual([
      10,
    ]);
  });
});

describe('single call paths of a panel', () => {
  it('have the values that they have with a look at their subtrees', () => {
    const metric = (name: string, more: Partial<Metric>): Metric => ({
      ...{ ...standardMetrics.visits, name, displayName: name, stored: 'exclusive' },
      ...more,
    });
    const metrics = [
      metric('visits', {}),
      // A counter that wrapped stands in the profile less 2^64.
      metric('wrapped', {}),
      metric('whole', { stored: 'inclusive', dtype: 'DOUBLE' }),
      metric('hidden', { unsupported: true }),
      metric('tuple', { dtype: 'TAU_ATOMIC' }),
      metric('simple', { stored: 'simple' }),
      standardMetrics.minimumTime,
    ];
    const builder = new ProfileBuilder();
    for (const one of metrics) builder.metric(one);
    const region = builder.region({ name: 'f', paradigm: 'user', role: 'function' });
    const process = builder.systemNode({ name: 'rank 0', kind: 'process', rank: 0 });
    for (const thread of [0, 1, 2])
      builder.location({ name: `${thread}`, rank: 0, thread, process, kind: 'thread' });
    const root = builder.callPath(undefined, region);
    const child = builder.callPath(root, region);
    for (const { name } of metrics)
      for (const [path, base] of [
        [root, 10],
        [child, name === 'wrapped' ? -4097 : 1],
      ] as const)
        for (const location of [0, 1, 2]) builder.set(name, path, location, base + location);
    const made = builder.build();
    const parts = [2, 1, 9, 12, 90].map((part) => new Float64Array(6).fill(part));
    const { columns } = panelProfile({
      profile: { ...made, components: new Map([['tuple', parts]]) },
    }).of(Uint32Array.of(0, 2));
    expect(columns.filter(({ alone }) => alone !== undefined).map(({ name }) => name)).toEqual([
      ...['visits', 'wrapped', 'whole', 'hidden'],
    ]);
    for (const { name, alone, at } of columns)
      for (const path of [0, 1])
        if (alone !== undefined) expect(alone.at(path), name).toEqual(at(path)?.[alone.extent]);
    const wrapped = columns.find(({ name }) => name === 'wrapped');
    expect([...(wrapped?.alone?.at(1) ?? [])]).toEqual([2 ** 64 - 4097, 2 ** 64 - 4095]);
  });
});
