import { describe, expect, it } from 'vitest';
import {
  dynamicsRows,
  dynamicsText,
  seriesName,
} from '../../../../../src/cli/terminal/dynamics/dynamicsText';
import type {
  AnalysedSeries,
  DynamicsResult,
  ReportRow,
} from '../../../../../src/core/degradations/model/result';

const series = (rule: string, metric = 'time'): AnalysedSeries =>
  ({ rule, context: { region: { name: 'work' }, metric, rank: 1, thread: 0 } }) as unknown as AnalysedSeries;

describe('texts of dynamics', () => {
  it('names the quantity of a series that is not the time of its function', () => {
    expect(seriesName(series('hot-spot'))).toBe('work, rank 1');
    expect(seriesName(series('imbalance'))).toBe('work (imbalance), rank 1');
    expect(seriesName(series('own', 'wait'))).toBe('work (wait), rank 1');
  });

  it('marks rows that are below the threshold, as Markdown does', () => {
    const title = 'Degradation step in time';
    const row = { title, severity: 0.011, excess: 0.222, iterations: [[3, 4]], series: [], ranks: '0' };
    const of = (belowThreshold: boolean) => {
      const whole = { ...row, region: { name: 'work' }, belowThreshold } as unknown as ReportRow;
      return dynamicsRows({ rows: [whole], series: [] }).cells[0]?.[2];
    };
    expect(of(true)).toBe(`${title} (below the threshold)`);
    expect(of(false)).toBe(title);
  });

  it('explains conditions on all ranks together without a rank', () => {
    const trace = [0, -1].map((rank) => ({
      rule: 'imbalance',
      context: { region: { name: 'step' }, metric: 'time', rank, thread: 0 },
      tests: [],
      holds: true,
    }));
    const result = { iterations: 1, rows: [], properties: [], series: [], notes: [], trace };
    const text = dynamicsText(result as unknown as DynamicsResult, { explain: true });
    expect(text).toContain('imbalance, step, rank 0:');
    expect(text).toContain('imbalance, step, all ranks:');
    expect(text).not.toContain('-1');
  });
});
