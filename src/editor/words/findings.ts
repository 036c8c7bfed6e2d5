import { formatCount, formatRoundPercent } from '../../core/format';
import type { FunctionRow } from '../../core/functions/functionRow';
import type { PlacedGroup } from '../state/places/placedGroups';
import { changedText, shorten, type Pinned } from './lensText';

/** What the last run shows at one place of the source and the user should know. */
export interface Finding {
  readonly rule: 'excessive-overhead' | 'inlined-away';
  readonly group: PlacedGroup;
  readonly message: string;
  /** Of `inlined-away`: the nearest recorded callers. */
  readonly callers: readonly FunctionRow[];
}

export interface FindingRules {
  /** Percent of the run time; undefined: overheads are not reported. */
  readonly overheadPercent: number | undefined;
  readonly inlinedAway: boolean;
}

/** Below this share of the run time in its callers, nobody misses an inlined function. */
const missedShare = 0.01;
const nameCharacters = 120;
const shownCallers = 3;

/** Per group at most one finding of each rule. What the user pinned is decided and not reported. */
export function findings(
  groups: readonly PlacedGroup[],
  rules: FindingRules,
  pinned: Pinned,
  functionsAt: (positions: readonly number[]) => readonly FunctionRow[],
): readonly Finding[] {
  return groups.flatMap((group) => {
    const open = group.functions.filter(({ key }) => !pinned.has(key));
    return [
      ...(rules.overheadPercent === undefined ? [] : overheadOf(group, open, rules.overheadPercent)),
      ...(rules.inlinedAway ? inlinedOf(group, open, functionsAt) : []),
    ];
  });
}

/** Whether a function may be behind a finding: the cheap question that is asked of all functions of a program. */
export function mayBeFound(one: FunctionRow, rules: FindingRules): boolean {
  const { overheadPercent } = rules;
  return (
    (overheadPercent !== undefined && costsMore(one, overheadPercent)) ||
    (rules.inlinedAway && one.missed === true)
  );
}

function costsMore({ selected, overheadPercent = 0 }: FunctionRow, limit: number): boolean {
  return selected && overheadPercent > limit;
}

function overheadOf(
  group: PlacedGroup,
  functions: readonly FunctionRow[],
  limit: number,
): readonly Finding[] {
  const costly = functions.filter((one) => costsMore(one, limit));
  const [worst] = [...costly].sort((a, b) => (b.overheadPercent ?? 0) - (a.overheadPercent ?? 0));
  if (worst === undefined) return [];
  const percent = formatRoundPercent((worst.overheadPercent ?? 0) / 100);
  const visits =
    worst.visits === undefined
      ? ''
      : ` (${formatCount(worst.visits)} ${worst.visits === 1 ? 'visit' : 'visits'})`;
  const more = costly.length - 1;
  const others =
    more === 0 ? '' : more === 1 ? '; so does one more instance' : `; so do ${more} more instances`;
  return [
    {
      rule: 'excessive-overhead',
      group,
      message: `Recording ${shorten(worst.name, nameCharacters)} costs ${percent} of the run time${visits}${others}${staleSuffix(group)}.`,
      callers: [],
    },
  ];
}

function inlinedOf(
  group: PlacedGroup,
  functions: readonly FunctionRow[],
  functionsAt: (positions: readonly number[]) => readonly FunctionRow[],
): readonly Finding[] {
  const [inlined] = functions.filter(({ missed }) => missed === true);
  // An instance that can be recorded speaks for all.
  if (inlined === undefined || functions.some(({ hasSite }) => hasSite)) return [];
  const callers = functionsAt(inlined.timeIn ?? []);
  if (!callers.some(({ inclusiveShare = 0 }) => inclusiveShare >= missedShare)) return [];
  const names = callers.slice(0, shownCallers).map(({ name }) => shorten(name, nameCharacters));
  const more = callers.length > shownCallers ? ` and ${callers.length - shownCallers} more` : '';
  return [
    {
      rule: 'inlined-away',
      group,
      message: `${shorten(inlined.name, nameCharacters)} ${inlined.notRecorded ?? 'was inlined and cannot be recorded'}; its time is seen in ${names.join(', ')}${more}${staleSuffix(group)}.`,
      callers,
    },
  ];
}

function staleSuffix({ stale }: PlacedGroup): string {
  return stale ? ` (${changedText})` : '';
}
