import { expect, test } from 'vitest';
import { sizeFacts } from '../../../../src/cli/report/sections/summary';
import { ProfileBuilder } from '../../../profileBuilder';
import { iterationOf } from '../../workflows/studyFiles';

const experiment = { variant: 'measured', wallSeconds: 3.28 } as const;
const run = { profile: new ProfileBuilder().build(), origin: { experiment }, round: [{ experiment }] };
const factsOf = (change: Parameters<typeof iterationOf>[1]): object =>
  Object.fromEntries(sizeFacts(run, { iterations: [iterationOf(0, change)] }));

test('wall times of runs that took turns say so, beside the CPU time', () => {
  expect(factsOf({ paired: true, cpuSeconds: 0.955 })).toMatchObject({
    'Wall time':
      '3.28 s (median of 1 run, which took turns with others on one processor: about twice that of a run alone)',
    'CPU time': '955 ms (median)',
  });
  expect(factsOf({})).toMatchObject({ 'Wall time': '3.28 s (median of 1 run)' });
  expect(factsOf({})).not.toHaveProperty('CPU time');
});
