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
export const rowKinds = ['paths', 'functions'] as const;
export type RowKind = (typeof rowKinds)[number];
export const groupings = ['none', 'growth'] as const;
export type Grouping = (typeof groupings)[number];

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
  /** A row for each call path, or for each function. */
  rows: choice(rowKinds, 'paths'),
  group: choice(groupings, 'none'),
  /** Names of groups that are closed. */
  closed: (value: unknown): readonly string[] =>
    listOf(value)
      .filter((name) => typeof name === 'string')
      .slice(0, 1000),
  /** Position of the selected row and of the one that is compared with it, within the metric. */
  row: position,
  compared: position,
  /** Position of the parameter of the horizontal axis. */
  parameter: position,
  /** Position of the parameter of the vertical axis of a map; absent: curves. */
  second: position,
  /** Axes are logarithmic unless the user chooses otherwise: parameters are usually doubled. */
  linearX: flag,
  linearY: flag,
  /** The vertical axis of a map; `linearY` is that of values, which the map shows in colours. */
  linearSecond: flag,
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
