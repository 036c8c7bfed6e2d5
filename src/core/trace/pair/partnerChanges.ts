import { at, atInt, atUint } from '../../at';
import { getOrMake } from '../../getOrMake';
import type { MessageKey } from '../callTrace';
import type { Both, PairTree, PairValues } from './pairTree';
import { distance } from '../relative';

/** A call whose messages go to, or come from, other processes than before. */
export interface PartnerChange {
  /** The caller; −1 at the top. */
  readonly node: number;
  readonly kind: MessageKey['kind'];
  readonly call: string;
  readonly isRelative: boolean;
  /** Nodes of the partners that are new or gone, and of those that stay. */
  readonly nodes: readonly number[];
  readonly kept: readonly number[];
  /** All partners of each view, in ascending order; `undefined`: unknown. */
  readonly before: readonly (number | undefined)[];
  readonly after: readonly (number | undefined)[];
  /** By how much all partners moved around the ring of processes. */
  readonly shift?: number;
  /** Messages of each view. */
  readonly counts: Both;
}

/** Calls of both views that communicate with other partners: what is exchanged under one call is one change. */
export function partnerChanges(tree: PairTree, values: PairValues): readonly PartnerChange[] {
  const groups = new Map<string, { node: number; key: MessageKey; nodes: number[] }>();
  const isMessage = (node: number): boolean => at(tree.table.keys, atUint(tree.key, node)).kind !== 'context';
  // By caller + 1: whether a message of it is in one view only. In large traces these are few.
  const differs = new Uint8Array(tree.size + 1);
  for (let node = 0; node < tree.size; node++)
    if (values.has(node, 0) !== values.has(node, 1) && isMessage(node))
      differs[atInt(tree.parent, node) + 1] = 1;
  for (let node = 0; node < tree.size; node++) {
    const parent = atInt(tree.parent, node);
    if (differs[parent + 1] === 0 || !isMessage(node)) continue;
    if (parent >= 0 && !(values.has(parent, 0) && values.has(parent, 1))) continue;
    const key = at(tree.table.keys, atUint(tree.key, node)) as MessageKey;
    const name = `${parent} ${key.kind} ${key.call} ${key.communicator ?? ''}`;
    getOrMake(groups, name, () => ({ node: parent, key, nodes: [] })).nodes.push(node);
  }
  return [...groups.values()].flatMap(({ node, key, nodes }) => {
    const of = (side: 0 | 1): readonly number[] => nodes.filter((own) => values.has(own, side));
    const [first, second] = [of(0), of(1)];
    const kept = first.filter((own) => values.has(own, 1));
    // A call that is new or gone as a whole is added or removed work.
    if (
      first.length === 0 ||
      second.length === 0 ||
      (kept.length === first.length && kept.length === second.length)
    )
      return [];
    const partnersOf = (own: readonly number[]): readonly (number | undefined)[] =>
      own.map((each) => (at(tree.table.keys, atUint(tree.key, each)) as MessageKey).partner).sort(ascending);
    const [before, after] = [partnersOf(first), partnersOf(second)];
    const shift = shiftOf(before, after, key.isRelative === true, tree.traces[1].ranks);
    const sum = (side: 0 | 1): number => nodes.reduce((all, own) => all + values.count(own, side), 0);
    return [
      {
        node,
        kind: key.kind,
        call: key.call,
        isRelative: key.isRelative === true,
        nodes: nodes.filter((own) => !kept.includes(own)),
        kept,
        before,
        after,
        ...(shift === undefined ? {} : { shift }),
        counts: [sum(0), sum(1)] as const,
      },
    ];
  });
}

function ascending(a: number | undefined, b: number | undefined): number {
  return (a ?? -Infinity) - (b ?? -Infinity) || 0;
}

function shiftOf(
  before: readonly (number | undefined)[],
  after: readonly (number | undefined)[],
  isRelative: boolean,
  ranks: number,
): number | undefined {
  // Where most ranks are partners, one that is exchanged looks like a shift.
  if (before.length !== after.length || before.length > ranks / 2 || before.length > 64) return undefined;
  const [first] = before;
  if (first === undefined || before.includes(undefined) || after.includes(undefined)) return undefined;
  const around = (value: number): number => ((value % ranks) + ranks) % ranks;
  const wanted = new Set(after.map((value) => around(value ?? 0)));
  for (const partner of after) {
    const way = (partner ?? 0) - first;
    // Half of the ring is as far both ways: as the numbers say.
    const shift = 2 * Math.abs(way) === ranks ? way : distance(0, around(way), ranks);
    if (shift !== 0 && before.every((own) => wanted.has(around((own ?? 0) + shift))))
      return isRelative && before.length === 1 ? undefined : shift;
  }
  return undefined;
}
