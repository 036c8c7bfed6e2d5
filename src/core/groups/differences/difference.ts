import { at } from '../../at';
import { closedTables } from '../closure';
import type { FunctionPair, ProcessContext } from '../context';
import { measured, subsumption } from '../measures';
import { commonSize, membersOf, sizeOf, withoutOf, type BitSet } from '../sets/bitSet';

/**
 * Why two groups are not equal: `intermediate`: the same work apart from intermediate calls; `more`: the one does everything that the other
 * does; `less`: the other way round; `different`: each does something that the other does not.
 */
export type DifferenceKind = 'intermediate' | 'more' | 'less' | 'different';

/** Two groups by their positions in `ProcessContext.sets`. */
export interface GroupDifference {
  readonly one: number;
  readonly other: number;
  readonly kind: DifferenceKind;
  /** The kind holds nearly: for at least 95 % of the work. */
  readonly isNear: boolean;
  /** Share (0…1) of the other's work that the one does too; for pairs, of the closed ones. */
  readonly oneCovers: number;
  readonly otherCovers: number;
  /** Attributes of both, and of either. */
  readonly common: number;
  readonly union: number;
}

const nearlyAll = 0.95;

/** Compares groups of a context. @param groups those that are compared, each of which is closed; default: all */
export function groupDifferences(
  context: ProcessContext,
  groups: readonly number[] = [...context.sets.keys()],
): (one: number, other: number) => GroupDifference {
  const tables = closedTables({ ...context, sets: groups.map((group) => at(context.sets, group)) });
  const closed = (group: number): BitSet => at(tables, groups.indexOf(group));
  return (one, other) => {
    const [a, b] = [at(context.sets, one), at(context.sets, other)];
    const common = commonSize(a, b);
    const oneCovers = measured(subsumption, closed(one), closed(other));
    const otherCovers = measured(subsumption, closed(other), closed(one));
    return {
      one,
      other,
      ...classOf(oneCovers, otherCovers),
      oneCovers,
      otherCovers,
      common,
      union: sizeOf(a) + sizeOf(b) - common,
    };
  };
}

/** What holds exactly comes before what holds nearly: who prints in addition is not the same as who does not. */
function classOf(oneCovers: number, otherCovers: number): Pick<GroupDifference, 'kind' | 'isNear'> {
  for (const [threshold, isNear] of [
    [1, false],
    [nearlyAll, true],
  ] as const) {
    const [isMore, isLess] = [oneCovers >= threshold, otherCovers >= threshold];
    if (isMore && isLess) return { kind: 'intermediate', isNear };
    if (isMore || isLess) return { kind: isMore ? 'more' : 'less', isNear };
  }
  return { kind: 'different', isNear: false };
}

/** The same difference, from the other's side. */
export function turned(difference: GroupDifference): GroupDifference {
  const { one, other, oneCovers, otherCovers, kind } = difference;
  const turnedKind = kind === 'more' ? 'less' : kind === 'less' ? 'more' : kind;
  return {
    ...difference,
    one: other,
    other: one,
    oneCovers: otherCovers,
    otherCovers: oneCovers,
    kind: turnedKind,
  };
}

/** Functions that one group calls and another one does not. */
export interface ExtraFunctions {
  readonly names: readonly string[];
  /** Attributes of calls of these functions. */
  readonly attributes: readonly number[];
}

/**
 * Those that functions of both groups call come first, in the order of their times, then what is called below them.
 * @param seconds of an attribute; without, the order is that of the attributes
 */
export function extraFunctions(
  { sets, attributes }: ProcessContext,
  one: number,
  other: number,
  seconds: (attribute: number) => number = () => 0,
): ExtraFunctions {
  const pairOf = (attribute: number): FunctionPair => at(attributes, attribute);
  const shared = new Set(membersOf(at(sets, other)).map((attribute) => pairOf(attribute).callee));
  const extra = membersOf(withoutOf(at(sets, one), at(sets, other))).filter(
    (attribute) => !shared.has(pairOf(attribute).callee),
  );
  const ranked = extra
    .map((attribute) => {
      const { caller } = pairOf(attribute);
      const begins = caller === undefined || shared.has(caller);
      return { attribute, begins: begins ? 0 : 1, time: seconds(attribute) };
    })
    .sort((a, b) => a.begins - b.begins || b.time - a.time || a.attribute - b.attribute);
  return {
    names: [...new Set(ranked.map(({ attribute }) => pairOf(attribute).callee))],
    attributes: extra,
  };
}
