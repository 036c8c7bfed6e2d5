import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

interface Colour {
  readonly id: string;
  readonly defaults: Readonly<Record<string, string>>;
}

const { contributes } = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../../../package.json'), 'utf8'),
) as { readonly contributes: { readonly colors: readonly Colour[] } };

/** Editor ground and the faintest text that code has (comments) in VS Code's own themes. */
const themes = {
  dark: { ground: '#1f1f1f', text: '#6a9955' },
  light: { ground: '#ffffff', text: '#008000' },
  highContrast: { ground: '#000000', text: '#7ca668' },
  highContrastLight: { ground: '#ffffff', text: '#515151' },
};

const channels = (colour: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
const alpha = (colour: string): number =>
  colour.length > 7 ? Number.parseInt(colour.slice(7, 9), 16) / 255 : 1;
const over = (colour: string, ground: string): readonly number[] =>
  channels(colour).map(
    (value, at) => value * alpha(colour) + (channels(ground)[at] ?? 0) * (1 - alpha(colour)),
  );
const luminance = (values: readonly number[]): number => {
  const [red = 0, green = 0, blue = 0] = values.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (a: readonly number[], b: readonly number[]): number => {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
};
const heat = contributes.colors.filter(({ id }) => id.startsWith('kymo.heat.'));

describe('the colours of heat', () => {
  test('there are seven levels with bar and ground, each for all four kinds of themes', () => {
    expect(heat).toHaveLength(14);
    for (const { defaults } of heat) expect(Object.keys(defaults).sort()).toEqual(Object.keys(themes).sort());
  });

  test.each(Object.entries(themes))(
    'comments stay legible on every ground: %s',
    (theme, { ground, text }) => {
      for (const { id, defaults } of heat.filter((one) => one.id.endsWith('Background')))
        expect(contrast(channels(text), over(defaults[theme] ?? '', ground)), id).toBeGreaterThanOrEqual(4.5);
    },
  );

  test.each(['highContrast', 'highContrastLight'] as const)('bars stand out: %s', (theme) => {
    for (const { id, defaults } of heat.filter((one) => !one.id.endsWith('Background')))
      expect(
        contrast(channels(defaults[theme] ?? ''), channels(themes[theme].ground)),
        id,
      ).toBeGreaterThanOrEqual(3);
  });
});
