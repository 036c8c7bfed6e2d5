import { formatCount, formatRoundPercent } from '../../core/format';
import type { FunctionReport } from '../../workflows/studies';
import type { FunctionsAtLine } from './functionIndex';

/** A reason longer than this is cut in the lens; the tooltip and the explanation have all of it. */
const reasonCharacters = 60;
/** Names of instantiated templates can be very long. */
const nameCharacters = 120;

/** Whether a lens is worth its line: measured functions from `minimumShare` (0…1) on, others only without a minimum. */
export function isShown({ functions }: FunctionsAtLine, minimumShare: number): boolean {
  const share = functions[0]?.inclusiveShare;
  return minimumShare === 0 || (share !== undefined && share >= minimumShare);
}

/** `31 % · 1.2 M visits · overhead 0.4 %`; of several functions at one place, the heaviest and how many there are. */
export function lensTitle({ functions }: FunctionsAtLine): string {
  const [heaviest] = functions;
  if (heaviest === undefined) return '';
  const others = functions.length === 1 ? '' : ` · 1 of ${functions.length} instances`;
  return `${functionSummary(heaviest)}${others}`;
}

export function lensTooltip({ functions }: FunctionsAtLine): string {
  return functions
    .slice(0, 10)
    .map((one) => `${shorten(one.name, nameCharacters)}\n${decision(one)}`)
    .join('\n\n');
}

/** What was measured, and that and why a function is not instrumented. */
export function functionSummary(one: FunctionReport): string {
  const parts = measuredParts(one);
  if (!one.selected) parts.push(shorten(decision(one), reasonCharacters));
  else if (parts.length === 0) parts.push('instrumented', 'not executed');
  return parts.join(' · ');
}

/** `instrumented: hot spot …` or `not instrumented: 3 statements …`. */
export function decision({ selected, reason }: FunctionReport): string {
  const state = selected ? 'instrumented' : 'not instrumented';
  return reason === '' ? state : `${state}: ${reason}`;
}

function measuredParts({ visits, inclusiveShare, overheadPercent }: FunctionReport): string[] {
  if (visits === undefined || visits === 0) return [];
  return [
    ...(inclusiveShare === undefined ? [] : [formatRoundPercent(inclusiveShare)]),
    `${formatCount(visits)} ${visits === 1 ? 'visit' : 'visits'}`,
    ...(overheadPercent === undefined ? [] : [`overhead ${formatRoundPercent(overheadPercent / 100)}`]),
  ];
}

export function shorten(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters - 1).trimEnd()}…`;
}

/** What was measured of a function, one line each: the value and what it is. */
export function explanation(one: FunctionReport): readonly (readonly [value: string, meaning: string])[] {
  const { visits, inclusiveShare, exclusiveShare, overheadPercent } = one;
  return [
    ...(inclusiveShare === undefined
      ? []
      : [[formatRoundPercent(inclusiveShare), 'of the run time, with everything it calls'] as const]),
    ...(exclusiveShare === undefined
      ? []
      : [[formatRoundPercent(exclusiveShare), 'of the run time in the function itself'] as const]),
    ...(visits === undefined
      ? []
      : [[visits.toLocaleString('en'), visits === 1 ? 'visit' : 'visits'] as const]),
    ...(overheadPercent === undefined
      ? []
      : [[formatRoundPercent(overheadPercent / 100), 'overhead that measuring it costs'] as const]),
  ];
}
