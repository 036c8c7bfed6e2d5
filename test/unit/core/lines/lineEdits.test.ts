import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LineEdit } from '../../../../src/core/lines/lineEdits';
import { packHunks, unpackHunks } from '../../../../src/core/lines/lineHunks';
import { LineMap } from '../../../../src/core/lines/lineMap';

const lines = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 30 });
const edits = fc.array(fc.record({ first: fc.nat(), removed: fc.nat(6), added: lines }), {
  minLength: 1,
  maxLength: 12,
});

/** An edit that fits the text and leaves a line, as editors do. */
function fitted(
  text: readonly number[],
  { first, removed, added }: { readonly first: number; readonly removed: number; readonly added: number[] },
): { readonly edit: LineEdit; readonly text: number[] } {
  const begin = first % text.length;
  const gone = Math.min(Math.max(1, removed), text.length - begin);
  const after = [...text.slice(0, begin), ...added, ...text.slice(begin + gone)];
  return { edit: { first: begin, removed: gone, added: Uint32Array.from(added) }, text: after };
}

/** Fails unless the hunks turn one text into the other, line by line. */
function expectAligned(map: LineMap, before: readonly number[], after: readonly number[]): void {
  let [measured, current] = [0, 0];
  const end = { measured: before.length, removed: 0, current: after.length, added: 0 };
  for (const [at, hunk] of [...map.hunks, end].entries()) {
    expect(hunk.measured - measured).toBe(hunk.current - current);
    expect(before.slice(measured, hunk.measured)).toEqual(after.slice(current, hunk.current));
    if (at > 0 && hunk !== end) expect(hunk.measured).toBeGreaterThan(measured);
    measured = hunk.measured + hunk.removed;
    current = hunk.current + hunk.added;
  }
  expect([measured, current]).toEqual([before.length, after.length]);
}

describe('edits one after the other', () => {
  test('leave hunks that turn the measured text into the edited one', () => {
    fc.assert(
      fc.property(lines, lines, edits, (before, opened, changes) => {
        let text: number[] = opened;
        let map = LineMap.between(Uint32Array.from(before), Uint32Array.from(text));
        for (const change of changes) {
          const next = fitted(text, change);
          text = next.text;
          map = map.edited([next.edit]);
          expectAligned(map, before, text);
        }
      }),
    );
  });

  test('that are taken back leave nothing changed', () => {
    fc.assert(
      fc.property(lines, edits, (before, changes) => {
        let text: number[] = before;
        let map = LineMap.identity(Uint32Array.from(before));
        const back: LineEdit[] = [];
        for (const change of changes) {
          const { edit, text: after } = fitted(text, change);
          const { first, removed, added } = edit;
          back.push({
            first,
            removed: added.length,
            added: Uint32Array.from(text.slice(first, first + removed)),
          });
          text = after;
          map = map.edited([edit]);
        }
        for (const edit of back.reverse()) map = map.edited([edit]);
        expect(map.unchanged).toBe(true);
      }),
    );
  });

  test('that come together are the same as one by one from the last to the first', () => {
    const gaps = fc.array(
      fc.record({ gap: fc.nat(5), removed: fc.integer({ min: 1, max: 4 }), added: lines }),
      {
        maxLength: 6,
      },
    );
    fc.assert(
      fc.property(
        fc.array(fc.nat(9), { minLength: 1, maxLength: 60 }),
        lines,
        gaps,
        (before, opened, all) => {
          const together: LineEdit[] = [];
          let next = 0;
          for (const { gap, removed, added } of all) {
            const first = next + gap;
            if (first + removed > opened.length) break;
            together.push({ first, removed, added: Uint32Array.from(added) });
            next = first + removed;
          }
          const map = LineMap.between(Uint32Array.from(before), Uint32Array.from(opened));
          const text = [...opened];
          for (const { first, removed, added } of [...together].reverse())
            text.splice(first, removed, ...added);
          const edited = map.edited(together);
          expect([...edited.current]).toEqual(text);
          expectAligned(edited, before, text);
        },
      ),
    );
  });

  test('a name that is replaced everywhere changes only its lines', () => {
    const before = Uint32Array.from({ length: 100 }, (_, at) => at + 1);
    const after = before.map((one, at) => (at % 10 === 3 ? one + 1000 : one));
    const map = LineMap.identity(before).edited([{ first: 0, removed: 100, added: after }]);
    expect(map.hunks).toHaveLength(10);
    expect(map.placeOf(15, 20)).toEqual({ line: 15, endLine: 20, stale: false });
    expect(map.placeOf(11, 20)?.stale).toBe(true);
  });
});

test('hunks cross to another process as numbers', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const { hunks } = LineMap.between(Uint32Array.from(before), Uint32Array.from(after));
      expect(unpackHunks(packHunks(hunks))).toEqual(hunks);
    }),
  );
});

test('where every line is the same, a function that moved is not searched for everywhere', () => {
  const before = new Uint32Array(20_000).fill(7);
  const after = Uint32Array.from({ length: 20_000 }, (_, at) => (at % 2 === 0 ? 7 : 8));
  const map = new LineMap(before, after, [{ measured: 0, removed: 20_000, current: 0, added: 20_000 }]);
  expect(map.placeOf(100, 200)).toEqual({ line: 100, endLine: 200, stale: true });
});
