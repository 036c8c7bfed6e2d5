import { expect, test } from 'vitest';
import { standardMetrics, waitingTimeMetric } from '../../../../src/core/profile/metrics';
import { exclusive } from '../../../../src/core/profile/values';
import { withInstances } from '../../../../src/measurement/results/instances';
import { ContextList, MergedPaths } from '../../../../src/measurement/results/iterationContexts';
import { ProfileBuilder } from '../../../profileBuilder';

test('waiting that belongs to no iteration stays in the profile', () => {
  const builder = new ProfileBuilder();
  for (const metric of [standardMetrics.visits, standardMetrics.time, waitingTimeMetric])
    builder.metric(metric);
  const process = builder.systemNode({ name: 'rank 0', kind: 'process', rank: 0 });
  builder.location({ name: 'Master thread', rank: 0, thread: 0, process, kind: 'thread' });
  const region = (name: string): number => builder.region({ name, paradigm: 'compiler', role: 'function' });
  const main = builder.callPath(undefined, region('main'));
  const step = builder.callPath(main, region('step'));
  const solve = builder.callPath(step, region('solve'));
  for (const [path, seconds] of [
    [main, 10],
    [step, 8],
    [solve, 6],
  ] as const) {
    builder.set('visits', path, 0, 1);
    builder.set('time', path, 0, seconds);
  }
  builder.set('waiting_time', solve, 0, 3);
  const profile = builder.build();
  const contexts = new ContextList(profile.regions, new MergedPaths(profile.callPaths), profile.locations);
  const ofStep = contexts.at(1, 0, undefined, true);
  const ofSolve = contexts.at(2, 0, ofStep, false);
  const none = {
    visits: 1,
    timedVisits: 1,
    childEvents: 0,
    preemptedSeconds: 0,
    counters: new Map<never, number>(),
  };
  const grown = withInstances(
    profile,
    [
      [
        { ...none, context: ofStep, seconds: 8, waitingSeconds: 0 },
        { ...none, context: ofSolve, seconds: 6, waitingSeconds: 2 },
      ],
    ],
    contexts,
  );
  const waiting = exclusive(grown, 'waiting_time');
  expect(waiting.reduce((sum, seconds) => sum + seconds, 0)).toBe(3);
  expect([...waiting].sort()).toEqual([0, 0, 0, 1, 2]);
});
