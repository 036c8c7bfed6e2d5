import { at } from '../at';
import { assertNever } from '../errors';
import { formatCount, formatPercent, formatValue } from '../format';
import type { Difference, SideValues } from './difference';
import { timeMetric } from './run';
import type { ComparedSides } from './sides';

/** What a sentence needs beside the difference. */
interface Said {
  readonly name: string;
  readonly caller: string | undefined;
  readonly shift: number;
  readonly compared: Pick<ComparedSides, 'metric' | 'per'>;
}

/** A difference in one plain sentence. @param shift by what all functions changed alike (`Comparison`) */
export function differenceSentence(difference: Difference, compared: ComparedSides, shift: number): string {
  const { functions, paths } = compared;
  const { name: own, formerName } = at(functions, difference.function);
  const above = at(paths, difference.path).parent;
  const caller = above < 0 ? undefined : at(functions, at(paths, above).function).name;
  if (difference.kind === 'renamed')
    return `${own} is ${formerName ?? own} under another name: both are compared as one function.`;
  const name = formerName === undefined ? own : `${own} (before: ${formerName})`;
  return sentenceOf(difference, { name, caller, shift, compared });
}

function sentenceOf(difference: Difference, said: Said): string {
  const { kind, sides } = difference;
  const { name, caller, compared } = said;
  const none = { count: 0, seconds: 0, value: 0 };
  const [before, after] = [sides[0] ?? none, sides[1] ?? none];
  const whoCalls = caller ?? 'The program';
  const value = (side: SideValues): string => `${inUnit(side.value, compared)}${perProcess(compared)}`;
  switch (kind) {
    case 'slower':
    case 'faster':
    case 'increased':
    case 'decreased':
      return changeSentence(difference, before, after, said);
    case 'added-work':
      return `${whoCalls} calls ${name} in addition, ${visits(after.count)}, ${value(after)} with what it calls.`;
    case 'removed-work':
      return `${whoCalls} calls ${name} no longer: before, ${visits(before.count)}, ${value(before)} with what it called.`;
    case 'changed-count': {
      const by = caller === undefined ? '' : ` by ${caller}`;
      const why = difference.isConsequence ? `, as ${caller ?? 'the program'} is` : '';
      return `${name} is called ${oftener(before.count, after.count)}${by} (${formatCount(before.count)} → ${visits(after.count)}${perProcess(compared)})${why}.`;
    }
    case 'renamed':
      return name;
    default:
      return assertNever(kind);
  }
}

function changeSentence(
  { isConsequence }: Difference,
  before: SideValues,
  after: SideValues,
  { name, shift, compared }: Said,
): string {
  const why = isConsequence ? `, because it is called ${oftener(before.count, after.count)}` : '';
  const values = `${inUnit(before.value, compared)} → ${inUnit(after.value, compared)}${perProcess(compared)}${besideAll(shift, compared)}`;
  const { name: metric, displayName } = compared.metric;
  const what =
    metric === timeMetric.name
      ? `takes ${longer(before.value * shift, after.value)} itself`
      : `has ${more(before.value * shift, after.value)} ${displayName} itself`;
  return `${name} ${what} (${values})${why}.`;
}

/** A value of the compared metric. */
export function inUnit(value: number, { metric }: Pick<ComparedSides, 'metric'>): string {
  return formatValue(value, metric.unit);
}

/** ` per process`, where the sides have other numbers of them. */
export function perProcess({ per }: Pick<ComparedSides, 'per'>): string {
  return per === 'process' ? ' per process' : '';
}

/** What the values show in addition to the change of the function itself. */
function besideAll(shift: number, { metric }: Said['compared']): string {
  if (Math.abs(shift - 1) < 0.0005) return '';
  return metric.name === timeMetric.name
    ? `; all functions take ${longer(1, shift)}`
    : `; all functions have ${more(1, shift)}`;
}

/** `18.3 % longer`, `2.4 times as long`, `9.1 % less time` */
export function longer(before: number, after: number): string {
  const ratio = after / before;
  if (ratio >= 2) return `${Number(ratio.toPrecision(3))} times as long`;
  return `${formatPercent(Math.abs(ratio - 1))} ${ratio > 1 ? 'longer' : 'less time'}`;
}

/** `18.3 % more`, `2.4 times as many`, `9.1 % less` */
export function more(before: number, after: number): string {
  const ratio = after / before;
  if (ratio >= 2) return `${Number(ratio.toPrecision(3))} times as many`;
  return `${formatPercent(Math.abs(ratio - 1))} ${ratio > 1 ? 'more' : 'less'}`;
}

/** `18.3 % more often`, `2.4 times as often` */
export function oftener(before: number, after: number): string {
  const ratio = after / before;
  if (ratio >= 2) return `${Number(ratio.toPrecision(3))} times as often`;
  return `${formatPercent(Math.abs(ratio - 1))} ${ratio > 1 ? 'more' : 'less'} often`;
}

function visits(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'visit' : 'visits'}`;
}
