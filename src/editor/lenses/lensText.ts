import { formatCount, formatRoundPercent } from '../../core/format';
import type { FunctionReport } from '../../workflows/studies';
import type { FunctionsAtLine } from './functionIndex';

/** Of a longer decision the lens has only the first clause of the reason; the tooltip and the explanation have all of it. */
const decisionCharacters = 60;
/** Names of instantiated templates can be very long. */
const nameCharacters = 120;

export interface Lens {
  /** 1-based. */
  readonly line: number;
  readonly title: string;
  readonly tooltip: string;
}

/** The lenses of a file with `lineCount` lines. */
export function lensesOf(
  groups: readonly FunctionsAtLine[],
  lineCount: number,
  minimumShare: number,
): readonly Lens[] {
  return groups
    .filter((group) => group.line <= lineCount && isShown(group, minimumShare))
    .map((group) => ({ line: group.line, title: lensTitle(group), tooltip: lensTooltip(group) }));
}

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

/** What was measured, or why nothing was; that a function is not instrumented, with the reason if there is room. */
export function functionSummary(one: FunctionReport): string {
  const parts = measuredParts(one);
  if (one.selected) return (parts.length > 0 ? parts : ['instrumented', 'not executed']).join(' · ');
  return parts.length > 0 ? [...parts, 'not instrumented'].join(' · ') : shortDecision(one);
}

/** `instrumented: hot spot …` or `not instrumented: 3 statements …`. */
export function decision(one: FunctionReport): string {
  const reason = reasonText(one);
  return reason === '' ? stateText(one) : `${stateText(one)}: ${reason}`;
}

function shortDecision(one: FunctionReport): string {
  const whole = decision(one);
  if (whole.length <= decisionCharacters) return whole;
  const [clause] = reasonText(one).split(/[;:] | \(/, 1);
  return shorten(decision({ ...one, reason: clause ?? '' }), decisionCharacters);
}

export function stateText({ selected }: FunctionReport): string {
  return selected ? 'instrumented' : 'not instrumented';
}

/** The reason without the `in:` or `out:` before it: the state is always said with it. */
export function reasonText({ reason }: FunctionReport): string {
  return reason.replace(/^(in|out): /, '');
}

/** The overhead of a function that is no longer instrumented is not paid, so it is left out. */
function measuredParts(one: FunctionReport): string[] {
  const { selected, visits, timedOneIn, inclusiveShare, overheadPercent } = one;
  if (visits === undefined || visits === 0) return [];
  const part = timedOneIn === undefined ? '' : `, 1 in ${timedOneIn} timed`;
  return [
    ...(inclusiveShare === undefined ? [] : [formatRoundPercent(inclusiveShare)]),
    `${formatCount(visits)} ${visits === 1 ? 'visit' : 'visits'}${part}`,
    ...(overheadPercent === undefined || !selected
      ? []
      : [`overhead ${formatRoundPercent(overheadPercent / 100)}`]),
  ];
}

export function shorten(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters - 1).trimEnd()}…`;
}

/** What was measured of a function, one line each: the value and what it is. */
export function explanation(one: FunctionReport): readonly (readonly [value: string, meaning: string])[] {
  const { visits, timedOneIn, inclusiveShare, exclusiveShare, overheadPercent } = one;
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
    ...(timedOneIn === undefined
      ? []
      : [[`1 in ${timedOneIn}`, 'visits is timed; all are counted, times are estimated'] as const]),
    ...(overheadPercent === undefined
      ? []
      : [[formatRoundPercent(overheadPercent / 100), 'of the run time: what measuring it costs'] as const]),
  ];
}
