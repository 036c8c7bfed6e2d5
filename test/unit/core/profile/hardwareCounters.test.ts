import { expect, test } from 'vitest';
import {
  refusalWords,
  refusedCounters,
  refusedCountersAttribute,
  refusedCountersText,
} from '../../../../src/core/profile/hardwareCounters';

const read = (text: string): string | undefined =>
  refusedCounters({ attributes: new Map([[refusedCountersAttribute, text]]) });

test.each([
  [1, 4, /perf_event_paranoid is 4\..*sysctl kernel\.perf_event_paranoid=2/],
  [13, 3, /perf_event_paranoid is 3\..*sysctl/],
  [13, 2, /a container or a security policy.*--cap-add PERFMON/],
  [1, undefined, /a container or a security policy/],
  [2, 2, /does not show any.*virtual machines/],
  [95, -1, /does not show any/],
  [38, 2, /no perf_event_open/],
  [16, 2, /End other profilers/],
  [24, 2, /ulimit -n/],
  [22, 2, /error 22/],
])(
  'error %d at level %s is explained with what to do, also by a file that only has the numbers',
  (error, paranoid, words) => {
    const refusal = { error, paranoid };
    expect(refusalWords(refusal)).toMatch(words);
    expect(refusalWords(refusal)).toMatch(/^The processor’s counters .* cannot be read: .*\.$/);
    expect(read(refusedCountersText(refusal))).toBe(refusalWords(refusal));
  },
);

test('a profile that says something else says nothing', () => {
  expect(refusedCounters({ attributes: new Map() })).toBeUndefined();
  for (const text of [
    '',
    '0 2',
    '2',
    '2 x',
    'x 2',
    '2 2 2',
    '12345 2',
    '2 123456',
    '-1 2',
    `2 ${'1'.repeat(1e6)}`,
  ])
    expect(read(text)).toBeUndefined();
});
