import { at } from '../../../src/core/at';
import { getOrMake } from '../../../src/core/getOrMake';
import { experimentBox, type DiagnosisLayout } from '../../../src/core/views/diagnosis/diagnosisPieces';
import type { PlacedGraph } from '../../charts/graph/placedGraph';
import type { ShownRows } from '../shownRows';

export interface GraphEdge {
  readonly upper: number;
  readonly lower: number;
  /** From another parent than the first. */
  readonly isShadow: boolean;
}

/** The shown rows as boxes: the whole program, then the experiments. Shadows become edges to the box of their experiment. */
export interface GraphBoxes {
  /** Row of each box; −1: the whole program. */
  readonly rows: readonly number[];
  readonly edges: readonly GraphEdge[];
}

export function graphBoxes(shown: ShownRows): GraphBoxes {
  const rows = [-1];
  const boxOf = new Map<number, number>([[-1, 0]]);
  const { count } = shown.all;
  for (const row of shown.rows) {
    if (row >= count) continue;
    boxOf.set(row, rows.length);
    rows.push(row);
  }
  const edges = new Map<string, GraphEdge>();
  const add = (upperRow: number, lowerRow: number, isShadow: boolean): void => {
    const [upper, lower] = [boxOf.get(upperRow), boxOf.get(lowerRow)];
    if (upper !== undefined && lower !== undefined)
      getOrMake(edges, `${upper} ${lower}`, () => ({ upper, lower, isShadow }));
  };
  for (const row of rows.slice(1)) add(shown.parent(row), row, false);
  for (const row of shown.rows) if (row >= count) add(shown.parent(row), shown.experimentRow(row), true);
  return { rows, edges: [...edges.values()] };
}

/** At this scale, a box has room for two lines. */
const readable = 0.7;

/** The boxes at their places. */
export type PlacedSearch = PlacedGraph & GraphBoxes & Pick<DiagnosisLayout, 'ways'>;

export function placedSearch(
  boxes: GraphBoxes,
  { width, height, centres, ways }: DiagnosisLayout,
): PlacedSearch {
  const above = boxes.rows.map((): number[] => []);
  for (const { upper, lower } of boxes.edges) at(above, lower).push(upper);
  return {
    ...boxes,
    width,
    height,
    ways,
    box: experimentBox,
    direction: 'right',
    readable,
    nodes: above.map((uppers, box) => ({
      x: centres[2 * box] ?? 0,
      y: centres[2 * box + 1] ?? 0,
      above: uppers,
    })),
  };
}
