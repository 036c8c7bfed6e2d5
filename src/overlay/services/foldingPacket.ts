import { at } from '../../core/at';
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
import type { Packable } from '../packets/values';
import { ColumnReader, packColumns, type Column } from './columns';

/** The number of the packet, and the columns of a folded graph. */
export const foldingFormat = '%ud %auc';

/** Down, with the tag of the packets that go up: back ends send all of their graphs the next time. */
export const sendAllFormat = '';

/** A folded graph, or a change of one, on its way. */
export interface NumberedFolding {
  /** Of the packets of one sender: from 1 on, without gaps. */
  readonly sequence: number;
  readonly folding: Folding;
}

/** Bounds on what another process may send. Names are compared with each other, which takes time with the square of their length. */
const most = {
  nodes: 2 ** 18,
  steps: 2 ** 21,
  texts: 2 ** 20,
  text: 4096,
  name: 256,
  runs: 2 ** 22,
  each: 2 ** 20,
};

/** 0: no experiment was made. */
const truths: readonly (Truth | undefined)[] = [undefined, 'true', 'false', 'unknown'];

export function foldingValues({ sequence, folding }: NumberedFolding): readonly Packable[] {
  return [sequence, packColumns(foldingColumns(folding))];
}

/**
 * Texts. Of each node: the node above it, level, truth, label, signature, and the number of its runs; firsts and lasts of all runs, and how often each of their owners is
 * there. Of what is replaced: for each kind of owner the number of ranges; their firsts and lasts. Numbers and names of hosts; numbers, hosts and names of processes.
 */
export function foldingColumns(folding: Folding): readonly Column[] {
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
  return [[...texts.keys()], ...columns];
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

/** The columns of `foldingColumns`, each number within what its column may have. */
function readColumns(bytes: Uint8Array) {
  const reader = new ColumnReader(bytes);
  const columns = {
    texts: reader.texts(),
    parents: reader.integers(-1, most.nodes),
    levels: reader.integers(0, objectLevels.length - 1),
    truths: reader.integers(0, truths.length - 1),
    labels: reader.integers(0, most.texts),
    signatures: reader.integers(-1, most.texts),
    runCounts: reader.integers(0, most.runs),
    borders: reader.integers(0),
    eachOf: reader.integers(-most.each, most.each),
    replacedCounts: reader.integers(0, most.runs),
    replaced: reader.integers(0),
    hosts: reader.integers(0),
    hostNames: reader.integers(0, most.texts),
    processes: reader.integers(0),
    places: reader.integers(0),
    processNames: reader.integers(0, most.texts),
  };
  reader.end();
  return columns;
}

type Columns = ReturnType<typeof readColumns>;

/** @throws OverlayError `format`, `malformed` */
export function readFolding(packet: Packet): NumberedFolding {
  const [sequence, bytes] = packet.unpack(foldingFormat);
  const columns = readColumns(bytes as Uint8Array);
  const { texts } = columns;
  requireThat(texts.length <= most.texts && texts.every((text) => text.length <= most.text), 'texts');
  return {
    sequence: Number(sequence),
    folding: { entries: readEntries(columns), replaced: readOwners(columns), names: readNames(columns) },
  };
}

function readEntries(columns: Columns): ReadonlyMap<string, FoldedEntry> {
  const paths = readPaths(columns);
  const runs = readRuns(columns.runCounts, columns.borders, columns.eachOf);
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

function readPaths(columns: Columns): readonly (readonly Step[])[] {
  const { texts, parents, levels, labels, signatures } = columns;
  const { length } = parents;
  requireThat(
    length <= most.nodes &&
      [levels, columns.truths, labels, signatures].every((column) => column.length === length),
    'nodes',
  );
  const paths: (readonly Step[])[] = [];
  let steps = 0;
  for (let node = 0; node < length; node++) {
    const parent = at(parents, node);
    const signature = at(signatures, node);
    requireThat(parent < node, 'nodes above others');
    const above = parent < 0 ? [] : at(paths, parent);
    steps += above.length + 1;
    requireThat(steps <= most.steps, 'depths of nodes');
    const label = textAt(texts, at(labels, node));
    const own = signature < 0 ? undefined : textAt(texts, signature);
    const truth = truths[at(columns.truths, node)];
    paths.push([...above, stepOf(at(objectLevels, at(levels, node)), label, truth, own)]);
  }
  return paths;
}

function textAt(texts: readonly string[], position: number): string {
  const text = texts[position];
  requireThat(text !== undefined, 'numbers of texts');
  return text;
}

function readOwners({ replacedCounts, replaced }: Columns): Owners {
  requireThat(replacedCounts.length === ownerKinds.length, 'owners that are replaced');
  const eachOf = new Array<number>(Math.floor(replaced.length / 2)).fill(1);
  const [program = [], host = [], process = []] = readRuns(replacedCounts, replaced, eachOf);
  return { program, host, process };
}

function readRuns(
  counts: readonly number[],
  borders: readonly number[],
  eachOf: readonly number[],
): readonly Runs[] {
  const sum = counts.reduce((total, count) => total + count, 0);
  requireThat(sum <= most.runs && borders.length === 2 * sum && eachOf.length === sum, 'runs of owners');
  let next = 0;
  return Array.from(counts, (count) => {
    let before = -1;
    const runs = Array.from({ length: count }, (): Run => {
      const [first, last] = [at(borders, 2 * next), at(borders, 2 * next + 1)];
      const each = at(eachOf, next);
      next++;
      requireThat(first > before && last >= first, 'order of runs');
      requireThat(each !== 0, 'counts of runs');
      before = last;
      return { first, last, each };
    });
    // Neighbours may be alike; ours are not.
    return sumOfRuns([runs]);
  });
}

function readNames({ texts, hosts, hostNames, processes, places, processNames }: Columns): Names {
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
    hosts: new Map(hosts.map((host, row) => [host, name(at(hostNames, row))])),
    processes: new Map(
      processes.map((process, row) => [
        process,
        { label: name(at(processNames, row)), host: at(places, row) },
      ]),
    ),
  };
  requireThat(names.hosts.size === hosts.length && names.processes.size === processes.length, 'numbers');
  return names;
}

function requireThat(isSo: boolean, what: string): asserts isSo {
  if (!isSo) throw new OverlayError('malformed', `The ${what} of a folded graph cannot be right.`);
}
