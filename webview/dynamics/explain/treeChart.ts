import { csvText } from '../../../src/core/csv';
import type { IntervalNode } from '../../../src/core/signal/signal';
import { translucent } from '../../charts/configuration';
import { plot } from '../../charts/plot';
import type { PlotColors } from '../../charts/plotColors';
import type { Area, Surface } from '../../charts/surface';
import { type Control, element } from '../../ui/base/dom';
import { announce } from '../../ui/base/liveRegion';
import { hatch, plotArea, spanArea, timeGrid, timeMarks } from '../base/frame';
import { type IntervalTree, noTree, treeOf, type TreeBox } from './intervalBoxes';
import { rowsTable } from '../base/rowsTable';
import { sigmaText } from '../overTime/seriesDrawing';
import type { SeriesModel } from '../base/seriesModel';
import { timeKey, type TimeAxis } from '../base/timeAxis';
import { seriesTitle, spanText } from '../base/words';

export interface TreeChart extends Control {
  show(model: SeriesModel | undefined): void;
}

/** The intervals between inflection points over the scales where they exist: what is stable is seen. Keys: Up and Down through the scales, Left and Right beside. */
export function treeChart(options: {
  readonly axis: TimeAxis;
  readonly save: (kind: 'png' | 'svg' | 'csv', name: string, content: Uint8Array) => void;
}): TreeChart {
  const { axis } = options;
  let model: SeriesModel | undefined;
  let tree = noTree;
  let chosen: TreeBox | undefined;
  const readOut = element('p', { class: 'read-out', attributes: { 'aria-hidden': 'true' } });
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
    cells: (at) => {
      const box = tree.boxes[at];
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
  const shown = plot({
    label: 'Interval tree: intervals between inflection points, by scale',
    keys: 'Up goes to coarser and Down to finer intervals, Left and Right to those beside, Home to the most stable.',
    table,
    draw: (surface, colors) => {
      if (model !== undefined) drawTree(surface, colors, { axis, tree, chosen });
    },
    csv: () =>
      csvText([
        ['first iteration', 'last iteration', 'shape', 'from sigma', 'to sigma', 'stability', 'depth'],
        ...tree.boxes.map((box) => {
          const { from, to, node, depth } = box;
          return [from + 1, to + 1, shapeName(node), ...sigmas(box, tree), node.stability, depth];
        }),
      ]),
    onSave: (kind, content) =>
      options.save(
        kind,
        model === undefined ? 'interval tree' : `${seriesTitle(model.row)} · interval tree`,
        content,
      ),
    onKey: (event) => {
      const next = neighbour(event.key, chosen, tree);
      if (next === undefined) return timeKey(event, axis);
      choose(next);
      announce(boxWords(next, tree));
      return true;
    },
  });
  const choose = (box: TreeBox | undefined): void => {
    chosen = box;
    readOut.textContent = box === undefined ? `${tree.boxes.length} intervals` : boxWords(box, tree);
    shown.update();
  };
  shown.canvas.addEventListener('pointermove', (event) => {
    const { left, top } = shown.canvas.getBoundingClientRect();
    const area = treeArea(shown.canvas.clientWidth, shown.canvas.clientHeight);
    const at = axis.at(event.clientX - left, area);
    const scale = scaleAt(event.clientY - top, area, tree);
    choose(
      tree.boxes.find(
        ({ from, to, node }) => at >= from && at <= to && scale >= node.scaleLow && scale <= node.scaleHigh,
      ),
    );
  });
  shown.canvas.addEventListener('pointerleave', () => choose(undefined));
  axis.onChange(() => shown.update());
  return {
    element: element('div', { class: 'explain-chart' }, shown.element, readOut),
    show: (wanted) => {
      model = wanted;
      tree = model === undefined ? noTree : treeOf(model);
      choose(undefined);
      shown.renew();
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

function treeArea(width: number, height: number): Area {
  return plotArea(width, height, 28);
}

/** The coarsest scale is above. */
function scaleAt(y: number, area: Area, { sigmas: all }: IntervalTree): number {
  return all.length - 1 - Math.floor(((y - area.y) / area.height) * all.length);
}

function drawTree(
  surface: Surface,
  colors: PlotColors,
  {
    axis,
    tree,
    chosen,
  }: { readonly axis: TimeAxis; readonly tree: IntervalTree; readonly chosen: TreeBox | undefined },
): void {
  const area = treeArea(surface.width, surface.height);
  const step = area.height / Math.max(1, tree.sigmas.length);
  const top = (scale: number): number => area.y + (tree.sigmas.length - 1 - scale) * step;
  surface.inside(area, () => {
    for (const box of tree.boxes) {
      const { node } = box;
      const place = boxArea(box, area, axis, top(node.scaleHigh), step);
      if (place === undefined) continue;
      const fill = node.sign < 0 && !colors.isHighContrast ? { fill: translucent(colors.orange, 0.25) } : {};
      surface.rectangle(place, { ...fill, stroke: { color: colors.grid } });
      if (node.sign < 0 && place.width > 4 && place.height > 4)
        hatch(surface, place, 'rising', translucent(colors.orange, 0.35));
    }
    for (const positions of tree.contours) {
      const points: number[] = [];
      positions.forEach((position, scale) => points.push(axis.x(position, area), top(scale) + step / 2));
      surface.line(points, { color: colors.blue, width: 1.2 });
    }
    const place =
      chosen === undefined ? undefined : boxArea(chosen, area, axis, top(chosen.node.scaleHigh), step);
    if (place === undefined) return;
    surface.rectangle(place, { stroke: { color: colors.background, width: 4 } });
    surface.rectangle(place, { stroke: { color: colors.foreground, width: 2 } });
  });
  tree.sigmas.forEach((sigma, scale) => {
    // Four steps are an octave.
    if (scale % Math.max(4, 4 * Math.ceil(16 / (4 * step))) !== 0) return;
    const y = top(scale) + step / 2;
    surface.text(sigmaText(sigma), area.x - 6, y, { color: colors.foreground, align: 'right' });
  });
  surface.rectangle(
    { x: area.x, y: 8, width: 18, height: 12 },
    { fill: translucent(colors.orange, 0.25), stroke: { color: colors.grid } },
  );
  surface.text('concave', area.x + 24, 14, { color: colors.foreground });
  const x = area.x + 24 + surface.measure('concave') + 14;
  surface.line([x, 14, x + 18, 14], { color: colors.blue, width: 1.2 });
  surface.text('inflection point', x + 24, 14, { color: colors.foreground });
  surface.text('Scale σ', 12, area.y + area.height / 2, {
    color: colors.muted,
    align: 'center',
    turned: true,
  });
  surface.rectangle(area, { stroke: { color: colors.grid } });
  timeGrid(surface, colors, area, axis);
  timeMarks(surface, colors, area, axis);
}

function boxArea(
  { node, from, to }: TreeBox,
  area: Area,
  axis: TimeAxis,
  y: number,
  step: number,
): Area | undefined {
  return spanArea({ ...area, y, height: (node.scaleHigh - node.scaleLow + 1) * step }, axis, from, to);
}
