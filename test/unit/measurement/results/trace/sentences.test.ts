import { expect, test } from 'vitest';
import {
  traceSentences,
  type TraceFacts,
  type WrittenThread,
} from '../../../../../src/measurement/results/trace/sentences';

test.each([
  [3, undefined],
  [4, ', and those of 1 more thread.'],
  [5, ', and those of 2 more threads.'],
])('of %d threads that lost events three are named', (count, rest) => {
  const threads = Array.from({ length: count }, (_, index) => ({
    result: { rank: 0 },
    thread: { lost: 5, lostTime: 0n },
    index,
    gaps: { unmatched: 0, resumed: 0 },
    clock: { base: 0n },
  })) as unknown as readonly WrittenThread[];
  const traces = [{ memoryBytes: 1, communicators: [] }] as unknown as TraceFacts['traces'];
  const [sentence] = traceSentences({
    ...{ traces, threads, ticksPerSecond: 1, unsynchronised: [], hasMpi: false, iterations: 0 },
  });
  expect(sentence).toContain('thread 2 of rank 0');
  if (rest === undefined) expect(sentence).not.toContain('those of');
  else expect(sentence).toContain(rest);
});
