import { describe, expect, it } from 'vitest';
import type { SiteKind } from '../../../../../../src/core/cost/pairCost';
import { framesBetween } from '../../../../../../src/measurement/backends/scorep/unfit/framesBetween';
import { LeftOut } from '../../../../../../src/measurement/backends/scorep/unfit/leftOut';
import { fn, graphOf } from '../../../../core/selection/graphs';

const names = ['main', 'loop', 'mid', 'leaf', 'aside', 'above', '_ZN1GC1Ei', '__cxa_throw'];
/** main → loop → mid → leaf → throw; aside is beside the way, above outside of it. */
const graph = graphOf(
  names.map((name) => fn(name)),
  [
    ['above', 'main'],
    ['main', 'loop'],
    ['loop', 'mid'],
    ['loop', 'aside'],
    ['mid', 'leaf'],
    ['mid', 'aside'],
    ['leaf', '__cxa_throw'],
    ['above', 'leaf'],
  ],
);
const recorded = new Set(names.slice(0, 7));
const none = { from: new Set<string>(), into: new Set<string>() };

describe('frames that were left between two', () => {
  it('are the inner one and its callers up to the outer one', () => {
    expect(framesBetween(graph, recorded, ['leaf'], ['loop'])).toEqual(['leaf', 'mid']);
    expect(framesBetween(graph, recorded, ['leaf'], ['main'])).toEqual(['leaf', 'mid', 'loop']);
  });

  it('are those that are recorded, and none where the graph knows no way', () => {
    expect(framesBetween(graph, new Set(['leaf', 'loop']), ['leaf'], ['main'])).toEqual(['leaf', 'loop']);
    expect(framesBetween(graph, recorded, ['leaf'], ['aside'])).toEqual([]);
    expect(framesBetween(graph, recorded, ['unknown'], ['main'])).toEqual([]);
  });

  it('end in recursions', () => {
    const cycle = graphOf(
      [fn('main'), fn('a'), fn('b')],
      [
        ['main', 'a'],
        ['a', 'b'],
        ['b', 'a'],
      ],
    );
    expect(framesBetween(cycle, new Set(['main', 'a', 'b']), ['b'], ['main'])).toEqual(['b', 'a']);
  });
});

describe('what is left out', () => {
  const fresh = (): { readonly left: LeftOut; readonly sites: Map<string, SiteKind> } => {
    const sites = new Map<string, SiteKind>([...recorded].map((key) => [key, 'probe']));
    return { left: new LeftOut(graph, sites, none), sites };
  };

  it('is what Score-P names, by the name that it shows', () => {
    const { left, sites } = fresh();
    expect(left.frames(recorded, 'int leaf(int)', 'double loop(int, char**)')).toMatch(/leaves leaf, mid\. /);
    expect([...left.keys]).toEqual(['leaf', 'mid']);
    expect(sites.has('leaf')).toBe(false);
    expect(left.without(['main', 'leaf'])).toEqual(new Set(['main']));
  });

  it('is what throws where the names are not known, each function once', () => {
    const { left } = fresh();
    expect(left.frames(recorded, 'lambda', 'other')).toMatch(/leaves leaf, mid/);
    expect(left.throwing(recorded)).toBeUndefined();
    expect(left.frames(recorded, 'leaf', 'main')).toBeUndefined();
  });

  it('may be constructors', () => {
    const { left } = fresh();
    expect(left.structorsOf(recorded)).toBe(1);
    expect([...left.keys]).toEqual(['_ZN1GC1Ei']);
  });
});
