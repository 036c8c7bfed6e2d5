import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { record, wholeNumber } from '../../src/protocol/guards';
import type { GalleryEvents, GalleryRequests } from './gallery/protocol';
import { themeNames } from './lib/themes';
import { type View, ViewBrowser, type ViewOptions } from './lib/view';

type Gallery = View<GalleryRequests, GalleryEvents>;

let browser: ViewBrowser;
beforeAll(async () => {
  browser = await ViewBrowser.start();
});
afterAll(() => browser.close());

async function withGallery(
  work: (gallery: Gallery) => Promise<void>,
  options: Partial<ViewOptions<GalleryRequests>> = {},
): Promise<void> {
  const gallery = await browser.open<GalleryRequests, GalleryEvents>({
    entry: 'test/webview/gallery/main.ts',
    answers: {
      times: {
        guard: record({ count: wholeNumber }),
        answer: ({ count }) => Float64Array.from({ length: count }, (_, row) => row / 1000),
      },
    },
    ...options,
  });
  try {
    await gallery.page.getByText('loaded').waitFor();
    await work(gallery);
    expect(gallery.errors).toEqual([]);
  } finally {
    await gallery.close();
  }
}

const rows = (gallery: Gallery): Promise<string[]> =>
  gallery.page.locator('.grid-row:visible').evaluateAll((all) =>
    all
      .map((row) => ({ at: Number((row as HTMLElement).dataset.index), text: row.textContent }))
      .sort((a, b) => a.at - b.at)
      .map(({ text }) => text),
  );

describe('a view in Chromium without VS Code', () => {
  it('asks, gets typed arrays, hears events, and keeps its state over a reload', () =>
    withGallery(async (gallery) => {
      expect((await rows(gallery))[1]).toContain('0.010 s');
      gallery.tell('say', '<b>hostile</b>');
      await gallery.page.locator('output', { hasText: '<b>hostile</b>' }).waitFor();
      await gallery.page.getByRole('tab', { name: 'Iterations' }).click();
      expect(await gallery.state()).toEqual({ tab: 'chart' });
      await gallery.reload();
      await gallery.page.getByText('loaded').waitFor();
      expect(gallery.readyStates.at(-1)).toEqual({ tab: 'chart' });
      expect(await gallery.page.getByRole('tab', { name: 'Iterations' }).getAttribute('aria-selected')).toBe(
        'true',
      );
    }));

  it('ignores what no extension would send', () =>
    withGallery(async (gallery) => {
      for (const message of [
        undefined,
        7,
        'x',
        { kind: 'event' },
        { kind: 'response', id: 99, result: 1 },
        { kind: 'event', name: 'toString', value: 1 },
      ])
        await gallery.send(message);
      expect(gallery.refused).toEqual([]);
    }));

  for (const theme of themeNames)
    it(`has texts of a contrast of at least 4.5 : 1 in ${theme}`, () =>
      withGallery(
        async (gallery) => {
          await gallery.page.locator('.grid').focus();
          await gallery.page.keyboard.press('ArrowDown');
          await gallery.page.keyboard.press('ArrowDown');
          await gallery.screenshot(`gallery-grid-${theme}`);
          expect(await gallery.lowContrast()).toEqual([]);
          await gallery.page.keyboard.press('ContextMenu');
          await gallery.page.getByRole('menu').waitFor();
          await gallery.screenshot(`gallery-menu-${theme}`);
          expect(await gallery.lowContrast()).toEqual([]);
          await gallery.page.keyboard.press('Escape');
          await gallery.page.getByRole('tab', { name: 'Iterations' }).click();
          await gallery.page.waitForTimeout(300);
          await gallery.screenshot(`gallery-chart-${theme}`);
          await gallery.page.getByRole('button', { name: /Show as Table/ }).click();
          await gallery.screenshot(`gallery-table-${theme}`);
          expect(await gallery.lowContrast()).toEqual([]);
        },
        { theme },
      ));

  it('would tell of a text that cannot be read', () =>
    withGallery(async (gallery) => {
      await gallery.page.evaluate(() => {
        const faint = document.createElement('p');
        faint.textContent = 'faint';
        faint.style.color = 'rgba(255, 255, 255, 0.3)';
        document.querySelector('#root')?.prepend(faint);
      });
      expect(await gallery.lowContrast()).toMatchObject([
        { text: 'faint', place: 'html > body.vscode-dark > main > p' },
      ]);
    }));

  it('follows a change of the theme', () =>
    withGallery(async (gallery) => {
      await gallery.setTheme('light');
      const background = (): Promise<string> =>
        gallery.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(await background()).toBe('rgb(255, 255, 255)');
      expect(await gallery.lowContrast()).toEqual([]);
    }));
});

describe('the grid', () => {
  it('fits into a narrow panel, and follows the size of the font', () =>
    withGallery(
      async (gallery) => {
        const height = async (): Promise<number> =>
          (await gallery.page.locator('.grid-row').first().boundingBox())?.height ?? 0;
        const before = await height();
        await gallery.page.evaluate(() =>
          document.documentElement.style.setProperty('--vscode-font-size', '20px'),
        );
        await expect.poll(height).toBeGreaterThan(before);
        await gallery.screenshot('gallery-narrow');
        expect(await gallery.page.evaluate(() => document.body.scrollWidth <= window.innerWidth)).toBe(true);
      },
      { size: { width: 340, height: 600 } },
    ));

  it('keeps few rows in the page, whatever is shown, and says how many there are', () =>
    withGallery(async (gallery) => {
      await gallery.page.locator('.grid').focus();
      await gallery.page.keyboard.press('Home');
      await gallery.page.keyboard.press('*');
      const grid = gallery.page.getByRole('treegrid');
      expect(await grid.getAttribute('aria-rowcount')).toBe('100001');
      expect(await gallery.page.locator('.grid-row').count()).toBeLessThan(60);
      await gallery.page.keyboard.press('End');
      const last = await rows(gallery);
      expect(last.at(-1)).toContain('function_99999');
      expect(await gallery.page.locator('.grid-row').count()).toBeLessThan(60);
      const active = await grid.getAttribute('aria-activedescendant');
      expect(await gallery.page.locator(`#${active ?? 'none'}`).getAttribute('aria-rowindex')).toBe('100001');
    }));

  it('shows names as text', () =>
    withGallery(async (gallery) => {
      expect((await rows(gallery))[2]).toContain('<img src=x onerror=alert(1)>');
      expect(await gallery.page.locator('.grid img').count()).toBe(0);
    }));

  it('is walked by keys: arrows, open and close, parent, type-ahead, activation, menu', () =>
    withGallery(async (gallery) => {
      const { keyboard } = gallery.page;
      const log = gallery.page.locator('output');
      await gallery.tabTo(/^treegrid/);
      await keyboard.press('ArrowDown');
      await keyboard.press('ArrowRight');
      await keyboard.press('ArrowRight');
      expect(await log.textContent()).toBe('selected 1');
      await keyboard.press('ArrowLeft');
      expect(await log.textContent()).toBe('selected 0');
      await keyboard.press('ArrowLeft');
      expect((await rows(gallery))[1]).toContain('function_10');
      await keyboard.type('function_30');
      expect(await log.textContent()).toBe('selected 30');
      await keyboard.press('Enter');
      expect(await log.textContent()).toBe('activated 30');
      await keyboard.press('Shift+F10');
      await gallery.page.getByRole('menuitem', { name: 'Open Source' }).waitFor();
      await keyboard.press('ArrowDown');
      await keyboard.press('ArrowDown');
      expect(await gallery.focused()).toBe('menuitemcheckbox Include');
      await keyboard.press('Enter');
      expect(await log.textContent()).toBe('include 30');
      expect(await gallery.focused()).toMatch(/^treegrid/);
    }));

  it('is sorted, resized, and given other columns by keys', () =>
    withGallery(async (gallery) => {
      const { keyboard } = gallery.page;
      await gallery.tabTo(/^button Function/);
      await keyboard.press('ArrowRight');
      await keyboard.press('Enter');
      const time = gallery.page.getByRole('columnheader', { name: /Time/ });
      expect(await time.getAttribute('aria-sort')).toBe('descending');
      await keyboard.press('Enter');
      expect(await time.getAttribute('aria-sort')).toBe('ascending');
      const before = (await time.boundingBox())?.width ?? 0;
      await keyboard.press('Shift+ArrowRight');
      expect((await time.boundingBox())?.width).toBe(before + 16);
      await keyboard.press('ContextMenu');
      await keyboard.type('f');
      await keyboard.press('Enter');
      await gallery.page.getByRole('columnheader', { name: /File/ }).waitFor();
      expect((await rows(gallery))[0]).toContain('file0.c');
    }));

  it('copies the selected row as tab-separated text', () =>
    withGallery(async (gallery) => {
      await gallery.page.locator('.grid-row').first().click();
      const copied = await gallery.page.evaluate(() => {
        const data = new DataTransfer();
        document
          .querySelector('.grid')
          ?.dispatchEvent(new ClipboardEvent('copy', { clipboardData: data, bubbles: true }));
        return data.getData('text/plain');
      });
      expect(copied).toBe('function_0\t0.000 s\t0');
    }));
});

describe('controls', () => {
  it('say why they cannot be used', () =>
    withGallery(async (gallery) => {
      await gallery.tabTo(/Next Iteration/);
      await gallery.page.keyboard.press('ArrowRight');
      expect(await gallery.focused()).toMatch(/Stop/);
      await gallery.page.keyboard.press('Enter');
      expect(await gallery.page.locator('.visually-hidden[role=status]').textContent()).toBe('Nothing runs.');
      expect(await gallery.page.locator('output').textContent()).toBe('loaded');
    }));

  it('search: steps, switches to regular expressions, clears', () =>
    withGallery(async (gallery) => {
      const { keyboard } = gallery.page;
      const log = gallery.page.locator('output');
      await gallery.tabTo(/Search functions/);
      await keyboard.type('abc');
      await gallery.page.getByText('1 of 3').first().waitFor();
      // Slow keys are several queries.
      await expect.poll(() => log.textContent()).toBe('query abc text');
      await keyboard.press('Shift+Enter');
      expect(await log.textContent()).toBe('step -1');
      await keyboard.press('Alt+r');
      expect(await log.textContent()).toBe('query abc regex');
      await keyboard.press('Escape');
      expect(await log.textContent()).toBe('query  regex');
    }));

  it('choose by keys: dropdown, check box, slider, tabs, splitter', () =>
    withGallery(async (gallery) => {
      const { keyboard } = gallery.page;
      const log = gallery.page.locator('output');
      await gallery.tabTo(/combobox Reason/);
      await keyboard.press('ArrowDown');
      expect(await log.textContent()).toBe('reason cold');
      await gallery.tabTo(/checkbox/);
      await keyboard.press('Space');
      expect(await log.textContent()).toBe('changed true');
      await gallery.tabTo(/At least/);
      await keyboard.press('ArrowRight');
      expect(await log.textContent()).toBe('least 2');
      const slider = gallery.page.getByRole('slider', { name: 'At least' });
      expect(await slider.getAttribute('aria-valuetext')).toBe('20 %');
      await gallery.tabTo(/^tab /);
      await keyboard.press('ArrowRight');
      await gallery.tabTo(/Size of the chart/);
      await keyboard.press('ArrowUp');
      expect(
        await gallery.page
          .getByRole('separator', { name: 'Size of the chart' })
          .getAttribute('aria-valuenow'),
      ).toBe('55');
    }));

  it('charts read their points out, and have a table', () =>
    withGallery(
      async (gallery) => {
        const { keyboard } = gallery.page;
        await gallery.tabTo(/Overhead per iteration\. Arrow/);
        await keyboard.press('End');
        const status = gallery.page.locator('.visually-hidden[role=status]');
        expect(await status.textContent()).toBe(
          'Iteration 3: Measured overhead 3.5 % (3 % to 4 %), Predicted overhead 3 %, Functions 24',
        );
        await keyboard.press('Enter');
        expect(await gallery.page.locator('output').textContent()).toBe('point 3');
        await gallery.tabTo(/Show as Table/);
        await keyboard.press('Enter');
        expect(await gallery.page.locator('.chart-table tr').nth(1).innerText()).toBe(
          '0\t14 % (12 % to 16 %)\t–\t310',
        );
      },
      { state: { tab: 'chart' } },
    ));
});
