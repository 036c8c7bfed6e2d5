import { present } from '../../present';
import type { Truth } from '../search/searchRecord';
import { negative, setOf, sumOfRuns, within, without, type Runs } from './runs';
import type { ObjectLevel } from './sourceGraph';

/** What a node is folded by: nodes below the same one are the same if their steps are. */
export interface Step {
  readonly level: ObjectLevel;
  /** Of hosts and threads a star, of processes the executable, of all others what they are called. */
  readonly label: string;
  /** Absent where no experiment was made, but below. */
  readonly truth?: Truth;
  /** Of a process, with strict signatures: the hash of its whole sub-graph. */
  readonly signature?: string;
}

/** Whose experiments are at a path: those of a process if the path leads through one, else those of a host, else those with the whole program, which is number 0. */
export const ownerKinds = ['program', 'host', 'process'] as const;
export type OwnerKind = (typeof ownerKinds)[number];
export type Owners = Readonly<Record<OwnerKind, Runs>>;

export const noOwners: Owners = { program: [], host: [], process: [] };
export const theProgram = 0;

/** The experiments that are folded at one path. */
export interface FoldedEntry {
  /** From below the root to the node. */
  readonly path: readonly Step[];
  readonly owner: OwnerKind;
  /** How many experiments of which owners. */
  readonly runs: Runs;
}

export interface ProcessName {
  readonly label: string;
  /** Number of its host. */
  readonly host: number;
}

export interface Names {
  readonly hosts: ReadonlyMap<number, string>;
  readonly processes: ReadonlyMap<number, ProcessName>;
}

/**
 * A folded graph, and likewise a change of one: what is there of the owners in `replaced` is taken away, then the entries are added, number by number. A graph is what
 * changes make of nothing. Of owners that one side alone speaks of, the order of changes does not matter, and what replaces may come twice ([D 7.3]).
 */
export interface Folding {
  /** By `pathKey`. */
  readonly entries: ReadonlyMap<string, FoldedEntry>;
  readonly replaced: Owners;
  readonly names: Names;
}

export const noFolding: Folding = {
  entries: new Map(),
  replaced: noOwners,
  names: { hosts: new Map(), processes: new Map() },
};

export function pathKey(path: readonly Step[]): string {
  return path.map(stepKey).join('\n');
}

/** JSON escapes line ends, so that the keys of a path can be joined by them. */
export function stepKey({ level, label, truth, signature }: Step): string {
  return JSON.stringify([level, label, truth, signature]);
}

export function ownerOf(path: readonly Step[]): OwnerKind {
  if (path.some(({ level }) => level === 'process')) return 'process';
  return path.some(({ level }) => level === 'host') ? 'host' : 'program';
}

/** One change that does what the first and then the second do; of a graph and a change, the graph after it. */
export function compose(first: Folding, second: Folding): Folding {
  const entries = new Map<string, FoldedEntry>();
  for (const [key, entry] of first.entries) {
    const runs = without(entry.runs, second.replaced[entry.owner]);
    if (runs.length > 0) entries.set(key, runs === entry.runs ? entry : { ...entry, runs });
  }
  for (const [key, entry] of second.entries) {
    const before = entries.get(key);
    const runs = before === undefined ? entry.runs : sumOfRuns([before.runs, entry.runs]);
    if (runs.length > 0) entries.set(key, { ...entry, runs });
    else entries.delete(key);
  }
  return { entries, replaced: joined(first.replaced, second.replaced), names: joinedNames(first, second) };
}

export function composeAll(changes: Iterable<Folding>): Folding {
  let all = noFolding;
  for (const change of changes) all = compose(all, change);
  return all;
}

/** What makes the second graph of the first one, in as little as possible: it replaces nothing. */
export function difference(before: Folding, after: Folding): Folding {
  const entries = new Map<string, FoldedEntry>();
  for (const [key, entry] of after.entries) {
    const old = before.entries.get(key)?.runs ?? [];
    const runs = old === entry.runs ? [] : sumOfRuns([entry.runs, negative(old)]);
    if (runs.length > 0) entries.set(key, { ...entry, runs });
  }
  for (const [key, entry] of before.entries)
    if (!after.entries.has(key)) entries.set(key, { ...entry, runs: negative(entry.runs) });
  return { entries, replaced: noOwners, names: newNames(before.names, after.names) };
}

function newNames(before: Names, { hosts, processes }: Names): Names {
  const isKnown = (number: number, { label, host }: ProcessName): boolean => {
    const known = before.processes.get(number);
    return known?.label === label && known.host === host;
  };
  return {
    hosts: new Map([...hosts].filter(([number, label]) => before.hosts.get(number) !== label)),
    processes: new Map([...processes].filter(([number, name]) => !isKnown(number, name))),
  };
}

/** What a graph has of these owners; their names stay. */
export function ofOwners(folding: Folding, owners: Owners): Folding {
  const entries = new Map<string, FoldedEntry>();
  for (const [key, entry] of folding.entries) {
    const runs = within(entry.runs, owners[entry.owner]);
    if (runs.length > 0) entries.set(key, { ...entry, runs });
  }
  return { ...folding, entries };
}

/** Whether it changes nothing. */
export function isEmpty({ entries, replaced, names }: Folding): boolean {
  return (
    entries.size === 0 &&
    ownerKinds.every((kind) => replaced[kind].length === 0) &&
    names.hosts.size === 0 &&
    names.processes.size === 0
  );
}

export function joined(a: Owners, b: Owners): Owners {
  const both = (kind: OwnerKind): Runs => {
    if (b[kind].length === 0) return a[kind];
    return setOf(sumOfRuns([a[kind], b[kind]]));
  };
  return { program: both('program'), host: both('host'), process: both('process') };
}

/** Where two call the same number differently, which must not be, the order still does not matter. */
function joinedNames({ names: a }: Folding, { names: b }: Folding): Names {
  if (b.hosts.size === 0 && b.processes.size === 0) return a;
  const hosts = new Map(a.hosts);
  for (const [number, label] of b.hosts) {
    const own = hosts.get(number);
    if (own === undefined || label < own) hosts.set(number, label);
  }
  const processes = new Map(a.processes);
  for (const [number, name] of b.processes) {
    const own = processes.get(number);
    if (own === undefined || isBefore(name, own)) processes.set(number, name);
  }
  return { hosts, processes };
}

function isBefore(a: ProcessName, b: ProcessName): boolean {
  return a.label === b.label ? a.host < b.host : a.label < b.label;
}

/** A step without the fields that are not there. */
export function stepOf(level: ObjectLevel, label: string, truth?: Truth, signature?: string): Step {
  return { level, label, ...present({ truth, signature }) };
}
