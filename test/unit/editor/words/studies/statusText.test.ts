import { describe, expect, it } from 'vitest';
import {
  elsewhereText,
  fileStatusDetail,
  fileStatusText,
  runningLabel,
  refinementText,
} from '../../../../../src/editor/words/studies/statusText';

const iteration = {
  index: 7,
  instrumented: 24,
  executed: 20,
  visits: 1000,
  medianSeconds: 1,
  baselineSeconds: 1,
  overheadPercent: 1,
  noisePercent: 0.5,
  changed: 0,
};
const facts = { iteration, functionsKnown: 310, changedInFile: 2 };
const running = {
  phase: 'running',
  target: 'nbody',
  message: 'Round 1, run 2 of 3',
  fraction: 0.42,
  iterations: [],
  stopping: false,
} as const;

describe('status of a file', () => {
  it('says how much is instrumented and how old the numbers are', () => {
    expect(fileStatusText(facts)).toBe('instrumented 24 of 310');
    expect(fileStatusDetail(facts)).toBe('data from run 7 · 2 edits old');
    expect(fileStatusDetail({ ...facts, changedInFile: 1 })).toMatch(/ · 1 edit old$/);
    expect(fileStatusDetail({ ...facts, changedInFile: 0 })).toMatch(/ · up to date$/);
  });

  it('never says more than there are', () => {
    expect(fileStatusText({ ...facts, functionsKnown: 0 })).toBe('instrumented 24 of 24');
  });
});

describe('status of a refinement', () => {
  it('says phase, target and what is done', () => {
    expect(refinementText(running)).toBe('$(sync~spin) nbody: Round 1, run 2 of 3 · 42 %');
    expect(refinementText({ ...running, phase: 'building' })).toMatch(/^\$\(tools\) /);
  });

  it('hostile names stay short and make no icons', () => {
    const shown = refinementText({ ...running, target: '$(bug)'.repeat(50), message: '$(flame)'.repeat(50) });
    expect(shown.length).toBeLessThan(110);
    expect(shown.match(/\$\(/g)).toHaveLength(1);
  });

  it('a screen reader hears no icons', () => {
    expect(runningLabel(running)).toBe(
      'Kymo refines nbody, running: Round 1, run 2 of 3. Activate to see it or to stop it.',
    );
  });
});

it('says what runs elsewhere, and icons in names stay text', () => {
  const study = {
    target: 'n$(x)',
    study: 's',
    kind: 'study',
    directory: '/d',
    startedAt: '2026-11-21T10:00:00Z',
    state: 'running',
    iterations: [],
  } as const;
  expect(elsewhereText(study)).toBe('$(eye) n$\u200b(x): refined elsewhere');
  expect(elsewhereText({ ...study, iterations: [iteration] })).toMatch(/ · 1 round$/);
});
