import { canvasSurface, type Font, type Surface } from './surface';
import { escaped, number, SvgContext } from './svgContext';

export interface SvgPaper {
  readonly font: Font;
  readonly background: string;
  readonly title: string;
  /** Width of a text in the font. */
  readonly measure: (text: string) => number;
}

/** Draws into an SVG document. */
interface SvgSurface extends Surface {
  /** For chart.js, which draws as on a canvas. */
  readonly context: SvgContext;
  document(): string;
}

/** An SVG document with a background, and a title for screen readers. */
export function svgSurface(width: number, height: number, paper: SvgPaper): SvgSurface {
  const { font, background, title, measure } = paper;
  const context = new SvgContext(measure);
  return {
    ...canvasSurface(context as unknown as CanvasRenderingContext2D, width, height, font),
    context,
    document: () =>
      [
        `<svg xmlns="http://www.w3.org/2000/svg" width="${number(width)}" height="${number(height)}" viewBox="0 0 ${number(width)} ${number(height)}" font-family="${escaped(font.family)}" font-size="${number(font.size)}" role="img">`,
        `<title>${escaped(title)}</title>`,
        `<rect width="100%" height="100%" fill="${escaped(background)}"/>`,
        ...context.parts,
        '</svg>',
        '',
      ].join('\n'),
  };
}
