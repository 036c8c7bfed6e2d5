import { describe, expect, it } from 'vitest';
import {
  endText,
  roundSummary,
  overheadText,
  refinedSentence,
  startedAtText,
  studySummary,
  timesText,
} from '../../../../../src/editor/words/studies/experimentText';
import type { RefineRound, RefineResult } from '../../../../../src/workflows/studies/refine.types';

const iteration: RefineRound = {
  index: 2,
  instrumented: 24,
  executed: 20,
  visits: 1e6,
  medianSeconds: 1.234,
  baselineSeconds: 1.2,
  overheadPercent: 4.2,
  noisePercent: 0.5,
  changed: 3,
};
const study = {
  target: 'nbody',
  study: 's1',
  kind: 'study' as const,
  directory: '/w/.kymo/nbody/s1',
  startedAt: '2026-11-21T13:24:00Z',
  state: 'complete' as const,
  stopReason: 'fixpoint' as const,
  iterations: [iteration],
};

describe('the words of the Experiments tree', () => {
  it('sums up a round', () => expect(roundSummary(iteration)).toBe('4.2 % overhead · 24 functions · 1.23 s'));
  it('tells times by the clock that the overhead is of', () => {
    expect(timesText(iteration)).toBe('Wall time 1.23 s, 1.2 s with nothing recorded');
    const byCpu = { ...iteration, clock: 'cpu', cpuSeconds: 0.62, baselineCpuSeconds: 0.6 } as const;
    expect(timesText(byCpu)).toBe('CPU time 620 ms, 600 ms with nothing recorded');
    expect(roundSummary(byCpu)).toBe('4.2 % overhead · 24 functions · 620 ms');
    const ranks = { rankSeconds: 0.31, baselineRankSeconds: 0.3, slowestRank: 7 };
    const byRank = { ...iteration, clock: 'rank', ...ranks } as const;
    expect(timesText(byRank)).toBe('Slowest rank (mostly 7) 310 ms, 300 ms with nothing recorded');
    expect(roundSummary(byRank)).toBe('4.2 % overhead · 24 functions · 310 ms');
  });
  it('claims an overhead only beyond the noise', () => {
    const { noisePercent, ...alone } = iteration;
    expect(noisePercent).toBeLessThan(iteration.overheadPercent);
    expect(roundSummary(alone)).toBe('4.2 % overhead, noise unknown · 24 functions · 1.23 s');
    expect(roundSummary({ ...iteration, overheadPercent: -4.2 })).toContain('−4.2 % overhead ·');
    expect(roundSummary({ ...iteration, noisePercent: 5 })).toBe('within noise · 24 functions · 1.23 s');
    expect(overheadText({ ...iteration, noisePercent: 5 })).toBe(
      'the overhead (4.2 %) cannot be told from noise (±5.0 %)',
    );
    expect(overheadText(iteration)).toBe('overhead 4.2 %');
    expect(roundSummary({ ...iteration, baselineSeconds: 0.002 })).toContain('runs too short ·');
  });
  it('sums up a study in each state', () => {
    expect(studySummary(study)).toBe('4.2 % overhead · 1 round · fixpoint');
    expect(studySummary({ ...study, state: 'running', iterations: [] })).toBe('running');
    expect(studySummary({ ...study, state: 'interrupted' })).toBe('4.2 % overhead · 1 round · interrupted');
  });
  it('tells failed apart from interrupted, with the error', () => {
    const failed = { ...study, state: 'failed', iterations: [], failure: 'It does not build.' } as const;
    expect(studySummary(failed)).toBe('failed');
    expect(endText(failed)).toBe('failed: It does not build.');
    expect(endText(study)).toBe('complete: the selection no longer changes');
  });
  it('tells the end of a refinement in a sentence', () => {
    const result = {
      target: 'nbody',
      stopReason: 'overhead',
      functionsKnown: 310,
      iterations: [iteration],
    } as unknown as RefineResult;
    expect(refinedSentence(result)).toBe(
      'nbody: 24 of 310 functions instrumented, overhead 4.2 %. Stopped after 1 round: the overhead target leaves no room for more.',
    );
  });
  it('ends a refinement with the verdict on its target', () => {
    const result = {
      target: 'nbody',
      stopReason: 'fixpoint',
      functionsKnown: 310,
      iterations: [iteration],
      verdict: { kind: 'unknown', targetPercent: 5, sentence: 'Cannot tell.' },
    } as unknown as RefineResult;
    expect(refinedSentence(result)).toBe(
      'nbody: 24 of 310 functions instrumented. Cannot tell. Stopped after 1 round: the selection no longer changes.',
    );
  });
  it('leaves the year out when it is this one, and says nothing about what is no time', () => {
    expect(startedAtText(study.startedAt, new Date('2026-12-01'))).not.toContain('2026');
    expect(startedAtText(study.startedAt, new Date('2027-12-01'))).toContain('2026');
    expect(startedAtText('yesterday', new Date())).toBeUndefined();
  });
});
