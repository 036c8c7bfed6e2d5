import { at } from '../at';
import { assertNever } from '../errors';
import { formatCount, formatPercent, formatSeconds } from '../format';
import type { Difference, SideValues } from './differences';
import type { ComparedSides } from './sides';

/** A difference in one plain sentence. @param shift by what all functions changed alike (`Comparison`) */
export function differenceSentence(
  difference: Difference,
  { functions, paths }: ComparedSides,
  shift: number,
): string {
  const { name: own, formerName } = at(functions, difference.function);
  const above = at(paths, difference.path).parent;
  const caller = above < 0 ? undefined : at(functions, at(paths, above).function).name;
  return sentenceOf(
    difference,
    formerName === undefined ? own : `${own} (before: ${formerName})`,
    caller,
    shift,
  );
}

function sentenceOf(difference: Difference, name: string, caller: string | undefined, shift: number): string {
  const { kind, sides, isConsequence } = difference;
  const [before, after] = sides.map((side) => side ?? { count: 0, seconds: 0 }) as [SideValues, SideValues];
  const whoCalls = caller ?? 'The program';
  switch (kind) {
    case 'slower':
    case 'faster': {
      const why = isConsequence ? `, because it is called ${oftener(before.count, after.count)}` : '';
      const times = `${formatSeconds(before.seconds)} → ${formatSeconds(after.seconds)}${besideAll(shift)}`;
      return `${name} takes ${longer(before.seconds * shift, after.seconds)} itself (${times})${why}.`;
    }
    case 'added-work':
      return `${whoCalls} calls ${name} in addition, ${visits(after.count)}, ${formatSeconds(after.seconds)} with what it calls.`;
    case 'removed-work':
      return `${whoCalls} calls ${name} no longer: before, ${visits(before.count)}, ${formatSeconds(before.seconds)} with what it called.`;
    case 'changed-count':
      return countSentence(before, after, name, caller, isConsequence);
    default:
      return assertNever(kind);
  }
}

function countSentence(
  before: SideValues,
  after: SideValues,
  name: string,
  caller: string | undefined,
  isConsequence: boolean,
): string {
  const by = caller === undefined ? '' : ` by ${caller}`;
  const why = isConsequence ? `, as ${caller ?? 'the program'} is` : '';
  return `${name} is called ${oftener(before.count, after.count)}${by} (${formatCount(before.count)} → ${visits(after.count)})${why}.`;
}

/** What the seconds show in addition to the change of the function itself. */
function besideAll(shift: number): string {
  return Math.abs(shift - 1) < 0.0005 ? '' : `; all functions take ${longer(1, shift)}`;
}

/** `18.3 % longer`, `2.4 times as long`, `9.1 % less time` */
export function longer(before: number, after: number): string {
  const ratio = after / before;
  if (ratio >= 2) return `${Number(ratio.toPrecision(3))} times as long`;
  return `${formatPercent(Math.abs(ratio - 1))} ${ratio > 1 ? 'longer' : 'less time'}`;
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
