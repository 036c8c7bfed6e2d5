import { expect, test } from 'vitest';
import { ProfileBuilder } from '../../../profileBuilder';
import { clockOf, exclusiveComputing, inclusiveComputing } from '../../../../src/core/profile/computingTime';
import { standardMetrics, waitingTimeMetric } from '../../../../src/core/profile/metrics';
import type { Metric, Profile } from '../../../../src/core/profile/profile';

/** main (4 s, of which the join waits 2) → work (1 s) on the first thread; worker (4 s) → pop (3 s, waiting 2.5) on the second. */
function example(metrics: readonly Metric[]): Profile {
  const builder = new ProfileBuilder();
  for (const metric of metrics) builder.metric(metric);
  const process = builder.systemNode({ name: 'p', kind: 'process', rank: 0 });
  for (const thread of [0, 1])
    builder.location({ name: `thread ${thread}`, rank: 0, thread, process, kind: 'thread' });
  const path = (above: number | undefined, name: string): number =>
    builder.callPath(above, builder.region({ name, paradigm: 'compiler', role: 'function' }));
  const main = path(undefined, 'main');
  const work = path(main, 'work');
  const worker = path(undefined, 'worker');
  const pop = path(worker, 'pop');
  builder.set('time', main, 0, 4).set('time', work, 0, 1).set('time', worker, 1, 4).set('time', pop, 1, 3);
  if (metrics.includes(waitingTimeMetric))
    builder.set('waiting_time', main, 0, 2).set('waiting_time', pop, 1, 2.5);
  return builder.build();
}

test('computing time is time without waiting, of the call path and of what is below it', () => {
  const profile = example([standardMetrics.time, waitingTimeMetric]);
  expect(clockOf(profile)).toBe('cpu');
  expect([...inclusiveComputing(profile)]).toEqual([2, 0, 1, 0, 0, 1.5, 0, 0.5]);
  expect([...exclusiveComputing(profile)]).toEqual([1, 0, 1, 0, 0, 1, 0, 0.5]);
});

test('a profile that does not know waiting has a wall clock, and all of its time computes', () => {
  const profile = example([standardMetrics.time]);
  expect(clockOf(profile)).toBe('wall');
  expect([...inclusiveComputing(profile)]).toEqual([4, 0, 1, 0, 0, 4, 0, 3]);
});
