import type { Letter } from '../../../src/core/signal/signal';
import { translucent } from '../../charts/configuration';
import type { Curve } from '../../charts/curves';
import { hatch } from '../../charts/marks';
import type { PlotColors } from '../../charts/plotColors';
import type { LineStyle, Surface } from '../../charts/surface';
import { plotArea } from '../base/frame';
import type { SeriesModel } from '../base/seriesModel';
import { direction, letterName, patternName } from '../base/words';
import { borderSample } from './borderMarks';
import { hatches, patternColor } from './patternMarks';
import type { SeriesPicture } from './seriesDrawing';

const lineHeight = 24;
/** Width of a sample with the space behind it, between items, and of the buttons beside the first line. */
const sampleWidth = 24;
const gap = 14;
const buttonsWidth = 74;
/** Of a character, at most on average: the height has to be known before texts can be measured. */
const characterWidth = 7.5;

export interface LegendItem {
  readonly text: string;
  readonly draw: (surface: Surface, x: number, y: number) => void;
}

export function legendItems(colors: PlotColors, { model, smoothed }: SeriesPicture): readonly LegendItem[] {
  const line = (text: string, style: LineStyle): LegendItem => ({
    text,
    draw: (surface, x, y) => surface.line([x, y, x + 18, y], style),
  });
  const { patterns, model: explanation } = model.detail;
  const value = model.step === 1 ? 'value' : `mean of ${model.step} iterations`;
  const items = [
    line(model.isResidual ? `${value} − explanation` : value, {
      color: colors.blue,
      width: smoothed ? 1 : 2,
    }),
    ...(smoothed ? [line(`smoothed, σ ${sigmaText(smoothed.sigma)}`, smoothedLine(colors, model))] : []),
  ];
  if (explanation !== undefined && !model.isResidual)
    items.push(line('explanation', { color: colors.foreground, width: 2 }));
  else if (explanation === undefined && patterns.some(({ core }) => core !== undefined))
    items.push(line('fit', { color: colors.foreground, width: 1.5, dash: [6, 3] }));
  if (model.borders.length > 0)
    items.push({ text: 'begin, end (95 %)', draw: (surface, x, y) => borderSample(surface, colors, x, y) });
  const named = new Map(patterns.map((pattern) => [patternName(pattern), pattern]));
  for (const [text, pattern] of named)
    items.push({
      text,
      draw: (surface, x, y) => {
        const box = { x, y: y - 6, width: 18, height: 12 };
        const color = patternColor(colors, pattern);
        surface.rectangle(box, { fill: translucent(color, 0.2), stroke: { color } });
        hatch(surface, box, hatches[pattern.type], translucent(color, 0.7));
      },
    });
  return [...items, ...letterItems(colors, model)];
}

/** The meaning of the letters above the plot. */
function letterItems(colors: PlotColors, { detail }: SeriesModel): readonly LegendItem[] {
  const letters = [...new Set(detail.episodes.map(({ letter }) => letter))].sort();
  return letters.map((letter) => ({
    text: letterName(letter),
    draw: (surface, x, y) => {
      surface.rectangle(
        { x, y: y - 6, width: 18, height: 12 },
        { fill: letterTint(colors, letter), stroke: { color: colors.grid } },
      );
      surface.text(letter, x + 9, y, { color: colors.foreground, align: 'center' });
    },
  }));
}

/** Background of an episode: what rises and what falls. */
export function letterTint(colors: PlotColors, letter: Letter): string | undefined {
  const tints = { up: translucent(colors.red, 0.22), down: translucent(colors.green, 0.22), flat: undefined };
  return colors.isHighContrast ? undefined : tints[direction(letter)];
}

/** How a smoothed curve is drawn: dotted beside a line that explains the values. */
export function smoothedLine(colors: PlotColors, { detail, isResidual }: SeriesModel): Omit<Curve, 'points'> {
  const isBeside = detail.model !== undefined && !isResidual;
  return { color: colors.foreground, width: 2, ...(isBeside ? { dash: [2, 3] } : {}) };
}

/** Height for the lines that the items need in a picture of this width. */
export function legendHeight(width: number, items: readonly LegendItem[]): number {
  return (
    lineHeight *
    Math.max(...placed(width, items, ({ text }) => characterWidth * text.length).map(([, line]) => line + 1))
  );
}

export function legend(surface: Surface, items: readonly LegendItem[], color: string): void {
  const places = placed(surface.width, items, ({ text }) => surface.measure(text));
  items.forEach(({ text, draw }, i) => {
    const [x = 0, line = 0] = places[i] ?? [];
    const y = (line + 0.5) * lineHeight;
    draw(surface, x, y);
    surface.text(text, x + sampleWidth, y, { color });
  });
}

/** Position and line of each item; what does not fit in a line is in the next one. */
function placed(
  width: number,
  items: readonly LegendItem[],
  lengthOf: (item: LegendItem) => number,
): readonly (readonly [x: number, line: number])[] {
  const start = plotArea(width, 0, 0).x;
  let [x, line] = [start, 0];
  return items.map((item) => {
    const length = sampleWidth + lengthOf(item);
    if (x > start && x + length > width - (line === 0 ? buttonsWidth : 0)) [x, line] = [start, line + 1];
    const place = [x, line] as const;
    x += length + gap;
    return place;
  });
}

/** `0.5`, `2.83`, `16`. */
export function sigmaText(sigma: number): string {
  return String(Number(sigma.toPrecision(3)));
}
