import { at, atByte, atInt, atUint } from '../../core/at';
import {
  ownerKinds,
  ownerOf,
  pathKey,
  stepKey,
  stepOf,
  type FoldedEntry,
  type Folding,
  type Names,
  type Owners,
  type Step,
} from '../../core/diagnosis/folding/folding';
import { sumOfRuns, type Run, type Runs } from '../../core/diagnosis/folding/runs';
import { objectLevels } from '../../core/diagnosis/folding/sourceGraph';
import type { Truth } from '../../core/diagnosis/search/searchRecord';
import { getOrMake } from '../../core/getOrMake';
import { OverlayError } from '../packets/overlayError';
import type { Packet } from '../packets/packet';
import type { Packable, Value } from '../packets/values';

/**
 * Number of the packet; texts. Of each node: the node above it, level, truth, label, signature, and the number of its runs; firsts and lasts of all runs, and
 * how often each of their owners is there. Of what is replaced: for each kind of owner the number of ranges; their firsts and lasts. Numbers and names of hosts;
 * numbers, hosts and names of processes.
 */
export const foldingFormat =
  '%ud %as %ad %auc %auc %aud %ad %aud %aud %ad %aud %aud %aud %aud %aud %aud %aud';

/** Down, with the tag of the packets that go up: back ends send all of their graphs the next time. */
export const sendAllFormat = '';

/** A folded graph, or a change of one, on its way. */
export interface NumberedFolding {
  /** Of the packets of one sender: from 1 on, without gaps. */
  readonly sequence: number;
  readonly folding: Folding;
}

/** Bounds on what another process may send. Names are compared with each other, which takes time with the square of their length. */
const most = { nodes: 2 ** 18, steps: 2 ** 21, texts: 2 ** 20, text: 4096, name: 256, runs: 2 ** 22, each: 2 ** 20 };

/** 0: no experiment was made. */
const truths: readonly (Truth | undefined)[] = [undefined, 'true', 'false', 'unknown'];

export function foldingValues({ sequence, folding }: NumberedFolding): readonly Packable[] {
  const texts = new Map<string, number>();
  const numberOf = (text: string): number => getOrMake(texts, text, () => texts.size);
  const nodes = nodesOf(folding);
  const steps = nodes.map(({ step }) => step);
  const runs = nodes.flatMap((node) => node.runs);
  const replaced = ownerKinds.map((kind) => folding.replaced[kind]);
  const { hosts, processes } = folding.names;
  const columns = [
    nodes.map(({ parent }) => parent),
    steps.map(({ level }) => objectLevels.indexOf(level)),
    steps.map(({ truth }) => truths.indexOf(truth)),
    steps.map(({ label }) => numberOf(label)),
    steps.map(({ signature }) => (signature === undefined ? -1 : numberOf(signature))),
    nodes.map((node) => node.runs.length),
    bordersOf(runs),
    runs.map(({ each }) => each),
    replaced.map(({ length }) => length),
    bordersOf(replaced.flat()),
    [...hosts.keys()],
    Array.from(hosts.values(), numberOf),
    [...processes.keys()],
    Array.from(processes.values(), ({ host }) => host),
    Array.from(processes.values(), ({ label }) => numberOf(label)),
  ];
  return [sequence, [...texts.keys()], ...columns];
}

interface Node {
  readonly parent: number;
  readonly step: Step;
  runs: Runs;
}

/** With those that only lead to entries; the node above comes first. */
function nodesOf({ entries }: Folding): readonly Node[] {
  const nodes: Node[] = [];
  const positions = new Map<string, number>();
  for (const { path, runs } of entries.values()) {
    let key = '';
    let parent = -1;
    for (const step of path) {
      key += `\n${stepKey(step)}`;
      const above = parent;
      parent = getOrMake(positions, key, () => nodes.push({ parent: above, step, runs: [] }) - 1);
    }
    if (parent >= 0) at(nodes, parent).runs = runs;
  }
  return nodes;
}

function bordersOf(runs: Runs): readonly number[] {
  return runs.flatMap(({ first, last }) => [first, last]);
}

/** @throws OverlayError `format`, `malformed` */
export function readFolding(packet: Packet): NumberedFolding {
  const values = packet.unpack(foldingFormat);
  const texts = values[1] as readonly string[];
  requireThat(texts.length <= most.texts && texts.every((text) => text.length <= most.text), 'texts');
  return {
    sequence: Number(values[0]),
    folding: { entries: readEntries(values, texts), replaced: readOwners(values), names: readNames(values, texts) },
  };
}

function readEntries(values: readonly Value[], texts: readonly string[]): ReadonlyMap<string, FoldedEntry> {
  const paths = readPaths(values, texts);
  const runs = readRuns(values[7] as Uint32Array, values[8] as Uint32Array, values[9] as Int32Array);
  requireThat(runs.length === paths.length, 'numbers of runs');
  const entries = new Map<string, FoldedEntry>();
  paths.forEach((path, position) => {
    const own = at(runs, position);
    if (own.length === 0) return;
    const key = pathKey(path);
    requireThat(!entries.has(key), 'paths');
    entries.set(key, { path, owner: ownerOf(path), runs: own });
  });
  return entries;
}

function readPaths(values: readonly Value[], texts: readonly string[]): readonly (readonly Step[])[] {
  const parents = values[2] as Int32Array;
  const levels = values[3] as Uint8Array;
  const kinds = values[4] as Uint8Array;
  const labels = values[5] as Uint32Array;
  const signatures = values[6] as Int32Array;
  const { length } = parents;
  requireThat(
    length <= most.nodes && [levels, kinds, labels, signatures].every((column) => column.length === length),
    'nodes',
  );
  const paths: (readonly Step[])[] = [];
  let steps = 0;
  for (let node = 0; node < length; node++) {
    const parent = atInt(parents, node);
    const level = objectLevels[atByte(levels, node)];
    const truth = atByte(kinds, node);
    const signature = atInt(signatures, node);
    requireThat(parent >= -1 && parent < node, 'nodes above others');
    requireThat(level !== undefined && truth < truths.length && signature >= -1, 'kinds of nodes');
    const above = parent < 0 ? [] : at(paths, parent);
    steps += above.length + 1;
    requireThat(steps <= most.steps, 'depths of nodes');
    const label = textAt(texts, atUint(labels, node));
    const own = signature < 0 ? undefined : textAt(texts, signature);
    paths.push([...above, stepOf(level, label, truths[truth], own)]);
  }
  return paths;
}

function textAt(texts: readonly string[], position: number): string {
  const text = texts[position];
  requireThat(text !== undefined, 'numbers of texts');
  return text;
}

function readOwners(values: readonly Value[]): Owners {
  const counts = values[10] as Uint32Array;
  const borders = values[11] as Uint32Array;
  requireThat(counts.length === ownerKinds.length, 'owners that are replaced');
  const [program = [], host = [], process = []] = readRuns(
    counts,
    borders,
    new Int32Array(borders.length / 2).fill(1),
  );
  return { program, host, process };
}

function readRuns(counts: Uint32Array, borders: Uint32Array, eachOf: Int32Array): readonly Runs[] {
  const sum = counts.reduce((total, count) => total + count, 0);
  requireThat(
    sum <= most.runs && borders.length === 2 * sum && eachOf.length === sum,
    'runs of owners',
  );
  let next = 0;
  return Array.from(counts, (count) => {
    let before = -1;
    const runs = Array.from({ length: count }, (): Run => {
      const [first, last] = [atUint(borders, 2 * next), atUint(borders, 2 * next + 1)];
      const each = atInt(eachOf, next);
      next++;
      requireThat(first > before && last >= first, 'order of runs');
      requireThat(each !== 0 && Math.abs(each) <= most.each, 'counts of runs');
      before = last;
      return { first, last, each };
    });
    // Neighbours may be alike; ours are not.
    return sumOfRuns([runs]);
  });
}

function readNames(values: readonly Value[], texts: readonly string[]): Names {
  const column = (position: number): Uint32Array => values[position] as Uint32Array;
  const [hosts, hostNames] = [column(12), column(13)];
  const [processes, places, processNames] = [column(14), column(15), column(16)];
  requireThat(hostNames.length === hosts.length, 'names of hosts');
  requireThat(
    places.length === processes.length && processNames.length === processes.length,
    'names of processes',
  );
  const name = (number: number): string => {
    const text = textAt(texts, number);
    requireThat(text.length <= most.name, 'length of names');
    return text;
  };
  const names = {
    hosts: new Map(Array.from(hosts, (host, row) => [host, name(atUint(hostNames, row))])),
    processes: new Map(
      Array.from(processes, (process, row) => [
        process,
        { label: name(atUint(processNames, row)), host: atUint(places, row) },
      ]),
    ),
  };
  requireThat(names.hosts.size === hosts.length && names.processes.size === processes.length, 'numbers');
  return names;
}

function requireThat(isSo: boolean, what: string): asserts isSo {
  if (!isSo) throw new OverlayError('malformed', `The ${what} of a folded graph cannot be right.`);
}
