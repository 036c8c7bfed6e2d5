import { expect, test } from 'vitest';
import { overheadOfPairs } from '../../../../../src/core/cost/overhead';
import type { PairCosts } from '../../../../../src/core/cost/pairCost';
import { recordedRun, type RecordedRun } from '../../../../../src/core/modeling/recording/recordedRun';
import {
  recordingModel,
  tooExpensive,
  type PredictedOverhead,
  type RecordedPair,
} from '../../../../../src/core/modeling/recording/recordingModel';
import { standardMetrics, waitingTimeMetric } from '../../../../../src/core/profile/metrics';
import type { Region } from '../../../../../src/core/profile/profile';
import { ProfileBuilder } from '../../../../profileBuilder';

const site = { pairSeconds: 20e-9, insideSeconds: 10e-9, outsideSeconds: 10e-9 };
const costs: PairCosts = { probe: site, entry: site };
const region = (name: string): Region => ({ name, paradigm: 'compiler', role: 'function' });
const sizes = [100, 200, 400, 800, 1600];
/** A pair costs this in the program. */
const inSitu = 50e-9;
const start = 0.05;
/** Of `tiny`, n² times, and of `row`, n times; without recording. */
const own = (n: number) => 200e-9 * n ** 2;
const visitsOf = (n: number) => ({ tiny: n ** 2, row: n });
const truth = (n: number, functions = visitsOf(n)) =>
  (100 * inSitu * (functions.tiny + functions.row)) / (own(n) + start);

function run(n: number, slower = 1): RecordedRun {
  const visits = Object.entries(visitsOf(n));
  const recorded = slower * (own(n) + visits.reduce((sum, [, count]) => sum + count * inSitu, 0));
  const clocks = (value: number) => ({ cpu: value, rank: value / 2, wall: value / 4 });
  return {
    point: [n],
    time: { wallSeconds: 9, cpuSeconds: recorded + slower * start },
    costs,
    functions: new Map(
      visits.map(([name, count]) => [name, { region: region(name), visits: clocks(count) }]),
    ),
    recordedSeconds: clocks(recorded),
  };
}

/** Both are slower than runs that are alone. */
function pairs(n: number, slower = 1.5): readonly RecordedPair[] {
  return [1, 1.01, 0.99, 1, 1].map((jitter) => ({
    ...run(n, slower),
    baseline: { wallSeconds: 9, cpuSeconds: jitter * slower * (own(n) + start) },
  }));
}

const runs = sizes.flatMap((n) => [run(n), run(n), run(n)]);

test('with pairs of runs, the overhead of a larger point is what it will be, though a visit costs more than calibrated', () => {
  const model = recordingModel(runs, pairs(1600));
  const predicted = model?.predict([6400]);
  expect(model?.clock).toBe('cpu');
  expect(model?.costFactor).toBeGreaterThan(2.4);
  expect(model?.costFactor).toBeLessThan(2.6);
  expect(Math.abs((predicted?.overheadPercent ?? 0) - truth(6400))).toBeLessThan(0.5);
  expect(predicted?.low).toBeLessThan(truth(6400));
  expect(predicted?.high).toBeGreaterThan(truth(6400));
  expect((predicted?.high ?? 0) - (predicted?.low ?? 0)).toBeLessThan(0.2 * truth(6400));
});

test('without pairs, the calibration counts, and the range allows for a program where a visit costs three times as much', () => {
  const model = recordingModel(runs);
  const predicted = model?.predict([6400]);
  expect(model?.costFactor).toBe(1);
  expect(predicted?.overheadPercent).toBeLessThan(truth(6400) / 2);
  expect(predicted?.high).toBeGreaterThan(truth(6400));
});

test('pairs whose overhead is within their noise leave the calibration as it is, about', () => {
  const noisy = pairs(100).map((pair, i) => ({
    ...pair,
    baseline: { wallSeconds: 9, cpuSeconds: (pair.time.cpuSeconds ?? 0) * (1 + 0.1 * (i - 2)) },
  }));
  expect(recordingModel(runs, noisy)?.costFactor).toBeGreaterThan(0.5);
  expect(recordingModel(runs, noisy)?.predict([6400])?.high).toBeGreaterThan(truth(6400));
});

test('a start of the program that takes its time in jumps does not hide how its functions grow', () => {
  const jumps = [0.5, 2, 0.4, 1.8, 0.6];
  const jumping = runs.map((one) => ({
    ...one,
    time: {
      ...one.time,
      cpuSeconds: (one.time.cpuSeconds ?? 0) + start * ((jumps[sizes.indexOf(one.point[0] ?? 0)] ?? 1) - 1),
    },
  }));
  const predicted = recordingModel(jumping, pairs(1600))?.predict([6400])?.overheadPercent ?? 0;
  expect(Math.abs(predicted - truth(6400))).toBeLessThan(1);
});

test('pairs count as much as they are precise', () => {
  const noisy = pairs(1600).map((pair, i) => ({
    ...pair,
    baseline: { wallSeconds: 9, cpuSeconds: (pair.baseline.cpuSeconds ?? 0) * (1 + 0.04 * (i - 2)) },
  }));
  const seconds = (times: readonly { readonly cpuSeconds?: number | undefined }[]) =>
    times.map(({ cpuSeconds = 0 }) => cpuSeconds);
  const { percent, doubtPercent } = overheadOfPairs(
    seconds(noisy.map(({ time }) => time)),
    seconds(noisy.map(({ baseline }) => baseline)),
  );
  const overhead = percent / 100;
  const cost = 20e-9 * (1600 ** 2 + 1600);
  const shown = ((run(1600).time.cpuSeconds ?? 0) * overhead) / (1 + overhead) / cost;
  const weight = ((overhead * (1 + overhead)) / (doubtPercent / 200)) ** 2;
  expect(recordingModel(runs, noisy)?.costFactor).toBeCloseTo(shown ** (weight / (weight + 1 / 0.36)), 9);
});

test('noise of visits makes the range wider on both sides, and that of the time', () => {
  const disturbed = (part: number) =>
    runs.map((one, i) => ({
      ...one,
      functions: new Map(
        [...one.functions].map(([key, { region: of, visits }]) => {
          const count = visits.cpu * (1 + part * ((i % 3) - 1));
          return [key, { region: of, visits: { cpu: count, rank: count, wall: count } }];
        }),
      ),
    }));
  const exact = recordingModel(runs, pairs(1600))?.predict([3200]);
  const noisy = recordingModel(disturbed(0.2), pairs(1600))?.predict([3200]);
  expect(noisy?.low).toBeLessThan(0.97 * (exact?.low ?? 0));
  expect(noisy?.high).toBeGreaterThan(1.03 * (exact?.high ?? 0));
});

/** The prediction, which must be there. */
function predictionOf(n: number, isRecorded?: (key: string) => boolean): PredictedOverhead {
  const predicted = recordingModel(runs, pairs(1600))?.predict([n], isRecorded);
  if (predicted === undefined) throw new Error('There are enough points.');
  return predicted;
}

test('each function has its part, the most expensive first, and without it the rest is what the others cost', () => {
  const all = predictionOf(6400);
  const [tiny, row] = all.functions.map(({ overheadPercent }) => overheadPercent);
  expect(all.functions.map(({ key }) => key)).toEqual(['tiny', 'row']);
  expect((tiny ?? 0) + (row ?? 0)).toBeCloseTo(all.overheadPercent, 9);
  expect(all.functions[0]?.visits).toBeCloseTo(6400 ** 2, -2);
  expect(predictionOf(6400, (key) => key === 'row').overheadPercent).toBeCloseTo(row ?? 0, 9);
  expect(predictionOf(6400, () => false)).toEqual({ overheadPercent: 0, low: 0, high: 0, functions: [] });
});

test('the clock of ranks counts the visits of the slowest rank', () => {
  const ofRanks = runs.map((one) => ({
    ...one,
    time: { ...one.time, slowestRank: { rank: 1, seconds: (one.time.cpuSeconds ?? 0) / 2 } },
  }));
  const model = recordingModel(ofRanks);
  expect(model?.clock).toBe('rank');
  expect(model?.predict([3200])?.functions[0]?.visits).toBeCloseTo(3200 ** 2 / 2, -2);
});

test('where the recorded time is unknown, or that of another clock, the whole time is modelled', () => {
  const whole = runs.map(({ recordedSeconds, ...one }) => {
    expect(recordedSeconds).toBeDefined();
    return one;
  });
  const tooLong = { cpu: 100, rank: 100, wall: 100 };
  const waiting = runs.map((one, i) => (i === 4 ? { ...one, recordedSeconds: tooLong } : one));
  const expected = recordingModel(whole, pairs(1600))?.predict([3200]);
  expect(Math.abs((expected?.overheadPercent ?? 0) - truth(3200))).toBeLessThan(0.5);
  expect(recordingModel(waiting, pairs(1600))?.predict([3200])?.overheadPercent).toBe(
    expected?.overheadPercent,
  );
});

test('functions with the same cost are in the order of their names', () => {
  const same = runs.map((one) => {
    const [tiny] = one.functions.values();
    return tiny === undefined
      ? one
      : {
          ...one,
          functions: new Map([
            ['b', tiny],
            ['c', tiny],
            ['a', tiny],
          ]),
        };
  });
  expect(
    recordingModel(same)
      ?.predict([3200])
      ?.functions.map(({ key }) => key),
  ).toEqual(['a', 'b', 'c']);
});

test('functions that are too expensive are the fewest that must be left out', () => {
  const functions = [5, 3, 1, 0.5].map((overheadPercent, i) => ({
    key: `f${i}`,
    overheadPercent,
    visits: 1,
  }));
  const predicted = { overheadPercent: 9.5, low: 9, high: 10, functions };
  expect(tooExpensive(predicted, 9.5)).toBeUndefined();
  expect(tooExpensive(predicted, 4.5)).toEqual({ functions: functions.slice(0, 1), overheadPercent: 4.5 });
  expect(tooExpensive(predicted, 4.4)).toEqual({ functions: functions.slice(0, 2), overheadPercent: 1.5 });
  expect(tooExpensive(predicted, 0.1)).toEqual({ functions, overheadPercent: 0 });
});

test('too few points have no model', () => {
  expect(recordingModel([])).toBeUndefined();
  expect(recordingModel(runs.filter(({ point }) => point[0] !== 100))).toBeUndefined();
});

test('a run counts visits and computing time of recorded functions, by the clock', () => {
  const builder = new ProfileBuilder()
    .metric(standardMetrics.visits)
    .metric(standardMetrics.time)
    .metric(waitingTimeMetric);
  for (const rank of [0, 1]) {
    const process = builder.systemNode({ name: 'p', kind: 'process', rank });
    builder.location({ name: 't', rank, thread: 0, process, kind: 'thread' });
  }
  const tiny = builder.region(region('tiny'));
  const main = builder.callPath(undefined, builder.region(region('main')));
  const called = builder.callPath(main, tiny);
  const send = builder.callPath(main, builder.region({ ...region('MPI_Send'), paradigm: 'mpi' }));
  const again = builder.callPath(send, tiny);
  for (const [path, visits, inclusive] of [
    [main, 1, 10],
    [called, 10, 4],
    [send, 7, 3],
    [again, 5, 1],
  ] as const)
    for (const location of [0, 1]) {
      builder.set('visits', path, location, visits * (location + 1));
      builder.set('time', path, location, inclusive);
    }
  builder.set('waiting_time', called, 1, 0.5);
  const profile = builder.build();
  const facts = { point: [1], time: { wallSeconds: 11, slowestRank: { rank: 1, seconds: 9 } }, costs };
  const { functions, recordedSeconds } = recordedRun(profile, facts) ?? {};
  expect([...(functions?.keys() ?? [])].sort()).toEqual(['main', 'tiny']);
  expect(functions?.get('tiny')?.visits).toEqual({ cpu: 45, rank: 30, wall: 30 });
  // main 3 and tiny 4 + 1 on each rank, half a second less on the second.
  expect(recordedSeconds).toEqual({ cpu: 15.5, rank: 7.5, wall: 8 });
  const byWall = { ...profile, metrics: profile.metrics.filter(({ name }) => name !== 'waiting_time') };
  expect(recordedRun(byWall, facts)).toMatchObject({ functions });
  expect(recordedRun(byWall, facts)).not.toHaveProperty('recordedSeconds');
  const together = recordedRun(profile, facts, () => 'all');
  expect(together?.functions.get('all')?.visits).toEqual({ cpu: 48, rank: 32, wall: 32 });
});
