import { at, atFloat, atInt, atUint } from '../../at';
import type { RegionPlace } from '../../profile/place';
import type { Characteristic } from '../comparisonPieces';
import type { TraceDifference, TraceDifferenceKind } from './differences';
import { traceSentence, type PairWords } from './differenceWords';
import { pathName, namesTo, sizeWords } from './entryWords';
import type { PairTree, PairValues } from './pairTree';

/** A characteristic, before the rows of a view are known. */
export interface FoundCharacteristic {
  readonly kind: Characteristic['kind'];
  readonly sentence: string;
  /** Inclusive share (0…1) of the metric of the call path. */
  readonly share: number;
  /** Node of the pair's tree; −1: the top. */
  readonly node: number;
  readonly callPath: readonly string[];
  readonly place?: RegionPlace;
}

/** A summary of more is none. */
const mostListed = 1000;

const kinds: Readonly<Record<TraceDifferenceKind, Characteristic['kind']>> = {
  slower: 'computation',
  faster: 'computation',
  increased: 'computation',
  decreased: 'computation',
  'added-work': 'calls',
  'removed-work': 'calls',
  'changed-count': 'counts',
  'changed-message-size': 'message sizes',
  'changed-partners': 'partners',
  'changed-order': 'order',
};

/**
 * What differences of a pair amount to, those of the largest inclusive share first (the four kinds of the table of characteristics, and changed counts and orders).
 * Messages of other sizes are one for each caller. What another difference explains is none.
 */
export function characteristics(
  differences: readonly TraceDifference[],
  words: PairWords,
  values: PairValues,
): readonly FoundCharacteristic[] {
  const groups: TraceDifference[][] = [];
  const sizes = new Map<number, TraceDifference[]>();
  for (const difference of differences) {
    if (difference.isConsequence) continue;
    const { kind, node } = difference;
    const caller = kind === 'changed-message-size' ? atInt(words.tree.parent, node) : undefined;
    const known = caller === undefined ? undefined : sizes.get(caller);
    if (known !== undefined) {
      known.push(difference);
      continue;
    }
    const group = [difference];
    groups.push(group);
    if (caller !== undefined) sizes.set(caller, group);
  }
  return groups
    .map((group) => {
      const node = callerOf(at(group, 0), words.tree);
      return { group, node, share: values.share(node) };
    })
    .sort((a, b) => b.share - a.share || a.node - b.node)
    .slice(0, mostListed)
    .map(({ group, share: own }) => characteristic(group, own, words));
}

/** The function: of messages, the one that sends them. */
function callerOf({ node }: TraceDifference, { table, key, parent }: PairTree): number {
  if (node < 0 || at(table.keys, atUint(key, node)).kind === 'context') return node;
  return atInt(parent, node);
}

function characteristic(
  group: readonly TraceDifference[],
  share: number,
  words: PairWords,
): FoundCharacteristic {
  const first = at(group, 0);
  const { tree } = words;
  const node = callerOf(first, tree);
  const place = node < 0 ? undefined : placeOf(node, tree);
  return {
    kind: kinds[first.kind],
    sentence: group.length > 1 ? sizesSentence(group, node, tree) : traceSentence(first, words),
    share,
    node: group.length > 1 ? node : first.node,
    callPath: namesTo(first.node, tree),
    ...(place === undefined ? {} : { place }),
  };
}

function placeOf(node: number, { table, key }: PairTree): RegionPlace | undefined {
  const own = at(table.keys, atUint(key, node));
  return own.kind === 'context' ? own.place : undefined;
}

/** `mpi_stuff.f [85-102] has messages of 510 instead of 750 elements` */
function sizesSentence(group: readonly TraceDifference[], caller: number, tree: PairTree): string {
  const pairs = new Map<string, { before: number; after: number; both: boolean }>();
  for (const { node } of group) {
    const [before, after] = [meanSize(node, 0, tree), meanSize(node, 1, tree)];
    const back = pairs.get(`${after} ${before}`);
    if (back !== undefined && before !== after) back.both = true;
    else pairs.set(`${before} ${after}`, { before, after, both: false });
  }
  const unit = tree.traces[1].sizeUnit;
  const list = [...pairs.values()].map(
    ({ before, after, both }) =>
      `${sizeWords(before, unit).split(' ')[0] ?? ''} ${both ? '↔' : '→'} ${sizeWords(after, unit)}`,
  );
  const name = caller < 0 ? 'the program' : pathName(at(tree.table.keys, atUint(tree.key, caller)));
  return `Messages of ${name} have other sizes: ${list.join(', ')}.`;
}

function meanSize(node: number, side: 0 | 1, { traces, rows }: PairTree): number {
  const row = atInt(rows[side], node);
  return atFloat(traces[side].bytes, row) / atFloat(traces[side].count, row);
}
