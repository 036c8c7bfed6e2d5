import { at } from '../at';
import { assertNever } from '../errors';
import { formatCount, formatPercent, formatSeconds } from '../format';
import type { Difference } from './differences';
import type { ComparedSides } from './sides';

/** A difference in one plain sentence. */
export function differenceSentence(difference: Difference, { functions, paths }: ComparedSides): string {
  const { kind, path, sides, isConsequence } = difference;
  const { name: own, formerName } = at(functions, difference.function);
  const name = formerName === undefined ? own : `${own} (before: ${formerName})`;
  const above = at(paths, path).parent;
  const caller = above < 0 ? undefined : at(functions, at(paths, above).function).name;
  const [a, b] = sides.map((side) => side ?? { count: 0, seconds: 0 });
  const [before = { count: 0, seconds: 0 }, after = before] = [a, b];
  const times = `${formatSeconds(before.seconds)} → ${formatSeconds(after.seconds)}`;
  switch (kind) {
    case 'slower':
    case 'faster': {
      const why = isConsequence ? `, because it is called ${oftener(before.count, after.count)}` : '';
      return `${name} takes ${longer(before.seconds, after.seconds)} itself (${times})${why}.`;
    }
    case 'added-work':
      return `${caller ?? 'The program'} calls ${name} in addition, ${visits(after.count)}, ${formatSeconds(after.seconds)} with what it calls.`;
    case 'removed-work':
      return `${caller ?? 'The program'} calls ${name} no longer: before, ${visits(before.count)}, ${formatSeconds(before.seconds)} with what it called.`;
    case 'changed-count': {
      const why = isConsequence ? `, as ${caller ?? 'the program'} is` : '';
      return `${name} is called ${oftener(before.count, after.count)}${caller === undefined ? '' : ` by ${caller}`} (${formatCount(before.count)} → ${visits(after.count)})${why}.`;
    }
    default:
      return assertNever(kind);
  }
}

/** `18.3 % longer`, `2.4 times as long`, `9.1 % less time` */
export function longer(before: number, after: number): string {
  const ratio = after / before;
  if (ratio >= 2) return `${Number(ratio.toPrecision(3))} times as long`;
  return `${formatPercent(Math.abs(ratio - 1))} ${ratio > 1 ? 'longer' : 'less time'}`;
}

function oftener(before: number, after: number): string {
  const ratio = after / before;
  if (ratio >= 2) return `${Number(ratio.toPrecision(3))} times as often`;
  return `${formatPercent(Math.abs(ratio - 1))} ${ratio > 1 ? 'more' : 'less'} often`;
}

function visits(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'visit' : 'visits'}`;
}
