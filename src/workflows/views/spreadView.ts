import { KymoError } from '../../core/errors';
import { arePathSets, pathsOfRow, type PathSets } from '../../core/views/pathSets';
import type { Extent } from '../../core/views/rankRows';
import { imbalanceOf, rowSpread, type RowSpread } from '../../core/views/rowSpread';
import { rowValues, valuesOfAll } from '../../core/views/rowValues';
import { largestOf } from '../../core/sums';
import type { PanelColumn, PanelProfile } from '../opened/panelProfile';
import { cachedProfile } from '../opened/profileCache';
import { turn, type Cancellable } from '../running/turn';
import type { ProfileName } from './profileView';

/** Which value of a table's rows. */
export interface SpreadQuestion extends ProfileName {
  /** Position of the metric. */
  readonly metric: number;
  readonly extent: Extent;
}

/** Number per row: what it costs by being unbalanced (`imbalanceOf`), or its largest value at any location. */
export type SpreadScore = 'imbalance' | 'largest';

/** Values that are computed before other requests get their turn: a few milliseconds. */
const valuesPerTurn = 400_000;

/** The box plots of rows. @throws KymoError `no-such-metric`, `no-such-call-path` */
export async function profileSpreads(
  { rows, outliers, ...question }: SpreadQuestion & { readonly rows: PathSets; readonly outliers: boolean },
  context: Cancellable = {},
): Promise<readonly RowSpread[]> {
  const { column, width } = await asked(question, rows, context);
  const spreads: RowSpread[] = [];
  for (let row = 0; row < rows.ends.length; row++) {
    await turn(context);
    const values = rowValues(column, question.extent, pathsOfRow(rows, row), width);
    spreads.push(rowSpread(values, outliers));
  }
  return spreads;
}

/** The value of the first row at each location. @throws KymoError `no-such-metric`, `no-such-call-path` */
export async function profileRowValues(
  { rows, ...question }: SpreadQuestion & { readonly rows: PathSets },
  context: Cancellable = {},
): Promise<Float64Array> {
  const { column, width } = await asked(question, rows, context);
  return rowValues(column, question.extent, rows.ends.length === 0 ? [] : pathsOfRow(rows, 0), width);
}

/** A number of each row, or of each call path where no rows are given. @throws KymoError `no-such-metric`, `no-such-call-path` */
export async function profileSpreadScores(
  { rows, score, ...question }: SpreadQuestion & { readonly rows?: PathSets; readonly score: SpreadScore },
  context: Cancellable = {},
): Promise<Float64Array> {
  const { column, width, profile } = await asked(question, rows, context);
  const scoreOf = score === 'imbalance' ? imbalanceOf : (values: Float64Array): number => largestOf(values);
  const { callPaths } = profile;
  const scores = new Float64Array(rows?.ends.length ?? callPaths.count);
  const all =
    rows === undefined
      ? valuesOfAll(column, question.extent, callPaths, width)
      : valuesOfRows(column, question.extent, rows, width);
  let computed = 0;
  for (const [row, values] of all) {
    scores[row] = scoreOf(values);
    computed += width * (rows === undefined ? 1 : pathsOfRow(rows, row).length);
    if (computed < valuesPerTurn) continue;
    computed = 0;
    await turn(context);
  }
  return scores;
}

function* valuesOfRows(
  column: PanelColumn,
  extent: Extent,
  rows: PathSets,
  width: number,
): ReturnType<typeof valuesOfAll> {
  for (let row = 0; row < rows.ends.length; row++)
    yield [row, rowValues(column, extent, pathsOfRow(rows, row), width)];
}

async function asked(
  { file, id, processes, metric }: SpreadQuestion,
  rows: PathSets | undefined,
  context: Cancellable,
): Promise<{
  readonly column: PanelColumn;
  readonly width: number;
  readonly profile: PanelProfile['profile'];
}> {
  const { columns, profile } = (await cachedProfile(file, id, context)).panelOf(processes);
  const column = columns[metric];
  if (column === undefined)
    throw new KymoError('no-such-metric', 'The profile has no such metric. Open it again.', { file });
  if (rows !== undefined && !arePathSets(rows, profile.callPaths.count))
    throw new KymoError('no-such-call-path', 'The profile has no such call path. Open it again.', { file });
  return { column, width: profile.locations.length, profile };
}
