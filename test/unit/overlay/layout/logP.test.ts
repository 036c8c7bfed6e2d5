import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { adviseLayout } from '../../../../src/overlay/layout/adviseLayout';
import { generateShape } from '../../../../src/overlay/layout/generate';
import { broadcastTimes } from '../../../../src/overlay/layout/logP';
import { parseLayout } from '../../../../src/overlay/layout/parseLayout';

const flat = { root: 0, nodes: generateShape('b:16') };
const balanced = { root: 0, nodes: generateShape('b:4^2') };
/** A binomial tree of four inner processes, with four back ends on each; inner children come first. */
const unbalanced = parseLayout({
  text: 'r:0 => c:1 c:2 b:0 b:1 b:2 b:3; c:1 => c:3 b:4 b:5 b:6 b:7; c:2 => b:8 b:9 b:10 b:11; c:3 => b:12 b:13 b:14 b:15;',
});

describe('the LogP model', () => {
  test.each([
    [1, 1, 1, [19, 16], [14, 4], [15, 6]],
    [1, 1, 5, [23, 16], [22, 4], [27, 6]],
    [4, 1, 1, [67, 64], [38, 16], [33, 24]],
    [10, 1, 2, [164, 160], [88, 40], [72, 60]],
  ])(
    'N21: completion and interval of the three layouts with g, o, L = %i, %i, %i',
    (gap, overhead, latency, ...expected) => {
      const found = [flat, balanced, unbalanced].map((tree) => {
        const { completion, interval } = broadcastTimes(tree, { gap, overhead, latency });
        return [completion, interval];
      });
      expect(found).toEqual(expected);
    },
  );

  test('N21: flat beats 4×4 where 8g < 2o + L, and unbalanced beats 4×4 where 2g > 2o + L', () => {
    const cost = fc.integer({ min: 1, max: 50 });
    fc.assert(
      fc.property(cost, cost, cost, (gap, overhead, latency) => {
        const [one, two, three] = [flat, balanced, unbalanced].map(
          (tree) => broadcastTimes(tree, { gap, overhead, latency }).completion,
        );
        expect(one! < two!).toBe(8 * gap < 2 * overhead + latency);
        expect(three! < two!).toBe(2 * gap > 2 * overhead + latency);
      }),
    );
  });
});

describe('the advisor', () => {
  const times = { gap: 20e-6, overhead: 20e-6, latency: 50e-6 };

  test('N21: proposes a tree for many agents and says why', () => {
    const { proposed, compared, why } = adviseLayout({ agents: 512, times, reductionsPerSecond: 160 });
    expect(proposed.spec).toBe('b:8^3');
    expect(compared.map(({ spec }) => spec)).toEqual(['b:512^1', 'b:2x4x4x4x4', 'b:8^3', 'b:2x16x16']);
    expect(why.at(-1)).toBe(
      'b:8^3 has the shortest broadcast of the layouts whose busiest process is busy at most 50 % of the time.',
    );
    expect(why[0]).toContain('a broadcast to 512 agents takes');
  });

  test('N21: proposes a flat layout for few agents on a slow network', () => {
    const { proposed } = adviseLayout({
      agents: 16,
      times: { gap: 10e-6, overhead: 10e-6, latency: 1e-3 },
      reductionsPerSecond: 5,
    });
    expect(proposed).toMatchObject({ spec: 'b:16^1', inner: 0 });
    expect(adviseLayout({ agents: 3, times, reductionsPerSecond: 5 }).compared.length).toBe(1);
  });

  test('N21: a layout that is fast but cannot keep up is not proposed', () => {
    const slow = { gap: 10e-6, overhead: 10e-6, latency: 1e-3 };
    const { proposed } = adviseLayout({ agents: 16, times: slow, reductionsPerSecond: 5000 });
    expect(proposed.busy).toBeLessThanOrEqual(0.5);
    expect(proposed.spec).toBe('b:4^2');
    const none = adviseLayout({ agents: 16, times: slow, reductionsPerSecond: 1e6 });
    expect(none.proposed.spec).toBe('b:4^2');
    expect(none.why.at(-1)).toContain('No layout keeps up');
  });

  test('N21: the proposed tree has the agents as leaves, whatever their number, and no compared one that keeps up is faster', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2000 }),
        fc.integer({ min: 1, max: 500 }),
        (agents, reductionsPerSecond) => {
          const { proposed, compared } = adviseLayout({ agents, times, reductionsPerSecond });
          expect(proposed.shape.filter(({ children }, i) => children.length === 0 && i > 0).length).toBe(
            agents,
          );
          if (proposed.busy <= 0.5)
            for (const { busy, completion } of compared)
              expect(busy > 0.5 || completion >= proposed.completion).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('N21: numbers that are no counts and times are refused', () => {
    expect(() => adviseLayout({ agents: 0, times, reductionsPerSecond: 1 })).toThrow('at least one');
    expect(() => adviseLayout({ agents: 1e9, times, reductionsPerSecond: 1 })).toThrow('more than');
    expect(() => adviseLayout({ agents: 4, times: { ...times, gap: NaN }, reductionsPerSecond: 1 })).toThrow(
      'finite',
    );
  });
});
