import { describe, expect, test } from 'vitest';
import type { LineEdit } from '../../../../../src/core/lines/lineEdits';
import { differences, packHunks } from '../../../../../src/core/lines/lineHunks';
import { FollowedLines } from '../../../../../src/editor/state/places/followedLines';

const measured = Uint32Array.from({ length: 50 }, (_, at) => at + 1);
const parts = (current: Uint32Array) => ({ measured, hunks: packHunks(differences(measured, current)) });
const insert = (first: number, ...added: number[]): LineEdit => ({
  first,
  removed: 1,
  added: Uint32Array.from([...added, first + 1]),
});

describe('lines that are followed', () => {
  test('edits during the comparison are made up for', () => {
    const lines = new FollowedLines(measured);
    const current = lines.compare();
    lines.edit([insert(0, 100)]);
    expect(lines.map).toBeUndefined();
    lines.edit([{ first: 0, removed: 1, added: Uint32Array.from([100, 101]) }]);
    const map = lines.compared(current, parts(current));
    expect(map.placeOf(10, 20)).toEqual({ line: 12, endLine: 22, stale: false });
    expect(map.current).toEqual(lines.current);
  });

  test('afterwards the map is there at once, and typing calls for no comparison', () => {
    const lines = new FollowedLines(measured);
    lines.compared(lines.compare(), parts(measured));
    for (let key = 0; key < 10; key++)
      lines.edit([{ first: 14, removed: 1, added: Uint32Array.of(500 + key) }]);
    expect(lines.rough).toBe(false);
    expect(lines.map?.placeOf(10, 20)?.stale).toBe(true);
    lines.edit([{ first: 14, removed: 1, added: Uint32Array.of(15) }]);
    expect(lines.map?.placeOf(10, 20)).toEqual({ line: 10, endLine: 20, stale: false });
  });

  test('a large edit calls for one comparison, which may place functions better', () => {
    const lines = new FollowedLines(measured);
    lines.compared(lines.compare(), parts(measured));
    // A formatter gives the whole text anew, with two more lines.
    const formatted = Uint32Array.from([200, ...measured.slice(0, 30), 201, ...measured.slice(30)]);
    formatted[10] = 300;
    lines.edit([{ first: 0, removed: 50, added: formatted }]);
    expect(lines.rough).toBe(true);
    const current = lines.compare();
    expect(lines.rough).toBe(false);
    lines.edit([{ first: 0, removed: 1, added: Uint32Array.of(200, 202) }]);
    const map = lines.compared(current, parts(current));
    expect(map.placeOf(20, 25)).toEqual({ line: 22, endLine: 27, stale: false });
    expect(map.placeOf(8, 12)?.stale).toBe(true);
  });

  test('where nothing was kept, the text as it was opened counts as measured', () => {
    const lines = new FollowedLines(measured);
    lines.compared(lines.compare(), { hunks: packHunks([]) });
    lines.edit([insert(4, 100, 101, 102, 103, 104)]);
    expect(lines.map?.placeOf(10, 20)).toEqual({ line: 15, endLine: 25, stale: false });
    expect(lines.rough).toBe(false);
  });
});
