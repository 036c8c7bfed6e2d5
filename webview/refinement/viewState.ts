import {
  anything,
  choice,
  flag,
  type Saved,
  position,
  record,
  share,
  sort,
  text,
} from '../ui/page/savedState';
import { decisionStates } from './decisionRows';

const tabNames = ['decisions', 'difference'] as const;
export type TabName = (typeof tabNames)[number];

/** The state of the view that VS Code saves over hiding and reloads. The extension also reads the study's name from it. */
const fields = {
  folder: text(),
  target: text(),
  study: text(),
  tab: choice(tabNames, 'decisions'),
  /** Height of the chart, as a share of both parts. */
  chartShare: share(0.42),
  showsTable: flag,
  decisions: record({
    search: text('', 1000),
    regex: flag,
    state: choice(decisionStates, 'all'),
    rule: text('', 100),
    sort: sort('exclusive', 'descending'),
  }),
  /** Widths and hidden columns of the grids, which check them. */
  decisionLayout: anything,
  differenceLayout: anything,
  /** Round that is accepted or exported; absent for the last one. */
  iteration: position,
  from: position,
  to: position,
};

export type ViewState = Saved<typeof fields>;
export const readViewState = record(fields);
