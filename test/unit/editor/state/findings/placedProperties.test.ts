import { describe, expect, it } from 'vitest';
import { hashLines } from '../../../../../src/core/lines/lineHashes';
import { LineMap } from '../../../../../src/core/lines/lineMap';
import { propertiesByFile, placeProperties } from '../../../../../src/editor/state/findings/placedProperties';
import type { FoundProperty } from '../../../../../src/workflows/views/dynamicsInSource';

function found(id: string, line: number, facts: Partial<FoundProperty> = {}): FoundProperty {
  return {
    id,
    kind: 'degradation-trend',
    title: id,
    severity: 0.1,
    confidence: 1,
    evidence: {},
    iterations: [[1, 2]],
    region: { name: 'f', file: '/w/a.c', line },
    ...facts,
  };
}

describe('properties in the source', () => {
  it('are found by file; regions without a place are in none', () => {
    const nowhere = { ...found('n', 1), region: { name: 'n' } };
    const byFile = propertiesByFile([
      found('t', 3),
      found('h', 3, { kind: 'hot-spot' }),
      found('b', 9, { region: { name: 'g', file: '/w/b.c', line: 9 } }),
      nowhere,
    ]);
    expect([...byFile].map(([file, all]) => [file, all.map(({ id }) => id)])).toEqual([
      ['/w/a.c', ['t', 'h']],
      ['/w/b.c', ['b']],
    ]);
  });

  it('stand at the lines of today, the most severe of a line first', () => {
    const before = hashLines('a\nint f() {\n  one;\n  two;\n}\nint g() {\n  three;\n}\n');
    const now = hashLines('new\na\nint f() {\n  one;\n  changed;\n}\nint g() {\n  three;\n}\n');
    const groups = placeProperties(
      [
        found('small', 2, { endLine: 5, severity: 0.05 }),
        found('g', 6, { endLine: 8 }),
        found('large', 2, { endLine: 5, severity: 0.2 }),
        found('beyond', 400),
      ],
      LineMap.between(before, now),
      9,
    );
    expect(
      groups.map(({ line, stale, properties }) => [line, stale, properties.map(({ id }) => id)]),
    ).toEqual([
      [3, true, ['large', 'small']],
      [7, false, ['g']],
    ]);
  });

  it('warn of lines whose source is newer than what was measured', () => {
    const map = LineMap.identity(hashLines('a\nb\nc\n'));
    expect(placeProperties([found('x', 2, { stale: true })], map, 3)).toMatchObject([
      { line: 2, stale: true },
    ]);
  });
});
