import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  formatBytes,
  formatCount,
  formatPercent,
  formatSeconds,
  formatValue,
} from '../../../src/core/format';
import { escapeMarkdown, withoutLinks } from '../../../src/core/markdown';

describe('where one unit ends and the next begins', () => {
  test.each([
    [119.49, '119 s'],
    [119.5, '2 min 0 s'],
    [179.6, '3 min 0 s'],
    [3599.49, '59 min 59 s'],
    [3599.5, '1 h 0 min'],
    [7_170, '2 h 0 min'],
    [0.9994, '999 ms'],
    [0.9995, '1 s'],
    [9.996e-4, '1 ms'],
    [9.994e-7, '999 ns'],
    [1e-9, '1 ns'],
    [1e-12, '0.001 ns'],
    [99.94, '99.9 s'],
    [99.95, '100 s'],
    [-125, '−2 min 5 s'],
    [Infinity, '–'],
  ])('%d seconds: %s', (seconds, text) => {
    expect(formatSeconds(seconds)).toBe(text);
  });

  test.each([
    [1023, '1023 B'],
    [1024, '1 KiB'],
    [-2048, '−2 KiB'],
    [2 ** 20, '1 MiB'],
    [2 ** 40, '1 TiB'],
    [2 ** 50, '1 PiB'],
    [2 ** 60, '1 EiB'],
    [2 ** 80, '1048576 EiB'],
    [NaN, '–'],
  ])('%d bytes: %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  test.each([
    [-99_999, '−99999'],
    [999.4, '999'],
    [999.5, '1 k'],
    [1e9, '1 G'],
    [1e12, '1 T'],
    [1e15, '1 P'],
    [1e18, '1 E'],
    [2e21, '2000 E'],
    [12.345, '12.3'],
    [-Infinity, '–'],
  ])('%d times: %s', (count, text) => {
    expect(formatCount(count)).toBe(text);
  });

  test.each([
    [0.001, '0.1 %'],
    [0.000999, '<0.1 %'],
    [-0.001, '−0.1 %'],
    [0.9994, '99.9 %'],
    [0.9995, '100 %'],
    [-1.5, '−150 %'],
    [Infinity, '–'],
  ])('share %d: %s', (share, text) => {
    expect(formatPercent(share)).toBe(text);
  });

  it('a value has the unit of its file, or none', () => {
    expect(formatValue(2048, 'bytes')).toBe('2 KiB');
    expect(formatValue(3, 'occ')).toBe('3');
    expect(formatValue(3, '')).toBe('3');
    expect(formatValue(3, 'W')).toBe('3 W');
  });

  it('no time has more than three digits before its unit', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 119, noNaN: true }), (seconds) => {
        const [, digits = '', unit = ''] = /^([\d.]+) (s|ms|µs|ns)$/.exec(formatSeconds(seconds)) ?? [];
        const factor = { s: 1, ms: 1e-3, µs: 1e-6, ns: 1e-9 }[unit] ?? NaN;
        expect(digits.replace('.', '').replace(/^0+/, '').length).toBeLessThanOrEqual(3);
        expect(Math.abs(Number(digits) * factor - seconds)).toBeLessThanOrEqual(seconds * 0.00501);
      }),
    );
  });
});

describe('text from programs', () => {
  it('shows as it is in Markdown', () => {
    expect(escapeMarkdown('a_b*c [x](y) `z` <i> & #1 $(zap) ~a | @b: c!')).toBe(
      'a\\_b\\*c \\[x\\]\\(y\\) \\`z\\` &lt;i&gt; &amp; \\#1 \\$\\(zap\\) \\~a \\| \\@b\\: c\\!',
    );
    expect(escapeMarkdown('a\r\n\tb\u0000c')).toBe('a b c');
    expect(escapeMarkdown('1. a\n- b\n+ c')).toBe('1\\. a \\- b \\+ c');
  });
  it('makes no link in a notification', () => {
    expect(withoutLinks('[f](command:x) [g](h)')).toBe('[f]\u200b(command:x) [g]\u200b(h)');
  });
});
