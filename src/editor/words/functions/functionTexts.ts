import * as l10n from '@vscode/l10n';
import { visitsCount } from '../counts';
import { anonymousNamespace, spellAnonymous } from '../../../core/names/anonymous';
import { formatRoundPercent } from '../../../core/format';
import { whenWords } from '../../../core/profile/recordedPart';
import { foldTemplates } from '../../../core/names/foldTemplates';
import type { PinState } from '../../../workflows/pins';
import { decisionText, type FunctionRow } from '../../../core/functions/functionRow';
import { explanation, inclusiveText, shorten } from './lensText';
import { isPending, willBeIn } from './functionTree';
import { escapeMarkdown } from '../../../core/markdown';

export type SelectionChange = 'entered' | 'left';

const nameCharacters = 120;
const tooltipNameCharacters = 400;

/** A name without template arguments and unnamed namespaces, which would fill a narrow side bar. The tooltip has the full name. */
export function functionLabel({ name }: FunctionRow): string {
  return shorten(
    spellAnonymous(foldTemplates(name)).replaceAll(`${anonymousNamespace}::`, ''),
    nameCharacters,
  );
}

const changeTexts: Readonly<Record<SelectionChange, string>> = {
  entered: l10n.t('newly included'),
  left: l10n.t('newly excluded'),
};

const changeSentences: Readonly<Record<SelectionChange, string>> = {
  entered: l10n.t('The last round included it; the round before did not.'),
  left: l10n.t('The last round excluded it; the round before included it.'),
};

/** `inlined`: why a function cannot be recorded; in detail in the tooltip. */
function withoutPatchPoint({ notRecorded }: FunctionRow): string {
  return notRecorded === undefined ? l10n.t('inlined') : l10n.t('cannot be recorded');
}

/** `31 % · 1.2 M visits`; changes that wait for the next run are first. */
export function functionDescription(
  row: FunctionRow,
  pin: PinState | undefined,
  change: SelectionChange | undefined,
): string {
  const share = inclusiveText(row);
  return [
    ...(isPending(row, pin) ? [willBeIn(row, pin) ? l10n.t('in next run') : l10n.t('out next run')] : []),
    ...(row.recordedPart === undefined ? [] : [`only ${whenWords(row.recordedPart)}`]),
    ...(share === undefined || (row.visits ?? 0) === 0 ? [] : [share]),
    ...(row.visits === undefined || row.visits === 0 ? [] : [visitsCount(row.visits)]),
    ...(change === undefined ? [] : [changeTexts[change]]),
    ...(row.hasSite ? [] : [withoutPatchPoint(row)]),
  ].join(' · ');
}

/**
 * Markdown: the decision with its reason, the pin and its consequence, and the numbers.
 * @param table all functions of the study
 */
export function functionTooltip(
  row: FunctionRow,
  table: readonly FunctionRow[],
  pin: PinState | undefined,
  change: SelectionChange | undefined,
): string {
  const state = row.selected ? l10n.t('$(pass) Instrumented') : l10n.t('$(circle-slash) Not instrumented');
  const reason = decisionText(row.decision);
  const place = row.file === undefined ? '' : `${row.file}${row.line === undefined ? '' : `:${row.line}`}`;
  const numbers = explanation(row, table).map(
    ([value, meaning]) => `- **${escapeMarkdown(value)}** ${escapeMarkdown(meaning)}`,
  );
  return [
    `**${escapeMarkdown(shorten(row.name, tooltipNameCharacters))}**`,
    `${state}${reason === '' ? '' : `: ${escapeMarkdown(reason)}`}`,
    ...(pin === undefined ? [] : [`$(pinned) ${pinSentence(row, pin)}`]),
    ...(change === undefined ? [] : [`$(diff) ${changeSentences[change]}`]),
    ...(numbers.length === 0 ? [] : [numbers.join('\n')]),
    ...(place === '' ? [] : [escapeMarkdown(place)]),
  ].join('\n\n');
}

/** The consequence of a pin for a function. */
export function pinSentence(row: FunctionRow, pin: PinState): string {
  if (pin === 'in' && !row.hasSite)
    return l10n.t(
      'Pinned in, but it cannot be recorded: the executable has no patch point for it (inlined, or built without Kymo).',
    );
  if (!isPending(row, pin)) return pin === 'in' ? l10n.t('Pinned in.') : l10n.t('Pinned out.');
  return pin === 'in'
    ? l10n.t('Pinned in: it will be recorded from the next round on.')
    : l10n.t('Pinned out: it will be left out from the next round on.');
}

/** `97 %`: the exclusive time of the functions of a file or folder; empty if none was measured. */
export function branchShare(share: number): string {
  return share > 0 ? formatRoundPercent(share) : '';
}

export function shareSentence(share: number, of: 'file' | 'folder'): readonly string[] {
  if (share <= 0) return [];
  const percent = formatRoundPercent(share);
  return [
    of === 'file'
      ? l10n.t`${percent} of the time is in the functions of this file themselves`
      : l10n.t`${percent} of the time is in the functions of this folder themselves`,
  ];
}

/** `3 of 24`: the number of included functions of a file or folder. */
export function countText(included: number, all: number): string {
  return l10n.t`${included} of ${all}`;
}
