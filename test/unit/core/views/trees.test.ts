import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { childLinks, depths } from '../../../../src/core/profile/tree';
import { inclusivePerLocation, exclusivePerLocation } from '../../../../src/core/profile/values';
import { ProfileBuilder } from '../../../profileBuilder';
import { standardMetrics } from '../../../../src/core/profile/metrics';
import { subtreeEnds } from '../../../../src/core/profile/tree';
import { icicle, rectangleAt } from '../../../../src/core/views/icicle';
import { inMerged, mergeTrees } from '../../../../src/core/views/mergeTrees';
import { locationValues } from '../../../../src/core/views/ranks/locationValues';
import {
  childLinksInOrder,
  expandAbove,
  following,
  orderByText,
  orderByValue,
  visibleRows,
} from '../../../../src/core/views/treeRows';

/** Trees in pre-order: each parent is on the path to the call path before. */
const tree = fc
  .array(fc.tuple(fc.nat(), fc.nat(4), fc.nat(1000)), { minLength: 1, maxLength: 40 })
  .map((picks) => {
    const parent: number[] = [];
    for (const [pick] of picks) {
      const path = [-1];
      for (let at = parent.length - 1; at >= 0; at = parent[at] ?? -1) path.push(at);
      parent.push(path[pick % path.length] ?? -1);
    }
    const inclusive = picks.map(([, , own]) => own);
    for (let i = parent.length - 1; i > 0; i--) {
      const above = parent[i] ?? -1;
      if (above >= 0) inclusive[above] = (inclusive[above] ?? 0) + (inclusive[i] ?? 0);
    }
    return {
      parent: Int32Array.from(parent),
      region: Uint32Array.from(picks, ([, region]) => region),
      inclusive: Float64Array.from(inclusive),
      names: ['a', 'b', 'c', 'd', 'e'],
    };
  });

describe('tree rows', () => {
  it('are all call paths when everything is expanded, parents before children, siblings in order', () => {
    fc.assert(
      fc.property(tree, ({ parent, inclusive }) => {
        const links = childLinksInOrder(parent, orderByValue(inclusive, true));
        const rows = visibleRows(parent, links, new Uint8Array(parent.length).fill(1));
        expect([...rows].sort((a, b) => a - b)).toEqual([...parent.keys()]);
        const place = new Map([...rows].map((row, at) => [row, at]));
        const last = new Map<number, number>();
        for (const row of rows) {
          const above = parent[row] ?? -1;
          if (above >= 0) expect(place.get(above)!).toBeLessThan(place.get(row)!);
          expect(inclusive[row]!).toBeLessThanOrEqual(last.get(above) ?? Infinity);
          last.set(above, inclusive[row]!);
        }
      }),
    );
  });

  it('are only roots when nothing is expanded, and the way to one row when it is asked for', () => {
    const parent = Int32Array.of(-1, 0, 1, 0, -1);
    const links = childLinks(parent);
    const expanded = new Uint8Array(5);
    expect([...visibleRows(parent, links, expanded)]).toEqual([0, 4]);
    expandAbove(parent, expanded, 2);
    expect([...visibleRows(parent, links, expanded)]).toEqual([0, 1, 2, 3, 4]);
  });

  it('are sorted by text as people read it', () => {
    expect([...orderByText([0, 1, 2], ['f10', 'f9', 'F1'], false)]).toEqual([2, 1, 0]);
  });
});

describe('icicle', () => {
  it('never overlaps, and children stay within their parents', () => {
    fc.assert(
      fc.property(tree, fc.nat(), fc.boolean(), ({ parent, inclusive }, pick, zoomed) => {
        const links = childLinksInOrder(parent, orderByValue(inclusive, true));
        const root = zoomed ? pick % parent.length : -1;
        const shown = icicle(parent, links, inclusive, { root, width: 100, minimum: 0.5 });
        const at = new Map([...shown.node].map((node, rectangle) => [node, rectangle]));
        for (const level of shown.levels) {
          let end = 0;
          for (const one of level) {
            expect(shown.x[one]!).toBeGreaterThanOrEqual(end - 1e-9);
            end = shown.x[one]! + shown.width[one]!;
          }
          expect(end).toBeLessThanOrEqual(100 + 1e-9);
        }
        for (const [node, one] of at) {
          const above = at.get(parent[node] ?? -1);
          expect(shown.level[one]).toBe(above === undefined ? 0 : shown.level[above]! + 1);
          if (above === undefined) continue;
          expect(shown.x[one]!).toBeGreaterThanOrEqual(shown.x[above]! - 1e-9);
          expect(shown.x[one]! + shown.width[one]!).toBeLessThanOrEqual(
            shown.x[above]! + shown.width[above]! + 1e-9,
          );
          expect(rectangleAt(shown, shown.level[one]!, shown.x[one]! + shown.width[one]! / 2)).toBe(one);
        }
      }),
    );
  });

  it('shows what is above the zoomed call path over the whole width', () => {
    const parent = Int32Array.of(-1, 0, 1, 0);
    const shown = icicle(parent, childLinks(parent), Float64Array.of(10, 4, 2, 6), {
      root: 1,
      width: 80,
      minimum: 1,
    });
    expect([...shown.node]).toEqual([0, 1, 2]);
    expect([...shown.width]).toEqual([80, 80, 40]);
  });

  it('keeps children within a parent that measured less than they did', () => {
    const parent = Int32Array.of(-1, 0, 0);
    const shown = icicle(parent, childLinks(parent), Float64Array.of(10, 8, 8), {
      root: -1,
      width: 10,
      minimum: 1,
    });
    expect([...shown.width]).toEqual([10, 8, 2]);
  });

  it('is empty when nothing was measured', () => {
    const parent = Int32Array.of(-1);
    expect(
      icicle(parent, childLinks(parent), Float64Array.of(0), { root: -1, width: 10, minimum: 1 }).count,
    ).toBe(0);
  });
});

describe('merging two trees', () => {
  it('a tree with itself is itself', () => {
    fc.assert(
      fc.property(tree, (one) => {
        const merged = mergeTrees(one, one);
        expect([...merged.parent]).toEqual([...one.parent]);
        expect([...merged.inFirst]).toEqual([...one.parent.keys()]);
        expect([...merged.inSecond]).toEqual([...one.parent.keys()]);
      }),
    );
  });

  it('keeps every call path of both once, below its own parent and under its own name', () => {
    fc.assert(
      fc.property(tree, tree, (one, two) => {
        const merged = mergeTrees(one, two);
        expect([...merged.inFirst].filter((at) => at >= 0).sort((a, b) => a - b)).toEqual([
          ...one.parent.keys(),
        ]);
        expect([...merged.inSecond].filter((at) => at >= 0).sort((a, b) => a - b)).toEqual([
          ...two.parent.keys(),
        ]);
        merged.parent.forEach((above, at) => {
          expect(above).toBeLessThan(at);
          for (const [of, positions] of [
            [one, merged.inFirst],
            [two, merged.inSecond],
          ] as const) {
            const mine = positions[at]!;
            if (mine < 0) continue;
            expect(of.parent[mine]! < 0 ? -1 : of.parent[mine]).toBe(above < 0 ? -1 : positions[above]);
            expect(of.names[of.region[mine]!]).toBe(merged.names[merged.region[at]!]);
          }
        });
      }),
    );
  });

  it('shows what is on one side only', () => {
    const merged = mergeTrees(
      { parent: Int32Array.of(-1, 0), region: Uint32Array.of(0, 1), names: ['main', 'old'] },
      { parent: Int32Array.of(-1, 0), region: Uint32Array.of(1, 0), names: ['new', 'main'] },
    );
    expect([...merged.region].map((at) => merged.names[at])).toEqual(['main', 'old', 'new']);
    expect([...inMerged(Float64Array.of(5, 3), merged.inSecond)]).toEqual([5, 0, 3]);
    expect(depths({ count: 3, parent: merged.parent })).toEqual(Uint32Array.of(0, 1, 1));
  });
});

describe('values at locations', () => {
  it('are those of the whole profile', () => {
    fc.assert(
      fc.property(tree, fc.infiniteStream(fc.nat(9)), ({ parent, region }, values) => {
        const builder = new ProfileBuilder()
          .metric(standardMetrics.visits)
          .metric(standardMetrics.time)
          .metric(standardMetrics.minimumTime);
        for (let i = 0; i < 5; i++) builder.region({ name: `r${i}`, paradigm: 'compiler', role: 'function' });
        const process = builder.systemNode({ name: 'p', kind: 'process', rank: 0 });
        for (let i = 0; i < 3; i++)
          builder.location({ name: `t${i}`, rank: 0, thread: i, process, kind: 'thread' });
        parent.forEach((above, at) => builder.callPath(above < 0 ? undefined : above, region[at]!));
        parent.forEach((_, at) => {
          for (let i = 0; i < 3; i++)
            for (const metric of ['visits', 'time', 'min_time'])
              builder.set(metric, at, i, Number(values.next().value));
        });
        const profile = builder.build();
        const ends = subtreeEnds(profile.callPaths);
        for (const metric of ['visits', 'time', 'min_time']) {
          const inclusive = inclusivePerLocation(profile, metric);
          const exclusive = exclusivePerLocation(profile, metric);
          parent.forEach((_, at) => {
            const found = locationValues(profile, metric, at, ends[at]!);
            expect([...found.inclusive]).toEqual([...inclusive.slice(at * 3, at * 3 + 3)]);
            expect([...found.exclusive]).toEqual([...exclusive.slice(at * 3, at * 3 + 3)]);
          });
        }
      }),
      { numRuns: 50 },
    );
  });
});

/** `main` calls `a` (with `c` twice) and `b` (with `d`); `other` is a second root. Numbered in pre-order. */
const small = {
  //                 main a  c  c  b  d  other
  parent: Int32Array.of(-1, 0, 1, 1, 0, 4, -1),
  inclusive: Float64Array.of(60, 30, 10, 15, 20, 20, 40),
};

describe('the rows of a small tree', () => {
  const { parent, inclusive } = small;
  it('are ordered by value, equal ones as they were', () => {
    const values = Float64Array.of(2, 1, 3, 2, 3, -1);
    expect([...orderByValue(values, true)]).toEqual([2, 4, 0, 3, 1, 5]);
    expect([...orderByValue(values, false)]).toEqual([5, 1, 0, 3, 2, 4]);
    // F9: equal ones by other values, the largest first, in both directions.
    const [visits, exclusive] = [Float64Array.of(7, 9, 7, 7), Float64Array.of(1, 0, 3, 2)];
    expect([...orderByValue(visits, true, exclusive)]).toEqual([1, 2, 3, 0]);
    expect([...orderByValue(visits, false, exclusive)]).toEqual([2, 3, 0, 1]);
  });

  it('are ordered by the texts of their keys', () => {
    const texts = ['b', 'a10', 'a9', 'b'];
    expect([...orderByText([0, 1, 2, 3, 2], texts, false)]).toEqual([2, 4, 1, 0, 3]);
    expect([...orderByText([0, 1, 2, 3, 2], texts, true)]).toEqual([3, 0, 1, 2, 4]);
  });

  it('come in the order of their links, with children where they are expanded', () => {
    const links = childLinksInOrder(parent, orderByValue(inclusive, true));
    expect(links).toEqual({
      firstRoot: 0,
      firstChild: Int32Array.of(1, 3, -1, -1, 5, -1, -1),
      nextSibling: Int32Array.of(6, 4, -1, 2, -1, -1, -1),
    });
    const rows = (...expanded: readonly number[]): readonly number[] => [
      ...visibleRows(
        parent,
        links,
        Uint8Array.from(parent, (_, row) => (expanded.includes(row) ? 1 : 0)),
      ),
    ];
    expect(rows()).toEqual([0, 6]);
    expect(rows(0, 4, 6)).toEqual([0, 1, 4, 5, 6]);
    expect(rows(0, 1)).toEqual([0, 1, 3, 2, 4, 6]);
    expect(rows(1)).toEqual([0, 6]);
    const ascending = childLinksInOrder(parent, orderByValue(inclusive, false));
    expect([...visibleRows(parent, ascending, new Uint8Array(7).fill(1))]).toEqual([6, 0, 4, 5, 1, 2, 3]);
    expect([...visibleRows(new Int32Array(), childLinks([]), new Uint8Array())]).toEqual([]);
    expect(following(parent, links, 5)).toBe(6);
    expect(following(parent, links, 6)).toBe(-1);
  });
});

describe('the icicle of a small tree', () => {
  const { parent, inclusive } = small;
  const layout = (root: number, minimum: number, values = inclusive) =>
    icicle(parent, childLinksInOrder(parent, orderByValue(values, true)), values, {
      root,
      width: 200,
      minimum,
    });

  it('has all call paths side by side, callees below their callers', () => {
    expect(layout(-1, 0)).toEqual({
      count: 7,
      node: Uint32Array.of(0, 1, 3, 2, 4, 5, 6),
      level: Uint32Array.of(0, 1, 2, 2, 1, 2, 0),
      x: Float64Array.of(0, 0, 0, 30, 60, 60, 120),
      width: Float64Array.of(120, 60, 30, 20, 40, 40, 80),
      levels: [
        [0, 6],
        [1, 4],
        [2, 3, 5],
      ],
    });
  });

  it('leaves out what is narrower than the minimum, with all below it', () => {
    expect([...layout(-1, 40).node]).toEqual([0, 1, 4, 5, 6]);
    expect([...layout(-1, 41).node]).toEqual([0, 1, 6]);
    const nothing = Float64Array.of(60, 0, 10, 15, -5, 20, 0);
    expect([...layout(-1, 0, nothing).node]).toEqual([0]);
  });

  it('below a call path has no other subtrees, and its callers above it', () => {
    expect(layout(4, 0)).toEqual({
      count: 3,
      node: Uint32Array.of(0, 4, 5),
      level: Uint32Array.of(0, 1, 2),
      x: Float64Array.of(0, 0, 0),
      width: Float64Array.of(200, 200, 200),
      levels: [[0], [1], [2]],
    });
    expect([...layout(0, 0).node]).toEqual([0, 1, 3, 2, 4, 5]);
    expect([...layout(0, 0).x]).toEqual([0, 0, 0, 50, 100, 100]);
    expect([...layout(6, 0).width]).toEqual([200]);
    expect(layout(5, 0, Float64Array.of(1, 1, 1, 1, 1, 0, 1)).count).toBe(0);
    expect(layout(-1, 0, new Float64Array(7))).toEqual({
      count: 0,
      node: new Uint32Array(),
      level: new Uint32Array(),
      x: new Float64Array(),
      width: new Float64Array(),
      levels: [],
    });
  });

  it('has a rectangle from its left border on, up to its right one', () => {
    const shown = layout(-1, 0);
    const hits = (level: number, ...places: readonly number[]): readonly number[] =>
      places.map((x) => rectangleAt(shown, level, x));
    expect(hits(0, -1, 0, 119, 120, 199, 200)).toEqual([-1, 0, 0, 6, 6, -1]);
    expect(hits(2, 0, 29.5, 30, 49, 50, 59, 60, 99, 100)).toEqual([2, 2, 3, 3, -1, -1, 5, 5, -1]);
    expect(hits(3, 0)).toEqual([-1]);
  });
});

describe('merging two small trees', () => {
  it('has a place for each call path and each region of both', () => {
    //  main: a: x, x; b        main: b: y; a: x; c
    const first = {
      parent: Int32Array.of(-1, 0, 1, 1, 0),
      region: Uint32Array.of(0, 1, 2, 2, 3),
      names: ['main', 'a', 'x', 'b', 'unused'],
    };
    const second = {
      parent: Int32Array.of(-1, 0, 1, 0, 3, 0, 5),
      region: Uint32Array.of(4, 3, 2, 1, 0, 5, 0),
      names: ['x', 'a', 'y', 'b', 'main', 'c'],
    };
    expect(mergeTrees(first, second)).toEqual({
      parent: Int32Array.of(-1, 0, 1, 1, 0, 4, 0, 6),
      region: Uint32Array.of(0, 1, 2, 2, 3, 5, 6, 2),
      names: ['main', 'a', 'x', 'b', 'unused', 'y', 'c'],
      inFirst: Int32Array.of(0, 1, 2, 3, 4, -1, -1, -1),
      inSecond: Int32Array.of(0, 3, 4, -1, 1, 2, 5, 6),
      regionInFirst: Int32Array.of(0, 1, 2, 3, 4, -1, -1),
      regionInSecond: Int32Array.of(4, 1, 0, 3, -1, 2, 5),
    });
    expect([...inMerged(Float64Array.of(1, 2, 3, 4, 5, 6, 7), Int32Array.of(0, 3, -1, 6))]).toEqual([
      1, 4, 0, 7,
    ]);
  });

  it('has regions of the same name once', () => {
    const twice = { parent: Int32Array.of(-1, 0), region: Uint32Array.of(0, 1), names: ['f', 'f'] };
    const merged = mergeTrees(twice, twice);
    expect(merged.names).toEqual(['f']);
    expect(merged.regionInFirst).toEqual(Int32Array.of(0));
  });
});
