import * as l10n from '@vscode/l10n';
import { coordinateValue } from '../../../core/study/points';
import type { StudyRequest, StudyVariable } from '../../../workflows/study/planStudy';
import { targetEdit, type TextChange } from '../settings/targetEdit';

/** As many as models need: their number is not imported, because the extension host would get all that makes models. */
export const enoughValues = 5;

/** The values of `16, 32, 64`, each once. */
export function readValues(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((value) => value !== ''))];
}

/** Why a text is no list of values; undefined if it is one. */
export function whyNoValues(text: string, { kind }: StudyVariable): string | undefined {
  const values = readValues(text);
  if (kind === 'parameter') return values.length > 0 ? undefined : l10n.t('Enter one value at least.');
  const isCount = values.every((value) => /^[1-9]\d{0,8}$/.test(value));
  if (!isCount) return l10n.t('Enter whole numbers, 1 or more, separated by commas.');
  return kind === 'ranks' && values.length === 0 ? l10n.t('Enter one number at least.') : undefined;
}

/**
 * Values to begin with: those of the target, or powers of two below a single number, down from it. Larger ones could take very long.
 */
export function suggestedValues({ kind, values }: StudyVariable): string {
  const [only] = values;
  const number = coordinateValue(only ?? '');
  if (kind !== 'parameter' || values.length !== 1 || !Number.isSafeInteger(number)) return values.join(', ');
  const halves = [number];
  while (halves.length < enoughValues && (halves[0] ?? 0) % 2 === 0 && (halves[0] ?? 0) > 1)
    halves.unshift((halves[0] ?? 0) / 2);
  return halves.length === enoughValues ? halves.join(', ') : values.join(', ');
}

/** What the user is asked for a variable. */
export function valuesPrompt({ kind, name }: StudyVariable): string {
  switch (kind) {
    case 'parameter':
      return l10n.t`Values of ${name}: one that stays, or at least ${enoughValues} in a wide range, such as 16, 32, 64, 128, 256.`;
    case 'ranks':
      return l10n.t`Numbers of MPI ranks: one that stays, or at least ${enoughValues}, such as 1, 2, 4, 8, 16.`;
    case 'threads':
      return l10n.t(
        'Numbers of threads (OMP_NUM_THREADS), such as 1, 2, 4, 8, 16. Leave it empty if the program does not use them.',
      );
  }
}

/** The answers as options of a study. */
export function requestOf(
  answers: readonly (readonly [StudyVariable, readonly string[]])[],
): Pick<StudyRequest, 'values' | 'ranks' | 'threads'> {
  const counts = (wanted: StudyVariable['kind']): readonly number[] =>
    answers.flatMap(([{ kind }, values]) => (kind === wanted ? values.map(Number) : []));
  const [ranks, threads] = [counts('ranks'), counts('threads')];
  return {
    values: Object.fromEntries(
      answers.flatMap(([{ kind, name }, values]) => (kind === 'parameter' ? [[name, values]] : [])),
    ),
    ...(ranks.length === 0 ? {} : { ranks }),
    ...(threads.length === 0 ? {} : { threads }),
  };
}

/** The edit of `kymo.json` that keeps the answers as "study" of a target. Undefined when the text has no such target. */
export function studyEdit(
  text: string,
  target: string,
  { values = {}, ranks, threads }: ReturnType<typeof requestOf>,
): TextChange | undefined {
  return targetEdit(text, target, (edited) => {
    for (const [name, list] of Object.entries(values))
      edited.set(['study', 'parameters', name], list.map(asNumber));
    if (ranks !== undefined) edited.set(['study', 'ranks'], ranks);
    if (threads !== undefined) edited.set(['study', 'threads'], threads);
  });
}

/** A number where that is the same text. */
function asNumber(text: string): string | number {
  const number = Number(text);
  return String(number) === text ? number : text;
}
