import { atFloat } from '../../core/at';
import { KymoError } from '../../core/errors';
import type { CallPaths } from '../../core/profile/profile';
import { arePathSets, pathsOfRow, type PathSets } from '../../core/views/pathSets';
import type { Extent } from '../../core/views/ranks/rankRows';
import { imbalanceOf, rowSpread, type RowSpread } from '../../core/views/ranks/rowSpread';
import { knownTree, rowValues, valuesIn, valuesOfRows } from '../../core/views/rowValues';
import type { PanelColumn } from '../opened/panelProfile';
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
const valuesPerTurn = 100_000;
/** Values of rows that are in memory at the same time. */
const mostValues = 8_000_000;

/** The box plots of rows. @throws KymoError `no-such-metric`, `no-such-call-path` */
export async function profileSpreads(
  { rows, outliers, ...question }: SpreadQuestion & { readonly rows: PathSets; readonly outliers: boolean },
  context: Cancellable = {},
): Promise<readonly RowSpread[]> {
  const asked = await askedFor(question, rows, context);
  const spreads: RowSpread[] = [];
  for await (const values of inTurns(asked, question.extent, rows, context))
    spreads.push(rowSpread(values, outliers));
  return spreads;
}

/** The value of the first row at each location. @throws KymoError `no-such-metric`, `no-such-call-path` */
export async function profileRowValues(
  { rows, ...question }: SpreadQuestion & { readonly rows: PathSets },
  context: Cancellable = {},
): Promise<Float64Array> {
  const { column, width } = await askedFor(question, rows, context);
  return rowValues(column, question.extent, rows.ends.length === 0 ? [] : pathsOfRow(rows, 0), width);
}

/** A number of each row, or of each call path where no rows are given. @throws KymoError `no-such-metric`, `no-such-call-path` */
export async function profileSpreadScores(
  { rows, score, ...question }: SpreadQuestion & { readonly rows?: PathSets; readonly score: SpreadScore },
  context: Cancellable = {},
): Promise<Float64Array> {
  const asked = await askedFor(question, rows, context);
  const scoreOf = score === 'imbalance' ? imbalanceOf : largestIn;
  const { column, width, callPaths } = asked;
  const scores = new Float64Array(rows?.ends.length ?? callPaths.count);
  if (rows !== undefined) {
    let row = 0;
    for await (const values of inTurns(asked, question.extent, rows, context))
      scores[row++] = scoreOf(values);
    return scores;
  }
  const isDue = pauses();
  const tree = knownTree(callPaths);
  for (const [path, values] of valuesIn(column, question.extent, tree, width, 0, callPaths.count)) {
    scores[path] = scoreOf(values);
    if (isDue(width)) await turn(context);
  }
  return scores;
}

/** As `largestOf`, which takes several times as long for any kind of list. */
function largestIn(values: Float64Array): number {
  let most = -Infinity;
  for (let l = 0; l < values.length; l++) most = Math.max(most, atFloat(values, l));
  return most;
}

/** Values of one row after the other. */
async function* inTurns(
  { column, width, callPaths }: Asked,
  extent: Extent,
  sets: PathSets,
  context: Cancellable,
): AsyncGenerator<Float64Array> {
  const tree = knownTree(callPaths);
  const isDue = pauses();
  const rowsAtOnce = Math.max(1, Math.floor(mostValues / width));
  for (let first = 0; first < sets.ends.length; first += rowsAtOnce) {
    const count = Math.min(rowsAtOnce, sets.ends.length - first);
    const rows = Array.from({ length: count }, (_, row) => pathsOfRow(sets, first + row));
    const steps = valuesOfRows(column, extent, rows, tree, width);
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) if (isDue(width)) await turn(context);
    for (const values of step.value) {
      yield values;
      if (isDue(width)) await turn(context);
    }
  }
}

/** Whether it is the turn of other requests, after so many further values. */
function pauses(): (values: number) => boolean {
  let computed = 0;
  return (values) => {
    computed += values;
    if (computed < valuesPerTurn) return false;
    computed = 0;
    return true;
  };
}

interface Asked {
  readonly column: PanelColumn;
  readonly width: number;
  readonly callPaths: CallPaths;
}

async function askedFor(
  { file, id, processes, metric }: SpreadQuestion,
  rows: PathSets | undefined,
  context: Cancellable,
): Promise<Asked> {
  const { columns, profile } = (await cachedProfile(file, id, context)).panelOf(processes);
  const column = columns[metric];
  if (column === undefined)
    throw new KymoError('no-such-metric', 'The profile has no such metric. Open it again.', { file });
  if (rows !== undefined && !arePathSets(rows, profile.callPaths.count))
    throw new KymoError('no-such-call-path', 'The profile has no such call path. Open it again.', { file });
  return { column, width: profile.locations.length, callPaths: profile.callPaths };
}
