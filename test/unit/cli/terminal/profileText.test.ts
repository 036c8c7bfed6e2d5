import { expect, test } from 'vitest';
import { profileText } from '../../../../src/cli/terminal/profileText';
import { makeContext } from '../../../../src/core/problems/context/makeContext';
import { standardMetrics, waitingTimeMetric } from '../../../../src/core/profile/metrics';
import { ProfileBuilder } from '../../../profileBuilder';

test('the spread over threads is that of the times beside it: without waiting, and of all iterations', () => {
  const builder = new ProfileBuilder();
  for (const metric of [standardMetrics.visits, standardMetrics.time, waitingTimeMetric])
    builder.metric(metric);
  const process = builder.systemNode({ name: 'rank 0', kind: 'process', rank: 0 });
  for (const thread of [0, 1])
    builder.location({ name: `Thread ${thread}`, rank: 0, thread, process, kind: 'thread' });
  const region = (name: string): number => builder.region({ name, paradigm: 'compiler', role: 'function' });
  const step = builder.callPath(undefined, region('step'));
  const instance = builder.callPath(step, region('instance=1'));
  for (const [thread, seconds, waiting] of [
    [0, 8, 3],
    [1, 4, 3],
  ] as const) {
    builder.set('visits', instance, thread, 1);
    builder.set('time', step, thread, seconds);
    builder.set('time', instance, thread, seconds);
    builder.set('waiting_time', instance, thread, waiting);
  }
  const profile = builder.build();
  const options = { title: 'p', perLocation: true, rows: 20, folder: '/' };
  const text = profileText(profile, makeContext({ profile }), options);
  const [row] = text.split('\n').filter((line) => line.endsWith(' step'));
  expect(row?.trim().split(/ {2,}/)).toEqual([
    ...['100 %', '100 %', '6 s', '6 s', '6 s', '2', '3 s'],
    ...['1 s', '3 s', '5 s', '0:0', 'step'],
  ]);
});
