import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPercent } from '../../../../src/core/format';
import { formatIn, tableSource, units } from '../../../../webview/hotSpots/data/columns';
import {
  directions,
  FunctionRows,
  type Direction,
} from '../../../../webview/hotSpots/functions/functionRows';
import { functionTable } from '../../../../webview/hotSpots/functions/functionTable';
import type { Spreads } from '../../../../webview/hotSpots/spread/spreads';
import { Model } from '../../../../webview/hotSpots/data/model';
import { search } from '../../../../webview/ui/search/nameSearch';
import { profileOf, type TestProfile } from '../../../webview/hotSpots/profiles';

const time = 1;
const visits = 0;
type Paths = Parameters<typeof profileOf>[2];

function rowsOf(
  names: readonly string[],
  paths: Paths,
  {
    lines,
    moved = [],
    groups = [],
  }: { lines?: number[]; moved?: [string, string][]; groups?: string[] } = {},
) {
  const profile = profileOf(
    'p',
    names.map((name, at) => ({ name, file: `/src/${name}.c`, line: 1, group: groups[at] ?? 'Other' })),
    paths,
  );
  const model = new Model(
    loaded({ ...profile, ...(lines !== undefined && { line: Int32Array.from(lines) }) }),
  );
  return { model, rows: new FunctionRows(model, new Map(moved)) };
}

const loaded = (profile: TestProfile) => profile;

/** Name, line, inclusive and exclusive seconds, visits of the rows below a row. */
function below(rows: FunctionRows, model: Model, row: number, direction: Direction) {
  const all = rows.below(row, direction);
  const { main } = rows.values(time);
  return all.map((one) => {
    const of = rows.at(one);
    if (of.kind === 'group' || of.kind === 'function') throw new Error('is no caller or callee');
    return [
      of.region < 0 ? '' : model.names[of.region],
      of.line,
      main.inclusive[one],
      main.exclusive[one],
      main.visits[one],
    ];
  });
}

// The thesis's process 1: main calls MPI_Init, fopen, fclose; MPI_Init calls fopen, fclose.
const w1 = ['main', 'MPI_Init', 'fopen', 'fclose'];
const w1Paths: Paths = [
  [-1, 0, 1, 1],
  [0, 1, 2, 1],
  [1, 2, 0.5, 7],
  [1, 3, 0.25, 7],
  [0, 2, 0.125, 3],
  [0, 3, 0.25, 3],
];

describe('rows of functions', () => {
  it('F7 callers of fopen on process 1 are main and MPI_Init, and their counts add up', () => {
    const { model, rows } = rowsOf(w1, w1Paths);
    expect(below(rows, model, 2, 'callers')).toEqual([
      ['MPI_Init', 0, 0.5, 0.5, 7],
      ['main', 0, 0.125, 0.125, 3],
    ]);
    expect(rows.values(time).main.visits[2]).toBe(10);
    const [init = -1] = rows.below(2, 'callers');
    expect(below(rows, model, init, 'callers')).toEqual([['main', 0, 0.5, 0.5, 7]]);
    const [main = -1] = rows.below(init, 'callers');
    expect(rows.hasBelow(main, 'callers')).toBe(false);
    expect(rows.below(main, 'callers')).toEqual([]);
    expect([rows.levelOf(2, false), rows.levelOf(init, false), rows.levelOf(main, true)]).toEqual([1, 2, 4]);
  });

  it('F7 callees of main are what it calls, with the values of these calls', () => {
    const { model, rows } = rowsOf(w1, w1Paths);
    expect(below(rows, model, 0, 'callees')).toEqual([
      ['MPI_Init', 0, 2.75, 2, 1],
      ['fopen', 0, 0.125, 0.125, 3],
      ['fclose', 0, 0.25, 0.25, 3],
    ]);
  });

  it('F7 shows what was called by no recorded function, where something else called it, too', () => {
    const { model, rows } = rowsOf(
      ['main', 'work'],
      [
        [-1, 0, 1, 1],
        [0, 1, 2, 5],
        [-1, 1, 4, 6],
      ],
    );
    expect(below(rows, model, 1, 'callers')).toEqual([
      ['main', 0, 2, 2, 5],
      ['', 0, 4, 4, 6],
    ]);
    expect(rows.hasBelow(0, 'callers')).toBe(false);
  });

  it('F8 calls from different lines of one caller are rows of their own, if the profile has lines', () => {
    const paths: Paths = [
      [-1, 0, 1, 1],
      [0, 1, 2, 5],
      [0, 1, 3, 6],
    ];
    const { model, rows } = rowsOf(['main', 'f'], paths, { lines: [0, 12, 17] });
    expect(below(rows, model, 1, 'callers')).toEqual([
      ['main', 12, 2, 2, 5],
      ['main', 17, 3, 3, 6],
    ]);
    expect(below(rows, model, 0, 'callees')).toEqual([
      ['f', 12, 2, 2, 5],
      ['f', 17, 3, 3, 6],
    ]);
    const without = rowsOf(['main', 'f'], paths);
    expect(below(without.rows, without.model, 1, 'callers')).toEqual([['main', 0, 5, 5, 11]]);
  });

  it('F16 W17: of recursion the outermost call counts, 5 s inclusive, 5 s exclusive, 2 calls', () => {
    const { model, rows } = rowsOf(
      ['main', 'A'],
      [
        [-1, 0, 0, 1],
        [0, 1, 2, 1],
        [1, 1, 3, 1],
      ],
    );
    const { main } = rows.values(time);
    expect([main.inclusive[1], main.exclusive[1], main.visits[1]]).toEqual([5, 5, 2]);
    expect(below(rows, model, 1, 'callers')).toEqual([
      ['main', 0, 5, 2, 1],
      ['A', 0, 0, 3, 1],
    ]);
    expect(below(rows, model, 1, 'callees')).toEqual([['A', 0, 3, 3, 1]]);
  });

  it('F16 mutual recursion is in no inclusive value twice', () => {
    const { rows } = rowsOf(
      ['main', 'even', 'odd'],
      [
        [-1, 0, 1, 1],
        [0, 1, 1, 1],
        [1, 2, 1, 1],
        [2, 1, 1, 1],
        [3, 2, 1, 1],
      ],
      { groups: ['main', 'parity', 'parity'] },
    );
    const { inclusive, exclusive } = rows.values(time).main;
    expect([...inclusive.slice(0, 3)]).toEqual([5, 4, 3]);
    expect(rows.groups).toEqual(['main', 'parity']);
    const [, parity = -1] = rows.groupRows;
    // Calls from outside of the group: of even by main.
    expect([inclusive[parity], exclusive[parity]]).toEqual([4, 4]);
  });

  it('F15 a moved function is in the other group only, with its values', () => {
    const groups = ['main', 'MPI', 'I/O', 'I/O', 'I/O', 'Never'];
    const { model, rows } = rowsOf([...w1, 'fread', 'never'], w1Paths, {
      groups,
      moved: [['fclose', '__proto__']],
    });
    expect(rows.groups).toEqual(['main', 'MPI', 'I/O', '__proto__']);
    expect(rows.groupRows.map((row) => rows.at(row))).toMatchObject([
      { name: 'main', members: 1 },
      { name: 'MPI', members: 1 },
      { name: 'I/O', members: 1 },
      { name: '__proto__', members: 1 },
      { name: 'Never', members: 0 },
    ]);
    expect(rows.groupNameOf(3)).toBe('__proto__');
    expect(rows.ownGroup(3)).toBe('I/O');
    const exclusive = (name: string): number | undefined =>
      rows.values(time).main.exclusive[
        rows.groupRows[['main', 'MPI', 'I/O', '__proto__'].indexOf(name)] ?? -1
      ];
    expect(exclusive('__proto__')).toBe(0.5);
    expect(exclusive('I/O')).toBe(0.625);
    const before = rows.version;
    rows.regroup(new Map());
    expect(rows.version).not.toBe(before);
    expect(rows.groups).toEqual(['main', 'MPI', 'I/O']);
    expect(exclusive('I/O')).toBe(1.125);
    expect(model.total(time)).toBe(4.125);
  });

  it('F13 exclusive percentages of groups add up to 100 %, and no number is in scientific notation', () => {
    const { model, rows } = rowsOf(w1, w1Paths, { groups: ['main', 'MPI', 'I/O', 'I/O'] });
    const { exclusive } = rows.values(time).main;
    const shares = rows.groupRows.map((row) => (exclusive[row] ?? 0) / model.total(time));
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
    expect(shares.map(formatPercent)).toEqual(['24.2 %', '48.5 %', '27.3 %']);
  });
});

/** Any tree of up to 40 call paths in pre-order, of few functions, so that there is much recursion. */
const trees = fc
  .array(fc.record({ up: fc.nat(4), region: fc.nat(5), time: fc.nat(8), visits: fc.nat(3) }), {
    minLength: 1,
    maxLength: 40,
  })
  .map((nodes): Paths => {
    const stack: number[] = [];
    return nodes.map(({ up, region, time: seconds, visits: count }, at) => {
      for (let i = 0; i < up; i++) stack.pop();
      const parent = stack.at(-1) ?? -1;
      stack.push(at);
      return [parent, region, seconds, count];
    });
  });
const six = ['a', 'b', 'c', 'd', 'e', 'f'];

describe('rows of functions of any call tree', () => {
  it('F7 callers split exclusive and inclusive values and visits of each row; callees have no more than theirs', () => {
    fc.assert(
      fc.property(trees, (paths) => {
        const { rows } = rowsOf(six, paths);
        const open: [number, Direction, number][] = six.flatMap((_, region) =>
          directions.map((direction): [number, Direction, number] => [region, direction, 0]),
        );
        for (let next = open.pop(); next !== undefined; next = open.pop()) {
          const [row, direction, depth] = next;
          const has = rows.hasBelow(row, direction);
          const children = rows.below(row, direction);
          expect(has).toBe(children.length > 0);
          if (children.length === 0) continue;
          const { main } = rows.values(time);
          const sum = (of: 'inclusive' | 'exclusive' | 'visits'): number =>
            children.reduce((all, child) => all + (main[of][child] ?? 0), 0);
          if (direction === 'callers')
            for (const of of ['inclusive', 'exclusive', 'visits'] as const)
              expect(sum(of)).toBe(main[of][row]);
          else expect(sum('inclusive')).toBeLessThanOrEqual(main.inclusive[row] ?? 0);
          if (depth < 4)
            open.push(...children.map((child): [number, Direction, number] => [child, direction, depth + 1]));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('F2 the call paths that a box plot adds up make the value of each row', () => {
    fc.assert(
      fc.property(trees, fc.array(fc.nat(2), { minLength: 6, maxLength: 6 }), (paths, of) => {
        const { model, rows } = rowsOf(six, paths, { groups: of.map((group) => `group ${group}`) });
        for (let depth = 0; depth < 3; depth++)
          for (let row = 0, all = rows.count; row < all; row++)
            if (rows.at(row).kind !== 'group') for (const direction of directions) rows.below(row, direction);
        const { main } = rows.values(time);
        const own = model.paths(time).main;
        for (let row = 0; row < rows.count; row++)
          for (const extent of ['inclusive', 'exclusive'] as const) {
            const sum = Array.from(rows.valuePathsOf(row, extent)).reduce(
              (all, path) => all + (own[extent][path] ?? 0),
              0,
            );
            expect(sum).toBeCloseTo(main[extent][row] ?? 0, 9);
          }
      }),
      { numRuns: 40 },
    );
  });

  it('F14 exclusive values of groups add up to the total, and inclusive ones are what their functions have without counting twice', () => {
    fc.assert(
      fc.property(trees, fc.array(fc.nat(2), { minLength: 6, maxLength: 6 }), (paths, of) => {
        const { model, rows } = rowsOf(six, paths, { groups: of.map((group) => `group ${group}`) });
        const { inclusive, exclusive } = rows.values(time).main;
        const total = model.total(time);
        expect(rows.groupRows.reduce((sum, row) => sum + (exclusive[row] ?? 0), 0)).toBe(total);
        for (const row of rows.groupRows) {
          // Every call path that is in the group, or below one that is, once.
          const inside = paths.map(() => false);
          let union = 0;
          paths.forEach(([parent, region, seconds], path) => {
            inside[path] = inside[parent] === true || rows.groupNameOf(region) === rows.keyOf(row).slice(6);
            if (inside[path]) union += seconds;
          });
          expect(inclusive[row]).toBe(union);
        }
      }),
      { numRuns: 100 },
    );
  });
});

const noSpreads: unknown = {};

describe('the table of functions', () => {
  const tableOf = (inGroups: boolean, text = '') => {
    const { model, rows } = rowsOf(w1, w1Paths, { groups: ['main', 'MPI', 'I/O', 'I/O'] });
    const query = { text, regex: false };
    const shown = { model, fullNames: false, found: search(model.names, model.folded, query) };
    const { header } = model.main;
    const opened = { panel: 'p', main: header, comparable: [], moved: [], compared: -1 };
    const source = tableSource(model, opened, time, (metric) => rows.values(metric), 'auto');
    const table = functionTable(
      rows,
      () => shown,
      () => source,
      () => ({ inGroups, direction: 'callers' }),
      // Nothing of them is asked for here.
      noSpreads as Spreads,
    );
    return { rows, table };
  };

  it('F5 has functions below their groups, or at the top', () => {
    const { rows, table } = tableOf(true);
    expect([...table.parent().slice(0, 4)]).toEqual([
      rows.groupRows[0],
      rows.groupRows[1],
      rows.groupRows[2],
      rows.groupRows[2],
    ]);
    expect(table.level(2)).toBe(2);
    const alone = tableOf(false).table;
    expect([...alone.parent()].every((above) => above === -1)).toBe(true);
    expect(alone.isShown?.(rows.groupRows[0] ?? -1)).toBe(false);
  });

  it('F10 finds groups by their names, and callers by that of the function', () => {
    const { rows, table } = tableOf(true, 'i/o');
    expect(rows.groupRows.map((row) => table.isMatch(row))).toEqual([false, false, true]);
    const { rows: others, table: other } = tableOf(false, 'main');
    const [init = -1] = others.below(2, 'callers');
    const [main = -1] = others.below(init, 'callers');
    expect([other.isMatch(init), other.isMatch(main), other.isMatch(0)]).toEqual([false, true, true]);
  });

  it('has new values for rows that were made after its columns', () => {
    const { rows, table } = tableOf(false);
    const numbers = table.numbers();
    const [inclusive] = numbers;
    const perVisit = numbers.find(({ id }) => id === 'perVisit');
    const before = inclusive?.values();
    expect(perVisit?.values()[2]).toBeCloseTo(0.0625);
    const [init = -1] = rows.below(2, 'callers');
    expect(before?.[init]).toBeUndefined();
    expect(inclusive?.values()[init]).toBe(0.5);
    expect(perVisit?.values()[init]).toBeCloseTo(0.5 / 7);
    expect(rows.values(visits).main.exclusive[init]).toBe(7);
  });
});

describe('F13 units', () => {
  it('are never in scientific notation', () => {
    const values = fc.oneof(
      fc.double({ min: -1e17, max: 1e17, noNaN: true }),
      fc.double({ min: -1e-5, max: 1e-5, noNaN: true }),
    );
    fc.assert(
      fc.property(
        values,
        fc.constantFrom(...units),
        fc.constantFrom('sec', 'occ', 'bytes', 'cycles', ''),
        fc.constantFrom(0, 1, 1e15),
        (value, unit, metricUnit, total) => {
          expect(formatIn(value, unit, metricUnit, total)).not.toMatch(/\d[eE][+-]?\d/);
        },
      ),
      { numRuns: 2000 },
    );
    expect(formatIn(2e-9, 'auto', 'J', 1)).toBe('<0.000001 J');
    expect(formatIn(3.1e9, 'auto', 'cycles', 1)).toBe('3.1 G cycles');
    expect(formatIn(1, 'percent', 'cycles', 4)).toBe('25.0 %');
  });
});
