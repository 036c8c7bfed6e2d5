import { formatPercent, formatValueUpTo } from '../../src/core/format';
import { spreadOf, type Spread } from '../../src/core/views/ranks/spread';
import { element, type Control } from '../ui/base/dom';

const svgNamespace = 'http://www.w3.org/2000/svg';

/** The distribution of the selected values over the locations: numbers, and a box with whiskers. */
export class Statistics implements Control {
  readonly element = element('div', { class: 'statistics' });

  show(values: Float64Array | undefined, unit: string, nameOf: (location: number) => string): void {
    const spread = values === undefined ? undefined : spreadOf(values);
    if (spread === undefined) {
      this.element.replaceChildren(
        element('p', {
          class: 'muted',
          text: 'Select a call path to see how its values spread over the locations.',
        }),
      );
      return;
    }
    const largest = Math.max(Math.abs(spread.minimum), Math.abs(spread.maximum));
    const value = (number: number): string => formatValueUpTo(number, unit, largest);
    const rows: readonly (readonly [string, string])[] = [
      ['Locations', String(spread.count)],
      ['Sum', value(spread.sum)],
      ['Mean', value(spread.mean)],
      ['Standard deviation', value(spread.standardDeviation)],
      ['Minimum', `${value(spread.minimum)} · ${nameOf(spread.leastAt)}`],
      ['Lower quartile', value(spread.lowerQuartile)],
      ['Median', value(spread.median)],
      ['Upper quartile', value(spread.upperQuartile)],
      ['Maximum', `${value(spread.maximum)} · ${nameOf(spread.mostAt)}`],
      [
        'Imbalance',
        spread.mean > 0 ? `${formatPercent(spread.maximum / spread.mean - 1)} above the mean` : '–',
      ],
    ];
    const table = element('table', { label: 'Statistics over locations' });
    for (const [title, text] of rows)
      table.append(
        element(
          'tr',
          {},
          element('th', { class: 'muted', text: title, attributes: { scope: 'row' } }),
          element('td', { text }),
        ),
      );
    const legend = 'Box: quartiles. Line in it: median. Dot: mean. Whiskers: minimum and maximum.';
    this.element.replaceChildren(
      boxPlot(spread, value),
      element('p', { class: 'muted box-legend', text: legend }),
      table,
    );
  }
}

const width = 240;
const middle = 22;
const axisAt = 2 * middle - 3;
/** Height of the numbers at the axis, in the units of the drawing. */
const tickHeight = 10;

/** Minimum and maximum as whiskers, quartiles as a box, median as its line, mean as a dot. The table shows the same. */
function boxPlot(spread: Spread, text: (value: number) => string): SVGSVGElement {
  const svg = document.createElementNS(svgNamespace, 'svg');
  svg.setAttribute('class', 'box-plot');
  svg.setAttribute('viewBox', `0 0 ${width} ${axisAt + 4 + tickHeight}`);
  svg.setAttribute('aria-hidden', 'true');
  const low = Math.min(0, spread.minimum);
  const span = Math.max(spread.maximum, 0) - low;
  const x = (value: number): number => 4 + (span > 0 ? ((value - low) / span) * (width - 8) : 0);
  const shape = (name: string, attributes: Readonly<Record<string, number>>, kind: string): void => {
    const made = document.createElementNS(svgNamespace, name);
    for (const [key, number] of Object.entries(attributes)) made.setAttribute(key, number.toFixed(2));
    made.setAttribute('class', kind);
    svg.append(made);
  };
  const upright = (value: number, half: number): void =>
    shape('line', { x1: x(value), x2: x(value), y1: middle - half, y2: middle + half }, 'box-line');
  shape('line', { x1: 4, x2: width - 4, y1: axisAt, y2: axisAt }, 'box-axis');
  const ticks = [
    [low, 'start'],
    [low + span / 2, 'middle'],
    [low + span, 'end'],
  ] as const;
  // Where all values are 0, the ends of the axis are one point.
  for (const [value, anchor] of span > 0 ? ticks : ticks.slice(0, 1)) {
    shape('line', { x1: x(value), x2: x(value), y1: axisAt, y2: axisAt + 3 }, 'box-axis');
    const label = document.createElementNS(svgNamespace, 'text');
    label.setAttribute('x', x(value).toFixed(2));
    label.setAttribute('y', (axisAt + 2 + tickHeight).toFixed(2));
    label.setAttribute('text-anchor', anchor);
    label.setAttribute('class', 'box-tick');
    label.textContent = text(value);
    svg.append(label);
  }
  shape('line', { x1: x(spread.minimum), x2: x(spread.maximum), y1: middle, y2: middle }, 'box-line');
  upright(spread.minimum, 7);
  upright(spread.maximum, 7);
  const left = x(spread.lowerQuartile);
  const boxWidth = Math.max(1, x(spread.upperQuartile) - left);
  shape('rect', { x: left, y: middle - 11, width: boxWidth, height: 22 }, 'box-range');
  upright(spread.median, 11);
  shape('circle', { cx: x(spread.mean), cy: middle, r: 3.5 }, 'box-mean');
  return svg;
}
