import { isHighContrast, themeToken } from '../base/theme';

type Rgb = readonly [red: number, green: number, blue: number];

/** Colours of the flame graph from the tokens of the theme. */
export interface FlameColors {
  readonly background: string;
  readonly border: string;
  readonly focus: string;
  readonly match: string;
  /** `heat`: 0 (no exclusive value) … 1 (most of the run is exclusive time of the function). */
  readonly fill: (heat: number) => { readonly fill: string; readonly text: string };
}

const steps = 8;

export function flameColors(): FlameColors {
  const token = (name: `--vscode-${string}`, fallback: string): Rgb => parse(themeToken(name, fallback));
  const background = token('--vscode-editor-background', '#1f1f1f');
  const foreground = token('--vscode-editor-foreground', '#cccccc');
  const contrast = isHighContrast();
  const cool = token('--vscode-charts-yellow', '#cca700');
  const hot = token('--vscode-charts-red', '#f14c4c');
  const shades = Array.from({ length: steps + 1 }, (_, step) => {
    const heat = step / steps;
    // High contrast themes use outlines instead of shades; the bar at the bottom shows the same.
    const shade = contrast ? background : mix(background, mix(cool, hot, heat), 0.3 + 0.4 * heat);
    return { fill: css(shade), text: css(readable(shade, foreground)) };
  });
  const border = contrast ? themeToken('--vscode-contrastBorder', css(foreground)) : css(background);
  return {
    background: css(background),
    border,
    focus: themeToken('--vscode-focusBorder', css(foreground)),
    match: css(contrast ? foreground : mix(foreground, background, 0.1)),
    fill: (heat) => shades[Math.round(Math.min(1, Math.max(0, heat)) * steps)] ?? { fill: '', text: '' },
  };
}

/** WCAG 2.2 contrast of two colours. */
export function contrastRatio(a: Rgb, b: Rgb): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** The wanted colour if it is readable on the background, else black or white. */
function readable(on: Rgb, wanted: Rgb): Rgb {
  if (contrastRatio(on, wanted) >= 4.5) return wanted;
  const white: Rgb = [255, 255, 255];
  const black: Rgb = [0, 0, 0];
  return contrastRatio(on, white) > contrastRatio(on, black) ? white : black;
}

function luminance(color: Rgb): number {
  const [r, g, b] = color.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function mix(a: Rgb, b: Rgb, share: number): Rgb {
  return [0, 1, 2].map((channel) =>
    Math.round((a[channel] ?? 0) * (1 - share) + (b[channel] ?? 0) * share),
  ) as unknown as Rgb;
}

function css([red, green, blue]: Rgb): string {
  return `rgb(${red}, ${green}, ${blue})`;
}

/** Parses any CSS colour by the browser; transparency is ignored. */
function parse(color: string): Rgb {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return [128, 128, 128];
  context.fillStyle = color;
  const text = context.fillStyle;
  if (text.startsWith('#'))
    return [1, 3, 5].map((offset) => Number.parseInt(text.slice(offset, offset + 2), 16)) as unknown as Rgb;
  const [red = 128, green = 128, blue = 128] = (text.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue];
}
