/** The target of drawing: the screen, or a file with sharp lines. Lengths are pixels of the page. */
export interface Surface {
  readonly width: number;
  readonly height: number;
  rectangle(area: Area, style: ShapeStyle): void;
  /** Alternating x and y of the points; NaN interrupts the line. */
  line(points: ArrayLike<number>, style: LineStyle): void;
  /** Fills the polygon of alternating x and y of its corners. */
  polygon(corners: ArrayLike<number>, fill: string): void;
  text(text: string, x: number, y: number, style: TextStyle): void;
  picture(picture: HTMLCanvasElement, area: Area): void;
  /** Width of a text. */
  measure(text: string): number;
  /** Clips everything that `draw` draws to the area. */
  inside(area: Area, draw: () => void): void;
}

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface LineStyle {
  readonly color: string;
  readonly width?: number;
  readonly dash?: readonly number[];
}

export interface ShapeStyle {
  readonly fill?: string | undefined;
  readonly stroke?: LineStyle;
}

export interface TextStyle {
  readonly color: string;
  readonly align?: 'left' | 'center' | 'right';
  /** The part of the text at `y`; default: its middle. */
  readonly baseline?: 'top' | 'middle' | 'bottom';
  readonly bold?: boolean;
  /** The text runs upwards, rotated around its position. */
  readonly turned?: boolean;
  /** Colour of an outline around the letters, which separates them from a drawing below. */
  readonly halo?: string;
}

export interface Font {
  readonly family: string;
  readonly size: number;
}

/** Draws into a canvas whose context is scaled to the page's pixels. */
export function canvasSurface(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  font: Font,
): Surface {
  const useLine = ({ color, width: lineWidth = 1, dash = [] }: LineStyle): void => {
    context.strokeStyle = color;
    context.lineWidth = lineWidth;
    context.setLineDash([...dash]);
  };
  const follow = (points: ArrayLike<number>): void => {
    context.beginPath();
    forEachPoint(points, (x, y, starts) => {
      if (starts) context.moveTo(x, y);
      else context.lineTo(x, y);
    });
  };
  return {
    width,
    height,
    rectangle: (area, { fill, stroke }) => {
      const { x, y, width: w, height: h } = area;
      if (fill !== undefined) {
        context.fillStyle = fill;
        context.fillRect(x, y, w, h);
      }
      if (stroke === undefined) return;
      useLine(stroke);
      context.strokeRect(x, y, w, h);
    },
    line: (points, style) => {
      useLine(style);
      context.lineJoin = 'round';
      follow(points);
      context.stroke();
    },
    polygon: (corners, fill) => {
      context.fillStyle = fill;
      follow(corners);
      context.fill();
    },
    text: (text, x, y, { color, align = 'left', baseline = 'middle', bold, turned, halo }) => {
      context.save();
      context.font = `${bold === true ? '600 ' : ''}${font.size}px ${font.family}`;
      context.textAlign = align;
      context.textBaseline = baseline;
      context.translate(x, y);
      if (turned === true) context.rotate(-Math.PI / 2);
      if (halo !== undefined) {
        useLine({ color: halo, width: 3 });
        context.lineJoin = 'round';
        context.strokeText(text, 0, 0);
      }
      context.fillStyle = color;
      context.fillText(text, 0, 0);
      context.restore();
    },
    measure: (text) => measured(context, font, text),
    picture: (picture, { x, y, width: w, height: h }) => {
      context.imageSmoothingEnabled = false;
      context.drawImage(picture, x, y, w, h);
    },
    inside: ({ x, y, width: w, height: h }, draw) => {
      context.save();
      context.beginPath();
      context.rect(x, y, w, h);
      context.clip();
      draw();
      context.restore();
    },
  };
}

/** The beginning of a text that fits. */
export function fittedStart(surface: Surface, text: string, width: number): string {
  if (surface.measure(text) <= width) return text;
  let end = text.length;
  while (end > 0 && surface.measure(`${text.slice(0, end)}…`) > width) end--;
  return `${text.slice(0, end)}…`;
}

/** Width of a text in a font. */
export function measured(context: CanvasRenderingContext2D, font: Font, text: string): number {
  context.save();
  context.font = `${font.size}px ${font.family}`;
  const { width } = context.measureText(text);
  context.restore();
  return width;
}

/** Calls `visit` for each point that is not NaN; `starts` is true for the first point and after a gap. */
export function forEachPoint(
  points: ArrayLike<number>,
  visit: (x: number, y: number, starts: boolean) => void,
): void {
  let starts = true;
  for (let offset = 0; offset + 1 < points.length; offset += 2) {
    const x = points[offset] ?? NaN;
    const y = points[offset + 1] ?? NaN;
    if (Number.isNaN(x) || Number.isNaN(y)) starts = true;
    else {
      visit(x, y, starts);
      starts = false;
    }
  }
}
