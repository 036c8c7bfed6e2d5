import { at } from '../../at';
import { counted, formatPercent, formatSeconds } from '../../format';
import type { AttributeKind, ProcessContext } from '../context';
import { type BitSet, commonOf, membersOf, sizeOf, withoutOf } from '../sets/bitSet';
import {
  capitalised,
  listOf,
  membersOfGroups,
  type ProcessNames,
  processNamer,
  processNoun,
  shortName,
} from '../words';
import { extraFunctions, type GroupDifference, groupDifferences, turned } from './difference';
import { medianProcess, type ProcessTimes } from './processTimes';

export interface ReadingOptions {
  /** Names what takes long first, with its time. */
  readonly times?: ProcessTimes;
  /** The group of irregular processes (`Comparable.combined`). */
  readonly combined?: number;
  /** Groups whose processes are only nearly equal, so that their sets are those of most of them. */
  readonly nearly?: ReadonlySet<number>;
  /** Those of them that are not even nearly equal, with the similarity (0…1) of the process least alike. */
  readonly loose?: ReadonlyMap<number, number>;
  /** Groups that are described, besides the irregular ones those with the most processes. Default: 6. */
  readonly most?: number;
}

/** What is said of the groups of a context, in the order of reading. */
export interface Readings {
  /** By group. */
  readonly names: readonly ProcessNames[];
  /** Of the described groups, what is nearest to equal first; `one` does more where one of both does. */
  readonly differences: readonly ReadDifference[];
  /** Plain full sentences: what is common, which processes are equal, who does more, who does something else. */
  readonly sentences: readonly string[];
}

/** A difference in words. */
export interface ReadDifference extends GroupDifference {
  /** What `one` calls and `other` does not, the longest first. */
  readonly functions: readonly string[];
  /** Inclusive time of these in the median process of `one`; 0 without times. */
  readonly seconds: number;
  readonly sentence: string;
}

/** Names of the groups of a context, as subjects of sentences. */
export function groupNames(
  context: ProcessContext,
  { combined }: Pick<ReadingOptions, 'combined'> = {},
): readonly ProcessNames[] {
  const nameOf = processNamer(context.processes);
  return membersOfGroups(context).map((processes, group) => {
    const isOne = processes.length === 1;
    return group === combined && !isOne
      ? { text: `the ${processes.length} irregular ${processNoun(context.processes)}s`, isOne }
      : nameOf(processes);
  });
}

/** How two groups differ, with the sentence that `groupReadings` has for them where it describes both. */
export function readDifference(
  context: ProcessContext,
  { a, b }: { readonly a: number; readonly b: number },
  options: ReadingOptions = {},
): ReadDifference {
  const found = at(differencesBetween(context, [Math.min(a, b), Math.max(a, b)]), 0);
  return readingOf(context, groupNames(context, options), options.times)(found);
}

export function groupReadings(context: ProcessContext, options: ReadingOptions = {}): Readings {
  const members = membersOfGroups(context);
  const noun = processNoun(context.processes);
  const names = groupNames(context, options);
  const described = [...members.keys()]
    .sort(
      (a, b) =>
        Number(b === options.combined) - Number(a === options.combined) ||
        at(members, b).length - at(members, a).length ||
        a - b,
    )
    .slice(0, options.most ?? 6)
    .sort((a, b) => a - b);
  const differences = differencesBetween(context, described);
  const read = readingOf(context, majorities(names, options), options.times);
  const readings = differences.map(read);
  const rest = members.length - described.length;
  return {
    names,
    differences: readings,
    sentences: [
      ...commonSentence(context, options),
      ...described.flatMap((group) => equalSentence(context, at(names, group), group, options)),
      ...(rest > 0 || described.length < 3 ? [] : leaders(described, differences)).map(
        (group) => `${does(at(names, group))} everything that all other ${noun}s do.`,
      ),
      ...readings.map(({ sentence }) => sentence),
      ...(rest > 0
        ? [`${counted(rest, 'further group')} ${rest === 1 ? 'is' : 'are'} not described here.`]
        : []),
    ],
  };
}

/** What differs is between what most of the processes do, where they do not all do the same. */
function majorities(
  names: readonly ProcessNames[],
  { nearly, combined }: ReadingOptions,
): readonly ProcessNames[] {
  return names.map((name, group) =>
    name.isOne || group === combined || nearly?.has(group) !== true
      ? name
      : { ...name, text: `most of ${name.text}` },
  );
}

const kinds: readonly GroupDifference['kind'][] = ['intermediate', 'more', 'different'];

function differencesBetween(context: ProcessContext, groups: readonly number[]): readonly GroupDifference[] {
  const between = groupDifferences(context, groups);
  return groups
    .flatMap((one, index) => groups.slice(index + 1).map((other) => between(one, other)))
    .map((difference) => (difference.kind === 'less' ? turned(difference) : difference))
    .sort(
      (a, b) =>
        kinds.indexOf(a.kind) - kinds.indexOf(b.kind) ||
        Number(a.isNear) - Number(b.isNear) ||
        b.common / b.union - a.common / a.union ||
        a.one - b.one ||
        a.other - b.other,
    );
}

/** Groups that do everything that each other one does. */
function leaders(groups: readonly number[], differences: readonly GroupDifference[]): readonly number[] {
  return groups.filter(
    (group) =>
      differences.filter(({ one, kind, isNear }) => one === group && kind === 'more' && !isNear).length ===
      groups.length - 1,
  );
}

function commonSentence(
  { kind, sets, attributes, processes }: ProcessContext,
  { nearly, loose }: ReadingOptions,
): readonly string[] {
  const [first, ...others] = sets;
  if (first === undefined || processes.length < 2) return [];
  const all = `${processes.length === 2 ? 'both' : `all ${processes.length}`} ${processNoun(processes)}s`;
  if (others.length === 0) return [`${capitalised(all)} ${sameCalls(kind, nearly?.has(0), loose?.get(0))}.`];
  const called = (set: BitSet): ReadonlySet<string> =>
    new Set(membersOf(set).map((attribute) => at(attributes, attribute).callee));
  const shared = others.reduce<BitSet>(commonOf, first);
  let functions = [...called(first)];
  for (const set of others) {
    const theirs = called(set);
    functions = functions.filter((name) => theirs.has(name));
    if (functions.length === 0) break;
  }
  if (functions.length === 0) return [`No function is called by ${all}.`];
  const names = listOf(functions, shortName, 3);
  const number = sizeOf(shared);
  const ofPairs = kind === 'functions' ? '' : `, and have ${pairsInCommon(number, attributes.length)}`;
  return [`${capitalised(all)} call ${names}${ofPairs}.`];
}

function pairsInCommon(common: number, all: number): string {
  return `${common} of ${counted(all, 'pair')} of caller and callee in common (${partly(common, all)})`;
}

function equalSentence(
  { kind, sets }: ProcessContext,
  { text, isOne }: ProcessNames,
  group: number,
  { combined, nearly, loose }: ReadingOptions,
): readonly string[] {
  // One group is all processes.
  if (isOne || group === combined || sets.length === 1) return [];
  return [`${capitalised(text)} ${sameCalls(kind, nearly?.has(group), loose?.get(group))}.`];
}

function sameCalls(kind: AttributeKind, isNear = false, least = 1): string {
  if (least < 1)
    return `are one group, although one of them is only ${formatPercent(least)} like most of them`;
  const same = isNear ? 'nearly the same' : 'the same';
  return kind === 'pairs' ? `make ${same} calls` : `call ${same} functions`;
}

function readingOf(
  context: ProcessContext,
  names: readonly ProcessNames[],
  times?: ProcessTimes,
): (difference: GroupDifference) => ReadDifference {
  const members = membersOfGroups(context);
  const extraOf = (one: number, other: number): Pick<ReadDifference, 'functions' | 'seconds'> => {
    const median = times === undefined ? 0 : medianProcess(times, at(members, one));
    const seconds = (chosen: readonly number[]): number =>
      times === undefined ? 0 : times.inclusiveAt(chosen, median);
    const found = extraFunctions(context, one, other, (attribute) => seconds([attribute]));
    return { functions: found.names, seconds: seconds(found.attributes) };
  };
  const sentenceOf = differenceSentences(context, names, extraOf);
  return (difference) => {
    const { one, other } = difference;
    return { ...difference, ...extraOf(one, other), sentence: sentenceOf(difference) };
  };
}

/** The sentences of one difference. */
function differenceSentences(
  context: ProcessContext,
  names: readonly ProcessNames[],
  extraOf: (one: number, other: number) => Pick<ReadDifference, 'functions' | 'seconds'>,
): (difference: GroupDifference) => string {
  const extra = (one: number, other: number): string | undefined => {
    const { functions, seconds } = extraOf(one, other);
    if (functions.length === 0) return undefined;
    return listOf(functions, shortName) + (seconds > 0 ? ` (${formatSeconds(seconds)})` : '');
  };
  const only = (one: number, other: number): string | undefined => {
    const { text, isOne } = at(names, one);
    const calls = extra(one, other) ?? otherPairs(context, one, other);
    return calls === undefined ? undefined : `only ${text} ${isOne ? 'calls' : 'call'} ${calls}`;
  };
  return (difference) => {
    const { one, other, kind, isNear, oneCovers } = difference;
    const [X, Y] = [at(names, one), at(names, other)];
    const details = [only(one, other), only(other, one)].filter((text) => text !== undefined).join('; ');
    const detailed = (sentence: string): string =>
      details === '' ? sentence : `${sentence} ${capitalised(details)}.`;
    const both = `${capitalised(X.text)} and ${Y.text}`;
    if (kind === 'intermediate')
      return detailed(
        isNear
          ? `${both} do nearly the same work.`
          : `${both} do the same work apart from intermediate calls.`,
      );
    if (kind === 'different')
      return detailed(`${both} do different work: they have ${sharing(context, difference)}.`);
    const theirs = `that ${Y.text} ${Y.isOne ? 'does' : 'do'}`;
    if (isNear) return detailed(`${does(X)} nearly everything ${theirs} (${partly(oneCovers)}).`);
    const calls = extra(one, other) ?? otherPairs(context, one, other);
    return `${does(X)} everything ${theirs}${calls === undefined ? '' : `, and additionally ${X.isOne ? 'calls' : 'call'} ${calls}`}.`;
  };
}

/** Pairs of functions that the other one calls too, but from elsewhere: `fopen from main`. */
function otherPairs({ sets, attributes }: ProcessContext, one: number, other: number): string | undefined {
  const pairs = membersOf(withoutOf(at(sets, one), at(sets, other))).map((pair) => at(attributes, pair));
  const known = pairs.flatMap(({ caller, callee }) => (caller === undefined ? [] : [{ caller, callee }]));
  return known.length === 0
    ? undefined
    : listOf(known, ({ caller, callee }) => `${shortName(callee)} from ${shortName(caller)}`);
}

function sharing({ kind }: ProcessContext, { common, union }: GroupDifference): string {
  if (kind === 'pairs') return pairsInCommon(common, union);
  return common === 0
    ? 'no function in common'
    : `${common} of ${counted(union, 'function')} in common (${partly(common, union)})`;
}

/** A share; what is not everything is not shown as everything. */
function partly(part: number, all = 1): string {
  const share = all === 0 ? 0 : part / all;
  return formatPercent(share < 1 ? Math.min(share, 0.999) : share);
}

function does({ text, isOne }: ProcessNames): string {
  return `${capitalised(text)} ${isOne ? 'does' : 'do'}`;
}
