import * as l10n from '@vscode/l10n';
import { visitsCount } from '../counts';
import { formatRoundPercent, formatSeconds } from '../../../core/format';
import { baseText, inRound, timeWords, type Base } from '../../../core/functions/base';
import { recordedPartWords, whenWords } from '../../../core/profile/recordedPart';
import { instancesAt, type Instances } from '../../../core/functions/instances';
import { shortList } from '../../../core/names/shortList';
import { decisionText, type FunctionRow } from '../../../core/functions/functionRow';
import type { PlacedGroup } from '../../state/places/placedGroups';
import type { FunctionsAtLine } from '../../state/studies/functionIndex';

/** A lens shows only the first clause of a longer decision's reason; the tooltip and the explanation show the whole reason. */
const decisionCharacters = 60;
/** Width of a lens that fits into one of two editors side by side. */
const narrowCharacters = 72;
/** A list of ranks may be long. */
const processCharacters = 32;
/** Names of instantiated templates can be very long. */
const nameCharacters = 120;

export interface Lens {
  /** 1-based, in the current text. */
  readonly line: number;
  /** Line in the measured text, by which the study names the functions. */
  readonly measuredLine: number;
  readonly title: string;
  readonly tooltip: string;
}

/** The user's pins by function key. */
export type Pinned = ReadonlyMap<string, 'in' | 'out'>;

/**
 * The lenses of a file in the order of its text. Their number depends on the study and not on edits.
 * @param table all functions of the study
 */
export function lensesOf(
  groups: readonly PlacedGroup[],
  minimumShare: number,
  pinned: Pinned,
  table: readonly FunctionRow[],
): readonly Lens[] {
  return groups
    .filter((group) => isShown(group, minimumShare, pinned, table))
    .map((group) => ({
      line: group.line,
      measuredLine: group.measuredLine,
      title: placedTitle(group, pinned, table),
      tooltip: lensTooltip(group, table),
    }));
}

/** The title of a lens with its pin and the changes since the run; a long title omits what the hover shows. */
export function placedTitle(group: PlacedGroup, pinned: Pinned, table: readonly FunctionRow[]): string {
  const [heaviest] = group.functions;
  const pin = heaviest === undefined ? undefined : pinText(heaviest, pinned.get(heaviest.key));
  const marks = [pin, group.stale ? changedText : undefined].filter((part) => part !== undefined);
  const whole = [lensTitle(group, table), ...marks].join(' · ');
  return whole.length <= narrowCharacters ? whole : [lensTitle(group, table, true), ...marks].join(' · ');
}

/** Marks a function whose lines changed since the run. */
export const changedText = l10n.t('changed since the run');

/** The meaning of a pin for a function and its last decision; undefined without a pin. */
export function pinText({ selected }: FunctionRow, pin: 'in' | 'out' | undefined): string | undefined {
  switch (pin) {
    case undefined:
      return undefined;
    case 'in':
      return selected ? l10n.t('pinned in') : l10n.t('pinned in from the next run on');
    case 'out':
      return selected ? l10n.t('excluded from the next run on') : l10n.t('excluded');
  }
}

/** Whether a group gets a lens: measured functions from `minimumShare` (0…1) on and pinned ones, others only without a minimum. */
export function isShown(
  { functions }: Pick<FunctionsAtLine, 'functions'>,
  minimumShare: number,
  pinned: Pinned,
  table: readonly FunctionRow[],
): boolean {
  if (minimumShare === 0 || functions.some(({ key }) => pinned.has(key))) return true;
  const share = (instancesAt(functions, table)?.row ?? functions[0])?.inclusiveShare;
  return share !== undefined && share >= minimumShare;
}

/** `31 % · 1.2 M visits · overhead 0.4 %`; for several functions at one place, their sum, or where that would count time twice, the largest. */
export function lensTitle(
  { functions }: Pick<FunctionsAtLine, 'functions'>,
  table: readonly FunctionRow[],
  brief = false,
): string {
  const [heaviest] = functions;
  if (heaviest === undefined) return '';
  const instances = instancesAt(functions, table);
  if (instances === undefined) return functionSummary(heaviest, brief);
  return `${functionSummary(instances.row, brief)} · ${instanceWords(instances)}`;
}

/** `sum of 3 instances`, `largest of 3 instances` */
export function instanceWords({ count, measures }: Instances): string {
  return measures === 'sum' ? l10n.t`sum of ${count} instances` : l10n.t`largest of ${count} instances`;
}

export function lensTooltip(
  { functions }: Pick<FunctionsAtLine, 'functions'>,
  table: readonly FunctionRow[],
): string {
  return functions
    .slice(0, 10)
    .map((row) =>
      [
        shorten(row.name, nameCharacters),
        decision(row),
        ...otherTimes(row, table).map((part) => part.join(' ')),
      ].join('\n'),
    )
    .join('\n\n');
}

/** The measurements of a function or the reason why there are none, and that it is not instrumented, with the reason if there is room. */
export function functionSummary(row: FunctionRow, brief = false): string {
  const measured = measuredParts(row, brief);
  const { processes } = row.base ?? {};
  // First, because nothing may hide that the numbers are not of the whole run.
  const only = [
    ...(processes === undefined ? [] : [l10n.t`only ${shorten(processes, processCharacters)}`]),
    ...(row.recordedPart === undefined ? [] : [`only ${whenWords(row.recordedPart)}`]),
  ];
  const parts = measured.length === 0 ? measured : [...only, ...measured];
  if (row.selected)
    return (parts.length > 0 ? parts : [l10n.t('instrumented'), l10n.t('not executed')]).join(' · ');
  return parts.length > 0 ? [...parts, l10n.t('not instrumented')].join(' · ') : shortDecision(row);
}

/** `instrumented: hot spot …` or `not instrumented: 3 statements …`. */
export function decision(row: FunctionRow): string {
  const reason = decisionText(row.decision);
  return reason === '' ? stateText(row) : `${stateText(row)}: ${reason}`;
}

function shortDecision(row: FunctionRow): string {
  const whole = decision(row);
  if (row.decision === undefined || whole.length <= decisionCharacters) return whole;
  return shorten(`${stateText(row)}: ${row.decision.clause}`, decisionCharacters);
}

export function stateText({ selected }: FunctionRow): string {
  return selected ? l10n.t('instrumented') : l10n.t('not instrumented');
}

/** The shown measurements. The overhead of a function that is no longer instrumented is omitted, because it is not paid. */
function measuredParts(row: FunctionRow, brief: boolean): string[] {
  const { selected, visits, timedOneIn, overheadPercent } = row;
  const share = inclusiveText(row);
  if (visits === undefined || visits === 0) return [];
  return [
    ...(share === undefined ? [] : [share]),
    timedOneIn === undefined || brief
      ? visitsCount(visits)
      : l10n.t`${visitsCount(visits)}, 1 in ${timedOneIn} timed`,
    ...(overheadPercent === undefined || !selected
      ? []
      : [l10n.t`overhead ${formatRoundPercent(overheadPercent / 100)}`]),
  ];
}

/** `31 %`, or `31 % in round 2` if the last round did not record the function. */
export function inclusiveText({ inclusiveShare, base, earlier }: FunctionRow): string | undefined {
  if (inclusiveShare === undefined) return undefined;
  return `${formatRoundPercent(inclusiveShare)}${base === undefined || earlier === undefined ? '' : inRound(base)}`;
}

export function shorten(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters - 1).trimEnd()}…`;
}

/** A value, which may contain names of the program, and its meaning. */
type Explained = readonly [value: string, meaning: string];

/** For an unrecorded function, the functions that contain its time; for a recorded one, the functions whose time it contains. */
function otherTimes({ timeIn, contains }: FunctionRow, table: readonly FunctionRow[]): readonly Explained[] {
  const namesAt = (positions: readonly number[]): readonly string[] =>
    positions.flatMap((position) => table[position]?.name ?? []);
  return [
    ...(timeIn === undefined
      ? []
      : [[shortList(namesAt(timeIn)), `${timeIn.length === 1 ? 'holds' : 'hold'} its time`] as const]),
    ...(contains === undefined
      ? []
      : [
          [
            shortList(namesAt(contains.functions), contains.count),
            `in its time, not recorded ${contains.count === 1 ? 'itself' : 'themselves'}`,
          ] as const,
        ]),
  ];
}

/** The file that a set comes from may be forged, and the words are Markdown in hovers: only what a set consists of is shown. */
function rankWords(set: string): string {
  const ranks = set.replace(/[^\d,-]/g, '');
  return `${/^\d+$/.test(ranks) ? 'rank' : 'ranks'} ${shorten(ranks, nameCharacters)}`;
}

function ofProcesses(base: Base | undefined): string {
  return base?.processes === undefined ? '' : ` of ${base.processes}`;
}

/** With the definition, because the words are used in many ways. */
/** How the ranks differ, in one sentence. */
function rankParts({ ranks }: FunctionRow): readonly Explained[] {
  if (ranks === undefined) return [];
  const { leastSeconds, meanSeconds, mostSeconds, leastRanks, mostRanks, hidesMpi } = ranks;
  const hidden =
    hidesMpi === true ? '; waiting in MPI may be a part of it, because the profile does not show MPI' : '';
  return [
    [
      formatSeconds(meanSeconds),
      `of computation on an average rank, with everything it calls: least ${formatSeconds(leastSeconds)} on ${rankWords(leastRanks)}, most ${formatSeconds(mostSeconds)} on ${rankWords(mostRanks)}${hidden}`,
    ],
  ];
}

function efficiencyParts({ efficiency, ranks }: FunctionRow): readonly Explained[] {
  if (efficiency === undefined) return [];
  const { parallel, loadBalance, communication, runSeconds, slowestRanks } = efficiency;
  const [balance, rest] = [loadBalance, communication].map(formatRoundPercent);
  return [
    [
      formatRoundPercent(parallel),
      `parallel efficiency with everything it calls (mean computation ÷ ${formatSeconds(runSeconds)}): load balance ${balance ?? ''} (mean ÷ largest) × communication efficiency ${rest ?? ''} (largest ÷ time)${slowestRanks === undefined || ranks !== undefined ? '' : `; most computation on ${rankWords(slowestRanks)}`}`,
    ],
  ];
}

/** `: 1.23 s, 410 µs per visit`, of all processes and threads together. */
function secondsText(share: number, { base, visits }: FunctionRow): string {
  if (base === undefined) return '';
  const seconds = share * base.seconds;
  const each = visits === undefined || visits === 0 ? '' : `, ${formatSeconds(seconds / visits)} per visit`;
  return `: ${formatSeconds(seconds)}${each}`;
}

/**
 * The measurements of a function, each with its meaning.
 * @param table all functions of the study
 */
export function explanation(row: FunctionRow, table: readonly FunctionRow[]): readonly Explained[] {
  const { visits, timedOneIn, inclusiveShare, exclusiveShare, overheadPercent, base, waitingSeconds } = row;
  const { recordedPart } = row;
  const time = base === undefined ? 'the run time' : timeWords(base);
  const where = base === undefined || row.earlier === undefined ? '' : inRound(base);
  return [
    ...(recordedPart === undefined
      ? []
      : [
          [
            'Only a part of the run',
            `${recordedPartWords(recordedPart)}: the numbers are of the visits that began then, and its callers have the time of the others`,
          ] as const,
        ]),
    ...(inclusiveShare === undefined
      ? []
      : [
          [
            formatRoundPercent(inclusiveShare),
            `of ${time}${where}, with everything it calls${secondsText(inclusiveShare, row)}`,
          ] as const,
        ]),
    ...(exclusiveShare === undefined
      ? []
      : [
          [
            formatRoundPercent(exclusiveShare),
            `of ${time}${where} in the function itself${secondsText(exclusiveShare, row)}`,
          ] as const,
        ]),
    ...(waitingSeconds === undefined
      ? []
      : [[formatSeconds(waitingSeconds), 'of waiting beside that, with everything it calls'] as const]),
    ...rankParts(row),
    ...efficiencyParts(row),
    ...otherTimes(row, table),
    ...(visits === undefined
      ? []
      : [
          [
            visits.toLocaleString('en'),
            `${visits === 1 ? 'visit' : 'visits'} by all threads${ofProcesses(base)}`,
          ] as const,
        ]),
    ...(timedOneIn === undefined
      ? []
      : [[`1 in ${timedOneIn}`, 'visits is timed; all are counted, times are estimated'] as const]),
    ...(overheadPercent === undefined
      ? []
      : [[formatRoundPercent(overheadPercent / 100), 'of the run time: what measuring it costs'] as const]),
    ...(base === undefined ? [] : [['Shares', `are of ${baseText(base)}`] as const]),
  ];
}
