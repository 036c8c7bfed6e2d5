import { type Font, forEachPoint, type LineStyle, type ShapeStyle, type Surface } from './surface';

/** Collects what is drawn; `document()` gives it as SVG. */
interface SvgSurface extends Surface {
  document(): string;
}

/** A document on its own background, with its title for people who do not see it. */
export function svgSurface(
  width: number,
  height: number,
  {
    font,
    background,
    title,
    measure,
  }: {
    readonly font: Font;
    readonly background: string;
    readonly title: string;
    readonly measure: (text: string) => number;
  },
): SvgSurface {
  const parts: string[] = [];
  let clips = 0;
  return {
    width,
    height,
    rectangle: (area, style) => {
      const { x, y, width: w, height: h } = area;
      parts.push(
        `<rect x="${number(x)}" y="${number(y)}" width="${number(w)}" height="${number(h)}" ${shape(style)}/>`,
      );
    },
    line: (points, style) => {
      const path: string[] = [];
      forEachPoint(points, (x, y, starts) => path.push(`${starts ? 'M' : 'L'}${number(x)} ${number(y)}`));
      parts.push(`<path d="${path.join('')}" fill="none" ${line(style)} stroke-linejoin="round"/>`);
    },
    text: (text, x, y, { color, align = 'left', baseline = 'middle', bold, turned, halo }) => {
      const anchor = { left: 'start', center: 'middle', right: 'end' }[align];
      const shift = { top: '0.8em', middle: '0.35em', bottom: '-0.2em' }[baseline];
      const place =
        turned === true
          ? `transform="translate(${number(x)} ${number(y)}) rotate(-90)"`
          : `x="${number(x)}" y="${number(y)}"`;
      const weight = bold === true ? ' font-weight="600"' : '';
      const around =
        halo === undefined
          ? ''
          : ` stroke="${escaped(halo)}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"`;
      parts.push(
        `<text ${place} dy="${shift}" text-anchor="${anchor}" fill="${escaped(color)}"${weight}${around}>${escaped(text)}</text>`,
      );
    },
    measure,
    picture: (picture, { x, y, width: w, height: h }) => {
      parts.push(
        `<image x="${number(x)}" y="${number(y)}" width="${number(w)}" height="${number(h)}" preserveAspectRatio="none" image-rendering="pixelated" href="${picture.toDataURL('image/png')}"/>`,
      );
    },
    inside: ({ x, y, width: w, height: h }, draw) => {
      const id = `clip${++clips}`;
      parts.push(
        `<clipPath id="${id}"><rect x="${number(x)}" y="${number(y)}" width="${number(w)}" height="${number(h)}"/></clipPath>`,
        `<g clip-path="url(#${id})">`,
      );
      draw();
      parts.push('</g>');
    },
    document: () =>
      [
        `<svg xmlns="http://www.w3.org/2000/svg" width="${number(width)}" height="${number(height)}" viewBox="0 0 ${number(width)} ${number(height)}" font-family="${escaped(font.family)}" font-size="${number(font.size)}" role="img">`,
        `<title>${escaped(title)}</title>`,
        `<rect width="100%" height="100%" fill="${escaped(background)}"/>`,
        ...parts,
        '</svg>',
        '',
      ].join('\n'),
  };
}

function shape({ fill, stroke }: ShapeStyle): string {
  return `fill="${escaped(fill ?? 'none')}"${stroke === undefined ? '' : ` ${line(stroke)}`}`;
}

function line({ color, width = 1, dash = [] }: LineStyle): string {
  const dashes = dash.length === 0 ? '' : ` stroke-dasharray="${dash.map(number).join(' ')}"`;
  return `stroke="${escaped(color)}" stroke-width="${number(width)}"${dashes}`;
}

function number(value: number): string {
  return Number.isFinite(value) ? String(Math.round(value * 100) / 100) : '0';
}

/** Names come from programs: what XML does not allow is left out, the rest cannot end where it stands. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\P{Cc}]|[\ufffe\uffff]|\p{Cs}/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
