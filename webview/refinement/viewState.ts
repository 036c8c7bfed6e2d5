import { present } from '../../src/core/present';
import type { StudyName } from '../../src/protocol/refinement';
import { KeptFields } from '../ui/page/keptState';
import { type DecisionView, decisionStates, defaultDecisionView } from './decisionRows';

/** What the user is looking at; VS Code keeps it over hiding and reloads. The extension reads the study's name from it, too. */
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

export function readViewState(value: unknown): ViewState {
  const kept = new KeptFields(value);
  return {
    ...readName(kept),
    tab: kept.choice('tab', ['decisions', 'difference'], 'decisions'),
    chartShare: kept.share('chartShare', 0.42),
    showsTable: kept.flag('showsTable'),
    decisions: readDecisionView(kept.within('decisions')),
    decisionLayout: kept.value('decisionLayout'),
    differenceLayout: kept.value('differenceLayout'),
    ...present({
      iteration: kept.position('iteration'),
      from: kept.position('from'),
      to: kept.position('to'),
    }),
  };
}

function readName(kept: KeptFields): Partial<StudyName> {
  const [folder, target, study] = [kept.text('folder'), kept.text('target'), kept.text('study')];
  return folder !== undefined && target !== undefined && study !== undefined ? { folder, target, study } : {};
}

function readDecisionView(kept: KeptFields): DecisionView {
  return {
    search: kept.text('search', 1000) ?? '',
    regex: kept.flag('regex'),
    state: kept.choice('state', decisionStates, 'all'),
    rule: kept.text('rule', 100) ?? '',
    sort: kept.sort('sort') ?? defaultDecisionView.sort,
  };
}
