import { formatBytes, formatChange, formatPercent, formatSeconds } from '../format';
import { counted } from '../format';
import { figureNames, figureWords } from './figures';
import type { GateEntry } from './gate';
import { mayBeRegression } from './gate';
import type { GateReport } from './report';
import type { Verdict } from './verdict';

const verdictWords: Readonly<Record<Verdict, string>> = {
  regression: 'regression',
  'cannot-tell': 'cannot tell',
  improvement: 'improvement',
  'no-change': 'no change',
};

/** The verdict of an entry: what only cannot be told to be better is not what the gate cannot tell. */
export function verdictText(entry: GateEntry): string {
  return isNotWorse(entry) ? 'not worse' : verdictWords[entry.verdict];
}

function isNotWorse(entry: GateEntry): boolean {
  return entry.verdict === 'cannot-tell' && !mayBeRegression(entry);
}

/** How sides are compared although they cannot be compared, for the command line. */
export function allowText({ allowable }: Pick<GateReport, 'allowable'>): readonly string[] {
  return allowable.length === 0
    ? []
    : [`If they are to be compared all the same: --allow ${allowable.join(' ')}`];
}

/** What was judged: a function's name, or a figure of the whole run. */
export function subjectOf({ criterion, name, figure }: GateEntry): string {
  if (name !== undefined) return criterion === 'dynamics' ? `growth of ${name} over the iterations` : name;
  const of = figure ?? figureNames.find((one) => one === criterion);
  return of === undefined ? 'all functions together' : figureWords[of];
}

/** A judged entry in one plain sentence. */
export function entrySentence(entry: GateEntry): string {
  if (entry.growth !== undefined) return growthSentence(entry, entry.growth);
  return entry.criterion === 'budget' ? budgetSentence(entry) : `${changeWords(entry)}.${toTell(entry)}`;
}

function growthSentence(
  { verdict, name = '', values }: GateEntry,
  { baseline, candidate, probability }: NonNullable<GateEntry['growth']>,
): string {
  const [before, after] = values.map(formatSeconds);
  const how = `${baseline} → ${candidate}; predicted ${before ?? ''} → ${after ?? ''}`;
  if (verdict === 'regression')
    return `${name} grows faster (${formatPercent(probability)} certain): ${how}.`;
  return verdict === 'cannot-tell'
    ? `${name}: cannot tell whether it grows faster (${formatPercent(probability)} probable): ${how}. More points, or more repetitions, would tell.`
    : `${name} does not grow faster: ${how}.`;
}

function budgetSentence(entry: GateEntry): string {
  const { verdict, values, unit } = entry;
  const [budget, mean] = values.map((value) => valueText(value, unit));
  const what = `${subjectAtStart(entry)}: ${mean ?? ''}, of a budget of ${budget ?? ''}`;
  if (verdict === 'regression') return `${what}, which is exceeded.`;
  return verdict === 'no-change'
    ? `${what}.`
    : `${what}; runs differ too much to know whether it is exceeded.${toTell(entry)}`;
}

function changeWords(entry: GateEntry): string {
  const { verdict, values, unit, ratio, interval } = entry;
  const [before, after] = values.map((value) => valueText(value, unit));
  const range = interval === undefined ? 'measured once' : `${signed(interval[0])} to ${signed(interval[1])}`;
  const subject = subjectAtStart(entry);
  const how = `${before ?? ''} → ${after ?? ''}, ${signed(ratio)} (${range})`;
  switch (verdict) {
    case 'regression':
      return `${subject} ${worse(entry)}: ${how}`;
    case 'improvement':
      return `${subject} ${better(entry)}: ${how}`;
    case 'no-change':
      return `${subject}: no change that matters: ${how}`;
    case 'cannot-tell':
      if (isNotWorse(entry)) return `${subject}: not worse: ${how}`;
      return `${subject}: cannot tell: ${how}; from ${signed(entry.matters)} on it matters`;
  }
}

function worse({ criterion, name }: GateEntry): string {
  if (criterion === 'total') return 'take longer';
  if (criterion === 'time') return 'takes longer itself';
  return name === undefined
    ? 'is larger'
    : 'is larger: it becomes slower from their first half to their second';
}

function better({ criterion }: GateEntry): string {
  if (criterion === 'total') return 'take less time';
  if (criterion === 'time') return 'takes less time itself';
  return 'is smaller';
}

function toTell(entry: GateEntry): string {
  if (!mayBeRegression(entry)) return '';
  const { repetitions } = entry;
  return repetitions === undefined
    ? ' More repetitions would not tell.'
    : ` About ${counted(repetitions, 'repetition')} of each would tell.`;
}

/** What would tell of the entries that may be regressions. */
function toTellAll(open: readonly GateEntry[]): string {
  const needed = open.flatMap(({ repetitions }) => (repetitions === undefined ? [] : [repetitions]));
  if (needed.length === 0) return 'More repetitions alone would not tell.';
  const most = `About ${counted(Math.max(...needed), 'repetition')} of each would tell`;
  const hidden = open.length - needed.length;
  return hidden === 0
    ? `${most}.`
    : `${most} of ${String(needed.length)}; of ${String(hidden)}, more repetitions alone would not tell.`;
}

/** The verdict of everything in one sentence. */
export function wholeSentence(verdict: Verdict, entries: readonly GateEntry[]): string {
  const of = (wanted: Verdict): number => entries.filter((entry) => entry.verdict === wanted).length;
  const open = entries.filter(mayBeRegression);
  switch (verdict) {
    case 'regression':
      return `Regression: ${counted(of('regression'), 'criterion is', 'criteria are')} worse than the baseline or over budget.`;
    case 'cannot-tell':
      return `Cannot tell: the noise leaves room for a regression of ${counted(open.length, 'criterion', 'criteria')}. ${toTellAll(open)}`;
    case 'improvement':
      return `No regression, and ${counted(of('improvement'), 'improvement')}.`;
    case 'no-change':
      return 'No regression.';
  }
}

/** The interval of an entry, or how both grow. */
export function rangeText({ interval, growth }: GateEntry): string {
  if (growth !== undefined) return `${growth.baseline} → ${growth.candidate}`;
  return interval === undefined ? '' : `${signed(interval[0])} to ${signed(interval[1])}`;
}

/** `+18 %`, `−3.0 %` */
export function signed(ratio: number): string {
  return formatChange(ratio - 1);
}

export function valueText(value: number, unit: GateEntry['unit']): string {
  if (unit === 'bytes') return formatBytes(value);
  if (unit === 'growth') return signed(1 + value);
  return unit === 'share' ? formatPercent(value) : formatSeconds(value);
}

function subjectAtStart(entry: GateEntry): string {
  const subject = subjectOf(entry);
  return subject === entry.name ? subject : subject.charAt(0).toUpperCase() + subject.slice(1);
}
