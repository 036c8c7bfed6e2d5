import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { metricIds } from '../../../../src/core/diagnosis/hypotheses/metrics';
import { usualHypotheses } from '../../../../src/core/diagnosis/hypotheses/usual';
import { KymoError } from '../../../../src/core/errors';
import { readHypotheses } from '../../../../src/workflows/diagnosing/hypothesesFile';

const file = '/w/kymo.hypotheses.json';
const own = { id: 'Own', label: 'Own', metric: 'computing', threshold: 0.5, advice: 'Do less.' };
const text = (hypotheses: readonly unknown[]): string => JSON.stringify({ kymoHypotheses: 1, hypotheses });

function faultOf(given: string): KymoError {
  try {
    readHypotheses(given, file);
  } catch (error) {
    if (error instanceof KymoError) return error as KymoError;
    throw error;
  }
  throw new Error('the file was taken');
}

describe('hypotheses file', () => {
  it('adds hypotheses to the usual ones', () => {
    const all = readHypotheses(`// with comments\n${text([own])}`, file);
    expect(all).toHaveLength(usualHypotheses.length + 1);
    expect(all.at(-1)).toEqual({
      ...own,
      holds: 'above',
      pruned: [],
      expansion: 'why-and-where',
      children: [],
    });
  });

  it('one with the id of a usual one changes what it gives', () => {
    const all = readHypotheses(text([{ id: 'CPUBound', threshold: 0.6, pruned: ['Machine'] }]), file);
    const usual = usualHypotheses.find(({ id }) => id === 'CPUBound');
    expect(all).toHaveLength(usualHypotheses.length);
    expect(all.find(({ id }) => id === 'CPUBound')).toEqual({
      ...usual,
      threshold: 0.6,
      pruned: ['Machine'],
    });
  });

  it('one without a metric holds if a child does', () => {
    const virtual = { id: 'Waits', label: 'Waits', advice: 'Wait less.', children: ['LateSender', 'Own'] };
    expect(readHypotheses(text([virtual, own]), file).find(({ id }) => id === 'Waits')).not.toHaveProperty(
      'metric',
    );
  });

  it.each([
    ['{}', 'needs the key "kymoHypotheses"'],
    ['{"kymoHypotheses": 2, "hypotheses": []}', 'must be 1'],
    ['{"kymoHypotheses": 1}', 'needs the key "hypotheses"'],
    ['{"kymoHypotheses": 1, "hypotheses": [1]}', 'must be an object'],
    [text([{ ...own, threshod: 1 }]), 'did you mean "threshold"'],
    [text([{ ...own, metric: 'computng' }]), 'did you mean "computing"'],
    [text([{ ...own, threshold: 'much' }]), 'must be a number from 0 on'],
    [text([{ ...own, threshold: -1 }]), 'must be a number from 0 on'],
    [text([{ ...own, threshold: undefined }]), 'needs the key "threshold"'],
    [text([{ ...own, advice: undefined }]), 'needs the key "advice"'],
    [text([{ ...own, label: ' ' }]), 'must not be empty'],
    [text([{ ...own, id: '1 x' }]), 'must be a name of letters'],
    [text([{ ...own, holds: 'abov' }]), 'did you mean "above"'],
    [text([{ ...own, expansion: 'why' }]), '"expansion" must be'],
    [text([{ ...own, pruned: ['Cod'] }]), 'did you mean "Code"'],
    [text([{ ...own, children: ['LateSendr'] }]), 'did you mean "LateSender"'],
    [text([{ ...own, children: ['Own'] }]), 'cannot make one more precise that makes it more precise itself'],
    [
      text([
        { ...own, children: ['B'] },
        { ...own, id: 'B', children: ['Own'] },
      ]),
      'cannot make one more precise',
    ],
    [text([own, own]), 'is given twice'],
    [text([{ ...own, metric: undefined, threshold: undefined }]), 'needs some'],
    ['{"kymoHypotheses": 1, "hypotheses": [', 'not valid JSON'],
  ])('%s is refused', (given, message) => {
    const fault = faultOf(given);
    expect(fault.reason).toBe('config-invalid');
    expect(fault.message).toContain(message);
    expect(fault.where).toMatchObject({ file, line: 1 });
  });

  it('names the line and the column of a mistake', () => {
    const fault = faultOf(
      '{ "kymoHypotheses": 1,\n  "hypotheses": [\n    { "id": "CPUBound",\n      "threshold": true }]}',
    );
    expect(fault.where).toEqual({ file, line: 4, column: 20 });
  });

  it('the schema for editors has the same keys and metrics', () => {
    const schema = JSON.parse(readFileSync(path.resolve('media/kymo.hypotheses.schema.json'), 'utf8')) as {
      readonly definitions: {
        readonly hypothesis: {
          readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
        };
      };
    };
    const { properties } = schema.definitions.hypothesis;
    expect(properties.metric?.enum).toEqual(metricIds);
    for (const key of Object.keys(properties)) expect(faultOrNone(key)).not.toContain('has no key');
    expect(faultOf(text([{ ...own, other: 1 }])).message).toContain('has no key "other"');
  });
});

/** The message about a key with a value that no key takes, if any. */
function faultOrNone(key: string): string {
  try {
    readHypotheses(text([{ ...own, [key]: { other: 1 } }]), file);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}
