import { expect, test } from 'vitest';
import { CodeTree } from '../../../../../src/core/diagnosis/live/codeTree';
import { LiveFacts } from '../../../../../src/core/diagnosis/live/liveFacts';
import type { SearchRecord } from '../../../../../src/core/diagnosis/search/searchRecord';
import { fn, graphOf } from '../../selection/graphs';
import { windowOf } from './windows';

const code = new CodeTree(graphOf([fn('main', { file: '/src/a.c' })], []), () => true);
const record: SearchRecord = {
  ...{ strategy: 'centralised', run: 'run', clock: 'wall', costLimit: 1.5, deepStart: false, end: 2 },
  ...{ state: 'searching', hypotheses: [], nodes: [], notices: [] },
};

/** Notices after windows of two processes, in which threads were pre-empted for so many of two seconds. */
function noticesOf(...preempted: readonly number[]): readonly string[] {
  const facts = new LiveFacts(code, []);
  const main = { region: { name: 'main' }, seconds: [1, 1] };
  preempted.forEach((preemptedSeconds, start) => {
    const inside = { wallSeconds: 2, preemptedSeconds };
    facts.add([windowOf(main, { hosts: ['a', 'a'], start, end: start + 1, inside })]);
  });
  return facts.complete(record).notices.map(({ message }) => message);
}

test('a search on a busy machine says for how long threads were pre-empted, which no time contains', () => {
  expect(noticesOf(0.5, 1.1)).toEqual([
    'Threads were pre-empted for 40.0 % of the time by the wall clock. Computing is without that time; waiting is not: who waits for a thread that is pre-empted waits for longer.',
  ]);
  expect(noticesOf(0.05, 0.1)).toEqual([]);
  expect(noticesOf()).toEqual([]);
});
