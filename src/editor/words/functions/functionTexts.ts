import { anonymousNamespace, spellAnonymous } from '../../../core/names/anonymous';
import { formatCount } from '../../../core/format';
import { foldTemplates } from '../../../core/names/foldTemplates';
import type { PinState } from '../../../workflows/pins';
import { decisionText, type FunctionRow } from '../../../core/functions/functionRow';
import { explanation, inclusiveText, shorten } from './lensText';
import { isPending, willBeIn } from './functionTree';
import { escapeMarkdown } from '../../../core/markdown';

export type SelectionChange = 'entered' | 'left';

const nameCharacters = 120;
const tooltipNameCharacters = 400;

/**
 * Without what hides the rest in a narrow side bar: the arguments of templates, and namespaces without a name, which the file above stands
 * for. The tooltip has them.
 */
export function functionLabel({ name }: FunctionRow): string {
  return shorten(
    spellAnonymous(foldTemplates(name)).replaceAll(`${anonymousNamespace}::`, ''),
    nameCharacters,
  );
}

/** `31 % · 1.2 M visits`; what waits for the next run comes first. */
export function functionDescription(
  one: FunctionRow,
  pin: PinState | undefined,
  change: SelectionChange | undefined,
): string {
  const share = inclusiveText(one);
  return [
    ...(isPending(one, pin) ? [willBeIn(one, pin) ? 'in next run' : 'out next run'] : []),
    ...(change === undefined ? [] : [change]),
    ...(share === undefined || (one.visits ?? 0) === 0 ? [] : [share]),
    ...(one.visits === undefined || one.visits === 0
      ? []
      : [`${formatCount(one.visits)} ${one.visits === 1 ? 'visit' : 'visits'}`]),
    ...(one.hasSite ? [] : ['no site']),
  ].join(' · ');
}

/**
 * Markdown: the decision with its reason, the pin and what follows from it, and the numbers.
 * @param table all functions of the study
 */
export function functionTooltip(
  one: FunctionRow,
  table: readonly FunctionRow[],
  pin: PinState | undefined,
  change: SelectionChange | undefined,
): string {
  const state = one.selected ? '$(pass) Instrumented' : '$(circle-slash) Not instrumented';
  const reason = decisionText(one.decision);
  const place = one.file === undefined ? '' : `${one.file}${one.line === undefined ? '' : `:${one.line}`}`;
  const numbers = explanation(one, table).map(
    ([value, meaning]) => `- **${escapeMarkdown(value)}** ${meaning}`,
  );
  return [
    `**${escapeMarkdown(shorten(one.name, tooltipNameCharacters))}**`,
    `${state}${reason === '' ? '' : `: ${escapeMarkdown(reason)}`}`,
    ...(pin === undefined ? [] : [`$(pinned) ${pinSentence(one, pin)}`]),
    ...(change === undefined ? [] : [`$(diff) It ${change} the selection in the last round.`]),
    ...(numbers.length === 0 ? [] : [numbers.join('\n')]),
    ...(place === '' ? [] : [escapeMarkdown(place)]),
  ].join('\n\n');
}

/** What a pin means for a function as it is. */
export function pinSentence(one: FunctionRow, pin: PinState): string {
  if (pin === 'in' && !one.hasSite)
    return 'Pinned in, but it cannot be recorded: the executable has no site for it (inlined everywhere, or built without Kymo).';
  if (!isPending(one, pin)) return pin === 'in' ? 'Pinned in.' : 'Pinned out.';
  return pin === 'in'
    ? 'Pinned in: it will be recorded from the next round on.'
    : 'Pinned out: it will be left out from the next round on.';
}

/** `3 of 24`: how many functions of a file or folder are in. */
export function countText(included: number, all: number): string {
  return `${included} of ${all}`;
}
