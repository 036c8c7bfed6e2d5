import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { svgSurface } from '../../../../webview/charts/svgSurface';
import { ticks, wholeTicks } from '../../../../src/core/ticks';
import { csvText } from '../../../../src/core/csv';
import { numberCell } from '../../../../webview/dynamics/base/words';

const options = {
  font: { family: '"A & B"', size: 12 },
  background: '#fff',
  measure: (text: string) => text.length * 6,
};

describe('drawings as SVG', () => {
  it('stay what they are, whatever the names in them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (name, color) => {
        const surface = svgSurface(100, 50, { ...options, title: name });
        surface.text(name, 1, 2, { color, bold: true, halo: color });
        const text = surface.document();
        // Two texts of names: no other tag than those that are drawn.
        expect(text.match(/<[a-z]+/gi)).toEqual(['<svg', '<title', '<rect', '<text']);
        const codes = Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
        expect(codes.filter((code) => code < 32 && code !== 9 && code !== 10 && code !== 13)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('interrupt lines where there is no value, and close what is seen inside an area', () => {
    const surface = svgSurface(100, 50, { ...options, title: 't' });
    surface.inside({ x: 0, y: 0, width: 10, height: 10 }, () =>
      surface.line([0, 1, 2, 3, 4, NaN, 6, 7], { color: 'red', dash: [2, 1] }),
    );
    const text = surface.document();
    expect(text).toContain('d="M0 1L2 3M6 7"');
    expect(text.match(/<g /g)?.length).toBe(text.match(/<\/g>/g)?.length);
  });
});

describe('ticks', () => {
  it('are round, ascending, inside, and not more than asked for', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
        fc.integer({ min: 1, max: 20 }),
        (from, width, most) => {
          fc.pre(width > 1e-9 * Math.abs(from));
          const all = ticks(from, from + width, most);
          expect(all.length).toBeLessThanOrEqual(most + 1);
          for (let at = 1; at < all.length; at++) expect(all[at] ?? 0).toBeGreaterThan(all[at - 1] ?? 0);
          for (const one of all) {
            expect(one).toBeGreaterThanOrEqual(from - 1e-6 * width);
            expect(one).toBeLessThanOrEqual(from + width + 1e-6 * width);
          }
        },
      ),
    );
  });

  it('of iterations are whole, also of a single one', () => {
    expect(wholeTicks(1, 128, 7)).toEqual([20, 40, 60, 80, 100, 120]);
    expect(wholeTicks(5, 5, 7)).toEqual([5]);
    expect(ticks(3, 3, 5)).toEqual([3]);
  });
});

describe('CSV', () => {
  it('quotes what must be, and begins no formula', () => {
    expect(csvText([['a"b', '=1+1', 'c,d'], [1.5, NaN, undefined].map(numberCell), [-2, '-x', '']])).toBe(
      '"a""b",\'=1+1,"c,d"\r\n1.5,,\r\n-2,\'-x,\r\n',
    );
  });
});
