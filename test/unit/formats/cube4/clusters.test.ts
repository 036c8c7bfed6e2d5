import { expect, test } from 'vitest';
import { ProfileBuilder } from '../../../profileBuilder';
import { standardMetrics } from '../../../../src/core/profile/metrics';
import type { Profile } from '../../../../src/core/profile/profile';
import { callPathNames } from '../../../../src/core/profile/tree';
import { expandClusters } from '../../../../src/formats/cube4/clusters';

/** main → loop → two clusters: (f) and (f, g, f), then main → end; two ranks, three iterations. */
function clustered(mappings: readonly string[]): Profile {
  const builder = new ProfileBuilder().attribute('CLUSTERING', 'ON').attribute('CLUSTER ROOT CNODE ID', '1');
  builder.attribute('CLUSTER ITERATION COUNT', String(mappings.length));
  mappings.forEach((mapping, i) => builder.attribute(`CLUSTER MAPPING ${i}`, mapping));
  for (const metric of [standardMetrics.visits, standardMetrics.minimumTime]) builder.metric(metric);
  const [main = 0, loop = 0, one = 0, two = 0, f = 0, g = 0, end = 0] = [
    'main',
    'loop',
    'instance=1',
    'instance=2',
    'f',
    'g',
    'end',
  ].map((name) => builder.region({ name, paradigm: 'user', role: 'function' }));
  const atMain = builder.callPath(undefined, main);
  const atLoop = builder.callPath(atMain, loop);
  const first = builder.callPath(atLoop, one);
  const paths = [atMain, atLoop, first, builder.callPath(first, f)];
  const second = builder.callPath(atLoop, two);
  paths.push(
    second,
    ...[f, g, f].map((region) => builder.callPath(second, region)),
    builder.callPath(atMain, end),
  );
  for (const rank of [0, 1]) {
    const process = builder.systemNode({ name: 'p', kind: 'process', rank });
    const location = builder.location({ name: 't', rank, thread: 0, process, kind: 'thread' });
    paths.forEach((path, i) => {
      builder.set('visits', path, location, 12 * (i + 1));
      builder.set('min_time', path, location, i + 1);
    });
  }
  return builder.build();
}

const lines = (profile: Profile | undefined): string[] =>
  Array.from(
    { length: profile?.callPaths.count ?? 0 },
    (_, i) =>
      `${callPathNames(profile!, i).slice(1).join('/')} ${String(profile?.stored.get('visits')?.slice(i * 2, i * 2 + 2))}`,
  );

test('each iteration gets a share of its cluster, extremes stay, what is outside too', () => {
  const expanded = expandClusters(clustered(['2', '4', '2']), 1e6);
  expect(lines(expanded)).toEqual([
    ' 12,12',
    'loop 24,24',
    'loop/iteration=0 18,18',
    'loop/iteration=0/f 24,24',
    'loop/iteration=1 60,60',
    'loop/iteration=1/f 72,72',
    'loop/iteration=1/g 84,84',
    'loop/iteration=1/f 96,96',
    'loop/iteration=2 18,18',
    'loop/iteration=2/f 24,24',
    'end 108,108',
  ]);
  expect(expanded?.stored.get('min_time')?.filter((_, i) => i % 2 === 0)).toEqual(
    Float64Array.from([1, 2, 3, 4, 5, 6, 7, 8, 3, 4, 9]),
  );
  expect([...(expanded?.attributes ?? [])]).toEqual([['CLUSTERING', 'OFF']]);
});

test('processes with different clusters share what they have in common', () => {
  expect(lines(expandClusters(clustered(['2,4']), 1e6)).slice(2, -1)).toEqual([
    'loop/iteration=0 36,60',
    'loop/iteration=0/f 48,72',
    'loop/iteration=0/g 0,84',
    'loop/iteration=0/f 0,96',
  ]);
});

test.each([[['2', '7']], [['x']], [['']], [['2,-4']], [['0']]])(
  'mappings that do not fit leave the profile alone: %s',
  (mappings) => {
    expect(expandClusters(clustered(mappings), 1e6)).toBeUndefined();
  },
);

test('more values than allowed leave the profile alone', () => {
  expect(expandClusters(clustered(['2', '4']), 20)).toBeUndefined();
});
