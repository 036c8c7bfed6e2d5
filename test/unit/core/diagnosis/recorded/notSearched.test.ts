import { expect, test } from 'vitest';
import {
  failedHypotheses,
  leftOutNotice,
  noticeTexts,
} from '../../../../../src/core/diagnosis/recorded/notSearched';

const notice = (message: string) => ({ time: 0, message });

test('hypotheses that lack the same are named together, with what to record once', () => {
  const counters = 'Measure with counters.';
  const notices = [
    notice(leftOutNotice('CacheMisses', counters)),
    notice(leftOutNotice('LateSender', 'Measure\nwaiting.')),
    notice(leftOutNotice('MemoryTraffic', counters)),
    notice('One run was left out.'),
  ];
  expect(noticeTexts(notices)).toEqual([
    'One run was left out.',
    'Not searched: Cache misses, Memory bandwidth. Measure with counters.',
    'Not searched: Late sender. Measure\nwaiting.',
  ]);
  const names = (id: string): string => id.toLowerCase();
  expect(noticeTexts(notices, [['SerialPart', counters]], names)).toContain(
    'Not searched: serialpart, cachemisses, memorytraffic. Measure with counters.',
  );
  expect(noticeTexts([])).toEqual([]);
});

test('what is noticed again is a line of its own once, where it came last', () => {
  const [slows, slowsNotAnyMore] = ['The limit slows.', 'It does not any more.'];
  const turns = [slows, slows, slowsNotAnyMore, slows, slowsNotAnyMore, 'Lost.'];
  expect(noticeTexts(turns.map(notice))).toEqual([slows, slowsNotAnyMore, 'Lost.']);
  expect(noticeTexts([...turns, slows].map(notice))).toEqual([slowsNotAnyMore, 'Lost.', slows]);
});

test('what failed wherever the search began was not searched; what one host answers was', () => {
  const root = [{ by: 'root', time: 0 } as const];
  const below = [{ node: 0, by: 'where', time: 1 } as const];
  const problem = 'No process has several threads.';
  expect(
    failedHypotheses([
      { hypothesis: 'SerialPart', problem, parents: root },
      { hypothesis: 'Blocked', problem, parents: root },
      { hypothesis: 'SerialPart', problem: 'Another reason.', parents: root },
      { hypothesis: 'Blocked', parents: root },
      { hypothesis: 'CPUBound', parents: root },
      { hypothesis: 'CPUBound', problem, parents: below },
    ]),
  ).toEqual([['SerialPart', problem]]);
});
