import { at } from '../../at';
import { counted, formatPercent } from '../../format';
import { isMpiName } from '../../functions/activities';
import { visibleControls } from '../../names/visibleControls';
import type { ProcessContext } from '../context';
import { membersOf } from '../sets/bitSet';
import { listOf, membersOfGroups, pairText, processNamer, processNoun } from '../words';
import { type ConceptGraph, newShares, nodesUpwards } from './conceptGraph';

/** More nodes than this are a tangle. */
export const drawingNodeLimit = 60;

/** Pixels of the box of a node, which has three lines. */
export const nodeBox = { width: 300, height: 64 };
export const lineHeight = 18;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** From the lower to the upper node, by positions in the graph. */
export interface DrawnEdge {
  readonly lower: number;
  readonly upper: number;
  /** From the upper to the lower box. */
  readonly points: readonly Point[];
}

/** Where the boxes of a graph's nodes are, and how its edges run, in pixels. */
export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  /** By node. */
  readonly centres: readonly Point[];
  readonly edges: readonly DrawnEdge[];
}

export interface DrawnNode {
  readonly centre: Point;
  /** What the node says; names of functions are short, and of visible characters. */
  readonly lines: readonly string[];
  /** Positions of the processes that it stands for: those of its group, or all that have what it holds. */
  readonly processes: readonly number[];
  /** All that have what it holds, where these are more. */
  readonly all?: readonly number[];
}

/** What a view draws, or why it should not. */
export type GraphDrawing =
  | {
      readonly width: number;
      readonly height: number;
      /** By position in the graph. */
      readonly nodes: readonly DrawnNode[];
      readonly edges: readonly DrawnEdge[];
    }
  | { readonly reason: string };

/** @param layout called for a graph that can be drawn */
export function graphDrawing(
  context: ProcessContext,
  graph: ConceptGraph,
  layout: (graph: ConceptGraph) => GraphLayout,
): GraphDrawing {
  const count = graph.nodes.length;
  if (count > drawingNodeLimit)
    return {
      reason: `The graph has ${count} nodes; above ${drawingNodeLimit}, edges cross too often to be followed. The list of groups, their similarity matrix and the differences of two groups show the same; a coarser comparison has fewer nodes, and a .dot file has all of them.`,
    };
  const { width, height, centres, edges } = layout(graph);
  const members = membersOfGroups(context);
  const below = groupsBelow(graph);
  return {
    width,
    height,
    nodes: nodeLines(context, graph).map((lines, node) => {
      const all = at(below, node)
        .flatMap((group) => at(members, group))
        .sort((a, b) => a - b);
      const { group } = at(graph.nodes, node);
      const processes = group === undefined ? all : at(members, group);
      return {
        centre: at(centres, node),
        lines,
        processes,
        ...(all.length > processes.length ? { all } : {}),
      };
    }),
    edges,
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
  const counts = groupsBelow(graph).map((groups) =>
    groups.reduce((sum, group) => sum + at(members, group).length, 0),
  );
  const noun = processNoun(context.processes);
  const added = context.kind === 'pairs' ? 'new pair' : 'new function';
  return graph.nodes.map(({ own, group }, node) => {
    const all = at(counts, node);
    const common = all === 0 ? `no ${noun} has all of it` : `common to ${counted(all, noun)}`;
    const subject = group === undefined ? common : nameOf(at(members, group)).text;
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

/** Of each node, the groups that have all of its attributes. */
function groupsBelow(graph: ConceptGraph): readonly (readonly number[])[] {
  const below = graph.nodes.map((): number[] => []);
  nodesUpwards(graph).forEach((upwards, node) => {
    const { group } = at(graph.nodes, node);
    if (group === undefined) return;
    for (const upper of membersOf(upwards)) at(below, upper).push(group);
  });
  return below;
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
