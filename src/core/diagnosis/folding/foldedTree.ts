import { getOrMake } from '../../getOrMake';
import { wildCard, generalise } from './generalise';
import {
  noOwners,
  ofOwners,
  ownerOf,
  stepKey,
  type Folding,
  type Names,
  type OwnerKind,
  type Step,
} from './folding';
import { countOf, has, numbersOf, positive, runsOf, setOf, type Runs } from './runs';
import { executableOf, objectLevels } from './sourceGraph';

/** How many of those it could be: 3 of 4 processes of the composite. */
export interface Gauge {
  readonly part: number;
  readonly whole: number;
}

/** A node of a folded graph as it is shown: it stands for all experiments that are folded here. */
export interface FoldedNode extends Step {
  /** What the labels of all that it stands for have in common: `c*.cs.wisc.edu`. */
  readonly name: string;
  /** Experiments; of a node that only leads to some, 1. */
  readonly count: number;
  /** Absent where no experiment was made, but below. */
  readonly gauge?: Gauge;
  readonly members: { readonly owner: OwnerKind; readonly numbers: Runs };
  readonly children: readonly FoldedNode[];
}

export interface FoldedTree {
  readonly children: readonly FoldedNode[];
}

interface Growing {
  readonly step: Step;
  runs: Runs;
  readonly owner: OwnerKind;
  readonly below: Map<string, Growing>;
}

/** The nodes of a folded graph, in an order that depends on what is in it alone. */
export function foldedTree(folding: Folding): FoldedTree {
  const root = new Map<string, Growing>();
  for (const { path, runs } of folding.entries.values()) {
    const there = positive(runs);
    if (there.length === 0) continue;
    let below = root;
    let node: Growing | undefined;
    path.forEach((step, depth) => {
      node = getOrMake(below, stepKey(step), () => ({
        step,
        runs: [],
        owner: ownerOf(path.slice(0, depth + 1)),
        below: new Map(),
      }));
      ({ below } = node);
    });
    if (node !== undefined) node.runs = there;
  }
  return { children: grown(root, { names: folding.names, executables: executables(folding.names) }) };
}

interface Known {
  readonly names: Names;
  /** Processes of each executable. */
  readonly executables: ReadonlyMap<string, number>;
}

/** Levels of objects are few, but functions may call each other as deep as they like: no recursion. */
function grown(root: ReadonlyMap<string, Growing>, known: Known): readonly FoldedNode[] {
  const top: FoldedNode[] = [];
  const open: { readonly nodes: readonly Growing[]; readonly whole: Whole; readonly into: FoldedNode[] }[] = [
    { nodes: inOrder(root), whole: { enclosing: undefined, threads: 0 }, into: top },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { nodes, whole, into } = next;
    const threads = nodes
      .filter(({ step }) => step.level === 'thread')
      .reduce((sum, { runs }) => sum + countOf(runs), 0);
    for (const node of nodes) {
      const children: FoldedNode[] = [];
      into.push(nodeOf(node, { ...whole, threads }, known, children));
      const enclosing = isPlace(node.step) && node.runs.length > 0 ? countOf(node.runs) : whole.enclosing;
      open.push({ nodes: inOrder(node.below), whole: { enclosing, threads: 0 }, into: children });
    }
  }
  return top;
}

interface Whole {
  /** Experiments with the nearest thread, process, host or program above. */
  readonly enclosing: number | undefined;
  /** Experiments with threads of the same process node. */
  readonly threads: number;
}

function nodeOf(node: Growing, whole: Whole, known: Known, children: readonly FoldedNode[]): FoldedNode {
  const { step, runs, owner } = node;
  const count = runs.length === 0 ? 1 : countOf(runs);
  const all = runs.length === 0 ? undefined : wholeOf(step, whole, known);
  return {
    ...step,
    name: nameOf(step, runs, known.names),
    count,
    ...(all === undefined ? {} : { gauge: { part: count, whole: all } }),
    members: { owner, numbers: setOf(runs) },
    children,
  };
}

/** Of hosts all hosts, of processes those of the same executable, of all else what is folded at the place around it ([D 7.2]). */
function wholeOf({ level, label }: Step, { enclosing, threads }: Whole, known: Known): number | undefined {
  if (level === 'host') return known.names.hosts.size;
  if (level === 'process') return known.executables.get(label);
  if (level === 'thread') return threads;
  return level === 'program' ? 1 : enclosing;
}

function isPlace({ level }: Step): boolean {
  return level === 'program' || level === 'host' || level === 'process' || level === 'thread';
}

/** Numbers come from elsewhere and may be any, so that not they are gone through, but those that have a name; of one without, nothing is known. */
function nameOf({ level, label }: Step, runs: Runs, { hosts, processes }: Names): string {
  if (level === 'host') return commonName(runs, hosts, (name) => name);
  if (level === 'process') return commonName(runs, processes, (name) => name.label);
  return label;
}

function commonName<Name>(
  runs: Runs,
  names: ReadonlyMap<number, Name>,
  labelOf: (name: Name) => string,
): string {
  const labels: string[] = [];
  for (const [number, name] of names) if (has(runs, number)) labels.push(labelOf(name));
  const members = runs.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  return generalise(labels.length < members ? [...labels, wildCard] : labels);
}

function executables({ processes }: Names): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { label } of processes.values()) {
    const executable = executableOf(label);
    counts.set(executable, (counts.get(executable) ?? 0) + 1);
  }
  return counts;
}

/** By level and label; of the same, true before false before unknown. */
function inOrder(nodes: ReadonlyMap<string, Growing>): readonly Growing[] {
  const truths = ['true', 'false', 'unknown', undefined];
  const rank = ({ step }: Growing): number =>
    objectLevels.indexOf(step.level) * truths.length + truths.indexOf(step.truth);
  const text = ({ step }: Growing): string => `${step.label}\n${step.signature ?? ''}`;
  return [...nodes.values()].sort((a, b) => {
    const [x, y] = [a.step.label, b.step.label];
    if (a.step.level === b.step.level && x !== y) return x < y ? -1 : 1;
    return rank(a) - rank(b) || (text(a) < text(b) ? -1 : 1);
  });
}

export interface Member {
  readonly host: string;
  /** Absent where the node stands for hosts. */
  readonly process?: string;
  /** Of the process, else of the host. */
  readonly number: number;
}

/** Who is behind a node: the first ones, by number. Nobody where it stands for the whole program. */
export function membersOf(
  { members }: FoldedNode,
  { hosts, processes }: Names,
  most: number,
): readonly Member[] {
  const listed: Member[] = [];
  if (members.owner === 'program') return listed;
  for (const number of numbersOf(members.numbers)) {
    if (listed.length === most) break;
    const process = members.owner === 'process' ? processes.get(number) : undefined;
    const host = hosts.get(process?.host ?? number) ?? wildCard;
    listed.push({ host, number, ...(process === undefined ? {} : { process: process.label }) });
  }
  return listed;
}

/** The graph of one process as it was before it was folded, with the host that it runs on. */
export function unfolded(folding: Folding, process: number): FoldedTree {
  const name = folding.names.processes.get(process);
  const host = name === undefined ? [] : runsOf([name.host]);
  return foldedTree(ofOwners(folding, { ...noOwners, host, process: runsOf([process]) }));
}
