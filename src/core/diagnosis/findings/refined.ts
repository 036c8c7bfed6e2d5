import { pushTo } from '../../remembered';
import type { Focus } from '../resources/focus';
import { printResource } from '../resources/focusText';
import type { SearchNode, SearchRecord } from '../search/searchRecord';

/** True nodes of one hypothesis, function and synchronisation object, on different parts of the machine. */
export interface Group {
  readonly hypothesis: string;
  readonly focus: Omit<Focus, 'Machine'>;
  readonly nodes: readonly SearchNode[];
}

/** The most refined true nodes: those to which nothing more precise is true. */
export function mostRefined({ nodes }: SearchRecord): readonly SearchNode[] {
  const refined = new Set<number>();
  for (const { truth, parents } of nodes)
    if (truth === 'true') for (const { node } of parents) if (node !== undefined) refined.add(node);
  return nodes.filter(({ id, truth, value }) => truth === 'true' && value !== undefined && !refined.has(id));
}

/** Nodes that differ in the part of the machine only are one group, whose parts do not overlap: what a host has contains its processes. */
export function grouped(nodes: readonly SearchNode[]): readonly Group[] {
  const groups = new Map<string, SearchNode[]>();
  for (const node of nodes) {
    const { Code, SyncObject } = node.focus;
    pushTo(
      groups,
      `${node.hypothesis} ${printResource('Code', Code)} ${printResource('SyncObject', SyncObject)}`,
      node,
    );
  }
  return [...groups.values()].flatMap((all) => {
    const own = all.filter((node) => !all.some((other) => other !== node && contains(other, node)));
    const [first] = own;
    return first === undefined ? [] : [{ hypothesis: first.hypothesis, focus: first.focus, nodes: own }];
  });
}

function contains(
  { focus: { Machine: outer } }: SearchNode,
  { focus: { Machine: inner } }: SearchNode,
): boolean {
  return outer.length < inner.length && outer.every((name, level) => inner[level] === name);
}
