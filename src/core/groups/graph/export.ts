import { at } from '../../at';
import { formatPercent } from '../../format';
import { isMpiName } from '../../functions/activities';
import { visibleControls } from '../../names/visibleControls';
import type { ProcessContext } from '../context';
import { membersOf } from '../sets/bitSet';
import { counted, listOf, membersOfGroups, pairText, processNamer, processNoun } from '../words';
import { type ConceptGraph, newShares, nodesUpwards } from './conceptGraph';
import { graphLayers } from './layers';

/** More nodes than this are a tangle. */
export const drawingNodeLimit = 60;

export interface DrawnNode {
  /** Position in the graph. */
  readonly node: number;
  /** From the top; 0 is the first. */
  readonly layer: number;
  /** Within the layer, from the left. */
  readonly place: number;
  /** What the node says; names of functions are short, and of visible characters. */
  readonly lines: readonly string[];
}

/** What a view draws, or why it should not. */
export type GraphDrawing =
  | {
      readonly nodes: readonly DrawnNode[];
      /** From the lower to the upper node, by positions in the graph. */
      readonly edges: readonly { readonly lower: number; readonly upper: number }[];
    }
  | { readonly reason: string };

export function graphDrawing(context: ProcessContext, graph: ConceptGraph): GraphDrawing {
  const count = graph.nodes.length;
  if (count > drawingNodeLimit)
    return {
      reason: `The graph has ${count} nodes; above ${drawingNodeLimit}, edges cross too often to be followed. The list of groups, their similarity matrix and the differences of two groups show the same.`,
    };
  const lines = nodeLines(context, graph);
  return {
    nodes: graphLayers(graph).flatMap((nodes, layer) =>
      nodes.map((node, place) => ({ node, layer, place, lines: at(lines, node) })),
    ),
    edges: edgesOf(graph),
  };
}

/** The graph in the language of Graphviz, the top node first; of any size. */
export function graphDot(context: ProcessContext, graph: ConceptGraph): string {
  const lines = nodeLines(context, graph).map((label, node) => `  n${node} [label=${quoted(label)}];`);
  const edges = edgesOf(graph).map(({ lower, upper }) => `  n${upper} -> n${lower};`);
  return ['digraph groups {', '  node [shape=box];', '  edge [dir=back];', ...lines, ...edges, '}', ''].join(
    '\n',
  );
}

/** Backslashes would begin escapes in labels. */
function quoted(lines: readonly string[]): string {
  return `"${lines.map((line) => visibleControls(line).replace(/["\\]/g, '\\$&')).join('\\n')}"`;
}

function edgesOf({ nodes }: ConceptGraph): readonly { readonly lower: number; readonly upper: number }[] {
  return nodes.flatMap(({ above }, lower) => above.map((upper) => ({ lower, upper })));
}

function nodeLines(context: ProcessContext, graph: ConceptGraph): readonly (readonly string[])[] {
  const members = membersOfGroups(context);
  const nameOf = processNamer(context.processes);
  const shares = newShares(graph);
  const processes = processesBelow(graph, members);
  const noun = processNoun(context.processes);
  const added = context.kind === 'pairs' ? 'new pair' : 'new function';
  return graph.nodes.map(({ own, group }, node) => {
    const all = counted(at(processes, node), noun);
    const subject = group === undefined ? `common to ${all}` : nameOf(at(members, group)).text;
    const size = group === undefined ? '' : ` (${counted(at(members, group).length, noun)})`;
    const attributes = own.map((attribute) => at(context.attributes, attribute));
    return own.length === 0
      ? [`${subject}${size}`]
      : [
          `${subject}${size}`,
          `${counted(own.length, added)} (${formatPercent(at(shares, node))}): ${functionGroups(attributes.map(({ callee }) => callee))}`,
          listOf(attributes, pairText, 3),
        ];
  });
}

/** Processes that have all attributes of a node. */
function processesBelow(graph: ConceptGraph, members: readonly (readonly number[])[]): readonly number[] {
  const counts = graph.nodes.map(() => 0);
  nodesUpwards(graph).forEach((upwards, node) => {
    const group = at(graph.nodes, node).group;
    if (group === undefined) return;
    for (const upper of membersOf(upwards)) counts[upper] = at(counts, upper) + at(members, group).length;
  });
  return counts;
}

/** `12 MPI, 3 OpenMP, 201 program` */
function functionGroups(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) {
    const group = functionGroup(name);
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return [...counts].map(([group, count]) => `${count} ${group}`).join(', ');
}

function functionGroup(name: string): string {
  if (isMpiName(name)) return 'MPI';
  if (/^(!\$omp |omp_|GOMP_)/.test(name)) return 'OpenMP';
  if (/^cu(da)?[A-Z]/.test(name)) return 'CUDA';
  return /^(f?(open|close|read|write|seek|flush)|f?printf|fputs|fgets|pread|pwrite)$/.test(name)
    ? 'I/O'
    : 'program';
}
