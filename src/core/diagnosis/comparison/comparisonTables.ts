import { formatChange, formatCount, formatPercent, formatSeconds } from '../../format';
import type { ComparedTrial, SearchComparison } from './compareSearches';
import type { ProfilePoint } from './discoveryProfile';

/** Cells as people read them; the first `numbers` columns are numbers. */
export interface ComparisonTable {
  readonly title: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly numbers: number;
}

/** What each trial needed and found, and when. */
export function comparisonTables(comparison: SearchComparison): readonly ComparisonTable[] {
  return [summary(comparison), profiles(comparison)];
}

interface Column {
  readonly head: string;
  readonly cell: (trial: ComparedTrial) => string;
}

const none = '–';

function columnsOf({ known, truth }: SearchComparison): readonly Column[] {
  return [
    { head: 'runs', cell: ({ runs }) => String(runs) },
    { head: 'experiments', cell: ({ experiments }) => formatCount(experiments) },
    { head: 'found', cell: ({ found }) => formatCount(found) },
    {
      head: 'of known',
      cell: ({ found }) => shareText(known.length === 0 ? undefined : found / known.length),
    },
    { head: 'utility sum', cell: ({ utilitySum }) => utilitySum.toFixed(1) },
    { head: 'mean', cell: ({ utilityMean }) => utilityMean.toFixed(1) },
    { head: 'change', cell: ({ change }) => changeText(change?.utility) },
    { head: 'as many', cell: ({ change }) => changeText(change?.equalFound) },
    { head: 'half after', cell: ({ half }) => secondsText(half?.mean) },
    { head: 'change', cell: ({ change }) => changeText(change?.half) },
    { head: 'last after', cell: ({ finish }) => secondsText(finish?.mean) },
    { head: 'change', cell: ({ change }) => changeText(change?.finish) },
    ...(truth === undefined ? [] : truthColumns),
  ];
}

const truthColumns: readonly Column[] = [
  { head: 'recall', cell: ({ recall }) => shareText(recall) },
  { head: 'precision', cell: ({ precision }) => shareText(precision) },
];

function summary(comparison: SearchComparison): ComparisonTable {
  const { known, clock, truth, trials } = comparison;
  const columns = columnsOf(comparison);
  const really = truth === undefined ? '' : `; the program has ${bottlenecks(truth)}`;
  return {
    title: `Together, the searches found ${bottlenecks(known.length)}${really}. Values are means of the runs; utilities and times are seconds of the ${clock} clock, and smaller is better. Changes are to the first search, as many: of the time until as many were found.`,
    heads: [...columns.map(({ head }) => head), 'search'],
    rows: trials.map((trial) => [...columns.map(({ cell }) => cell(trial)), trial.label]),
    numbers: columns.length,
  };
}

/** The profiles at each tenth of the known bottlenecks, or at each of fewer than ten. */
function profiles({ known, trials }: SearchComparison): ComparisonTable {
  const rows = Math.min(10, known.length);
  const shares = Array.from({ length: rows }, (_, index) => (index + 1) / rows);
  return {
    title: 'Mean time until a share of the known bottlenecks was found (best – worst run).',
    heads: ['known', ...trials.map(({ label }) => label)],
    rows: shares.map((share) => [
      formatPercent(share),
      ...trials.map(({ profile, runs }) =>
        pointText(profile[Math.ceil(share * known.length - 1e-9) - 1], runs),
      ),
    ]),
    numbers: trials.length + 1,
  };
}

function pointText(point: ProfilePoint | undefined, all: number): string {
  if (point === undefined) return none;
  const { time, runs } = point;
  const some = runs < all ? `, ${runs} of ${all} runs` : '';
  return `${formatSeconds(time.mean)} (${formatSeconds(time.best)} – ${formatSeconds(time.worst)}${some})`;
}

function bottlenecks(count: number): string {
  return `${count} ${count === 1 ? 'bottleneck' : 'bottlenecks'}`;
}

function shareText(share: number | undefined): string {
  return share === undefined ? none : formatPercent(share);
}

function secondsText(seconds: number | undefined): string {
  return seconds === undefined ? none : formatSeconds(seconds);
}

function changeText(change: number | undefined): string {
  return change === undefined ? none : formatChange(change);
}
