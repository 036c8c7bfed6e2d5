import { describe, expect, it } from 'vitest';
import { palette, paletteSize } from '../../../../webview/charts/palette';

type Rgb = readonly [number, number, number];

const linear = (value: number): number => {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

/** Relative luminance (WCAG 2.2). */
const luminance = ([r, g, b]: Rgb): number => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);

/** What people without one kind of cones see (Viénot, Brettel and Mollon, 1999), in linear light. */
const seen: Readonly<Record<string, (color: Rgb) => Rgb>> = {
  usual: (color) => color.map(linear) as unknown as Rgb,
  protanopia: (color) => {
    const [r, g, b] = color.map(linear) as unknown as Rgb;
    const mixed = 0.11238 * r + 0.88762 * g;
    return [mixed, mixed, 0.00401 * r - 0.00401 * g + b];
  },
  deuteranopia: (color) => {
    const [r, g, b] = color.map(linear) as unknown as Rgb;
    const mixed = 0.29275 * r + 0.70725 * g;
    return [mixed, mixed, -0.02234 * r + 0.02234 * g + b];
  },
};

const colors = (background: 'dark' | 'light'): Rgb[] => {
  const all = palette(background);
  return Array.from(
    { length: paletteSize },
    (_, at) => [...all.subarray(3 * at, 3 * at + 3)] as unknown as Rgb,
  );
};

describe.each(['dark', 'light'] as const)('palette on a %s page', (background) => {
  const all = colors(background);

  it('changes its luminance in one direction, away from the page', () => {
    const values = all.map(luminance);
    const sign = background === 'dark' ? 1 : -1;
    for (let at = 1; at < values.length; at++)
      expect(sign * ((values[at] ?? 0) - (values[at - 1] ?? 0))).toBeGreaterThan(-1e-3);
    expect(Math.abs((values.at(-1) ?? 0) - (values[0] ?? 0))).toBeGreaterThan(0.6);
  });

  it.each(Object.keys(seen))('can be ordered with the colour vision of %s', (name) => {
    const view = seen[name];
    if (view === undefined) throw new Error(name);
    const lightness = all.map((color) => {
      const [r, g, b] = view(color);
      return Math.cbrt(Math.max(0, 0.2126 * r + 0.7152 * g + 0.0722 * b));
    });
    const sign = background === 'dark' ? 1 : -1;
    // Sixteen steps that each can be told from the next.
    for (let at = 16; at < paletteSize; at += 16)
      expect(sign * ((lightness[at] ?? 0) - (lightness[at - 16] ?? 0))).toBeGreaterThan(0.015);
  });
});
