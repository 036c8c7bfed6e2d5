import { describe, expect, it, test } from 'vitest';
import { nameTest } from '../../../../src/core/names/namePattern';

describe('regular expressions', () => {
  const letters = Array.from('abzAZ019_ .-é\n\t\r^]\\');
  // Each member of a class by itself, compared with JavaScript's.
  test.each([
    '^\\d$',
    '^\\D$',
    '^\\w$',
    '^\\W$',
    '^\\s$',
    '^\\S$',
    '^[a-z]$',
    '^[^a-z]$',
    '^[A-Za-b]$',
    '^[0-9_]$',
    '^[\\d.]$',
    '^[\\w-]$',
    '^[-a]$',
    '^[a-]$',
    '^[\\]^]$',
    '^[\\n\\t]$',
    '^\\.$',
    '^\\\\$',
    '^\\n$',
    '^\\t$',
    '^\\r$',
    '^.$',
    '^[^\\s]$',
    '\\bb',
    '(?:a|b)$',
    '^a?b{0,1}$',
    '^(a|Z|\\d)+$',
    '^[a-c]{2}$',
  ])('/%s/', (text) => {
    for (const matchCase of [true, false]) {
      const own = nameTest({ text, regex: true, matchCase });
      const peer = new RegExp(text, matchCase ? 's' : 'si');
      for (const one of [...letters, '', 'ab', 'bA', 'a1', 'aZ0'])
        expect(own(one), `${JSON.stringify(one)}, ${matchCase}`).toBe(peer.test(one));
    }
  });

  it('that cannot be read are an error that says why', () => {
    for (const text of ['[a', '(a', 'a)', '\\', '*a', '\\1'])
      expect(() => nameTest({ text, regex: true, matchCase: true })).toThrow();
  });
});
