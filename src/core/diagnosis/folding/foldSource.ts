import { at } from '../../at';
import { getOrMake } from '../../getOrMake';
import {
  ownerOf,
  pathKey,
  stepKey,
  stepOf,
  theProgram,
  type FoldedEntry,
  type Folding,
  type OwnerKind,
  type ProcessName,
  type Step,
} from './folding';
import { runsOf, setOf, sumOfRuns } from './runs';
import { executableOf, type SourceNode } from './sourceGraph';
import { wildCard } from './generalise';

export interface FoldingOptions {
  /** A composite for each distinct whole sub-graph of processes, so that it shows which results come together; else node by node. */
  readonly strictSignatures: boolean;
}

interface Place {
  readonly node: SourceNode;
  readonly path: readonly Step[];
  readonly key: string;
  readonly owner: OwnerKind;
  readonly number: number;
  /** Number of the host. */
  readonly host: number;
}

interface Gathered {
  readonly path: readonly Step[];
  readonly owner: OwnerKind;
  readonly numbers: number[];
}

/** The graph below a root, folded: it replaces what was known of its owners. */
export function foldSource(root: SourceNode, { strictSignatures }: FoldingOptions): Folding {
  const entries = new Map<string, Gathered>();
  const hosts = new Map<number, string>();
  const processes = new Map<number, ProcessName>();
  const signatures = strictSignatures ? signaturesOf(root) : undefined;
  const outermost: Omit<Place, 'node'> = { path: [], key: '', owner: 'program', number: theProgram, host: 0 };
  const open: Place[] = root.children.map((node) => placeOf(node, outermost, signatures)).reverse();
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { node, path, key, owner, number, host } = place;
    if (node.level === 'host') hosts.set(node.number, node.label);
    if (node.level === 'process') processes.set(node.number, { label: node.label, host });
    if (node.truth !== undefined || isOfMachine(node))
      getOrMake(entries, key, (): Gathered => ({ path, owner, numbers: [] })).numbers.push(number);
    for (let child = node.children.length - 1; child >= 0; child--)
      open.push(placeOf(at(node.children, child), place, signatures));
  }
  return {
    entries: new Map(
      [...entries].map(([key, { path, owner, numbers }]): [string, FoldedEntry] => [
        key,
        { path, owner, runs: runsOf(numbers) },
      ]),
    ),
    replaced: {
      program: ownersOf(entries.values(), 'program'),
      host: runsOf(hosts.keys()),
      process: runsOf(processes.keys()),
    },
    names: { hosts, processes },
  };
}

function placeOf(
  node: SourceNode,
  above: Omit<Place, 'node'>,
  signatures: ReadonlyMap<SourceNode, string> | undefined,
): Place {
  const step = stepOf(node.level, equivalenceLabel(node), node.truth, signatures?.get(node));
  const path = [...above.path, step];
  const isHost = node.level === 'host';
  const isOwner = isHost || node.level === 'process';
  return {
    node,
    path,
    key: above.path.length === 0 ? stepKey(step) : `${above.key}\n${stepKey(step)}`,
    owner: isOwner ? ownerOf(path) : above.owner,
    number: isOwner ? node.number : above.number,
    host: isHost ? node.number : above.host,
  };
}

/** What has to be equal of labels: host and process are different in each place ([D 7.2]). */
export function equivalenceLabel({ level, label }: SourceNode): string {
  if (level === 'host' || level === 'thread') return wildCard;
  return level === 'process' ? executableOf(label) : label;
}

/** Without a truth too, these count: what is below has a share of them. */
function isOfMachine({ level }: SourceNode): boolean {
  return level === 'host' || level === 'process' || level === 'thread';
}

function ownersOf(entries: Iterable<Gathered>, kind: OwnerKind): Folding['replaced'][OwnerKind] {
  const own = [...entries].filter(({ owner }) => owner === kind);
  return setOf(sumOfRuns(own.map(({ numbers }) => runsOf(numbers))));
}

/** Hashes of the sub-graphs of all processes: of what they are folded by, whatever the order of children. */
function signaturesOf(root: SourceNode): ReadonlyMap<SourceNode, string> {
  const signatures = new Map<SourceNode, string>();
  const open: SourceNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop())
    if (node.level === 'process') signatures.set(node, hashOf(linesOf(node).sort().join('\n\n')));
    else for (const child of node.children) open.push(child);
  return signatures;
}

/** The paths of all nodes of a sub-graph. */
function linesOf(process: SourceNode): string[] {
  const lines: string[] = [];
  const open: { readonly node: SourceNode; readonly path: readonly Step[] }[] = [{ node: process, path: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node } = next;
    const path = [...next.path, stepOf(node.level, equivalenceLabel(node), node.truth)];
    lines.push(pathKey(path));
    for (const child of node.children) open.push({ node: child, path });
  }
  return lines;
}

/** FNV-1a over UTF-16 units, twice from different beginnings: 64 bits, so that 10⁵ different sub-graphs collide with a probability below 10⁻⁹. */
function hashOf(text: string): string {
  let [low, high] = [0x811c9dc5, 0x9dc5811c];
  for (let position = 0; position < text.length; position++) {
    const unit = text.charCodeAt(position);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x01000193) + position;
  }
  return [low, high].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
