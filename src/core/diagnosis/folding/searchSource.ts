import { at } from '../../at';
import { getOrMake } from '../../getOrMake';
import { resourceTrees, wholeProgram, type ResourcePath, type ResourceTree } from '../resources/focus';
import type { ParentEdge, SearchNode, SearchRecord, Truth } from '../search/searchRecord';
import type { ObjectLevel, SourceNode } from './sourceGraph';

/** Gives hosts and processes their numbers, in the order in which they are asked for. What several agents see needs different beginnings. */
export class Numbering {
  private readonly hosts = new Map<string, number>();
  private readonly processes = new Map<string, number>();

  constructor(
    private readonly firstHost = 0,
    private readonly firstProcess = 0,
  ) {}

  host(name: string): number {
    return getOrMake(this.hosts, name, () => this.firstHost + this.hosts.size);
  }

  process(host: string, name: string): number {
    return getOrMake(this.processes, `${host}\n${name}`, () => this.firstProcess + this.processes.size);
  }
}

/** A node while its children are found. */
interface Growing {
  readonly level: ObjectLevel;
  readonly label: string;
  truth?: Truth;
  readonly number: number;
  readonly children: Growing[];
}

/**
 * The tree of a search that is folded: below each top hypothesis the experiments with the whole program, and beside them those with each host, as the host's agent would
 * find them without the others: so a search by the front end and one by agents are folded to the same. An experiment that several others lead to is below one of them
 * alone, which does not depend on who was first (`Parents`). Each is there once: what is only below itself, as a damaged file may have it, is at the top.
 * @param onPlaced receives where each experiment is in the tree
 */
export function searchSource(
  record: Pick<SearchRecord, 'nodes'>,
  numbering: Numbering,
  onPlaced: (experiment: SearchNode, place: SourceNode) => void = () => undefined,
): SourceNode {
  const root: Growing = { level: 'hypothesis', label: '', number: 0, children: [] };
  const parents = new Parents(record.nodes);
  const below = new Map<SearchNode | undefined, SearchNode[]>();
  for (const node of record.nodes) getOrMake(below, parents.of(node), () => []).push(node);
  const left = new Set(record.nodes);
  const placeBelow = (top: SearchNode): void => {
    const open: Placed[] = [];
    const place = (node: SearchNode, from: SearchNode | undefined, above: Growing): void => {
      if (!left.delete(node)) return;
      const tree = grow(above, from, node, numbering);
      onPlaced(node, tree);
      open.push({ node, tree });
    };
    place(top, undefined, child(root, 'hypothesis', top.hypothesis, 0));
    for (let next = open.pop(); next !== undefined; next = open.pop())
      for (const node of below.get(next.node) ?? []) place(node, next.node, next.tree);
  };
  for (const top of below.get(undefined) ?? []) placeBelow(top);
  for (const node of record.nodes) if (left.has(node)) placeBelow(node);
  return root;
}

interface Placed {
  readonly node: SearchNode;
  readonly tree: Growing;
}

/** Adds what a refinement adds to the focus, the last of which is the experiment. */
function grow(place: Growing, from: SearchNode | undefined, to: SearchNode, numbering: Numbering): Growing {
  let tree = place;
  const [host] = to.focus.Machine;
  for (const [level, label] of addedLevels(from, to)) {
    const number =
      level === 'host'
        ? numbering.host(label)
        : level === 'process'
          ? numbering.process(host ?? '', label)
          : 0;
    tree = child(tree, level, label, number);
  }
  tree.truth = to.truth;
  return tree;
}

/** One that is there already may have been made to lead to something. */
function child(parent: Growing, level: ObjectLevel, label: string, number: number): Growing {
  const known = parent.children.find((other) => other.level === level && other.label === label);
  if (known !== undefined) return known;
  const made = { level, label, number, children: [] };
  parent.children.push(made);
  return made;
}

function addedLevels(
  from: SearchNode | undefined,
  { hypothesis, focus }: SearchNode,
): readonly (readonly [ObjectLevel, string])[] {
  const before = from?.focus ?? wholeProgram;
  const levels: (readonly [ObjectLevel, string])[] = [];
  if (from === undefined && focus.Machine.length === 0) levels.push(['program', '']);
  for (const [depth, name] of added(before.Machine, focus.Machine))
    levels.push([machineLevels[Math.min(depth, 2)] ?? 'thread', name]);
  if (focus.Code.length > 0 && !isSame(before.Code, focus.Code))
    levels.push(['function', focus.Code.join('/')]);
  for (const [depth, name] of added(before.SyncObject, focus.SyncObject))
    levels.push([depth === 0 ? 'category' : 'object', name]);
  const isOtherHypothesis = from !== undefined && from.hypothesis !== hypothesis;
  if (isOtherHypothesis || levels.length === 0) levels.push(['hypothesis', hypothesis]);
  return levels;
}

const machineLevels = ['host', 'process', 'thread'] as const;

/** Components of the second path behind those that both share, with their depth. */
function added(before: ResourcePath, after: ResourcePath): readonly (readonly [number, string])[] {
  let shared = 0;
  while (shared < before.length && before[shared] === after[shared]) shared++;
  return after.slice(shared).map((name, position) => [shared + position, name] as const);
}

/** Of several ways to an experiment, the one that is followed first. */
const preference: readonly (ResourceTree | 'hypothesis')[] = ['SyncObject', 'Code', 'Machine', 'hypothesis'];

/** Which experiment each one is below. */
class Parents {
  /** Calls from where no function is chosen, with the same hypothesis and the same other resources. */
  private readonly callDepths = new Map<number, number>();

  /** Experiments where no function is chosen, by `textOf`. */
  private readonly around = new Map<string, SearchNode>();

  constructor(private readonly nodes: readonly SearchNode[]) {
    const callees = new Map<number, SearchNode[]>();
    for (const node of nodes)
      for (const parent of this.edgesOf(node))
        if (wayOf(parent, node) === 'Code') getOrMake(callees, parent.id, () => []).push(node);
    let reached = nodes.filter(({ focus }) => focus.Code.length === 0);
    for (const node of reached) this.around.set(textOf(node), node);
    for (let depth = 0; reached.length > 0; depth++) {
      for (const { id } of reached) this.callDepths.set(id, depth);
      const next = new Set(reached.flatMap(({ id }) => callees.get(id) ?? []));
      reached = [...next].filter(({ id }) => !this.callDepths.has(id));
    }
  }

  /**
   * Along synchronisation objects before calls before processes before hypotheses; of several callers one of the least depth, then the first by name. What nothing leads
   * to, such as a deep starter, is where its function was chosen. Undefined: it is at the top.
   */
  of(node: SearchNode): SearchNode | undefined {
    const ways = this.edgesOf(node)
      .map((parent) => ({ parent, rank: this.rankOf(parent, node) }))
      .sort((a, b) => a.rank - b.rank || (textOf(a.parent) < textOf(b.parent) ? -1 : 1));
    const [best] = ways;
    if (best !== undefined && best.rank < preference.length) return best.parent;
    // As it was made: ids ascend along these, so that nothing can be below itself.
    const made = ways.map(({ parent }) => parent).find(({ id }) => id < node.id);
    if (made !== undefined || node.focus.Code.length === 0) return made;
    return this.around.get(textOf({ ...node, focus: { ...node.focus, Code: [] } }));
  }

  private rankOf(parent: SearchNode, node: SearchNode): number {
    const way = wayOf(parent, node);
    if (way === undefined || (way === 'hypothesis' && parent.id >= node.id)) return preference.length;
    if (way === 'Code') {
      const [from, to] = [this.callDepths.get(parent.id), this.callDepths.get(node.id)];
      if (from === undefined || to !== from + 1) return preference.length;
    }
    return preference.indexOf(way);
  }

  private edgesOf(node: SearchNode): readonly SearchNode[] {
    return node.parents.flatMap((edge: ParentEdge) => {
      const parent = edge.node === undefined ? undefined : this.nodes[edge.node];
      if (parent === undefined || parent === node) return [];
      // What a host's agent does not know of.
      return parent.focus.Machine[0] === node.focus.Machine[0] ? parent : [];
    });
  }
}

/** What is more precise in the second experiment, if it is one thing. */
function wayOf(from: SearchNode, to: SearchNode): ResourceTree | 'hypothesis' | undefined {
  const changed = resourceTrees.filter((tree) => !isSame(from.focus[tree], to.focus[tree]));
  if (from.hypothesis !== to.hypothesis) return changed.length === 0 ? 'hypothesis' : undefined;
  const [tree] = changed;
  if (tree === undefined || changed.length > 1) return undefined;
  if (tree === 'Code') return to.focus.Code.length > 0 ? tree : undefined;
  return isBelow(from.focus[tree], to.focus[tree]) ? tree : undefined;
}

function isSame(a: ResourcePath, b: ResourcePath): boolean {
  return a.length === b.length && isBelow(a, b);
}

function isBelow(above: ResourcePath, path: ResourcePath): boolean {
  return above.length <= path.length && above.every((name, depth) => name === at(path, depth));
}

function textOf({ hypothesis, focus }: SearchNode): string {
  return JSON.stringify([hypothesis, resourceTrees.map((tree) => focus[tree])]);
}
