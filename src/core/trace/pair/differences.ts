import { at, atFloat, atInt, atUint } from '../../at';
import { stakeOfCount, type DifferenceKind } from '../../compare/difference';
import { Deviation } from './deviation';
import { typesIn } from '../messageMarks';
import { nthSmallest } from './nthSmallest';
import { partnerChanges, type PartnerChange } from './partnerChanges';
import type { Both, OrderDifference, PairTree, PairValues } from './pairTree';

export type TraceDifferenceKind =
  | Exclude<DifferenceKind, 'renamed'>
  | 'changed-message-size'
  | 'changed-partners'
  | 'changed-order';

/** What differs between two views, at a call path. Numbers are per process where the views have different numbers of processes. */
export interface TraceDifference {
  readonly kind: TraceDifferenceKind;
  /** Node of the tree; of changed partners and orders the caller, and −1 at the top. */
  readonly node: number;
  /** By view; undefined: it has none of it. */
  readonly sides: readonly [TraceSide | undefined, TraceSide | undefined];
  /** What is at stake of the metric, and in seconds. */
  readonly stake: number;
  readonly seconds: number;
  /** Another one explains it: its caller is new, is gone or is called as often more; it is called more often; or its partners changed. */
  readonly isConsequence: boolean;
  readonly partners?: PartnerChange;
  readonly order?: OrderDifference;
}

export interface TraceSide {
  readonly count: number;
  /** Exclusive; of work that is new or gone and of changed counts, with all that it calls. */
  readonly seconds: number;
  /** The same of the metric, where it is another one. */
  readonly value: number;
}

export interface TraceComparison {
  /** The most at stake first. */
  readonly differences: readonly TraceDifference[];
  /** Call paths of both, of the second only, of the first only; of both: with and without another count, size or value. */
  readonly matched: number;
  readonly added: number;
  readonly deleted: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Call paths of one view only that no difference names, because there are too many of them. */
  readonly unnamed: number;
}

/** Calls that are new or gone, those of which the most is at stake: more are two different programs. */
const mostPresence = 20_000;

/** Calls below those that are new or gone: more of them say nothing more. */
const mostExplained = 5000;

/** Other times of calls that are more or fewer are named where that explains this share of the change. */
const leastExplained = 0.5;

/** Ratios of counts that are the same. */
const sameRatio = 1e-3;

/**
 * What differs between two views.
 * @param sensitivity smaller relative deviations of the metric are none
 * @param orders calls in another order (`orderDifferences`)
 */
export function compareViews(
  tree: PairTree,
  values: PairValues,
  sensitivity: number,
  orders: readonly OrderDifference[],
): TraceComparison {
  const work = new Work(tree, values, sensitivity);
  const own = work.differences();
  const changed = new Set<number>();
  for (const { kind, node } of own) if (isOfMatched(kind)) changed.add(node);
  let [added, deleted] = [0, 0];
  for (let node = 0; node < tree.size; node++)
    if (!values.has(node, 0)) added++;
    else if (!values.has(node, 1)) deleted++;
  const matched = tree.size - added - deleted;
  return {
    differences: [...own, ...orders.map((order) => work.ofOrder(order))].sort(
      (a, b) => b.stake - a.stake || b.seconds - a.seconds || a.node - b.node,
    ),
    ...{ matched, added, deleted, changed: changed.size },
    unchanged: matched - changed.size,
    unnamed: work.unnamed,
  };
}

function isOfMatched(kind: TraceDifferenceKind): boolean {
  return (
    kind !== 'added-work' &&
    kind !== 'removed-work' &&
    kind !== 'changed-partners' &&
    kind !== 'changed-order'
  );
}

class Work {
  readonly #deviation: Deviation;
  #explained = 0;
  #unnamed = 0;
  readonly #leastPresence: number;
  readonly #partners: ReadonlyMap<number, PartnerChange>;
  readonly #partnerChanges: readonly PartnerChange[];
  /** Messages to partners that stay, of calls that send as many in all as before. */
  readonly #exchanged: ReadonlySet<number>;

  constructor(
    private readonly tree: PairTree,
    private readonly values: PairValues,
    sensitivity: number,
  ) {
    this.#deviation = new Deviation(tree, values, sensitivity);
    this.#partnerChanges = partnerChanges(tree, values);
    this.#leastPresence = this.#leastOfPresence();
    this.#exchanged = new Set(
      this.#partnerChanges.flatMap(({ kept, counts }) => (isSame(counts) ? kept : [])),
    );
    this.#partners = new Map(
      this.#partnerChanges.flatMap((change) => change.nodes.map((node) => [node, change] as const)),
    );
  }

  /** Calls that are new or gone and that `differences` left out. */
  get unnamed(): number {
    return this.#unnamed;
  }

  differences(): readonly TraceDifference[] {
    const found: TraceDifference[] = this.#partnerChanges.map((change) => this.#ofPartners(change));
    for (let node = 0; node < this.tree.size; node++) {
      const [inFirst, inSecond] = [this.values.has(node, 0), this.values.has(node, 1)];
      if (inFirst !== inSecond) {
        if (this.#partners.has(node)) continue;
        if (this.#isWanted(node, inSecond)) found.push(this.#ofPresence(node, inSecond));
        else this.#unnamed++;
        continue;
      }
      const count = this.#ofCount(node);
      if (count !== undefined) found.push(count);
      if (this.#hasOtherSize(node)) found.push(this.#ofSize(node));
      const value = this.#ofValue(node, count !== undefined);
      if (value !== undefined) found.push(value);
    }
    return found;
  }

  #leastOfPresence(): number {
    const stakes = new Float64Array(this.tree.size);
    let count = 0;
    for (let node = 0; node < this.tree.size; node++) {
      const isNew = this.values.has(node, 1);
      if (isNew !== this.values.has(node, 0) && !this.#isBelow(node, isNew))
        stakes[count++] = this.values.mostInclusive(node);
    }
    if (count <= mostPresence) return -Infinity;
    return nthSmallest(stakes.subarray(0, count), count - mostPresence);
  }

  #isWanted(node: number, isNew: boolean): boolean {
    if (this.#isBelow(node, isNew)) return ++this.#explained <= mostExplained;
    return this.values.mostInclusive(node) >= this.#leastPresence;
  }

  /** Whether its caller is new, or gone, itself. */
  #isBelow(node: number, isNew: boolean): boolean {
    const parent = atInt(this.tree.parent, node);
    return parent >= 0 && !this.values.has(parent, isNew ? 0 : 1);
  }

  ofOrder(order: OrderDifference): TraceDifference {
    return {
      ...this.#common('changed-order', order.node, 'exclusive'),
      stake: 0,
      seconds: 0,
      isConsequence: false,
      order,
    };
  }

  #ofPresence(node: number, isNew: boolean): TraceDifference {
    const { sides, ...common } = this.#common(isNew ? 'added-work' : 'removed-work', node, 'inclusive');
    const [stake, seconds] = [this.values.inclusive(node), this.values.inclusiveSeconds(node)];
    return {
      ...common,
      sides: isNew ? [undefined, sides[1]] : [sides[0], undefined],
      stake: Math.max(...stake),
      seconds: Math.max(...seconds),
      isConsequence: this.#isBelow(node, isNew),
    };
  }

  #ofCount(node: number): TraceDifference | undefined {
    const counts = this.values.counts(node);
    if (isSame(counts)) return undefined;
    return {
      ...this.#common('changed-count', node, 'inclusive'),
      stake: stakeOfCount(counts, this.values.inclusive(node)),
      seconds: stakeOfCount(counts, this.values.inclusiveSeconds(node)),
      isConsequence: this.#followsCaller(node, counts) || this.#followsPartners(node),
    };
  }

  #followsCaller(node: number, [before, after]: Both): boolean {
    const parent = atInt(this.tree.parent, node);
    if (parent < 0 || before === 0) return false;
    const [above, now] = this.values.counts(parent);
    return !isSame([above, now]) && Math.abs((after * above) / (before * now) - 1) < sameRatio;
  }

  /** What messages one partner gets less often, others get more often. */
  #followsPartners(node: number): boolean {
    return this.#exchanged.has(node);
  }

  #hasOtherSize(node: number): boolean {
    const [left, right] = this.tree.traces;
    const [a, b] = [atInt(this.tree.rows[0], node), atInt(this.tree.rows[1], node)];
    if (left.sizeUnit !== right.sizeUnit) return false;
    const hasOtherLimits =
      atFloat(left.leastBytes, a) !== atFloat(right.leastBytes, b) ||
      atFloat(left.mostBytes, a) !== atFloat(right.mostBytes, b);
    const hasOtherType =
      left.marks !== undefined &&
      right.marks !== undefined &&
      typesIn(atUint(left.marks, a)) !== typesIn(atUint(right.marks, b));
    // Of another number of messages of several sizes, the mean is another one anyway.
    const means = [
      atFloat(left.bytes, a) / atFloat(left.count, a),
      atFloat(right.bytes, b) / atFloat(right.count, b),
    ] as const;
    return hasOtherLimits || hasOtherType || (isSame(this.values.counts(node)) && !isSame(means));
  }

  /** Of messages: their caller's time is at stake. */
  #ofSize(node: number): TraceDifference {
    return {
      ...this.#common('changed-message-size', node, 'exclusive'),
      ...this.#stakeOf(atInt(this.tree.parent, node)),
      isConsequence: false,
    };
  }

  #ofPartners(partners: PartnerChange): TraceDifference {
    const { sides, ...common } = this.#common('changed-partners', partners.node, 'exclusive');
    const [before, after] = partners.counts;
    const [a, b] = sides;
    return {
      ...common,
      sides: [
        { ...a, count: before },
        { ...b, count: after },
      ],
      ...this.#stakeOf(partners.node),
      isConsequence: false,
      partners,
    };
  }

  #stakeOf(caller: number): { readonly stake: number; readonly seconds: number } {
    if (caller < 0) return { stake: 0, seconds: 0 };
    return {
      stake: Math.max(...this.values.exclusive(caller)),
      seconds: Math.max(...this.values.exclusiveSeconds(caller)),
    };
  }

  #ofValue(node: number, hasOtherCount: boolean): TraceDifference | undefined {
    if (at(this.tree.table.keys, atUint(this.tree.key, node)).kind !== 'context') return undefined;
    if (!this.#deviation.isChange(node)) return undefined;
    const [before, after] = this.values.exclusive(node);
    const [calls, callsNow] = this.values.counts(node);
    const isSamePerVisit = hasOtherCount && this.#deviation.isSamePerVisit(node);
    // The calls do not differ by themselves: what their number does not explain is of the machine, or of all functions.
    const isOfBoth = before > 0 && after > 0;
    if (isSamePerVisit && isOfBoth && explained([calls, callsNow], [before, after]) < leastExplained)
      return undefined;
    const [more, less] =
      this.values.metric === 'time' ? (['slower', 'faster'] as const) : (['increased', 'decreased'] as const);
    return {
      ...this.#common(after > before ? more : less, node, 'exclusive'),
      stake: Math.abs(after - before),
      seconds: differenceOf(this.values.exclusiveSeconds(node)),
      isConsequence: isSamePerVisit,
    };
  }

  #common(
    kind: TraceDifferenceKind,
    node: number,
    what: 'exclusive' | 'inclusive',
  ): { kind: TraceDifferenceKind; node: number; sides: [TraceSide, TraceSide] } {
    if (node < 0) return { kind, node, sides: [noSide, noSide] };
    const [seconds, value] =
      what === 'exclusive'
        ? [this.values.exclusiveSeconds(node), this.values.exclusive(node)]
        : [this.values.inclusiveSeconds(node), this.values.inclusive(node)];
    const count = this.values.counts(node);
    return {
      kind,
      node,
      sides: [
        { count: count[0], seconds: seconds[0], value: value[0] },
        { count: count[1], seconds: seconds[1], value: value[1] },
      ],
    };
  }
}

/** Share of what a value changed by (of its logarithm) that the number of calls explains. */
export function explained([calls, callsNow]: Both, [before, after]: Both): number {
  return Math.log(callsNow / calls) / Math.log(after / before);
}

const noSide: TraceSide = { count: 1, seconds: 0, value: 0 };

function differenceOf([a, b]: Both): number {
  return Math.abs(b - a);
}

function isSame([a, b]: Both): boolean {
  return Math.abs(b - a) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
}
