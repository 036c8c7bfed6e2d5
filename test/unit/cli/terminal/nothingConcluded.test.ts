import { expect, test } from 'vitest';
import { concludedText, diagnosisText } from '../../../../src/cli/terminal/diagnosisText';
import type { SearchRecord } from '../../../../src/core/diagnosis/search/searchRecord';
import { diagnosisOf } from '../../../../src/workflows/diagnose';
import { live } from '../../../webview/diagnosis/searches';

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
  expect(concludedText(live(), told)).toEqual([]);
  const record = live();
  const nodes = record.nodes.map((node) => ({ ...node, truth: 'false' as const }));
  expect(concludedText({ ...record, nodes }, told)).toHaveLength(first.length);
});
