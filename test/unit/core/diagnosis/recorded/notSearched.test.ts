import { expect, test } from 'vitest';
import { leftOutNotice, noticeTexts } from '../../../../../src/core/diagnosis/recorded/notSearched';

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
    'Not searched: CacheMisses, MemoryTraffic. Measure with counters.',
    'Not searched: LateSender. Measure\nwaiting.',
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
