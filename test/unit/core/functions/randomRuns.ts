import fc from 'fast-check';
import { ProfileBuilder } from '../../../profileBuilder';
import { standardMetrics, timedVisitsMetric, waitingTimeMetric } from '../../../../src/core/profile/metrics';
import type { Profile } from '../../../../src/core/profile/profile';
import type { PairCost } from '../../../../src/core/cost/pairCost';

/** A run with what recording cost in it. */
export interface RandomRun {
  readonly profile: Profile;
  /** Function key per region: some functions have two regions. */
  readonly keys: readonly string[];
  readonly costOf: (region: number) => PairCost | undefined;
}

const fraction = fc.double({ min: 0, max: 1, noNaN: true });

const cell = fc.record({
  // What a jump out of callees leaves is negative.
  seconds: fc.oneof(
    { weight: 9, arbitrary: fc.double({ min: 0, max: 2, noNaN: true }) },
    { weight: 1, arbitrary: fc.constant(-0.3) },
  ),
  waiting: fraction,
  visits: fc.nat(1000),
  timed: fraction,
});

/** All visits together may cost several times what the whole run took. */
const cost: fc.Arbitrary<PairCost> = fc
  .tuple(fc.double({ min: 0, max: 2e-3, noNaN: true }), fraction, fc.boolean())
  .map(([pairSeconds, part, canSample]) => {
    const insideSeconds = pairSeconds * part;
    const sampled = { countedSeconds: pairSeconds / 4, pairSeconds: 2 * pairSeconds, insideSeconds };
    const outsideSeconds = pairSeconds - insideSeconds;
    return { pairSeconds, insideSeconds, outsideSeconds, ...(canSample ? { sampled } : {}) };
  });

const mostLocations = 4;
const regions = 8;

/** Call trees on up to four locations, with recursion, waiting, sampled visits and costs that may be far too large. */
export const randomRun: fc.Arbitrary<RandomRun> = fc
  .record({
    paths: fc.array(
      fc.record({
        above: fc.nat(),
        region: fc.nat(regions - 1),
        cells: fc.array(cell, { minLength: mostLocations, maxLength: mostLocations }),
      }),
      { minLength: 1, maxLength: 24 },
    ),
    roots: fc.integer({ min: 1, max: 2 }),
    locations: fc.integer({ min: 1, max: mostLocations }),
    waits: fc.boolean(),
    samples: fc.boolean(),
    clones: fc.boolean(),
    costs: fc.array(fc.option(cost, { nil: undefined }), { minLength: regions, maxLength: regions }),
  })
  .map(({ paths, roots, locations, waits, samples, clones, costs }) => {
    const builder = new ProfileBuilder().metric(standardMetrics.visits).metric(standardMetrics.time);
    if (waits) builder.metric(waitingTimeMetric);
    if (samples) builder.metric(timedVisitsMetric);
    const process = builder.systemNode({ name: 'p', kind: 'process', rank: 0 });
    for (let thread = 0; thread < locations; thread++)
      builder.location({ name: `thread ${thread}`, rank: 0, thread, process, kind: 'thread' });
    for (let region = 0; region < regions; region++)
      builder.region({ name: `f${region}`, paradigm: 'compiler', role: 'function' });
    const parents = paths.map(({ above }, index) => (index < roots ? undefined : above % index));
    paths.forEach(({ region }, index) => builder.callPath(parents[index], region));
    for (let location = 0; location < locations; location++) {
      const inclusive = paths.map(({ cells }) => cells[location]?.seconds ?? 0);
      for (let index = paths.length - 1; index >= 0; index--) {
        const above = parents[index];
        if (above !== undefined) inclusive[above] = (inclusive[above] ?? 0) + (inclusive[index] ?? 0);
      }
      paths.forEach(({ cells }, index) => {
        const { seconds = 0, waiting = 0, visits = 0, timed = 0 } = cells[location] ?? {};
        builder.set('time', index, location, inclusive[index] ?? 0).set('visits', index, location, visits);
        if (waits) builder.set('waiting_time', index, location, waiting * Math.max(0, seconds));
        if (samples) builder.set(timedVisitsMetric.name, index, location, Math.floor(visits * timed));
      });
    }
    return {
      profile: builder.build(),
      keys: Array.from({ length: regions }, (_, region) => `f${clones ? region >> 1 : region}`),
      costOf: (region) => costs[region],
    };
  });
