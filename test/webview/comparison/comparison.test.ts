import { describe, expect, it } from 'vitest';
import type { ComparisonEvents, ComparisonRequests, ComparisonShown } from '../../../src/protocol/comparison';
import { themeNames } from '../lib/themes';
import { useViews } from '../lib/useViews';
import type { View } from '../lib/view';
import {
  answersOf,
  done,
  sweep,
  threeIterations,
  type Asked,
  type Served,
  type TestComparison,
} from './served';

const views = useViews();
let view: View<ComparisonRequests, ComparisonEvents>;
let asked: Asked[] = [];
let served: Served;

async function open(
  options: {
    readonly comparison?: TestComparison;
    readonly shown?: ComparisonShown;
    readonly state?: unknown;
    readonly size?: { readonly width: number; readonly height: number };
  } = {},
): Promise<void> {
  const { comparison = sweep(), shown, ...rest } = options;
  served = { comparison, shown: shown ?? done(comparison) };
  asked = [];
  view = await views.open<ComparisonRequests, ComparisonEvents>({
    entry: 'webview/comparison/main.ts',
    answers: answersOf(served, asked),
    size: { width: 1280, height: 800 },
    ...rest,
  });
}

const frame = (): Promise<void> =>
  view.page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
const pane = (number: number) => view.page.locator('.comparison-pane').nth(number - 1);
const rows = (number: number) => pane(number).locator('.grid-row:visible');
const ready = async (): Promise<void> => {
  await rows(1).first().waitFor();
  await view.page.locator('.pair-facts tbody tr').first().waitFor();
  await expect.poll(() => asked.some(([name]) => name === 'overview')).toBe(true);
  await frame();
  await frame();
};

describe('the comparison panel', () => {
  it.each(themeNames)('M10: differences can be told in %s', async (theme) => {
    await open();
    await ready();
    await view.setTheme(theme);
    await frame();
    await view.screenshot(`comparison-${theme}`);
    expect(await view.lowContrast()).toEqual([]);
  });

  it('three', async () => {
    await open({ comparison: threeIterations() });
    await ready();
    await view.screenshot('comparison-three');
  });

  it('narrow', async () => {
    await open({ size: { width: 420, height: 900 } });
    await ready();
    await view.screenshot('comparison-narrow');
  });
});
