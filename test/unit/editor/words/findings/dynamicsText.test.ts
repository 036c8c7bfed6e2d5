import { describe, expect, it } from 'vitest';
import type { Property } from '../../../../../src/core/properties/property';
import {
  dynamicsLensTitle,
  dynamicsSentence,
  iterationsText,
  ranksText,
} from '../../../../../src/editor/words/findings/dynamicsText';

const trend: Property = {
  id: 't',
  kind: 'degradation-trend',
  title: 'Degradation trend in communication time of MPI_Wait',
  severity: 0.17,
  confidence: 0.98,
  ranks: '4,27,30',
  iterations: [[1, 92]],
  evidence: {},
};

describe('the lens of a degradation', () => {
  it('says what, when, how severe and on which ranks', () => {
    expect(dynamicsLensTitle(trend)).toBe('↗ degradation trend [1–92] · 17 % · ranks 4,27,30');
  });

  it('leaves out what is not known', () => {
    const { id, kind, title, severity = 0, confidence, iterations = [], evidence } = trend;
    const alone = { id, kind, title, severity, confidence, iterations, evidence };
    expect(dynamicsLensTitle(alone)).toBe('↗ degradation trend [1–92] · 17 %');
    expect(dynamicsLensTitle({ ...trend, kind: 'significant-variability', severity: 0, ranks: '3' })).toBe(
      '∿ significant variability [1–92] · rank 3',
    );
  });

  it('shows a few intervals and the number of the others', () => {
    const five = [10, 20, 30, 40, 50].map((at) => [at, at] as const);
    expect(iterationsText({ iterations: five })).toBe('[10], [20], [30] and 2 more');
    expect(iterationsText({ iterations: five }, Infinity)).toBe('[10], [20], [30], [40], [50]');
    // A long run has more than are listed.
    const all = { count: 300, iterations: 400, range: [10, 19_975] } as const;
    expect(iterationsText({ iterations: five, all })).toBe('[10-19975] (400 iterations)');
  });

  it('has the period of periodic work in place of its iterations', () => {
    const peaks: Property = {
      ...trend,
      kind: 'periodic-peaks',
      ranks: '0',
      evidence: { periodIterations: 15 },
    };
    expect(dynamicsLensTitle(peaks)).toBe('↻ periodic peaks every 15 iterations · 17 % · rank 0');
  });

  it('of a diagnosis names the hypothesis that holds', () => {
    const { title, severity = 0, confidence, evidence } = trend;
    const facts = { title, severity, confidence, evidence };
    const late: Property = { ...facts, kind: 'diagnosis', id: 'diagnosis:LateSender:solver.c/exchange' };
    expect(dynamicsLensTitle({ ...late, ranks: '2-3' })).toBe('◎ late sender · 17 % · ranks 2-3');
    // One of the user's own has no other name here.
    expect(dynamicsLensTitle({ ...late, id: 'diagnosis:SolverWaits' })).toBe('◎ SolverWaits · 17 %');
  });

  it('says in its tip how sure the finding is', () => {
    expect(dynamicsSentence({ ...trend, evidence: { chance: 0.0005 } })).toBe(
      'Degradation trend in communication time of MPI_Wait (ranks 4,27,30). In 1 of 2000 series without a change the evidence is as strong.',
    );
    expect(dynamicsSentence(trend)).toBe(
      'Degradation trend in communication time of MPI_Wait (ranks 4,27,30)',
    );
  });

  it('cuts long sets of ranks', () => {
    const odd = Array.from({ length: 200 }, (_, at) => 2 * at + 1).join(',');
    expect(ranksText(odd).length).toBeLessThan(50);
    expect(ranksText(odd)).toMatch(/…$/);
  });
});
