import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeholders, substitute } from '../../../../src/measurement/config/substitute';

describe('parameters', () => {
  it('are put where they are named, once', () => {
    expect(substitute('-n ${n} $${n} ${m} $n', { n: '${n}' })).toBe('-n ${n} ${n} ${m} $n');
    expect(substitute('${constructor} ${__proto__}', {})).toBe('${constructor} ${__proto__}');
    expect(placeholders('${a} $${b} ${c}')).toEqual(['a', 'c']);
    expect(substitute('${file:run.in} $${file:a} ${file:b}', { 'file:run.in': '/x y' })).toBe(
      '/x y ${file:a} ${file:b}',
    );
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
