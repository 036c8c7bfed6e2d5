import { describe, expect, it } from 'vitest';
import type { ComparisonRequests } from '../../../src/protocol/comparison';
import { themeNames } from '../lib/themes';
import { asked, choose, frame, last, open, pane, ready, rows, selected, served, texts, view } from './panel';
import { done, manyRows, swapped, sweep, threeIterations } from './served';

const all = <Name extends keyof ComparisonRequests>(
  name: Name,
): readonly ComparisonRequests[Name]['parameters'][] =>
  asked.flatMap(([one, given]) => (one === name ? [given as ComparisonRequests[Name]['parameters']] : []));
const scrollTop = (number: number): Promise<number> =>
  pane(number)
    .locator('.grid')
    .evaluate((grid) => grid.scrollTop);
const slide = async (label: string, key: string, times = 1): Promise<void> => {
  await view.page.getByRole('slider', { name: label }).focus();
  for (let press = 0; press < times; press++) await view.page.keyboard.press(key);
};

describe('the comparison panel', () => {
  it.each(themeNames)('M10: differences can be told in %s, by symbols as well', async (theme) => {
    await open();
    await ready();
    await view.setTheme(theme);
    await frame();
    await view.screenshot(`comparison-${theme}`);
    expect(await view.lowContrast()).toEqual([]);
    const heads = (await view.page.locator('.pair-facts thead').innerText()).replaceAll(/\s+/g, ' ').trim();
    expect(heads).toBe('Views matched unchanged ≠changed +added −deleted');
    expect(await view.page.locator('.comparison-legend').innerText()).toBe(
      '≠ in both, but different · + only in the right view of a pair · − only in the left view of a pair',
    );
    const cell = pane(2).locator('.grid-row', { hasText: 'MPI_RECV from 4' }).locator('.grid-cell').first();
    const [edge, background] = await cell.evaluate((one) => {
      const style = getComputedStyle(one);
      return [style.borderInlineStartColor, style.backgroundColor];
    });
    const yellow = await view.page.evaluate(() => {
      const probe = document.createElement('i');
      probe.style.color = 'var(--vscode-charts-yellow)';
      document.body.append(probe);
      return getComputedStyle(probe).color;
    });
    expect(edge).toBe(yellow);
    // With high contrast, nothing is behind the text.
    expect(background === 'rgba(0, 0, 0, 0)').toBe(theme.startsWith('hc'));
  });

  it('M10: takes the colours that the user has chosen', async () => {
    await open();
    await ready();
    await view.page.evaluate(() =>
      document.documentElement.style.setProperty('--vscode-kymo-comparison-added', 'rgb(1, 2, 3)'),
    );
    const cell = pane(2).locator('.grid-row', { hasText: 'MPI_RECV from 4' }).locator('.grid-cell').first();
    await expect
      .poll(() => cell.evaluate((one) => getComputedStyle(one).borderInlineStartColor))
      .toBe('rgb(1, 2, 3)');
  });

  it('M10: swapping the traces swaps what is added and deleted', async () => {
    await open();
    await ready();
    expect(await texts(2)).toContain('+ added: MPI_RECV from 4');
    await view.page.getByRole('button', { name: 'Swap' }).click();
    await expect.poll(() => last('act')).toEqual({ action: 'swap' });
    served.comparison = swapped(sweep());
    view.tell('shown', done(served.comparison));
    await expect.poll(() => texts(1)).toContain('− deleted: MPI_RECV from 4');
    expect(await texts(2)).toContain('not in this view');
    await expect
      .poll(() => view.page.locator('.pair-facts tbody').innerText())
      .toMatch(/14\s+8\s+6\s+0\s+2$/);
  });

  it('M6: rows are indented by their depth, with lines, counts, times, shares and sizes under headings', async () => {
    await open();
    await ready();
    const heads = await pane(1).locator('.grid-head-title').allInnerTexts();
    expect(heads).toEqual(['Entry', 'Count', 'Time', 'Share', 'Instr.', 'Size']);
    const cells = await rows(1).nth(4).locator('.grid-cell').allInnerTexts();
    expect(cells.slice(1)).toEqual(['40', '0 s', '0 %', '0', '750']);
    expect(await texts(1)).toEqual([
      'source.f [2-47]',
      'hot spot: sweep.f [2-625]',
      'octant.f [1-114]',
      '≠ changed: mpi_stuff.f [85-102] × 40',
      '≠ changed: MPI_RECV from 3',
      'not in this view',
      '≠ changed: MPI_RECV from 0',
      '≠ changed: mpi_stuff.f [73-83]',
      '≠ changed: MPI_SEND to 0',
      '≠ changed: MPI_SEND to 3',
      'not in this view',
      'mpi_stuff.f [187-200]',
      'MPI_ALLREDUCE',
      'flux_err.f [2-36]',
      'mpi_stuff.f [161-172]',
      'MPI_ALLREDUCE',
    ]);
    const left = await rows(1)
      .locator('.entry-name')
      .evaluateAll((names) => names.map((name) => name.getBoundingClientRect().left));
    expect((left[2] ?? 0) - (left[0] ?? 0)).toBeCloseTo(12, 0);
    expect((left[4] ?? 0) - (left[0] ?? 0)).toBeCloseTo(24, 0);
    const loop = rows(1).nth(3).locator('.entry-loop');
    expect(await loop.getAttribute('title')).toBe(
      'The sequence of 3 rows that begins here is repeated 40 times.',
    );
  });

  it('M6: both modes are asked for, and the metric', async () => {
    await open();
    await ready();
    expect(last('rows')).toMatchObject({ settings: { mode: 'chain', metric: 'instructions' } });
    await choose('Show as', 'Frequency');
    await expect.poll(() => last('rows')).toMatchObject({ settings: { mode: 'frequency' } });
    await choose('Metric', 'Time');
    await expect
      .poll(() => last('summary'))
      .toMatchObject({ settings: { mode: 'frequency', metric: 'time' } });
    await view.page.getByRole('checkbox', { name: 'Relative partners' }).click();
    await expect.poll(() => last('rows')).toMatchObject({ settings: { isRelative: true } });
  });

  it('M19: the summary is first, ranked; selecting a characteristic scrolls to its row', async () => {
    await open({ size: { width: 1280, height: 560 } });
    await ready();
    const list = view.page.locator('.comparison-summary .grid-row:visible');
    expect(await list.nth(0).innerText()).toMatch(/called 120 times instead of 80/);
    await list.nth(1).click();
    await expect.poll(() => selected(2)).toMatch(/MPI_RECV from 4/);
    expect(await pane(2).locator('.grid-row.selected').isVisible()).toBe(true);
    await list.nth(0).dblclick();
    await expect.poll(() => last('openSource')).toMatchObject({ id: 'first', row: 3 });
  });

  it('M11: connectors join blocks and point to where something would be; a click goes to both', async () => {
    await open();
    await ready();
    const gutter = view.page.locator('.comparison-gutter');
    const added = pane(2).locator('.grid-row', { hasText: 'MPI_RECV from 4' });
    const [box, row] = [await gutter.boundingBox(), await added.boundingBox()];
    const y = (row?.y ?? 0) - (box?.y ?? 0) + (row?.height ?? 0) / 2;
    await gutter.click({ position: { x: (box?.width ?? 0) - 4, y } });
    expect(await gutter.getAttribute('title')).toBe('added');
    await expect.poll(() => selected(2)).toMatch(/MPI_RECV from 4/);
    expect(await selected(1)).toBe('not in this view');
    // It is drawn at the height of its row, in its colour.
    const painted = await gutter.evaluate((canvas: HTMLCanvasElement, at) => {
      const scale = canvas.width / canvas.clientWidth;
      const context = canvas.getContext('2d');
      const pixel = (x: number, height: number): readonly number[] => [
        ...(context?.getImageData(x * scale, height * scale, 1, 1).data ?? []),
      ];
      return { inside: pixel(canvas.clientWidth - 3, at), left: pixel(2, at - 8) };
    }, y);
    expect(painted.inside[3]).toBeGreaterThan(0);
    expect(painted.left[3]).toBe(0);
  });

  it('M11: connectors also join views that are not linked, as far as their rows are in the same order', async () => {
    await open();
    await ready();
    await view.page.getByRole('button', { name: 'Unlink view 1 from the others' }).click();
    await expect.poll(() => last('rows')).toMatchObject({ view: 0 });
    await expect.poll(() => rows(1).count()).toBe(14);
    const gutter = view.page.locator('.comparison-gutter');
    const [box, row] = [
      await gutter.boundingBox(),
      await pane(1).locator('.grid-row', { hasText: 'flux_err.f' }).boundingBox(),
    ];
    // Without its two gaps, the left view is two rows shorter.
    await gutter.click({ position: { x: 2, y: (row?.y ?? 0) - (box?.y ?? 0) + 8 } });
    await expect.poll(() => selected(1)).toMatch(/mpi_stuff\.f\s+\[187-200\]/);
    expect(await selected(2)).toMatch(/mpi_stuff\.f\s+\[187-200\]/);
    await view.screenshot('comparison-apart');
    await choose('Show as', 'Frequency');
    await expect.poll(() => gutter.evaluate((one) => one.classList.contains('is-unlinked'))).toBe(true);
  });

  it('M14: kinds of entries are shown or hidden, each by itself', async () => {
    await open();
    await ready();
    await view.page.getByRole('checkbox', { name: 'Point to point' }).click();
    await expect.poll(() => rows(1).count()).toBe(10);
    await view.page.getByRole('checkbox', { name: 'Collectives' }).click();
    await expect.poll(() => rows(1).count()).toBe(8);
    await view.page.getByRole('checkbox', { name: 'Calls' }).click();
    await view.page.getByRole('checkbox', { name: 'Point to point' }).click();
    await expect.poll(() => rows(1).count()).toBe(6);
    // The numbers of the pair are those of all call paths.
    expect(await view.page.locator('.pair-facts tbody').innerText()).toMatch(/14\s+8\s+6\s+2\s+0$/);
    await view.page.getByRole('checkbox', { name: 'Calls' }).click();
    await view.page.getByRole('checkbox', { name: 'Only different' }).click();
    await expect.poll(async () => (await texts(1)).length).toBe(9);
  });

  it('M15: hot spots are those above the threshold', async () => {
    await open();
    await ready();
    const hot = async (): Promise<readonly string[]> =>
      (await texts(1)).filter((text) => text.includes('hot spot'));
    // 5 %, 2 %, 1 %
    await slide('Hot spots', 'ArrowLeft', 2);
    await expect.poll(() => last('rows')).toMatchObject({ settings: { shows: { hotSpotShare: 0.01 } } });
    await expect.poll(hot).toEqual(['hot spot: sweep.f [2-625]']);
    await slide('Hot spots', 'ArrowLeft');
    await expect.poll(hot).toEqual(['hot spot: source.f [2-47]', 'hot spot: sweep.f [2-625]']);
  });

  it('M16: an option of one linked view is that of all linked ones, not of a view that is not linked', async () => {
    await open({ comparison: threeIterations() });
    await ready();
    await view.page.getByRole('button', { name: 'Unlink view 3 from the others' }).click();
    await expect.poll(() => last('rows')).toMatchObject({ view: 2 });
    // A view that is not linked has no gaps.
    await expect.poll(() => texts(3)).toEqual(['hot spot: step.c [10-90]', 'hot spot: norm.c [7-12]']);
    await rows(2).nth(0).click();
    asked.length = 0;
    await slide('Depth', 'Home');
    await expect.poll(() => texts(1)).toEqual(['hot spot: step.c [10-90]']);
    expect(await texts(2)).toEqual(['hot spot: step.c [10-90]']);
    expect(await texts(3)).toHaveLength(2);
    expect(all('rows').every((given) => given.view === undefined && given.settings.shows.depth === 1)).toBe(
      true,
    );
    await view.screenshot('comparison-unlinked');
    // And the other way round.
    await rows(3).nth(0).click();
    await expect.poll(() => view.page.getByRole('slider', { name: 'Depth' }).inputValue()).toBe('2');
    asked.length = 0;
    await slide('Sensitivity', 'Home');
    await expect.poll(() => last('rows')).toMatchObject({ view: 2, settings: { sensitivity: 0 } });
    expect(all('rows').every((given) => given.view === 2)).toBe(true);
    await choose('Options of', 'linked views (1, 2)');
    await expect.poll(() => view.page.getByRole('slider', { name: 'Sensitivity' }).inputValue()).toBe('4');
    await view.page.getByRole('button', { name: 'Link view 3 to the others' }).click();
    await expect.poll(() => texts(3)).toEqual(['hot spot: step.c [10-90]']);
  });

  it('M16: linked views scroll and select together, an unlinked one alone', async () => {
    await open({ comparison: manyRows(5000) });
    await ready();
    await pane(1)
      .locator('.grid')
      .evaluate((grid) => (grid.scrollTop = 4400));
    await expect.poll(() => scrollTop(2)).toBe(4400);
    await pane(1).locator('.grid-row', { hasText: 'work_205' }).click();
    await expect.poll(() => selected(2)).toMatch(/work_205/);
    await view.page.getByRole('button', { name: 'Unlink view 2 from the others' }).click();
    await expect.poll(() => last('rows')).toMatchObject({ view: 1 });
    await pane(2)
      .locator('.grid')
      .evaluate((grid) => (grid.scrollTop = 0));
    await frame();
    expect(await scrollTop(1)).toBe(4400);
    await view.page.getByRole('button', { name: 'Link view 2 to the others' }).click();
    await expect.poll(() => scrollTop(2)).toBe(4400);
  });

  it('M17: depth 1 shows the four outermost contexts, and other ranks and iterations can be chosen', async () => {
    await open();
    await ready();
    await slide('Depth', 'Home');
    await expect
      .poll(() => texts(1))
      .toEqual([
        'source.f [2-47]',
        'hot spot: sweep.f [2-625]',
        'mpi_stuff.f [187-200]',
        'flux_err.f [2-36]',
      ]);
    await view.page.getByRole('button', { name: 'Ranks and Iterations…' }).click();
    await view.page.getByRole('textbox', { name: 'Rank of view 1' }).fill('12');
    await view.page.getByRole('button', { name: 'Compare These' }).click();
    await view.page.getByText('View 1: Enter a rank from 0 to 11').waitFor();
    await view.page.getByRole('textbox', { name: 'Rank of view 1' }).fill('3');
    expect(await view.page.locator('.parts-problem').innerText()).toBe('');
    await view.page.getByRole('textbox', { name: 'Iterations of view 2' }).fill('2-5');
    await view.screenshot('comparison-parts');
    await view.page.getByRole('textbox', { name: 'Iterations of view 2' }).press('Enter');
    await expect.poll(() => last('choose')).toEqual({ parts: [{ rank: 3 }, { iterations: [2, 5] }] });
    expect(await view.page.locator('.parts-form').isVisible()).toBe(false);
  });

  it('M21: 100,000 entries are in one strip, the strongest class of each pixel; it scrolls and opens sources', async () => {
    await open({ comparison: manyRows(100_000) });
    await ready();
    expect(await rows(1).count()).toBeLessThan(80);
    const strip = pane(1).locator('.comparison-strip');
    const colors = await pane(1)
      .locator('.comparison-strip-picture')
      .evaluate((canvas: HTMLCanvasElement) => {
        const pixels = canvas.getContext('2d')?.getImageData(0, 0, 1, canvas.height).data ?? [];
        let painted = 0;
        for (let offset = 3; offset < pixels.length; offset += 4) if ((pixels[offset] ?? 0) > 0) painted++;
        return painted;
      });
    // One entry in 1,000 is deleted, another one is not in this view: only differences reach the edge.
    expect(colors).toBeGreaterThan(90);
    expect(colors).toBeLessThan(110);
    const track = strip.locator('.comparison-strip-track');
    await track.click();
    await expect.poll(() => scrollTop(1)).toBeGreaterThan(900_000);
    expect(await scrollTop(2)).toBe(await scrollTop(1));
    await expect
      .poll(() => texts(1).then((shown) => shown.some((text) => /_(499|500)\d{2}/.test(text))))
      .toBe(true);
    await track.dblclick();
    await expect.poll(() => last('openSource')).toBeDefined();
    const { row } = last('openSource') as { readonly row: number };
    expect(Math.abs(row - 50_000)).toBeLessThan(500);
    await strip.focus();
    await view.page.keyboard.press('Home');
    await expect.poll(() => scrollTop(1)).toBe(0);
    await expect.poll(() => strip.getAttribute('aria-valuetext')).toMatch(/^row 1 of 100000/);
  });

  it('M22: goes to the source by Enter, double click and menu, or says that it is not known', async () => {
    await open();
    await ready();
    await view.tabTo(/grid View 1/);
    await view.page.keyboard.press('End');
    await view.page.keyboard.press('Home');
    await view.page.keyboard.press('ArrowDown');
    await view.page.keyboard.press('Enter');
    await expect.poll(() => last('openSource')).toMatchObject({ id: 'first', row: 1 });
    await rows(2).nth(7).dblclick();
    await expect.poll(() => last('openSource')).toMatchObject({ row: 7 });
    await rows(1).nth(0).click({ button: 'right' });
    await view.page.getByRole('menuitem', { name: 'Go to Source' }).click();
    await expect.poll(() => last('openSource')).toMatchObject({ row: 0 });
    served.isUnknown = true;
    await rows(1).nth(1).dblclick();
    await view.page.getByText('The source of this entry is not known here.').waitFor();
  });

  it('M23: says that the traces have too little in common', async () => {
    const note = 'Only 12 % of the entries match: the traces have too little in common.';
    await open({ comparison: sweep({ notes: [note] }) });
    await ready();
    await view.page.getByRole('listitem').filter({ hasText: note }).waitFor();
    expect(await view.page.locator('.comparison-notes .icon').count()).toBe(1);
    await view.screenshot('comparison-notice');
  });
});
