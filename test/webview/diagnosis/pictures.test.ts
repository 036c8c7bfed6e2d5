import { describe, expect, it } from 'vitest';
import { themeNames } from '../lib/themes';
import { choose, frame, open, ready, view } from './panel';
import { live } from './searches';

describe('the diagnosis panel', () => {
  it.each(themeNames)('can be read in %s', async (theme) => {
    await open({ search: live() });
    await ready();
    await view.setTheme(theme);
    await choose('sweep');
    expect(await view.lowContrast()).toEqual([]);
    await view.screenshot(`diagnosis-${theme}`);
    await view.page.getByRole('tab', { name: 'Graph' }).click();
    await view.page.getByRole('tab', { name: 'Thresholds' }).click();
    await frame();
    await frame();
    expect(await view.lowContrast()).toEqual([]);
    await view.screenshot(`diagnosis-graph-${theme}`);
  });

  it.each([760, 420])('is usable %i pixels wide', async (width) => {
    await open({ size: { width, height: 900 } });
    await ready();
    await view.screenshot(`diagnosis-${width}`);
    await view.page.getByRole('tab', { name: 'Graph' }).click();
    await frame();
    await view.screenshot(`diagnosis-graph-${width}`);
    const cut = await view.page.evaluate(() =>
      [...document.querySelectorAll('.view *')]
        .filter(
          (one) => one.closest('.grid') === null && one.getBoundingClientRect().right > window.innerWidth,
        )
        .map(({ className }) => className),
    );
    expect(cut).toEqual([]);
  });
});
