import { describe, expect, it } from 'vitest';
import { elsewhereSentence, runElsewhere } from '../../../../../src/editor/state/runs/elsewhere';
import type { RunningRefinement } from '../../../../../src/editor/state/runs/refinements';
import type { StudySummary } from '../../../../../src/workflows/studies/studies';

const study: StudySummary = {
  target: 'nbody',
  study: 'refine-1',
  kind: 'study',
  directory: '/w/.kymo/nbody/refine-1',
  startedAt: '2026-11-21T10:00:00Z',
  state: 'running',
  runBy: { pid: 4711, host: 'node1', since: '2026-11-21T10:05:00Z' },
  iterations: [],
};
const own: RunningRefinement = {
  phase: 'running',
  target: 'nbody',
  studyDirectory: study.directory,
  message: '',
  iterations: [],
  stopping: false,
};

describe('a refinement that runs elsewhere', () => {
  it('is one that runs and is none of this window', () => {
    expect(runElsewhere([study], { phase: 'idle' })).toEqual([study]);
    expect(runElsewhere([study], own)).toEqual([]);
    expect(runElsewhere([study], { ...own, studyDirectory: '/other' })).toEqual([study]);
    expect(runElsewhere([{ ...study, state: 'interrupted' }], { phase: 'idle' })).toEqual([]);
    expect(runElsewhere([{ ...study, kind: 'measurement' }], { phase: 'idle' })).toEqual([]);
  });

  it('is told with where to look for it', () => {
    expect(elsewhereSentence(study)).toMatch(
      /^nbody is being refined in another window .*\(process 4711 on node1, since \d\d:05\)\. Wait for it, or stop it there\.$/,
    );
    const { target, directory, startedAt } = study;
    const unknown: StudySummary = {
      target,
      study: 's',
      kind: 'study',
      directory,
      startedAt,
      state: 'running',
      iterations: [],
    };
    expect(elsewhereSentence(unknown)).toContain('(another process)');
    expect(elsewhereSentence({ ...study, runBy: { pid: 1, host: 'n', since: 'when?' } })).toContain(
      '(process 1 on n)',
    );
  });
});
