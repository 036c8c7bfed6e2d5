import type { Layout } from '../../../src/overlay/layout/layout';

/** The tree of a fan-out per level: `[4, 4]` has 16 leaves. */
export function balanced(...fanOuts: readonly number[]): Layout {
  const leaves = fanOuts.reduce((product, fan) => product * fan, 1);
  const nodes: { rank: number; host: string; index: number; parent?: number; children: number[] }[] = [];
  let level = Array.from({ length: leaves }, (_, rank) => rank);
  for (const rank of level) nodes.push({ rank, host: 'localhost', index: rank, children: [] });
  for (const fan of [...fanOuts].reverse()) {
    const above: number[] = [];
    for (let from = 0; from < level.length; from += fan) {
      const rank = nodes.length;
      const children = level.slice(from, from + fan);
      for (const child of children) nodes[child]!.parent = rank;
      nodes.push({ rank, host: 'localhost', index: rank, children });
      above.push(rank);
    }
    level = above;
  }
  return { nodes, root: nodes.length - 1, leaves };
}
