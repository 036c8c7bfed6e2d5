import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeholders, substitute } from '../../../../src/measurement/config/substitute';

describe('parameters', () => {
  it('are put where they are named, once', () => {
    expect(substitute('-n ${n} $${n} ${m} $n', { n: '${n}' })).toBe('-n ${n} ${n} ${m} $n');
    expect(substitute('${constructor} ${__proto__}', {})).toBe('${constructor} ${__proto__}');
    expect(placeholders('${a} $${b} ${c}')).toEqual(['a', 'c']);
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        (text, value) =>
          substitute(`\${n}`, { n: value }) === value && substitute(text, {}).length <= text.length,
      ),
    );
  });
});
