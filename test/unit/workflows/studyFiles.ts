import type { RefineRound } from '../../../src/workflows/studies/refine.types';
import type { StudyFile } from '../../../src/workflows/studies/study';

/** An iteration of a study in which nothing is remarkable. */
export const iterationOf = (index: number, change: Partial<RefineRound> = {}): RefineRound => ({
  index,
  instrumented: 2,
  executed: 2,
  visits: 10,
  medianSeconds: 1,
  baselineSeconds: 1,
  overheadPercent: 0,
  noisePercent: 1,
  changed: 1,
  ...change,
});

/** `study.json` of a study that is complete. */
export const studyFileOf = (change: Partial<StudyFile> = {}): StudyFile => ({
  kymoStudy: 1,
  target: 't',
  study: 's',
  startedAt: '2026-11-21T12:00:00Z',
  state: 'complete',
  fingerprint: 'f',
  buildId: 'b',
  buildSeconds: 1,
  iterations: [],
  ...change,
});
