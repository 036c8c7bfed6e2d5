import { at } from '../../src/core/at';
import { stepKey, stepOf, type Step } from '../../src/core/diagnosis/folding/folding';
import { foldedTree, type FoldedNode } from '../../src/core/diagnosis/folding/foldedTree';
import { equivalenceLabel, foldSource } from '../../src/core/diagnosis/folding/foldSource';
import { Numbering, searchSource } from '../../src/core/diagnosis/folding/searchSource';
import type { SourceNode } from '../../src/core/diagnosis/folding/sourceGraph';
import type { SearchNode } from '../../src/core/diagnosis/search/searchRecord';
import { getOrMake } from '../../src/core/getOrMake';
import type { SearchRow, SearchRows } from './searchRows';
import { countedText, resourceText, type SearchWords } from './words';

/** Whether there are several processes, hosts or threads to fold. */
export function canFold(nodes: readonly SearchNode[]): boolean {
  const machines = new Set(
    nodes.flatMap(({ focus }) => (focus.Machine.length > 0 ? [focus.Machine.join('\0')] : [])),
  );
  return machines.size > 1;
}

/** A row for all experiments that differ in nothing but names of hosts, processes and threads. */
export function foldedRows(nodes: readonly SearchNode[], words: SearchWords): SearchRows {
  const placed = new Map<SourceNode, SearchNode>();
  const source = searchSource({ nodes }, new Numbering(), (experiment, place) =>
    placed.set(place, experiment),
  );
  const experimentsAt = experimentsByKey(source, placed);
  const tree = foldedTree(foldSource(source, { strictSignatures: false }));
  const rows: SearchRow[] = [];
  const parents: number[] = [];
  const rowOf = new Int32Array(nodes.length).fill(-1);
  const open = tree.children.map((node) => ({ node, parent: -1, above: '' })).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, parent, above } = next;
    const key = keyBelow(above, node);
    const row = rows.length;
    const experiments = experimentsAt.get(key) ?? [];
    for (const { id } of experiments) rowOf[id] = row;
    rows.push(foldedRow(node, experiments, key, words));
    parents.push(parent);
    for (let child = node.children.length - 1; child >= 0; child--)
      open.push({ node: at(node.children, child), parent: row, above: key });
  }
  return { rows, parent: Int32Array.from(parents), count: rows.length, rowOf };
}

function foldedRow(
  node: FoldedNode,
  experiments: readonly SearchNode[],
  key: string,
  words: SearchWords,
): SearchRow {
  const by = (['deep starter', 'connecting'] as const).find((way) =>
    experiments.some(({ priority }) => priority === way),
  );
  return {
    label: foldedLabel(node, experiments, words),
    truth: node.truth,
    by: by ?? 'where',
    isShadow: false,
    experiments,
    key,
    // A part of one is no news.
    ...(node.gauge !== undefined && node.gauge.whole > 1 && { gauge: node.gauge }),
  };
}

/** `CPU bound`, `2 hosts c*.cs.wisc.edu`, `process myapp{*}`, `solve` */
function foldedLabel(
  { level, label, name, count }: FoldedNode,
  [first]: readonly SearchNode[],
  words: SearchWords,
): string {
  switch (level) {
    case 'hypothesis':
      return words.label(label);
    case 'program':
      return 'the whole program';
    case 'host':
      return `${countedText(count, 'host')} ${name}`;
    case 'process':
      return `${countedText(count, 'process', 'processes')} ${name}`;
    case 'thread':
      return `${countedText(count, 'thread')} ${name}`;
    case 'function':
      return (first && resourceText('Code', first.focus.Code)) ?? label;
    case 'category':
      return `objects of type ${label}`;
    case 'object':
      return label;
  }
}

function experimentsByKey(
  root: SourceNode,
  placed: ReadonlyMap<SourceNode, SearchNode>,
): ReadonlyMap<string, readonly SearchNode[]> {
  const experiments = new Map<string, SearchNode[]>();
  const open = [{ node: root, key: '' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, key } = next;
    const experiment = placed.get(node);
    if (experiment !== undefined) getOrMake(experiments, key, () => []).push(experiment);
    for (const child of [...node.children].reverse())
      open.push({
        node: child,
        key: keyBelow(key, stepOf(child.level, equivalenceLabel(child), child.truth)),
      });
  }
  return experiments;
}

function keyBelow(above: string, { level, label, truth }: Step): string {
  const own = stepKey(stepOf(level, label, truth));
  return above === '' ? own : `${above}\n${own}`;
}
