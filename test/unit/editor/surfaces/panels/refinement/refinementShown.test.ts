import { describe, expect, it } from 'vitest';
import {
  decisionRow,
  refinementShown,
  type ShownInput,
} from '../../../../../../src/editor/surfaces/panels/refinement/refinementShown';
import type { RunningRefinement } from '../../../../../../src/editor/state/runs/refinements';

const iteration = {
  index: 0,
  instrumented: 5,
  executed: 5,
  visits: 10,
  medianSeconds: 1,
  baselineSeconds: 1,
  overheadPercent: 0,
  noisePercent: 1,
  changed: 5,
};
const input: ShownInput = {
  folder: 'file:///w',
  study: {
    target: 't',
    study: 'refine-1',
    kind: 'study',
    directory: '/w/.kymo/t/refine-1',
    startedAt: '2026-11-21T10:00:00Z',
    state: 'complete',
    stopReason: 'fixpoint',
    targetPercent: 5,
    iterations: [iteration],
    accepted: 0,
  },
  gone: false,
  newer: false,
  refinement: { phase: 'idle' },
  trusted: true,
  functions: 3,
  revision: 7,
};
const running: RunningRefinement = {
  phase: 'running',
  target: 't',
  studyDirectory: '/w/.kymo/t/refine-1',
  message: 'Round 1, run 1 of 3',
  fraction: 0.5,
  iterations: [],
  stopping: false,
};

describe('what the refinement panel shows', () => {
  it('is the study, with all that can be done with it', () => {
    expect(refinementShown(input)).toMatchObject({
      study: 'refine-1',
      state: 'complete',
      stopSentence: 'the selection no longer changes',
      accepted: 0,
      disabled: { stop: 'Nothing runs.' },
    });
  });

  it('is live while this window refines it: it can be stopped, and not begun again', () => {
    const shown = refinementShown({ ...input, refinement: running });
    expect(shown.state).toBe('running');
    expect(shown.progress).toEqual({ message: 'Round 1, run 1 of 3', fraction: 0.5, stopping: false });
    expect(Object.keys(shown.disabled)).toEqual(['next']);
    expect(refinementShown({ ...input, refinement: { ...running, stopping: true } }).disabled.stop).toContain(
      'being stopped',
    );
  });

  it('says where a study runs that another process refines', () => {
    const runBy = { pid: 4711, host: 'node1', since: '2026-11-21T10:05:00Z' };
    const study = { ...input.study, state: 'running' as const, runBy };
    const { disabled, progress, state, runner } = refinementShown({ ...input, study });
    expect(progress).toBeUndefined();
    expect(state).toBe('elsewhere');
    expect(runner).toMatch(/^process 4711 on node1, since \d\d:05$/);
    expect(disabled.next).toContain('process 4711 on node1');
    expect(disabled.stop).toContain('stop it there');
    // The same files, and this window's own engine.
    const own = refinementShown({ ...input, study, refinement: running });
    expect(own.state).toBe('running');
    expect(own.runner).toBeUndefined();
  });

  it.each([
    [
      'another target is refined',
      { refinement: { ...running, studyDirectory: '/other', target: 'other' } },
      'other',
    ],
    ['there is a newer study', { newer: true }, 'newer study'],
    ['the workspace is not trusted', { trusted: false }, 'not trusted'],
    ['the study is gone', { gone: true }, 'deleted'],
  ] as const)('has no next round when %s', (_, change, reason) => {
    expect(refinementShown({ ...input, ...change }).disabled.next).toContain(reason);
  });

  it('has nothing to accept or export before a round is finished', () => {
    const { disabled } = refinementShown({ ...input, study: { ...input.study, iterations: [] } });
    expect(disabled.accept).toBe('No round is finished yet.');
    expect(disabled.exportFilter).toBe('No round is finished yet.');
  });

  it('knows functions of studies that kept no rule', () => {
    const report = {
      key: 'k',
      name: 'f',
      selected: false,
      decision: { clause: 'x', details: '' },
      hasSite: true,
    };
    expect(decisionRow(report, 'in')).toEqual({
      name: 'f',
      selected: false,
      pinned: 'in',
      rule: 'unknown',
      reason: 'x',
    });
  });
});
