import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import type { Experiment } from '../../../../src/core/profile/experiment';
import { runDoubts } from '../../../../src/workflows/studies/runDoubts';

const experiment = (more: Partial<Experiment>): Experiment => ({
  ...{ kymoExperiment: 1, target: 'a', study: 'measure-1', iteration: 0, repetition: 1, variant: 'measured' },
  ...{
    parameters: {},
    ranks: 1,
    host: hostname(),
    instrumented: 0,
    startedAt: '',
    wallSeconds: 1,
    compiler: 'cc',
    buildId: '1',
  },
  ...{ command: ['/usr/bin/mpirun', '-n', '5000', 'a'], exitStatus: 0 },
  ...more,
});

test('ranks that shared processors are a doubt, where it is known', () => {
  expect(runDoubts(experiment({ ranks: 5000 })).join()).toMatch(
    /^5000 ranks shared \d+ processors?: .*mean little/,
  );
  expect(runDoubts(experiment({ ranks: 1 }))).toEqual([]);
  // How many processors another machine has, or the nodes of a job, is not known.
  expect(runDoubts(experiment({ ranks: 5000, host: 'elsewhere' }))).toEqual([]);
  expect(runDoubts(experiment({ ranks: 5000, command: ['/usr/bin/srun', 'a'] }))).toEqual([]);
  expect(
    runDoubts(experiment({ ranks: 5000, command: ['mpirun', '--hostfile', 'hosts', '-n', '5000', 'a'] })),
  ).toEqual([]);
  expect(runDoubts(undefined)).toEqual([]);
});

test('a run that is too short is a doubt', () => {
  expect(runDoubts(undefined, { seconds: 227e-6 })).toEqual([
    'The run took only 227 µs: too short to show what limits the program. Give it a larger input, so that it computes for a second or more, before you follow any advice.',
  ]);
  expect(runDoubts(undefined, { seconds: 8 }, 8)).toEqual([]);
  // The base is the time of all threads.
  expect(runDoubts(undefined, { seconds: 0.2 }, 8)).toHaveLength(1);
});
