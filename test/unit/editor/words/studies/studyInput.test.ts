import { describe, expect, it } from 'vitest';
import { parse } from 'jsonc-parser';
import { neededValues } from '../../../../../src/core/modeling/choice';
import {
  enoughValues,
  readValues,
  requestOf,
  studyEdit,
  suggestedValues,
  whyNoValues,
} from '../../../../../src/editor/words/studies/studyInput';
import type { StudyVariable } from '../../../../../src/workflows/study/planStudy';

const n: StudyVariable = { kind: 'parameter', name: 'n', values: ['256'] };
const ranks: StudyVariable = { kind: 'ranks', name: 'p', values: ['2'] };
const threads: StudyVariable = { kind: 'threads', name: 'threads', values: [] };

describe('the values of a study that the user enters', () => {
  it('are separated as people do it, and each counts once', () => {
    expect(readValues(' 16, 32;64  16,')).toEqual(['16', '32', '64']);
    expect(readValues('  ')).toEqual([]);
  });

  it('are powers of two below a single value, where there are enough for models', () => {
    expect(enoughValues).toBe(neededValues);
    expect(suggestedValues(n)).toBe('16, 32, 64, 128, 256');
    expect(suggestedValues({ ...n, values: ['16'] })).toBe('1, 2, 4, 8, 16');
    expect(suggestedValues({ ...n, values: ['8'] })).toBe('8');
    expect(suggestedValues({ ...n, values: ['100'] })).toBe('100');
    expect(suggestedValues({ ...n, values: ['0'] })).toBe('0');
    expect(suggestedValues({ ...n, values: ['in.txt'] })).toBe('in.txt');
    expect(suggestedValues({ ...n, values: ['256', '512'] })).toBe('256, 512');
    expect(suggestedValues({ ...ranks, values: ['16'] })).toBe('16');
    expect(suggestedValues(threads)).toBe('');
  });

  it.each([
    [n, '', 'one value'],
    [n, 'a, b', undefined],
    [ranks, '', 'one number'],
    [ranks, '1, 2', undefined],
    [ranks, '0', 'whole numbers'],
    [ranks, '1.5', 'whole numbers'],
    [threads, '', undefined],
    [threads, '-1', 'whole numbers'],
  ])('of %o, “%s” is refused with: %s', (variable, text, why) => {
    if (why === undefined) expect(whyNoValues(text, variable)).toBeUndefined();
    else expect(whyNoValues(text, variable)).toContain(why);
  });

  it('become options, and “study” of the target in kymo.json', () => {
    const request = requestOf([
      [n, ['16', '032', 'x']],
      [ranks, ['1', '2']],
      [threads, []],
    ]);
    expect(request).toEqual({ values: { n: ['16', '032', 'x'] }, ranks: [1, 2] });
    const text = '{ // mine\n  "targets": [\n    { "name": "other" },\n    { "name": "a" }\n  ]\n}\n';
    const edit = studyEdit(text, 'a', request);
    const { offset = 0, length = 0, content = '' } = edit ?? {};
    const edited = text.slice(0, offset) + content + text.slice(offset + length);
    expect(edited).toContain('// mine');
    expect(parse(edited)).toEqual({
      targets: [
        { name: 'other' },
        { name: 'a', study: { parameters: { n: [16, '032', 'x'] }, ranks: [1, 2] } },
      ],
    });
    expect(studyEdit(text, 'none', request)).toBeUndefined();
    expect(requestOf([[threads, ['4']]])).toEqual({ values: {}, threads: [4] });
  });
});
