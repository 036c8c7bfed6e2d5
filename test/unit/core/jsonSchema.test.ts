import { describe, expect, it } from 'vitest';
import { JsonSchema } from '../../../src/core/jsonSchema';

const runs = new JsonSchema<{ readonly seconds: number }>({
  type: 'object',
  properties: { seconds: { type: 'number', minimum: 0 } },
  required: ['seconds'],
});

describe('a JSON schema', () => {
  it('says where a value is wrong, and what has to hold there', () => {
    expect(runs.describes({ seconds: 1, later: 'more' })).toBe(true);
    expect(runs.describes({ seconds: -1 })).toBe(false);
    expect(runs.mistake).toEqual({ place: '/seconds', rule: 'must be >= 0' });
    expect(runs.describes([])).toBe(false);
    expect(runs.mistake).toEqual({ place: '', rule: 'must be object' });
  });

  it('is not compiled before it is used: that of a command that is not run costs nothing', () => {
    const wrong = new JsonSchema({ type: 'nonsense' });
    expect(() => wrong.describes(1)).toThrow(/nonsense/);
  });
});
