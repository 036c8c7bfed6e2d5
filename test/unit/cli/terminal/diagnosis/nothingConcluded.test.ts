import { expect, test } from 'vitest';
import {
  concludedText,
  diagnosisText,
  withNotes,
} from '../../../../../src/cli/terminal/diagnosis/diagnosisText';
import { printFocus } from '../../../../../src/core/diagnosis/resources/focusText';
import type { SearchRecord } from '../../../../../src/core/diagnosis/search/searchRecord';
import { diagnosisOf } from '../../../../../src/workflows/diagnose';
import { live } from '../../../../webview/diagnosis/searches';

const undecided = (record: SearchRecord): SearchRecord => ({
  ...record,
  nodes: record.nodes.map((node) => ({ ...node, truth: 'unknown', conclusions: [] })),
});

test('a search that was too short to conclude anything does not say that nothing holds', () => {
  const text = diagnosisText(diagnosisOf(undecided(live())), false);
  expect(text).toContain('Nothing was concluded: the search was too short');
  expect(text).not.toContain('no hypothesis holds');
});

test('what becomes true is told once, and what is true no longer', () => {
  const told = new Map<string, 'unknown' | 'true' | 'false'>();
  const first = concludedText(live(), told);
  expect(first.length).toBe(live().nodes.filter(({ truth }) => truth === 'true').length);
  expect(first[0]).toMatch(/^ *[\d.]+ s {2}\+ /);
  // Names as in the findings, not those of the search.
  expect(first.join()).not.toMatch(/CPUBound|\/Machine|\/SyncObject/);
  expect(concludedText(live(), told)).toEqual([]);
  const record = live();
  const nodes = record.nodes.map((node) => ({ ...node, truth: 'false' as const }));
  expect(concludedText({ ...record, nodes }, told)).toHaveLength(first.length);
});

test('where the last values say something else than the mean of all, no number is compared wrongly', () => {
  const record = live();
  const [node] = record.nodes.filter(({ truth, value }) => truth === 'true' && value !== undefined);
  if (node === undefined) throw new Error('The search has no true experiment.');
  const lines = (truth: 'true' | 'false', value: number): string =>
    concludedText(
      { ...record, nodes: [{ ...node, truth, value, threshold: 0.2 }] },
      new Map([[`${node.hypothesis} ${printFocus(node.focus)}`, truth === 'true' ? 'false' : 'true']]),
    ).join();
  expect(lines('true', 0.25)).toMatch(/: 25\.0 % > 20\.0 %$/);
  expect(lines('false', 0.15)).toMatch(/: 15\.0 % ≤ 20\.0 %$/);
  expect(lines('false', 0.245)).toMatch(
    /: 24\.5 % > 20\.0 % \(concluded from the last values, not from their mean\)$/,
  );
  expect(lines('true', 0.19)).toMatch(
    /: 19\.0 % ≤ 20\.0 % \(concluded from the last values, not from their mean\)$/,
  );
});

test('what is to know of the run stands below what was found in it', () => {
  expect(withNotes('1. Computing', ['Ranks share processors.', 'Others do, too.'])).toBe(
    '1. Computing\nRanks share processors.\nOthers do, too.',
  );
  expect(withNotes('1. Computing')).toBe('1. Computing');
});
