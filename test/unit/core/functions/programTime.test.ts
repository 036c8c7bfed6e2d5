import { expect, it } from 'vitest';
import { programTime } from '../../../../src/core/functions/programTime';
import { standardMetrics, timedVisitsMetric } from '../../../../src/core/profile/metrics';
import { ProfileBuilder } from '../../../profileBuilder';
import { scaledCost, type PairCost } from '../../../../src/core/cost/pairCost';

const calibrated: PairCost = {
  pairSeconds: 20e-9,
  insideSeconds: 10e-9,
  outsideSeconds: 10e-9,
  sampled: { countedSeconds: 2e-9, pairSeconds: 40e-9, insideSeconds: 20e-9 },
};

it('takes off estimated visits what timing really took of those that they were estimated from', () => {
  const [visits, timed, own, factor] = [1e6, 1e4, 100e-9, 2.5];
  const { countedSeconds, pairSeconds, insideSeconds } = scaledCost(calibrated, factor).sampled!;
  // A timed visit shows more than the calibration takes off, and so does each that was estimated from it.
  const perVisit = own + insideSeconds - calibrated.sampled!.insideSeconds;
  const cost = timed * pairSeconds + (visits - timed) * countedSeconds;
  const builder = new ProfileBuilder();
  builder.metric(standardMetrics.visits).metric(standardMetrics.time).metric(timedVisitsMetric);
  const process = builder.systemNode({ name: 'process', kind: 'process', rank: 0 });
  builder.location({ name: 'thread', rank: 0, thread: 0, process, kind: 'thread' });
  const [main, small] = ['main', 'small'].map((name) => {
    const region = builder.region({ name, mangledName: name, paradigm: 'compiler', role: 'function' });
    return region;
  });
  const above = builder.callPath(undefined, main!);
  const below = builder.callPath(above, small!);
  builder.set('visits', above, 0, 1).set('time', above, 0, 1 + visits * own + cost);
  builder.set(timedVisitsMetric.name, above, 0, 1);
  builder.set('visits', below, 0, visits);
  builder.set('time', below, 0, timed * (own + insideSeconds) + (visits - timed) * perVisit);
  builder.set(timedVisitsMetric.name, below, 0, timed);
  // In two steps: the estimate remembers the calibration.
  const scaled = scaledCost(scaledCost(calibrated, 2), factor / 2);
  const { exclusive } = programTime(builder.build(), (region) => (region === small ? scaled : undefined));
  expect(exclusive[below]).toBeCloseTo(visits * own, 6);
  expect(exclusive[above]).toBeCloseTo(1, 6);
});
