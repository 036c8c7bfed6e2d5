import {
  BasicPlatform,
  Chart as Drawing,
  type ChartConfiguration,
  type ChartDataset,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  type Scale,
} from 'chart.js';
import type { PlotColors } from './plotColors';
import { type Area, canvasSurface, type Font, type Surface } from './surface';
import type { SvgContext } from './svgContext';

Drawing.register(LinearScale, LineController, LineElement, PointElement);

/** Curves over numbers. chart.js draws axes, grid and curves; `below` and `above` draw everything else into the same picture. */
export interface CurvePicture {
  /** Area of the curves; the axes are left of it and below it. */
  readonly area: Area;
  readonly horizontal: CurveAxis;
  readonly vertical: CurveAxis;
  /** Later curves cover earlier ones. While this is the same array, the picture is only painted again, without a new layout. */
  readonly curves: readonly Curve[];
  readonly below: (surface: Surface) => void;
  readonly above: (surface: Surface) => void;
}

export interface CurveAxis {
  readonly title?: string;
  /** Values at the lower and upper end of the area. */
  readonly range: readonly [low: number, high: number];
  /** Values with a label. */
  readonly ticks: readonly number[];
  readonly format: (value: number) => string;
}

export interface Curve {
  /** Alternating x and y of the points; NaN interrupts the curve. */
  readonly points: ArrayLike<number>;
  readonly color: string;
  readonly width: number;
  readonly dash?: readonly number[];
  /** Half the width of the squares at the points; absent: none. */
  readonly pointRadius?: number;
}

type Points = { x: number; y: number }[];

/** How a plot draws curves. Both return false for an empty picture. */
export interface CurvePainter {
  onCanvas(canvas: HTMLCanvasElement, size: Size, colors: PlotColors, font: Font, ratio: number): boolean;
  onSvg(context: SvgContext, size: Size, colors: PlotColors, font: Font): boolean;
}

/** @param pictureOf returns the chart for a picture of this width and height; undefined: it is empty */
export function curvePainter(
  pictureOf: (width: number, height: number, colors: PlotColors) => CurvePicture | undefined,
): CurvePainter {
  let drawing: CurveDrawing | undefined;
  return {
    onCanvas: (canvas, size, colors, font, ratio) => {
      const picture = pictureOf(size.width, size.height, colors);
      if (picture === undefined) return false;
      drawing ??= new CurveDrawing(canvas);
      drawing.draw(picture, size, colors, font, ratio);
      return true;
    },
    onSvg: (context, size, colors, font) => {
      const picture = pictureOf(size.width, size.height, colors);
      if (picture !== undefined) drawCurves(picture, context, size, colors, font);
      return picture !== undefined;
    },
  };
}

/** Draws pictures on a canvas, whose context is scaled to the page's pixels. */
class CurveDrawing {
  private drawing: Drawing<'line', Points> | undefined;
  private picture: CurvePicture | undefined;
  private key = '';

  constructor(private readonly canvas: HTMLCanvasElement) {}

  draw(picture: CurvePicture, size: Size, colors: PlotColors, font: Font, ratio: number): void {
    const key = JSON.stringify([size, picture.area, colors, font, ratio]);
    const isLaidOut = this.key === key && this.picture?.curves === picture.curves;
    this.picture = picture;
    this.key = key;
    if (isLaidOut) {
      this.drawing?.draw();
      return;
    }
    const config = configuration(() => this.picture ?? picture, size, colors, font);
    if (this.drawing === undefined) this.drawing = new Drawing<'line', Points>(this.canvas, config);
    else {
      this.drawing.data = config.data;
      this.drawing.options = config.options ?? {};
    }
    this.drawing.options.devicePixelRatio = ratio;
    this.drawing.resize(size.width, size.height);
    this.drawing.update('none');
  }
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Draws a picture into an SVG document. */
function drawCurves(
  picture: CurvePicture,
  context: SvgContext,
  size: Size,
  colors: PlotColors,
  font: Font,
): void {
  const canvas = { ...size, getContext: () => context };
  context.canvas = canvas;
  const config = configuration(() => picture, size, colors, font);
  const drawing = new Drawing<'line', Points>(canvas as unknown as HTMLCanvasElement, {
    ...config,
    platform: BasicPlatform,
    // With styles for segments, chart.js draws line by line instead of through a `Path2D`, which cannot be read.
    options: { ...config.options, devicePixelRatio: 1, datasets: { line: { segment: {} } } },
  });
  context.parts.length = 0;
  drawing.draw();
  drawing.destroy();
}

function configuration(
  now: () => CurvePicture,
  size: Size,
  colors: PlotColors,
  font: Font,
): ChartConfiguration<'line', Points> {
  const { area, horizontal, vertical, curves } = now();
  const painted = ({ ctx }: { ctx: CanvasRenderingContext2D }): Surface =>
    canvasSurface(ctx, size.width, size.height, font);
  const right = size.width - area.x - area.width;
  return {
    type: 'line',
    data: { datasets: curves.map((curve, position) => dataset(curve, curves.length - position)) },
    options: {
      responsive: false,
      maintainAspectRatio: false,
      animation: false,
      parsing: false,
      normalized: true,
      events: [],
      font,
      layout: { padding: { top: area.y, right }, autoPadding: false },
      plugins: { legend: { display: false }, tooltip: { enabled: false } },
      scales: {
        x: scale(horizontal, colors, font, {
          position: 'bottom',
          ticks: { align: isCut(horizontal, area, right, font) ? 'inner' : 'center', padding: 2 },
          grid: { drawOnChartArea: false, tickColor: colors.muted, tickLength: 4 },
          title: { align: 'end', padding: 0 },
          afterFit: (axis) => {
            axis.height = size.height - area.y - area.height;
            axis.paddingLeft = 0;
            axis.paddingRight = 0;
          },
        }),
        y: scale(vertical, colors, font, {
          position: 'left',
          ticks: { padding: 6 },
          grid: { drawTicks: false, color: colors.grid },
          afterFit: (axis) => (axis.width = area.x),
        }),
      },
    },
    plugins: [
      {
        id: 'overlays',
        beforeDatasetsDraw: (chart) => now().below(painted(chart)),
        afterDatasetsDraw: (chart) => now().above(painted(chart)),
      },
    ],
  };
}

function dataset(
  { points, color, width, dash = [], pointRadius = 0 }: Curve,
  order: number,
): ChartDataset<'line', Points> {
  const data: Points = [];
  for (let position = 0; position + 1 < points.length; position += 2)
    data.push({ x: points[position] ?? NaN, y: points[position + 1] ?? NaN });
  return {
    data,
    order,
    borderColor: color,
    backgroundColor: color,
    borderWidth: width,
    borderDash: [...dash],
    borderJoinStyle: 'round',
    pointStyle: 'rect',
    pointRadius: pointRadius * Math.SQRT2,
    pointBorderWidth: 0,
  };
}

interface ScaleParts {
  readonly position: 'bottom' | 'left';
  readonly ticks: { readonly align?: 'inner' | 'center'; readonly padding: number };
  readonly grid: object;
  readonly title?: { readonly align: 'end'; readonly padding: number };
  readonly afterFit: (axis: Scale & { paddingLeft: number; paddingRight: number }) => void;
}

function scale(axis: CurveAxis, colors: PlotColors, font: Font, parts: ScaleParts): object {
  const [min, max] = axis.range;
  return {
    ...parts,
    type: 'linear',
    min,
    max,
    afterBuildTicks: (scale: Scale) => (scale.ticks = axis.ticks.map((value) => ({ value }))),
    title: { ...parts.title, display: axis.title !== undefined, text: axis.title, color: colors.muted, font },
    border: { color: colors.grid },
    ticks: {
      ...parts.ticks,
      color: colors.foreground,
      font,
      maxRotation: 0,
      autoSkip: false,
      callback: (value: number) => axis.format(value),
    },
  };
}

/** Whether the label of the last tick would reach over the edge of the picture. */
function isCut(
  { range: [low, high], ticks, format }: CurveAxis,
  area: Area,
  right: number,
  font: Font,
): boolean {
  const last = ticks.at(-1);
  if (last === undefined) return false;
  const room = right + ((high - last) / (high - low)) * area.width;
  return (format(last).length * font.size * 0.6) / 2 > room;
}
