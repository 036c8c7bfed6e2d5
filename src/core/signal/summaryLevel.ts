/**
 * Which nodes of the interval tree describe the signal (specification of performance dynamics, §6.8). The default is Witkin's cut: an
 * interval stands for its children where it is more stable than they are on average. The others are literal readings of the source's
 * rule, "the level with the largest sum of stabilities", for comparison.
 */
import type { TreeNode } from './intervalTree';
import type { SignalOptions } from './signal';

/** From left to right. All modes but `depth` tile the domain. */
export function summaryNodes(roots: readonly TreeNode[], mode: SignalOptions['summaryLevel']): TreeNode[] {
  switch (mode) {
    case 'stability-cut':
      return roots.flatMap(stabilityCut);
    case 'depth':
      return mostStable(depthLevels(roots, false));
    case 'depth-carried':
      return mostStable(depthLevels(roots, true));
    case 'slice':
      return mostStable(slices(roots));
  }
}

function stabilityCut(node: TreeNode): TreeNode[] {
  const { children, stability } = node;
  const ofChildren = children.reduce((sum, child) => sum + child.stability, 0);
  if (children.length === 0 || stability * children.length > ofChildren) return [node];
  return children.flatMap(stabilityCut);
}

/** Nodes by depth, roots first; with `carried`, a leaf stands in for itself at all deeper levels. */
function depthLevels(roots: readonly TreeNode[], carried: boolean): TreeNode[][] {
  const levels: TreeNode[][] = [];
  let level = [...roots];
  for (;;) {
    levels.push(level);
    if (level.every(({ children }) => children.length === 0)) return levels;
    level = level.flatMap((node) => (node.children.length > 0 ? node.children : carried ? [node] : []));
  }
}

/** Nodes that exist at each scale, coarsest first; all roots begin at the coarsest. */
function slices(roots: readonly TreeNode[]): TreeNode[][] {
  const levels: TreeNode[][] = [];
  let level = [...roots];
  for (let k = roots[0]?.scaleHigh ?? 0; k >= 0; k--) {
    level = level.flatMap((node) => (node.scaleLow > k ? node.children : [node]));
    levels.push(level);
  }
  return levels;
}

/** The first of the levels with the largest sum of stabilities. */
function mostStable(levels: readonly TreeNode[][]): TreeNode[] {
  let best: TreeNode[] = [];
  let largest = -1;
  for (const level of levels) {
    const sum = level.reduce((total, { stability }) => total + stability, 0);
    if (sum > largest) {
      largest = sum;
      best = level;
    }
  }
  return best;
}
