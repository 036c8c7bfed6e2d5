import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { childLinks, depths } from '../../../../src/core/profile/tree';
import { inclusivePerLocation, exclusivePerLocation } from '../../../../src/core/profile/values';
import { ProfileBuilder } from '../../../profileBuilder';
import { standardMetrics } from '../../../../src/core/profile/metrics';
import { subtreeEnds } from '../../../../src/core/profile/tree';
import { icicle, rectangleAt } from '../../../../src/core/views/icicle';
import { inMerged, mergeTrees } from '../../../../src/core/views/mergeTrees';
import { locationValues } from '../../../../src/core/views/locationValues';
import {
  childLinksInOrder,
  expandAbove,
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
