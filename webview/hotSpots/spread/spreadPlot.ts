import type { RowSpread } from '../../../src/core/views/ranks/rowSpread';
import type { Side } from '../../../src/protocol/hotSpots';
import { setAttribute } from '../../ui/base/dom';
import { boxPaths, drawingHeight, drawingWidth, type BoxPaths, type Lane } from './spreadDrawing';

const namespace = 'http://www.w3.org/2000/svg';
const layers = ['whiskers', 'box', 'median', 'outliers'] as const satisfies readonly (keyof BoxPaths)[];

/** The box plots of a cell: that of a run, or those of two, one above the other. */
export interface Drawn {
  readonly spread: RowSpread;
  readonly lane: Lane;
  readonly side: Side;
}

/** Draws into a cell, whose drawing of before it replaces. @param text alternative for who does not see it */
export function drawPlot(cell: HTMLElement, drawn: readonly Drawn[], most: number, text: string): void {
  const svg = cell.querySelector('svg') ?? newDrawing(cell);
  setAttribute(svg, 'aria-label', text);
  for (const side of ['main', 'compare'] as const) {
    const own = drawn.find((one) => one.side === side);
    const paths = own === undefined ? undefined : boxPaths(own.spread, most, own.lane);
    for (const layer of layers)
      svg.querySelector(`.${side} .spread-${layer}`)?.setAttribute('d', paths?.[layer] ?? '');
  }
}

function newDrawing(cell: HTMLElement): SVGElement {
  const svg = document.createElementNS(namespace, 'svg');
  svg.setAttribute('class', 'spread-plot');
  svg.setAttribute('role', 'img');
  svg.setAttribute('viewBox', `0 0 ${drawingWidth} ${drawingHeight}`);
  svg.setAttribute('preserveAspectRatio', 'none');
  for (const side of ['main', 'compare']) {
    const group = document.createElementNS(namespace, 'g');
    group.setAttribute('class', side);
    for (const layer of layers) {
      const path = document.createElementNS(namespace, 'path');
      path.setAttribute('class', `spread-${layer}`);
      path.setAttribute('vector-effect', 'non-scaling-stroke');
      group.append(path);
    }
    svg.append(group);
  }
  cell.replaceChildren(svg);
  return svg;
}
