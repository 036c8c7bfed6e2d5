import { formatSeconds } from '../../format';
import { timeParts, type TimeParts } from '../waiting';
import { commonChange } from './visitTimes';
import type { TraceComparison } from './differences';
import type { PairWords } from './differenceWords';
import type { PairValues } from './pairTree';

/** Smaller changes of waiting, as a share of the time, are not mentioned. */
const leastWaiting = 0.005;
/** Smaller relative changes of what functions take are not mentioned. */
const leastChange = 0.1;

/** Two views that were compared. */
interface ComparedPair {
  readonly comparison: Pick<TraceComparison, 'differences'>;
  readonly words: Pick<PairWords, 'metric' | 'tree'>;
  readonly values: PairValues;
}

/** Sentences about times that changed and that no function is named by. */
export function timeNotes(pair: ComparedPair): readonly string[] {
  const { values, words } = pair;
  const { metric, tree } = words;
  if (metric !== 'time') return [];
  const [left, right] = tree.traces;
  const parts = [timeParts(left, values.scale[0]), timeParts(right, values.scale[1])] as const;
  return [...waitingNotes(parts), ...computingNotes(pair, parts)];
}

/** How long is waited varies from run to run, and is not named as a change of functions. */
function waitingNotes([before, after]: readonly [TimeParts, TimeParts]): readonly string[] {
  const whole = Math.max(...[before, after].map((own) => own.computing + own.waiting + own.starting));
  const isOther = (part: keyof TimeParts): boolean =>
    Math.abs(after[part] - before[part]) > leastWaiting * whole;
  if (!isOther('waiting') && !isOther('starting')) return [];
  const of = (part: keyof TimeParts): string =>
    `${formatSeconds(before[part])} → ${formatSeconds(after[part])}`;
  const [starts, these] =
    before.starting === 0 && after.starting === 0
      ? ['', 'the latter varies']
      : [`, and ${of('starting')} MPI_Init and MPI_Finalize`, 'the latter two vary'];
  return [
    `Of the time, ${of('computing')} is computing, ${of('waiting')} waiting and communicating (MPI, barriers)${starts}: ${these} from run to run, and no function is named by ${starts === '' ? 'it' : 'them'}.`,
  ];
}

/** What all functions changed by is of the machine, and names none; what single runs cannot show neither. */
function computingNotes(
  { words: { tree }, values, comparison: { differences } }: ComparedPair,
  [before, after]: readonly [TimeParts, TimeParts],
): readonly string[] {
  const change = after.computing / before.computing;
  if (!isChange(change)) return [];
  const common = commonChange(tree, values);
  // The typical visits of functions that are interrupted more often may be shorter, while all takes longer.
  const isCommon = common !== undefined && isChange(common.ratio) && common.ratio > 1 === change > 1;
  const isNamed = differences.some(({ kind }) => kind === 'slower' || kind === 'faster');
  if (isNamed && !isCommon) return [];
  const whole = `Computing takes ${formatSeconds(before.computing)} → ${formatSeconds(after.computing)}`;
  const further = 'Several runs of each, or instructions, show more than single runs can.';
  if (!isCommon)
    return [
      `${whole}, and no function is named by its time: the times of visits vary too much, or there are too few of them. ${further}`,
    ];
  return [
    `${whole}, and a visit typically ${factor(common.ratio)} as long (median of ${common.functions} functions), as on a machine that is ${change > 1 ? 'slower or busier, or with a larger input' : 'faster or less busy, or with a smaller input'}: functions are named only by what they changed beyond that. ${further}`,
  ];
}

function isChange(ratio: number): boolean {
  return Math.abs(Math.log(ratio)) > Math.log1p(leastChange);
}

/** `1.8 times`, `0.62 times` */
function factor(ratio: number): string {
  return `${ratio.toPrecision(2)} times`;
}
