import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Profile } from '../../../../src/core/profile/profile';
import { pathSets } from '../../../../src/core/views/pathSets';
import type { Extent } from '../../../../src/core/views/ranks/rankRows';
import { rowSpread } from '../../../../src/core/views/ranks/rowSpread';
import { writeCube } from '../../../../src/formats/cube4/write';
import { openProfile, profileLocations, profileRows } from '../../../../src/workflows/views/profileView';
import {
  profileRowValues,
  profileSpreads,
  profileSpreadScores,
} from '../../../../src/workflows/views/spreadView';
import { sharedData } from '../../../shared';
import { runOf } from '../../core/problems/runs';

const folder = mkdtempSync(path.join(tmpdir(), 'kymo-spreads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const extents = ['inclusive', 'exclusive'] as const;

let files = 0;
async function opened(profile: Profile) {
  const file = path.join(folder, `${files++}.cubex`);
  writeFileSync(file, writeCube(profile));
  return open(file);
}
async function open(file: string, processes?: readonly number[]) {
  const chosen = processes === undefined ? {} : { processes };
  const { header } = await openProfile({ file, ...chosen });
  return { header, name: { file, id: header.id, ...chosen } };
}

/** One function is slow everywhere, another one is unbalanced; it is called from two places. */
const four = (): Profile =>
  runOf(
    {
      region: { name: 'main' },
      seconds: [1, 1, 1, 1],
      visits: [1, 1, 1, 1],
      calls: [
        { region: { name: 'even' }, seconds: [100, 100, 100, 100], visits: [5, 5, 5, 5] },
        { region: { name: 'uneven' }, seconds: [4, 8, 12, 16], visits: [2, 2, 2, 2] },
        {
          region: { name: 'solve' },
          seconds: [0, 0, 0, 0],
          visits: [1, 1, 1, 1],
          calls: [{ region: { name: 'uneven' }, seconds: [6, 12, 18, 24], visits: [1, 3, 5, 7] }],
        },
      ],
    },
    4,
  );

const metricOf = (header: { readonly metrics: readonly { readonly name: string }[] }, name: string): number =>
  header.metrics.findIndex((metric) => metric.name === name);

describe('the spread of rows', () => {
  it('F4 is that of the chosen value: time with and without callees, visits', async () => {
    const { name, header } = await opened(four());
    const ask = (metric: string, extent: Extent, ...rows: number[][]) =>
      profileSpreads({
        ...name,
        metric: metricOf(header, metric),
        extent,
        rows: pathSets(rows),
        outliers: false,
      });
    const five = [10, 10, 20, 30, 40] as const;
    const [p2, lower, median, upper, p98] = five;
    expect(await ask('time', 'exclusive', [2, 4], [0])).toEqual([
      { p2, lower, median, upper, p98, minimum: 10, maximum: 40, mean: 25 },
      { p2: 1, lower: 1, median: 1, upper: 1, p98: 1, minimum: 1, maximum: 1, mean: 1 },
    ]);
    expect((await ask('time', 'inclusive', [0]))[0]).toMatchObject({ p2: 111, median: 121, p98: 141 });
    expect((await ask('visits', 'exclusive', [2, 4]))[0]).toMatchObject({
      p2: 3,
      median: 5,
      p98: 9,
      mean: 6,
    });
  });

  it('F9 W16: the unbalanced function is before the one with more time', async () => {
    const { name, header } = await opened(four());
    const question = { ...name, metric: metricOf(header, 'time'), extent: 'exclusive' as const };
    const rows = pathSets([[0], [1], [2, 4], [3]]);
    expect([...(await profileSpreadScores({ ...question, rows, score: 'imbalance' }))]).toEqual([
      0, 0, 120, 0,
    ]);
    expect([...(await profileSpreadScores({ ...question, rows, score: 'largest' }))]).toEqual([
      1, 100, 40, 0,
    ]);
    expect([...(await profileSpreadScores({ ...question, score: 'imbalance' }))]).toEqual([0, 0, 48, 0, 72]);
    const inclusive = { ...question, extent: 'inclusive' as const };
    expect([...(await profileSpreadScores({ ...inclusive, score: 'imbalance' }))]).toEqual([
      120, 0, 48, 72, 72,
    ]);
  });

  it('is that of the chosen processes', async () => {
    const { file } = (await opened(four())).name;
    const { name, header } = await open(file, [1, 2]);
    const question = { ...name, metric: metricOf(header, 'time'), extent: 'exclusive' as const };
    const rows = pathSets([[2, 4]]);
    expect([...(await profileRowValues({ ...question, rows }))]).toEqual([20, 30]);
    expect(await profileSpreads({ ...question, rows, outliers: true })).toEqual([
      rowSpread(Float64Array.of(20, 30), true),
    ]);
    expect((await profileSpreadScores({ ...question, rows, score: 'imbalance' }))[0]).toBe(20);
  });

  it('has the values of the distribution over threads, which add up to those of the table', async () => {
    const real = [
      'scorep/lulesh-mpi/lulesh.p8.s5/profile.cubex',
      'scorep/lulesh-omp/lulesh.p1.t3.s6/profile.cubex',
    ].flatMap((file) => sharedData(file) ?? []);
    const made = (await opened(four())).name.file;
    for (const file of [made, ...real]) {
      const { locations } = (await openProfile({ file })).header;
      for (const processes of [undefined, [1, locations.length - 1]]) {
        const { name, header } = await open(file, processes);
        const table = await profileRows({ ...name, first: 0, count: header.callPaths });
        for (const [metric, { name: metricName }] of header.metrics.entries()) {
          if (/^(min|max)_/.test(metricName)) continue;
          for (const extent of extents) {
            const question = { ...name, metric, extent };
            const all = await profileSpreadScores({ ...question, score: 'largest' });
            for (let path = 0; path < header.callPaths; path += 7) {
              const rows = pathSets([[path]]);
              const values = await profileRowValues({ ...question, rows });
              const pane = await profileLocations({ ...name, metric, callPath: path });
              expect(values).toEqual(pane[extent]);
              const whole = table[extent][metric]?.[path] ?? NaN;
              const sum = values.reduce((a, b) => a + b, 0);
              expect(Math.abs(sum - whole)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(whole)));
              const [spread] = await profileSpreads({ ...question, rows, outliers: true });
              const own = rowSpread(values);
              for (const of of [
                'p2',
                'lower',
                'median',
                'upper',
                'p98',
                'minimum',
                'maximum',
                'mean',
              ] as const)
                expect(Math.abs((spread?.[of] ?? NaN) - own[of])).toBeLessThanOrEqual(
                  1e-9 * Math.max(1, Math.abs(own[of])),
                );
              expect(all[path]).toBeCloseTo(Math.max(...values), 9);
            }
          }
        }
      }
    }
  });

  it('is an error for rows and metrics that do not exist, and never anything else', async () => {
    const { name, header } = await opened(four());
    const good = { ...name, metric: metricOf(header, 'time'), extent: 'inclusive' as const };
    const refused = { reason: 'no-such-call-path' };
    for (const [paths, ends] of [
      [[5], [1]],
      [[0], [2]],
      [[0, 1], [1]],
      [
        [0, 1],
        [2, 1],
      ],
    ] as const) {
      const rows = { paths: Uint32Array.from(paths), ends: Uint32Array.from(ends) };
      await expect(profileSpreads({ ...good, rows, outliers: true })).rejects.toMatchObject(refused);
      await expect(profileRowValues({ ...good, rows })).rejects.toMatchObject(refused);
      await expect(profileSpreadScores({ ...good, rows, score: 'largest' })).rejects.toMatchObject(refused);
    }
    const rows = pathSets([[0]]);
    for (const metric of [-1, 99, 0.5, NaN])
      await expect(profileSpreads({ ...good, metric, rows, outliers: false })).rejects.toMatchObject({
        reason: 'no-such-metric',
      });
    await expect(profileRowValues({ ...good, id: 'other', rows })).rejects.toMatchObject({
      reason: 'profile-changed',
    });
    expect([...(await profileRowValues({ ...good, rows: pathSets([]) }))]).toEqual([0, 0, 0, 0]);
    expect(await profileSpreads({ ...good, rows: pathSets([[], [0]]), outliers: false })).toMatchObject([
      { median: 0 },
      { median: 121 },
    ]);
    await fc.assert(
      fc.asyncProperty(fc.uint32Array({ max: 9 }), fc.uint32Array({ max: 9 }), async (paths, ends) => {
        const asked = { ...good, rows: { paths, ends }, outliers: true };
        const answer = await profileSpreads(asked).catch((error: unknown) => error);
        if (Array.isArray(answer)) expect(answer).toHaveLength(ends.length);
        else expect(answer).toMatchObject(refused);
      }),
    );
  });

  it('can be cancelled while it is computed', async () => {
    const seconds = Array.from({ length: 1000 }, (_, rank) => rank);
    const calls = Array.from({ length: 300 }, (_, at) => ({ region: { name: `f${at}` }, seconds }));
    const { name, header } = await opened(runOf({ region: { name: 'main' }, seconds, calls }, 1000));
    const question = { ...name, metric: metricOf(header, 'time') };
    const rows = pathSets(Array.from({ length: 300 }, (_, path) => [path]));
    /** A signal that aborts when it is looked at for the n-th time, and how often it was. */
    const abortingAt = (time: number) => {
      const abort = new AbortController();
      const { signal } = abort;
      let looks = 0;
      signal.throwIfAborted = () => {
        if (++looks === time) abort.abort();
        AbortSignal.prototype.throwIfAborted.call(signal);
      };
      return { signal, looks: () => looks };
    };
    // Looks of what comes before the computation.
    const before = abortingAt(Infinity);
    await profileRowValues({ ...question, extent: 'inclusive', rows }, before);
    // Of one row with many call paths below it.
    const root = { ...question, extent: 'inclusive' as const, rows: pathSets([[0]]), outliers: false };
    await expect(profileSpreads(root, abortingAt(before.looks() + 2))).rejects.toThrow(/abort/);
    for (const extent of extents)
      for (const ask of [
        (signal: AbortSignal) => profileSpreads({ ...question, extent, rows, outliers: false }, { signal }),
        (signal: AbortSignal) => profileSpreadScores({ ...question, extent, score: 'imbalance' }, { signal }),
        (signal: AbortSignal) =>
          profileSpreadScores({ ...question, extent, rows, score: 'largest' }, { signal }),
      ])
        await expect(ask(abortingAt(before.looks() + 2).signal)).rejects.toThrow(/abort/);
  });
});
