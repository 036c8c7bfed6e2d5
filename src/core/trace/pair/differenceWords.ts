import { at, atFloat, atInt, atUint } from '../../at';
import { longer, more, oftener } from '../../compare/words';
import { assertNever } from '../../errors';
import { formatCount, formatSeconds } from '../../format';
import { rankSet } from '../../properties/rankSet';
import type { CallTrace, MessageKey } from '../callTrace';
import { explained, type TraceDifference, type TraceSide } from './differences';
import { distanceWords, pathName, sizeWords } from './entryWords';
import { typeNames } from '../messageMarks';
import type { OrderDifference } from './pairTree';
import type { PairTree } from './pairTree';
import type { PartnerChange } from './partnerChanges';

/** What sentences about the differences of a pair need to know. */
export interface PairWords {
  readonly tree: PairTree;
  readonly metric: string;
  /** What functions were called in the first view, by their key, where it was something else. */
  readonly formerNames: ReadonlyMap<number, string>;
}

/** A difference in one plain sentence. */
export function traceSentence(difference: TraceDifference, words: PairWords): string {
  const { kind, node, sides, isConsequence, partners, order } = difference;
  const [before = none, after = none] = sides;
  const name = nameOf(node, words);
  const caller = callerOf(node, words);
  switch (kind) {
    case 'slower':
    case 'faster':
    case 'increased':
    case 'decreased':
      return valueSentence(name, before, after, words.metric, isConsequence);
    case 'added-work':
    case 'removed-work':
      return workSentence(difference, name, caller ?? 'The program', words);
    case 'changed-count':
      return countSentence(difference, name, caller, words);
    case 'changed-message-size':
      return sizeSentence(node, name, caller, words.tree);
    case 'changed-partners':
      return partnerSentence(name, partners);
    case 'changed-order':
      return orderSentence(name, order, words);
    default:
      return assertNever(kind);
  }
}

/** Share of a change that its cause explains at least. */
const leastExplained = 0.75;

const none: TraceSide = { count: 0, seconds: 0, value: 0 };

function nameOf(node: number, { tree, formerNames }: PairWords): string {
  if (node < 0) return 'The program';
  const number = atUint(tree.key, node);
  const own = pathName(at(tree.table.keys, number));
  const former = formerNames.get(number);
  return former === undefined ? own : `${own} (before: ${former})`;
}

function callerOf(node: number, words: PairWords): string | undefined {
  const parent = node < 0 ? -1 : atInt(words.tree.parent, node);
  return parent < 0 ? undefined : pathName(at(words.tree.table.keys, atUint(words.tree.key, parent)));
}

function isContext(node: number, { tree }: PairWords): boolean {
  return at(tree.table.keys, atUint(tree.key, node)).kind === 'context';
}

function valueSentence(
  name: string,
  before: TraceSide,
  after: TraceSide,
  metric: string,
  isConsequence: boolean,
): string {
  // Nothing is a multiple of none.
  const isNew = metric === 'time' ? before.seconds === 0 : before.value === 0;
  const how = isNew || isExplained(before, after, metric) ? '' : 'partly ';
  const why = isConsequence ? `, ${how}because it is called ${oftener(before.count, after.count)}` : '';
  if (isNew) {
    const [now, what] =
      metric === 'time'
        ? [`takes ${formatSeconds(after.seconds)}`, 'took no time']
        : [`has ${number(after.value)} ${metric}`, 'had none'];
    return `${name} ${now} itself, and ${what} before${why}.`;
  }
  if (metric === 'time')
    return `${name} takes ${longer(before.seconds, after.seconds)} itself (${formatSeconds(before.seconds)} → ${formatSeconds(after.seconds)})${why}.`;
  const [a, b] = [before.value, after.value];
  return `${name} has ${more(a, b)} ${metric} itself (${number(a)} → ${number(b)})${why}.`;
}

/** Whether the number of visits explains most of what the value changed by. */
function isExplained(before: TraceSide, after: TraceSide, metric: string): boolean {
  const [was, is] = metric === 'time' ? [before.seconds, after.seconds] : [before.value, after.value];
  return explained([before.count, after.count], [was, is]) >= leastExplained;
}

function workSentence(difference: TraceDifference, name: string, caller: string, words: PairWords): string {
  const isNew = difference.kind === 'added-work';
  const { count, seconds, value } = (isNew ? difference.sides[1] : difference.sides[0]) ?? none;
  if (!isContext(difference.node, words))
    return isNew
      ? `${caller} has ${name} in addition, ${times(count)}.`
      : `${caller} has ${name} no longer: before, ${times(count)}.`;
  const amount = words.metric === 'time' ? formatSeconds(seconds) : `${number(value)} ${words.metric}`;
  return isNew
    ? `${caller} calls ${name} in addition, ${times(count)}, ${amount} with what it calls.`
    : `${caller} calls ${name} no longer: before, ${times(count)}, ${amount} with what it called.`;
}

function countSentence(
  difference: TraceDifference,
  name: string,
  caller: string | undefined,
  words: PairWords,
): string {
  const [before, after] = [difference.sides[0] ?? none, difference.sides[1] ?? none];
  const isCall = isContext(difference.node, words);
  const by = caller === undefined ? '' : isCall ? ` by ${caller}` : ` in ${caller}`;
  const why = difference.isConsequence
    ? followsCaller(difference, words)
      ? `, as ${caller ?? 'the program'} is`
      : ', as its partners changed'
    : '';
  const what = isCall ? 'is called' : 'occurs';
  return `${name} ${what} ${oftener(before.count, after.count)}${by} (${number(before.count)} → ${times(after.count)})${why}.`;
}

function followsCaller({ node }: TraceDifference, { tree }: PairWords): boolean {
  const parent = atInt(tree.parent, node);
  const [left, right] = tree.traces;
  return (
    parent >= 0 &&
    atFloat(left.count, atInt(tree.rows[0], parent)) !== atFloat(right.count, atInt(tree.rows[1], parent))
  );
}

function sizeSentence(node: number, name: string, caller: string | undefined, tree: PairTree): string {
  const [before, after] = sizesOf(node, tree);
  const where = caller === undefined ? '' : ` in ${caller}`;
  if (before === after) {
    const [was, is] = tree.traces.map((trace, side) =>
      typesOf(trace, atInt(tree.rows[side === 0 ? 0 : 1], node)),
    );
    if (was !== is) return `${name}${where} has elements of ${is ?? ''} instead of ${was ?? ''}.`;
    return `${name}${where} has messages of other sizes (${before}).`;
  }
  return `${name}${where} has messages of ${after} instead of ${before}.`;
}

/** Sizes of the messages of both views: `510 elements`, `8–64 bytes`. */
export function sizesOf(node: number, { traces, rows }: PairTree): readonly [string, string] {
  const of = (side: 0 | 1): string => {
    const trace = traces[side];
    const row = atInt(rows[side], node);
    const [least, most] = [atFloat(trace.leastBytes, row), atFloat(trace.mostBytes, row)];
    if (least === most) return sizeWords(most, trace.sizeUnit);
    const mean = atFloat(trace.bytes, row) / atFloat(trace.count, row);
    return `${formatCount(least)}–${sizeWords(most, trace.sizeUnit)} (${number(mean)} on average)`;
  };
  return [of(0), of(1)];
}

function typesOf({ marks, table }: CallTrace, row: number): string {
  return typeNames(marks === undefined ? 0 : atUint(marks, row), table);
}

function partnerSentence(caller: string, change: PartnerChange | undefined): string {
  if (change === undefined) return '';
  const { kind, call, before, after, isRelative, shift } = change;
  const how = howOf(kind, call);
  const moved =
    shift === undefined
      ? ''
      : `: ${before.length === 1 ? 'it is' : 'all are'} ${Math.abs(shift)} ${Math.abs(shift) === 1 ? 'rank' : 'ranks'} ${shift > 0 ? 'further' : 'back'}`;
  const [added, gone] = [
    after.filter((own) => !before.includes(own)),
    before.filter((own) => !after.includes(own)),
  ];
  if (gone.length === 0)
    return `${caller} ${how} ${partners(added, isRelative)} in addition to ${partners(before, isRelative, false)}.`;
  if (added.length === 0)
    return `${caller} ${how} ${partners(after, isRelative)} only, and no longer ${kind === 'receive' ? 'from' : 'to'} ${partners(gone, isRelative, false)}.`;
  const kept = after.length - added.length;
  if (kept > 0 && shift === undefined)
    return `${caller} ${how} ${partners(added, isRelative)} instead of ${partners(gone, isRelative, false)}; ${kept} ${kept === 1 ? 'partner is' : 'partners are'} the same.`;
  return `${caller} ${how} ${partners(after, isRelative)} instead of ${partners(before, isRelative, false)}${moved}.`;
}

/** OTF2 has no names of the calls that send and receive; those of other traces are given. */
function howOf(kind: MessageKey['kind'], call: string): string {
  const by = call === kind ? '' : ` (${call})`;
  switch (kind) {
    case 'collective':
      return `has ${call} with root`;
    case 'send':
      return `sends${by} to`;
    case 'receive':
      return `receives${by} from`;
  }
}

const mostListed = 6;

/** `ranks 1, 2 and 5`, or distances. */
function partners(list: readonly (number | undefined)[], isRelative: boolean, named = true): string {
  const words = list
    .slice(0, mostListed)
    .map((own) => (own === undefined ? 'any' : isRelative ? distanceWords(own) : String(own)));
  if (list.length > mostListed) words.push(`${list.length - mostListed} more`);
  const last = words.pop() ?? '';
  const all = words.length === 0 ? last : `${words.join(', ')} and ${last}`;
  if (!named) return all;
  const noun = isRelative ? 'distance' : 'rank';
  return `${noun}${list.length === 1 ? '' : 's'} ${all}`;
}

function orderSentence(caller: string, order: OrderDifference | undefined, { tree }: PairWords): string {
  if (order === undefined) return '';
  const { before, after, ranks = [] } = order;
  const where = ranks.length === 0 ? '' : ` on rank${ranks.length === 1 ? '' : 's'} ${rankSet(ranks)}`;
  const list = (keys: readonly number[]): string => {
    const names = keys.slice(0, mostListed).map((key) => pathName(at(tree.table.keys, key)));
    return `${names.join(', ')}${keys.length > mostListed ? ', …' : ''}`;
  };
  const [was, is] = [list(before), list(after)];
  if (was === is) return `${caller} makes the same calls in another order${where} (${is}).`;
  return `${caller} makes the same calls in another order${where}: ${is}; before: ${was}.`;
}

/** The partner of a message, as `MPI_RECV from 3 to 1`: with the rank of the process itself. */
export function messageWords(key: MessageKey, rank: number): string {
  const own = pathName(key);
  if (key.kind === 'collective' || key.partner === undefined || key.isRelative === true) return own;
  return key.kind === 'send' ? `${key.call} from ${rank} to ${key.partner}` : `${own} to ${rank}`;
}

function times(count: number): string {
  return `${number(count)} ${count === 1 ? 'time' : 'times'}`;
}

function number(value: number): string {
  return Number.isInteger(value) ? formatCount(value) : String(Number(value.toPrecision(4)));
}
