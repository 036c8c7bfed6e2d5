/**
 * Colours from low to high values that people with any colour vision can order: the lightness changes in one direction, and the hue varies
 * between blue and yellow, which remain distinct with red-green blindness. High values stand out from the page: light on a dark page, dark on
 * a light one.
 */
export type Rgb = readonly [red: number, green: number, blue: number];

/** OKLab (Ottosson, 2020): lightness, green–red, blue–yellow. */
export type Lab = readonly [lightness: number, a: number, b: number];

/** Colours from low to high values; both ends differ from the page by their lightness, the middle from both. */
const anchors: Readonly<Record<'dark' | 'light', readonly Lab[]>> = {
  dark: [
    [0.24, 0.0, -0.09],
    [0.42, -0.005, -0.085],
    [0.58, 0.0, -0.01],
    [0.76, -0.005, 0.085],
    [0.95, -0.03, 0.16],
  ],
  light: [
    [0.97, -0.005, 0.025],
    [0.86, -0.008, 0.085],
    [0.66, 0.0, 0.03],
    [0.46, 0.0, -0.075],
    [0.24, 0.0, -0.1],
  ],
};

export const paletteSize = 256;

/** `paletteSize` colours, each as red, green and blue (0…255). */
export function palette(background: 'dark' | 'light'): Uint8ClampedArray {
  const colors = new Uint8ClampedArray(3 * paletteSize);
  for (let index = 0; index < paletteSize; index++) {
    colors.set(rgbOf(between(anchors[background], index / (paletteSize - 1))), 3 * index);
  }
  return colors;
}

/** The colour of a share (0…1) as CSS writes it. */
export function paletteColor(colors: Uint8ClampedArray, share: number): string {
  const offset = 3 * Math.round(Math.min(1, Math.max(0, share)) * (paletteSize - 1));
  return `rgb(${colors[offset] ?? 0}, ${colors[offset + 1] ?? 0}, ${colors[offset + 2] ?? 0})`;
}

function between(all: readonly Lab[], share: number): Lab {
  const place = share * (all.length - 1);
  const index = Math.min(all.length - 2, Math.floor(place));
  const [low, high] = [all[index] ?? [0, 0, 0], all[index + 1] ?? [1, 0, 0]] as const;
  const mix = (part: 0 | 1 | 2): number => low[part] + (high[part] - low[part]) * (place - index);
  return [mix(0), mix(1), mix(2)];
}

/** The colour as red, green and blue (0…255, not rounded); what a screen cannot show is cut off. */
export function rgbOf([lightness, a, b]: Lab): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    encoded(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function encoded(linear: number): number {
  const value = Math.min(1, Math.max(0, linear));
  return 255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);
}
