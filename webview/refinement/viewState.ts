import type { StudyName } from '../../src/protocol/refinement';
import { defaultDecisionView, type DecisionView } from './decisionRows';

/** What the user is looking at; kept by VS Code over hiding and reloads. The extension reads the study's name from it, too. */
export interface ViewState extends Partial<StudyName> {
  readonly tab: TabName;
  /** Height of the chart, as a share of both parts. */
  readonly chartShare: number;
  readonly showsTable: boolean;
  readonly decisions: DecisionView;
  /** Widths and hidden columns of the grids, checked by them. */
  readonly decisionLayout?: unknown;
  readonly differenceLayout?: unknown;
  /** Iteration that is accepted or exported; undefined: the last. */
  readonly iteration?: number;
  readonly from?: number;
  readonly to?: number;
}

export type TabName = 'decisions' | 'difference';

const defaults: ViewState = {
  tab: 'decisions',
  chartShare: 0.42,
  showsTable: false,
  decisions: defaultDecisionView,
};

/** A state that was kept; what does not fit (another version kept it) gets its default. */
export function readViewState(value: unknown): ViewState {
  if (typeof value !== 'object' || value === null) return defaults;
  const given = value as Readonly<Record<string, unknown>>;
  const { tab, chartShare, showsTable, decisionLayout, differenceLayout } = given;
  return {
    ...names(given),
    tab: tab === 'difference' ? tab : 'decisions',
    chartShare:
      typeof chartShare === 'number' && chartShare >= 0.1 && chartShare <= 0.9
        ? chartShare
        : defaults.chartShare,
    showsTable: showsTable === true,
    decisions: readDecisionView(given.decisions),
    ...(decisionLayout === undefined ? {} : { decisionLayout }),
    ...(differenceLayout === undefined ? {} : { differenceLayout }),
    ...numbers(given),
  };
}

function names({ folder, target, study }: Readonly<Record<string, unknown>>): Partial<StudyName> {
  return typeof folder === 'string' && typeof target === 'string' && typeof study === 'string'
    ? { folder, target, study }
    : {};
}

function numbers({
  iteration,
  from,
  to,
}: Readonly<Record<string, unknown>>): Pick<ViewState, 'iteration' | 'from' | 'to'> {
  return {
    ...(isIteration(iteration) ? { iteration } : {}),
    ...(isIteration(from) ? { from } : {}),
    ...(isIteration(to) ? { to } : {}),
  };
}

function isIteration(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function readDecisionView(value: unknown): DecisionView {
  if (typeof value !== 'object' || value === null) return defaultDecisionView;
  const { search, regex, state, rule, sort } = value as Readonly<Record<string, unknown>>;
  const { column, direction } = (typeof sort === 'object' && sort !== null ? sort : {}) as Readonly<
    Record<string, unknown>
  >;
  return {
    search: typeof search === 'string' ? search.slice(0, 1000) : '',
    regex: regex === true,
    state: state === 'in' || state === 'out' || state === 'pinned' ? state : 'all',
    rule: typeof rule === 'string' ? rule.slice(0, 100) : '',
    sort:
      typeof column === 'string' && (direction === 'ascending' || direction === 'descending')
        ? { column, direction }
        : defaultDecisionView.sort,
  };
}
