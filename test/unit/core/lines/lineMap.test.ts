import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blankLine, hashLines } from '../../../../src/core/lines/lineHashes';
import { LineMap } from '../../../../src/core/lines/lineMap';

const program = `#include <cmath>

double first(double x) {
  double y = x * x;
  return y;
}

double second(double x) {
  double z = std::sqrt(x);
  return z;
}

int main() {
  return second(first(2)) > 1;
}
`;
const lines = program.split('\n');
const between = (before: string, after: string): LineMap =>
  LineMap.between(hashLines(before), hashLines(after));
const edited = (change: (lines: string[]) => void): LineMap => {
  const after = [...lines];
  change(after);
  return between(program, after.join('\n'));
};

describe('hashLines', () => {
  test('counts lines as editors do, whatever ends them', () => {
    expect([...hashLines('a\nb\r\nc\rd')]).toEqual([...hashLines('a\nb\nc\nd')]);
    expect(hashLines('')).toHaveLength(1);
    expect(hashLines('a\n')).toHaveLength(2);
  });

  test('neither indentation nor blanks at the end count; a blank line is told from all others', () => {
    expect([...hashLines('  a b\t\n\t\n')]).toEqual([...hashLines('a b\n\n')]);
    expect([...hashLines(' \t')]).toEqual([blankLine]);
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        fc.pre(/^[!-~]+$/.test(text));
        expect(hashLines(text)[0]).not.toBe(blankLine);
      }),
    );
  });
});

describe('functions follow edits', () => {
  test('lines above move a function, and it is not stale', () => {
    const map = edited((text) => text.splice(0, 0, '// a comment', '// and another'));
    expect(map.placeOf(3, 6)).toEqual({ line: 5, endLine: 8, stale: false });
    expect(map.toMeasured(5)).toBe(3);
  });

  test('a function inserted before the next one leaves both as they are', () => {
    const map = edited((text) => text.splice(6, 0, '', 'double more(double x) {', '  return x;', '}'));
    expect(map.placeOf(3, 6)).toEqual({ line: 3, endLine: 6, stale: false });
    expect(map.placeOf(8, 11)).toEqual({ line: 12, endLine: 15, stale: false });
  });

  test('an edit inside makes it stale, and no other', () => {
    const map = edited((text) => text.splice(3, 1, '  double y = x * x * x;', '  y += 1;'));
    expect(map.placeOf(3, 6)).toEqual({ line: 3, endLine: 7, stale: true });
    expect(map.placeOf(8, 11)).toEqual({ line: 9, endLine: 12, stale: false });
  });

  test('a line put before the closing brace makes it stale', () => {
    const map = edited((text) => text.splice(5, 0, '  // unreachable'));
    expect(map.placeOf(3, 6)?.stale).toBe(true);
  });

  test('its first line may be rewritten', () => {
    const map = edited((text) => text.splice(2, 1, 'double renamed(double x, int n) {'));
    expect(map.placeOf(3, 6)).toEqual({ line: 3, endLine: 6, stale: true });
  });

  test('blank lines and indentation do not make it stale', () => {
    const map = edited((text) => text.splice(3, 2, '', '\tdouble y = x * x;', '', '      return y;  '));
    expect(map.placeOf(3, 6)).toEqual({ line: 3, endLine: 8, stale: false });
  });

  test('one that was deleted has no place, and one that moved as a whole is found', () => {
    const gone = edited((text) => text.splice(2, 5));
    expect(gone.placeOf(3, 6)).toBeUndefined();
    const moved = edited((text) => text.push(...text.splice(2, 4)));
    expect(moved.placeOf(3, 6)).toEqual({ line: lines.length - 3, endLine: lines.length, stale: false });
  });

  test('lines that never were in the text have no place', () => {
    const map = edited(() => undefined);
    expect(map.placeOf(1000, 1010)).toBeUndefined();
    expect(map.placeOf(0)).toBeUndefined();
  });

  test('a text that has nothing in common any more costs little', () => {
    const before = Uint32Array.from({ length: 50_000 }, (_, at) => 2 * at + 2);
    const after = Uint32Array.from({ length: 50_000 }, (_, at) => 2 * at + 1);
    const map = LineMap.between(before, after);
    expect(map.placeOf(100, 110)).toEqual({ line: 100, endLine: 110, stale: true });
  });
});

test('in a text with thousands of edits, functions are found by the lines that occur once', () => {
  const before = Array.from({ length: 6000 }, (_, at) => (at % 6 === 5 ? '}' : `line ${at}`));
  const after = before.flatMap((one, at) =>
    at % 12 === 2 ? [`${one} edited`, 'and a new line'] : at % 60 === 7 ? [] : [one],
  );
  const map = between(before.join('\n'), after.join('\n'));
  let last = 0;
  for (let first = 1; first < 6000; first += 6) {
    const place = map.placeOf(first, first + 5);
    expect(after[(place?.line ?? 0) - 1]).toBe(before[first - 1]);
    expect(place?.line).toBeGreaterThan(last);
    const edited = (first - 1) % 12 === 0 || (first - 1) % 60 === 6;
    expect(place?.stale).toBe(edited);
    last = place?.line ?? last;
  }
});

const line = fc.integer({ min: 0, max: 12 }).map((n) => (n === 0 ? '' : `line ${n}`));
const text = fc.array(line, { minLength: 1, maxLength: 40 });

describe('properties of the map', () => {
  test('the same text: every line is where it was', () => {
    fc.assert(
      fc.property(text, (one) => {
        const map = between(one.join('\n'), one.join('\n'));
        expect(map.unchanged).toBe(true);
        one.forEach((_, at) => expect(map.toCurrent(at + 1)).toBe(at + 1));
      }),
    );
  });

  test('it never goes backwards and never leaves the text', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const map = between(before.join('\n'), after.join('\n'));
        let last = 1;
        before.forEach((_, at) => {
          const now = map.toCurrent(at + 1);
          expect(now).toBeGreaterThanOrEqual(last);
          expect(now).toBeLessThanOrEqual(after.length);
          last = now;
        });
      }),
    );
  });

  test('an insertion moves what is behind it, and nothing before it', () => {
    fc.assert(
      fc.property(text, text, fc.nat(), (before, inserted, where) => {
        const at = where % (before.length + 1);
        const fresh = inserted.map((one, index) => `new ${index} ${one}`);
        const map = between(
          before.join('\n'),
          [...before.slice(0, at), ...fresh, ...before.slice(at)].join('\n'),
        );
        before.forEach((_, index) =>
          expect(map.toCurrent(index + 1)).toBe(index < at ? index + 1 : index + 1 + fresh.length),
        );
      }),
    );
  });

  test('a deletion is the insertion the other way round', () => {
    fc.assert(
      fc.property(text, text, fc.nat(), (rest, deleted, where) => {
        const at = where % (rest.length + 1);
        const old = deleted.map((one, index) => `old ${index} ${one}`);
        const before = [...rest.slice(0, at), ...old, ...rest.slice(at)];
        const map = between(before.join('\n'), rest.join('\n'));
        const back = between(rest.join('\n'), before.join('\n'));
        rest.forEach((_, index) => {
          const measured = index < at ? index + 1 : index + 1 + old.length;
          expect(map.toCurrent(measured)).toBe(index + 1);
          expect(map.toMeasured(index + 1)).toBe(measured);
          expect(back.toCurrent(index + 1)).toBe(measured);
        });
      }),
    );
  });

  test('a function that is said to be unchanged stands there, line by line', () => {
    fc.assert(
      fc.property(text, text, fc.nat(), fc.nat(8), (before, after, start, length) => {
        const first = (start % before.length) + 1;
        const last = Math.min(before.length, first + length);
        fc.pre(before[first - 1] !== '');
        const place = between(before.join('\n'), after.join('\n')).placeOf(first, last);
        if (place === undefined || place.stale) return;
        const filled = (some: string[]): string[] => some.filter((one) => one !== '');
        expect(filled(after.slice(place.line - 1, place.endLine))).toEqual(
          filled(before.slice(first - 1, last)),
        );
      }),
    );
  });
});
