import { expect, it, test } from 'vitest';
import { modeTitles, shareIn, valueModes, type ValueMode } from '../../../../src/core/views/valueModes';

/** A root of 200 with a child of 50, and a second root. */
const rows = {
  parent: Int32Array.of(-1, 0, -1),
  inclusive: Float64Array.of(200, 50, 10),
  shown: (row: number): number => [150, 50, 10][row] ?? 0,
  peers: () => ({ least: 10, most: 90 }),
};
const references = { metricRoot: 1000, metricSelection: 500, callRoot: 250, callSelection: 100 };

it('the modes are those of the Cube GUI, in its order', () => {
  expect(valueModes.map((mode) => modeTitles[mode])).toEqual([
    'Absolute',
    'Own root percent',
    'Metric root percent',
    'Metric selection percent',
    'Call root percent',
    'Call selection percent',
    'Peer percent',
    'Peer distribution',
  ]);
});

test.each<[ValueMode, number]>([
  ['absolute', 50 / 200],
  ['ownRoot', 50 / 200],
  ['metricRoot', 50 / 1000],
  ['metricSelection', 50 / 500],
  ['callRoot', 50 / 250],
  ['callSelection', 50 / 100],
  ['peer', 50 / 90],
  ['peerDistribution', (50 - 10) / (90 - 10)],
])('%s', (mode, share) => {
  expect(shareIn(mode, 1, rows, references)).toBeCloseTo(share, 12);
});

it('the share of a root is of itself; a share of nothing has no value', () => {
  expect(shareIn('ownRoot', 0, rows, references)).toBe(0.75);
  expect(shareIn('ownRoot', 2, rows, references)).toBe(1);
  expect(shareIn('metricRoot', 1, rows, { ...references, metricRoot: 0 })).toBeUndefined();
  const equal = { ...rows, peers: () => ({ least: 50, most: 50 }) };
  expect(shareIn('peerDistribution', 1, equal, references)).toBeUndefined();
});
