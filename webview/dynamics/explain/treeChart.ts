import { csvText } from '../../../src/core/csv';
import type { IntervalNode } from '../../../src/core/signal/signal';
import { translucent } from '../../charts/configuration';
import type { PlotColors } from '../../charts/plotColors';
import type { Area, Surface } from '../../charts/surface';
import type { Control } from '../../ui/base/dom';
import { hatch } from '../../charts/marks';
import { spanArea } from '../base/frame';
import { explainPicture } from './explainPicture';
import { type IntervalTree, noTree, treeOf, type TreeBox } from './intervalBoxes';
import { rowsTable } from '../../ui/grid/rowsTable';
import { sigmaText } from '../overTime/seriesLegend';
import type { SeriesModel } from '../base/seriesModel';
import type { SavePicture, TimeAxis } from '../base/timeAxis';
import { seriesTitle, spanText } from '../base/words';

export interface TreeChart extends Control {
  show(model: SeriesModel | undefined): void;
}

/**
 * The intervals between inflection points over the scales at which they exist, which shows stable ones. Keys: Up and Down move through the
 * scales, Left and Right between neighbours.
 */
export function treeChart(axis: TimeAxis, save: SavePicture): TreeChart {
  let model: SeriesModel | undefined;
  let tree = noTree;
  const table = rowsTable({
    label: 'Intervals by scale',
    columns: () => [
      { title: 'Iterations', width: 120 },
      { title: 'Shape', width: 90 },
      { title: 'From σ', number: true, width: 80 },
      { title: 'To σ', number: true, width: 80 },
      { title: 'Stability in scale steps', number: true, width: 170 },
    ],
    count: () => tree.boxes.length,
    cells: (row) => {
      const box = tree.boxes[row];
      if (box === undefined) return [];
      const [low, high] = sigmas(box, tree);
      return [
        spanText(box.from, box.to),
        shapeName(box.node),
        sigmaText(low),
        sigmaText(high),
        String(box.node.stability),
      ];
    },
  });
  const picture = explainPicture<TreeBox>({
    axis,
    save,
    label: 'Interval tree: intervals between inflection points, by scale',
    keys: 'Up goes to coarser and Down to finer intervals, Left and Right to those beside, Home to the most stable.',
    name: () => (model === undefined ? 'interval tree' : `${seriesTitle(model.row)} · interval tree`),
    table,
    csv: () =>
      csvText([
        ['first iteration', 'last iteration', 'shape', 'from sigma', 'to sigma', 'stability', 'depth'],
        ...tree.boxes.map((box) => {
          const { from, to, node, depth } = box;
          return [from + 1, to + 1, shapeName(node), ...sigmas(box, tree), node.stability, depth];
        }),
      ]),
    top: 28,
    verticalTitle: 'Scale σ',
    draw: (surface, colors, area) => {
      if (model !== undefined) drawTree(surface, colors, area, axis, tree);
    },
    placeOf: (box, area) => boxArea(box, area, axis, tree),
    itemAt: (iteration, y, area) => {
      const scale = scaleAt(y, area, tree);
      return tree.boxes.find(
        ({ from, to, node }) =>
          iteration >= from && iteration <= to && scale >= node.scaleLow && scale <= node.scaleHigh,
      );
    },
    neighbour: (key, from) => neighbour(key, from, tree),
    words: (box) => (box === undefined ? `${tree.boxes.length} intervals` : boxWords(box, tree)),
  });
  return {
    element: picture.element,
    show: (wanted) => {
      model = wanted;
      tree = model === undefined ? noTree : treeOf(model);
      picture.renew();
    },
  };
}

function shapeName({ sign }: IntervalNode): string {
  return sign < 0 ? 'concave' : sign > 0 ? 'convex' : 'straight';
}

function sigmas({ node }: TreeBox, { sigmas: all }: IntervalTree): readonly [number, number] {
  return [all[node.scaleLow] ?? 0, all[node.scaleHigh] ?? 0];
}

function boxWords(box: TreeBox, tree: IntervalTree): string {
  const { from, to, node } = box;
  const [low, high] = sigmas(box, tree);
  const scales = low === high ? `σ ${sigmaText(low)}` : `σ ${sigmaText(low)} to ${sigmaText(high)}`;
  return `Iterations ${spanText(from, to)}: ${shapeName(node)} at ${scales}, stability ${node.stability} ${node.stability === 1 ? 'step' : 'steps'}`;
}

function neighbour(key: string, from: TreeBox | undefined, { boxes }: IntervalTree): TreeBox | undefined {
  if (!['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home'].includes(key)) return undefined;
  if (from === undefined || key === 'Home') return mostStable(boxes);
  switch (key) {
    case 'ArrowUp':
      return from.parent === undefined ? from : boxes[from.parent];
    case 'ArrowDown':
      return boxes.find(({ parent }) => parent === boxes.indexOf(from)) ?? from;
    case 'ArrowLeft':
      return boxes.findLast(({ to, node }) => to < from.from && overlaps(node, from.node)) ?? from;
    default:
      return boxes.find((box) => box.from > from.to && overlaps(box.node, from.node)) ?? from;
  }
}

function overlaps(a: IntervalNode, b: IntervalNode): boolean {
  return a.scaleLow <= b.scaleHigh && b.scaleLow <= a.scaleHigh;
}

function mostStable(boxes: readonly TreeBox[]): TreeBox | undefined {
  return boxes.reduce<TreeBox | undefined>(
    (best, box) => (best === undefined || box.node.stability > best.node.stability ? box : best),
    undefined,
  );
}

/** The scale at a height; the coarsest is at the top. */
function scaleAt(y: number, area: Area, { sigmas: all }: IntervalTree): number {
  return all.length - 1 - Math.floor(((y - area.y) / area.height) * all.length);
}

/** Top of a scale's row, and the height of each row. */
function rowOf(scale: number, area: Area, { sigmas: all }: IntervalTree): { top: number; step: number } {
  const step = area.height / Math.max(1, all.length);
  return { top: area.y + (all.length - 1 - scale) * step, step };
}

function drawTree(
  surface: Surface,
  colors: PlotColors,
  area: Area,
  axis: TimeAxis,
  tree: IntervalTree,
): void {
  const { step } = rowOf(0, area, tree);
  const middle = (scale: number): number => rowOf(scale, area, tree).top + step / 2;
  surface.inside(area, () => {
    for (const box of tree.boxes) {
      const { node } = box;
      const place = boxArea(box, area, axis, tree);
      if (place === undefined) continue;
      const fill = node.sign < 0 && !colors.isHighContrast ? { fill: translucent(colors.orange, 0.25) } : {};
      surface.rectangle(place, { ...fill, stroke: { color: colors.grid } });
      if (node.sign < 0 && place.width > 4 && place.height > 4)
        hatch(surface, place, 'rising', translucent(colors.orange, 0.35));
    }
    for (const positions of tree.contours) {
      const points: number[] = [];
      positions.forEach((position, scale) => points.push(axis.x(position, area), middle(scale)));
      surface.line(points, { color: colors.blue, width: 1.2 });
    }
  });
  tree.sigmas.forEach((sigma, scale) => {
    // Four steps are an octave.
    if (scale % Math.max(4, 4 * Math.ceil(16 / (4 * step))) !== 0) return;
    surface.text(sigmaText(sigma), area.x - 6, middle(scale), { color: colors.foreground, align: 'right' });
  });
  surface.rectangle(
    { x: area.x, y: 8, width: 18, height: 12 },
    { fill: translucent(colors.orange, 0.25), stroke: { color: colors.grid } },
  );
  surface.text('concave', area.x + 24, 14, { color: colors.foreground });
  const x = area.x + 24 + surface.measure('concave') + 14;
  surface.line([x, 14, x + 18, 14], { color: colors.blue, width: 1.2 });
  surface.text('inflection point', x + 24, 14, { color: colors.foreground });
}

function boxArea(
  { node, from, to }: TreeBox,
  area: Area,
  axis: TimeAxis,
  tree: IntervalTree,
): Area | undefined {
  const { top, step } = rowOf(node.scaleHigh, area, tree);
  const height = (node.scaleHigh - node.scaleLow + 1) * step;
  return spanArea({ ...area, y: top, height }, axis, from, to);
}
