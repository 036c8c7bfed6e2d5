import { logarithmicTicks, roundStep, ticks, wholeTicks } from '../../../core/ticks';
import type { Axis, Chart, Line, Point } from '../base/document';
import { markup, nothing, type Markup } from './markup';

const size = { width: 720, height: 250 };
const plot = { left: 76, right: 704, top: 12, bottom: 200 };
const radius = 3.5;
/** Kinds of lines that the style sheet has colours for. */
const colors = 4;

/** Positions of the values of an axis in the picture. */
interface Scale {
  readonly at: (value: number) => number;
  readonly ticks: readonly number[];
}

/** The chart as a figure: a picture with its description, and a legend where there are several lines. @param id is unique in the page */
export function chartMarkup(chart: Chart, id: string): Markup {
  const { title, description, lines } = chart;
  // Points and their ranges do not lie on the edges.
  const inset = lines.some(({ style }) => style === 'both' || style === 'points') ? 16 : 0;
  const x = scaleOf(chart.x, extentOf(lines, 'x'), [plot.left + inset, plot.right - inset], 8);
  const y = scaleOf(chart.y, extentOf(lines, 'y'), [plot.bottom, plot.top], 5);
  return markup`<figure>
    <figcaption>${title}</figcaption>
    <svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-labelledby="${id}-title ${id}-text">
      <title id="${id}-title">${title}</title>
      <desc id="${id}-text">${description}</desc>
      ${spansOf(chart, x)} ${axesOf(chart, x, y)}
      ${lines.map((line, index) => lineOf(line, index % colors, x, y))}
    </svg>
    ${lines.length < 2 ? nothing : legendOf(chart)}
  </figure>`;
}

/** Least and largest value, of which a range counts with its ends. */
function extentOf(lines: readonly Line[], of: 'x' | 'y'): readonly [number, number] {
  const values = lines.flatMap(({ points }) =>
    points.flatMap(({ x, y, low = y, high = y }) => (of === 'x' ? [x] : [y, low, high])),
  );
  const finite = values.filter((value) => Number.isFinite(value));
  if (finite.length === 0) return [0, 1];
  return finite.reduce<readonly [number, number]>(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Infinity, -Infinity],
  );
}

function scaleOf(
  { scale, whole = false }: Axis,
  [least, most]: readonly [number, number],
  [begin, end]: readonly [number, number],
  count: number,
): Scale {
  const isLogarithmic = scale === 'logarithmic' && least > 0;
  const [from, to] = isLogarithmic
    ? wider(least, most)
    : whole
      ? [least, most]
      : rounder(Math.min(0, least), most, count);
  const by = isLogarithmic ? Math.log : (value: number): number => value;
  const span = by(to) - by(from);
  return {
    at: (value) => begin + (span > 0 ? (by(value) - by(from)) / span : 0.5) * (end - begin),
    ticks: isLogarithmic
      ? logarithmicTicks(from, to, count)
      : whole
        ? wholeTicks(from, to, count)
        : ticks(from, to, count),
  };
}

/** Ends at round values. */
function rounder(least: number, most: number, count: number): readonly [number, number] {
  const step = roundStep((most - least) / count);
  return [Math.floor(least / step) * step, Math.ceil(most / step) * step];
}

/** One value has no extent. */
function wider(least: number, most: number): readonly [number, number] {
  return most > least ? [least, most] : [least / 2, most * 2];
}

function axesOf({ x: xAxis, y: yAxis }: Chart, x: Scale, y: Scale): readonly Markup[] {
  const middle = (plot.top + plot.bottom) / 2;
  return [
    ...y.ticks.map(
      (value) =>
        markup`<path class="grid" d="M${plot.left} ${rounded(y.at(value))}H${plot.right}" />
          <text class="end" x="${plot.left - 8}" y="${rounded(y.at(value) + 4)}">${yAxis.format(value)}</text>`,
    ),
    ...x.ticks.map(
      (value) =>
        markup`<path class="axis" d="M${rounded(x.at(value))} ${plot.bottom}v5" />
          <text class="middle" x="${rounded(x.at(value))}" y="${plot.bottom + 20}">${xAxis.format(value)}</text>`,
    ),
    markup`<path class="axis" d="M${plot.left} ${plot.bottom}H${plot.right}" />
      <text class="middle" x="${(plot.left + plot.right) / 2}" y="${size.height - 6}">${xAxis.label}</text>
      <text class="middle" transform="rotate(-90 14 ${middle})" x="14" y="${middle}">${yAxis.label}</text>`,
  ];
}

function spansOf({ spans = [] }: Chart, x: Scale): readonly Markup[] {
  return spans.map(([from, to]) => {
    const left = Math.max(plot.left, x.at(from));
    const width = Math.max(2, Math.min(plot.right, x.at(to)) - left);
    return markup`<rect class="span" x="${rounded(left)}" y="${plot.top}" width="${rounded(width)}" height="${plot.bottom - plot.top}" />`;
  });
}

function lineOf({ points, style }: Line, color: number, x: Scale, y: Scale): Markup {
  if (style === 'band') return markup`<g class="color${color} band"><path d="${bandOf(points, x, y)}" /></g>`;
  const shown = points.filter((point) => Number.isFinite(x.at(point.x)));
  const ranges = shown.flatMap(({ x: place, low, high }) =>
    low === undefined || high === undefined || !Number.isFinite(y.at(low) + y.at(high))
      ? []
      : [
          markup`<path class="range" d="M${rounded(x.at(place))} ${rounded(y.at(low))}V${rounded(y.at(high))}" />`,
        ],
  );
  const dots =
    style === 'points' || style === 'both'
      ? shown
          .filter((point) => Number.isFinite(y.at(point.y)))
          .map(
            (point) =>
              markup`<circle cx="${rounded(x.at(point.x))}" cy="${rounded(y.at(point.y))}" r="${radius}" />`,
          )
      : [];
  const path =
    style === 'points'
      ? nothing
      : markup`<path class="${style === 'dashes' ? 'line dashes' : 'line'}" d="${pathOf(shown, x, y)}" />`;
  return markup`<g class="color${color}">${ranges}${path}${dots}</g>`;
}

/** An outline around the ranges; what has no place is left out. */
function bandOf(points: readonly Point[], x: Scale, y: Scale): string {
  const edge = (value: 'low' | 'high'): string[] =>
    points.flatMap((point) => {
      const place = y.at(point[value] ?? point.y);
      return Number.isFinite(place) ? [`${rounded(x.at(point.x))} ${rounded(place)}`] : [];
    });
  const outline = [...edge('high'), ...edge('low').reverse()];
  return outline.length === 0 ? '' : `M${outline.join('L')}Z`;
}

/** Gaps where there is no value. */
function pathOf(points: readonly Point[], x: Scale, y: Scale): string {
  let isOpen = false;
  return points
    .map((point) => {
      const place = y.at(point.y);
      if (!Number.isFinite(place)) {
        isOpen = false;
        return '';
      }
      const step = `${isOpen ? 'L' : 'M'}${rounded(x.at(point.x))} ${rounded(place)}`;
      isOpen = true;
      return step;
    })
    .join('');
}

function legendOf({ lines, spans = [] }: Chart): Markup {
  return markup`<ul class="legend">
    ${lines.map(
      ({ name, style }, index) =>
        markup`<li>
          <svg viewBox="0 0 28 10" aria-hidden="true">
            <g class="color${index % colors}">
              ${style === 'band' ? markup`<path class="band" d="M1 1H27V9H1Z" />` : nothing}
              ${style === 'points' || style === 'band' ? nothing : markup`<path class="${style === 'dashes' ? 'line dashes' : 'line'}" d="M1 5H27" />`}
              ${style === 'points' || style === 'both' ? markup`<circle cx="14" cy="5" r="${radius}" />` : nothing}
            </g></svg
          >${name}
        </li>`,
    )}
    ${
      spans.length === 0
        ? nothing
        : markup`<li><svg viewBox="0 0 28 10" aria-hidden="true"><rect width="28" height="10" /></svg>iterations of a finding</li>`
    }
  </ul>`;
}

function rounded(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
