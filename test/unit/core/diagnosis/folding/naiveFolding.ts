import { generalise } from '../../../../../src/core/diagnosis/folding/generalise';
import type { SourceNode } from '../../../../../src/core/diagnosis/folding/sourceGraph';

interface Composite {
  readonly node: SourceNode;
  count: number;
  readonly labels: string[];
  readonly children: Map<string, Composite>;
}

const key = ({ level, label, truth }: SourceNode): string => {
  if (level === 'host') return `host ${truth}`;
  return `${level} ${level === 'process' ? label.split('{')[0] : label} ${truth}`;
};

/** As published: from one root down, node by node, each into the composite that is equivalent. A reference that shares nothing with what it checks but the rule for labels. */
export function foldNaively(nodes: readonly SourceNode[]): readonly string[] {
  const root = new Map<string, Composite>();
  fold(root, nodes);
  return printed(root, '');
}

function fold(into: Map<string, Composite>, nodes: readonly SourceNode[]): void {
  for (const node of nodes) {
    const known: Composite = into.get(key(node)) ?? { node, count: 0, labels: [], children: new Map() };
    into.set(key(node), known);
    known.count++;
    known.labels.push(node.label);
    fold(known.children, node.children);
  }
}

function printed(composites: ReadonlyMap<string, Composite>, indent: string): readonly string[] {
  return [...composites.values()].flatMap(({ node, count, labels, children }) => [
    `${indent}${node.level} ${generalise(labels)} ${node.truth} ×${count}`,
    ...printed(children, `${indent}  `),
  ]);
}
