import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinLineEnds } from '../../../../../src/editor/words/functions/lineEnds';

describe('text behind lines', () => {
  it('is one per line, so that nothing lies over anything else', () => {
    expect(
      joinLineEnds(
        [{ line: 12, text: '↗ degradation trend [33–128] · 28 %' }],
        [
          { line: 8, text: 'not instrumented' },
          { line: 12, text: '31 % · 200 visits' },
        ],
      ),
    ).toEqual([
      { line: 8, text: 'not instrumented' },
      { line: 12, text: '↗ degradation trend [33–128] · 28 % | 31 % · 200 visits' },
    ]);
  });

  it('says that it was cut', () => {
    const [end] = joinLineEnds([{ line: 1, text: 'x'.repeat(150) }], [{ line: 1, text: 'y'.repeat(150) }]);
    expect(end?.text).toHaveLength(160);
    expect(end?.text).toMatch(/^x+ \| y+…$/);
  });

  it('keeps each line once, ascending, and every short text whole', () => {
    const ends = fc.array(
      fc.record({ line: fc.integer({ min: 1, max: 9 }), text: fc.stringMatching(/^\w{1,5}$/) }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(ends, ends, (first, second) => {
        const joined = joinLineEnds(first, second);
        const lines = joined.map(({ line }) => line);
        expect(lines).toEqual(
          [...new Set([...first, ...second].map(({ line }) => line))].sort((a, b) => a - b),
        );
        for (const { line, text } of joined)
          expect(text.split(' | ')).toEqual(
            [...first, ...second].filter((one) => one.line === line).map((one) => one.text),
          );
      }),
    );
  });
});
