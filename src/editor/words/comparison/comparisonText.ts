import * as l10n from '@vscode/l10n';
import path from 'node:path';
import type { ComparedPart } from '../../../protocol/comparison';

interface Compared extends ComparedPart {
  readonly file: string;
}

/** `run-a ↔ run-b`, or of one trace `run-a: rank 1 ↔ rank 2`. */
export function comparisonTitle(views: readonly Compared[]): string {
  const names = views.map(({ file }) => traceName(file));
  const [first = ''] = names;
  const parts = views.map(partText);
  const isOne = new Set(views.map(({ file }) => file)).size === 1;
  if (isOne && parts.some((part) => part !== ''))
    return `${first}: ${parts.map((part) => (part === '' ? 'all' : part)).join(' ↔ ')}`;
  return names
    .map((name, view) => [name, parts[view] ?? ''].filter((part) => part !== '').join(', '))
    .join(' ↔ ');
}

/** Anchor files have the same name everywhere: their folder has the name of the run. */
export function traceName(file: string): string {
  const name = path.basename(file);
  return name === 'traces.otf2' ? path.basename(path.dirname(file)) : name.replace(/\.(otf2|mvtrace)$/i, '');
}

function partText({ rank, iterations }: ComparedPart): string {
  const [first, last] = iterations ?? [];
  return [
    ...(rank === undefined ? [] : [l10n.t`rank ${rank}`]),
    ...(first === undefined
      ? []
      : [first === last ? l10n.t`iteration ${first}` : l10n.t`iterations ${first}–${last ?? first}`]),
  ].join(', ');
}

/** What can be compared, and what the user is asked for. */
export const comparisonKinds = [
  {
    kind: 'runs',
    label: l10n.t('Two Runs'),
    detail: l10n.t('The same program with other data, or on another machine'),
    choose: [l10n.t('The run to look at'), l10n.t('The run to compare it with')],
  },
  {
    kind: 'ranks',
    label: l10n.t('Two Ranks'),
    detail: l10n.t('Two to four processes of one run'),
    choose: l10n.t('The run whose ranks are compared'),
  },
  {
    kind: 'iterations',
    label: l10n.t('Two Iterations'),
    detail: l10n.t('Two to four iterations of one run'),
    choose: l10n.t('The run whose iterations are compared'),
  },
  {
    kind: 'processes',
    label: l10n.t('Two Process Counts'),
    detail: l10n.t('Runs with other numbers of processes, such as 4 × 4 and 8 × 8'),
    choose: [l10n.t('The run with fewer processes'), l10n.t('The run with more processes')],
  },
  {
    kind: 'commits',
    label: l10n.t('Before and After a Commit'),
    detail: l10n.t('Runs of two versions of the program'),
    choose: [l10n.t('The run before the commit'), l10n.t('The run after the commit')],
  },
] as const;

/** Two to four whole numbers from `least` on, as the user writes them: `1, 2` or `1 2`. Undefined: they are none. */
export function readNumbers(text: string, least: number): readonly number[] | undefined {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  const numbers = words.map((word) => (/^\d{1,9}$/.test(word) ? Number(word) : NaN));
  const fits = numbers.length >= 2 && numbers.length <= 4 && numbers.every((number) => number >= least);
  return fits ? numbers : undefined;
}
