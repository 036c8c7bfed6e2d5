import { anything, flag, listOf, position, record, share, text, type Saved } from '../ui/page/savedState';
import { readOptions } from './options';

/** The view's state; VS Code saves it over hiding and reloads. The extension reads `panel` from it, too. */
const fields = {
  panel: text(),
  options: readOptions,
  /** The selected row of the linked views, and the first one that is shown. */
  row: position,
  top: position,
  search: text('', 1000),
  /** Widths and order of the columns, by view. */
  layouts: (value: unknown): readonly unknown[] => listOf(value).slice(0, 4),
  hidesOptions: flag,
  summaryLayout: anything,
  summaryShare: share(0.26),
};

export type ViewState = Saved<typeof fields>;
export const readViewState = record(fields);
