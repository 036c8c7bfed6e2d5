import {
  anything,
  choice,
  flag,
  listOf,
  position,
  record,
  share,
  sort,
  text,
  type Saved,
} from '../ui/page/savedState';

const detailTabs = ['plot', 'formulas'] as const;

/** The view's state; VS Code saves it over hiding and reloads. The extension reads `panel` from it, too. */
const fields = {
  panel: text(),
  /** Id of the models that the other fields about rows and points belong to. */
  id: text(),
  metric: text(),
  /** The point that is predicted; absent: the default. */
  point: coordinates,
  /** Where the parameters are fixed that the plot does not show; absent: at their largest measured values. */
  fixed: coordinates,
  search: record({ text: text('', 1000), regex: flag }),
  sort: sort('share', 'descending'),
  layout: anything,
  /** Position of the selected row and of the one that is compared with it, within the metric. */
  row: position,
  compared: position,
  /** Position of the parameter of the horizontal axis. */
  parameter: position,
  /** Axes are logarithmic unless the user chooses otherwise: parameters are usually doubled. */
  linearX: flag,
  linearY: flag,
  tab: choice(detailTabs, 'plot'),
  chartTable: flag,
  listShare: share(0.5),
};

function coordinates(value: unknown): readonly number[] | undefined {
  const all = listOf(value).filter((one) => typeof one === 'number' && Number.isFinite(one) && one > 0);
  return all.length > 0 && all.length === listOf(value).length ? (all as readonly number[]) : undefined;
}

export type ViewState = Saved<typeof fields>;
export const readViewState = record(fields);
