import { describe, expect, it } from 'vitest';
import { pointName, studiedSentence } from '../../../../../src/core/study/texts';
import {
  forecastLines,
  parameterStudyText,
  pointText,
} from '../../../../../src/editor/words/studies/parameterStudyText';
import { studiedElsewhereText } from '../../../../../src/editor/words/studies/statusText';
import type {
  ParameterStudySummary,
  StudyPointSummary,
} from '../../../../../src/workflows/study/listParameterStudies';

const study: ParameterStudySummary = {
  target: 'nbody',
  study: 'study-1',
  directory: '/w/.kymo/nbody/study-1',
  startedAt: '2026-11-21T10:00:00Z',
  state: 'complete',
  variant: 'measured',
  done: 12,
  failed: 0,
  remaining: 0,
  points: [],
};
const point: StudyPointSummary = {
  coordinates: { p: '4', n: '100' },
  planned: true,
  standing: 'remaining',
  runs: 0,
  repetitions: 3,
};

describe('the texts of a study over parameters', () => {
  it('say how many points are done, and what is not as it should be', () => {
    expect(parameterStudyText(study)).toBe('12 of 12 points');
    expect(parameterStudyText({ ...study, failed: 1, remaining: 12, state: 'interrupted' })).toBe(
      '12 of 25 points · 1 failed · interrupted',
    );
    expect(studiedElsewhereText({ ...study, state: 'running', remaining: 1 })).toBe(
      '$(eye) nbody: studied elsewhere · 12 of 13 points',
    );
  });

  it('say what is known of a point', () => {
    expect(pointName(point.coordinates)).toBe('p = 4, n = 100');
    expect(pointText(point)).toBe('not measured yet');
    expect(pointText({ ...point, runs: 1, seconds: 1.5 })).toBe('1.5 s · 1 of 3 runs');
    expect(pointText({ ...point, standing: 'running' })).toBe('0 of 3 runs · running');
    expect(pointText({ ...point, standing: 'done', runs: 1, repetitions: 1, planned: false })).toBe(
      '1 of 1 run · not planned any more',
    );
    const failure = { repetition: 2, reason: 'program-failed', message: 'It ended with 3.\nMore.' };
    expect(pointText({ ...point, standing: 'failed', runs: 1, failure })).toBe('failed · It ended with 3.');
  });

  it('say before a study what it will do, and how long if that is known', () => {
    const plan = {
      points: 2,
      failed: 0,
      repetitions: 3,
      values: { n: ['1', '2'] },
      runsDone: 0,
      runsToDo: 6,
    };
    expect(forecastLines(plan)).toEqual([
      'n = 1, 2',
      '2 points, 3 repetitions: 6 runs to do.',
      'How long this takes is estimated after the first runs.',
    ]);
    expect(
      forecastLines({
        ...plan,
        failed: 1,
        runsDone: 2,
        runsToDo: 1,
        seconds: 90,
        continues: 'study-1',
      }).slice(1),
    ).toEqual([
      '2 points, 3 repetitions: 1 run to do, 2 measured already.',
      '1 point failed earlier and is not run again.',
      'About 90 s by earlier runs, and the build.',
      'This continues study-1.',
    ]);
    expect(forecastLines({ ...plan, runsToDo: 0, runsDone: 6, continues: 'study-1' }).join(' ')).not.toMatch(
      /long|About|continues/,
    );
  });

  it('report the end', () => {
    const result = { target: 'nbody', done: 3, failed: 1, remaining: 1, runs: 11, runSeconds: 2 };
    expect(studiedSentence(result)).toBe(
      'nbody: 3 of 5 points measured, 1 failed, 1 remaining; 11 runs of 2 s together.',
    );
    expect(studiedSentence({ ...result, failed: 0, remaining: 0 })).toContain('3 of 3 points measured; 11');
  });
});
