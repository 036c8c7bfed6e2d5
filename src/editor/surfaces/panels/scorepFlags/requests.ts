import * as l10n from '@vscode/l10n';
import { KymoError } from '../../../../core/errors';
import { longestValue, valueProblem } from '../../../../core/scorepOptions/checkValue';
import type { OptionValues, ScorepOption } from '../../../../core/scorepOptions/option';
import { type Guard, record, text } from '../../../../protocol/guards';
import {
  mostValues,
  type ScorepFlagsRequests,
  type ScorepFlagsState,
} from '../../../../protocol/scorepFlags';

const values: Guard<ScorepFlagsRequests['use']['parameters']['values']> = (given) => {
  if (!Array.isArray(given) || given.length > mostValues) return undefined;
  const pairs: (readonly [string, string])[] = [];
  for (const pair of given as readonly unknown[]) {
    if (!Array.isArray(pair) || pair.length !== 2) return undefined;
    const [id, value] = pair as readonly unknown[];
    if (typeof id !== 'string' || typeof value !== 'string' || value.length > longestValue) return undefined;
    pairs.push([id, value]);
  }
  return pairs;
};

const flag: Guard<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);

export const useGuard: Guard<ScorepFlagsRequests['use']['parameters']> = record({
  target: text(1024),
  values,
  setBackend: flag,
});

/** Reads what a panel showed when the window closed from its state. */
export function shownBefore(state: unknown): Omit<ScorepFlagsState, 'values'> | undefined {
  const place = record({ folder: text(4096) })(state);
  const target = record({ target: text(1024) })(state);
  return place === undefined ? undefined : { ...place, ...target };
}

/**
 * Checks the values that a webview sent.
 * @param before the current values of the target: one that is not among the choices may stay
 * @throws KymoError `refused` for an unknown option or an invalid value
 */
export function checkedValues(
  options: readonly ScorepOption[],
  pairs: readonly (readonly [string, string])[],
  before: OptionValues,
): OptionValues {
  const checked: Record<string, string> = {};
  for (const [id, value] of pairs) {
    const option = options.find((candidate) => candidate.id === id);
    if (option === undefined) throw new KymoError('refused', l10n.t`There is no option ${id.slice(0, 60)}.`);
    const { input, label } = option;
    const isKnown =
      input.kind === 'text' || value === before[id] || input.choices.some((choice) => choice.value === value);
    const problem = isKnown ? valueProblem(option, value) : l10n.t('This is none of its values.');
    if (problem !== undefined) throw new KymoError('refused', `${label}: ${problem}`);
    if (value !== '') checked[id] = value;
  }
  return checked;
}
