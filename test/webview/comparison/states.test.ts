import { describe, expect, it } from 'vitest';
import { themeNames } from '../lib/themes';
import { asked, last, open, pane, ready, rows, selected, served, view } from './panel';
import { common, done, manyRows, sweep, threeIterations } from './served';

const names = (): readonly string[] => asked.map(([name]) => name);
const announced = (): Promise<string> => view.page.locator('[role=status][aria-live]').innerText();

describe('the comparison panel', () => {
  it('steps through differences with F7, N and P, and from the last to the first', async () => {
    await open();
    await ready();
    await view.page.keyboard.press('F7');
    await expect.poll(() => selected(1)).toMatch(/mpi_stuff\.f \[85-102\]/);
    await rows(1).nth(3).click();
    await view.page.keyboard.press('n');
    await expect.poll(() => selected(1)).toMatch(/MPI_RECV from 3/);
    await view.page.keyboard.press('n');
    await expect.poll(() => selected(2)).toMatch(/MPI_RECV from 4/);
    await expect.poll(announced).toBe('MPI_RECV from 4, not in view 1, added in view 2');
    await view.page.keyboard.press('p');
    await expect.poll(() => selected(1)).toMatch(/MPI_RECV from 3/);
    await rows(1).nth(10).click();
    await view.page.keyboard.press('F7');
    await expect.poll(() => selected(1)).toMatch(/mpi_stuff\.f \[85-102\]/);
    await expect.poll(announced).toMatch(/^Continued from the other end/);
    await view.page.keyboard.press('Shift+F7');
    await expect.poll(() => selected(2)).toMatch(/MPI_SEND to 4/);
    await view.page.getByRole('button', { name: /^Previous Difference/ }).click();
    await expect.poll(() => selected(2)).toMatch(/MPI_SEND to 3/);
  });

  it('finds names', async () => {
    await open();
    await ready();
    await view.page.keyboard.press('Control+f');
    await view.page.keyboard.type('allreduce');
    await expect.poll(() => selected(1)).toMatch(/MPI_ALLREDUCE/);
    expect(last('find')).toMatchObject({ text: 'allreduce', isBackwards: false });
    await view.page.keyboard.press('Enter');
    await expect.poll(() => last('find')).toMatchObject({ row: 12 });
    await view.page.getByRole('textbox', { name: 'Find a name' }).fill('nothing like this');
    await view.page.locator('.search-count', { hasText: 'No matches' }).waitFor();
    await view.page.keyboard.press('Escape');
    await view.page.keyboard.press('Escape');
    expect(await view.focused()).toMatch(/^grid View 1/);
  });

  it('undoes and redoes what was set, also by keys', async () => {
    await open();
    await ready();
    const sensitivity = view.page.getByRole('slider', { name: 'Sensitivity' });
    await sensitivity.focus();
    for (let press = 0; press < 3; press++) await view.page.keyboard.press('ArrowRight');
    await view.page.getByRole('checkbox', { name: 'Collectives' }).click();
    await expect.poll(() => rows(1).count()).toBe(14);
    await rows(1).first().click();
    await view.page.keyboard.press('Control+z');
    await expect.poll(() => rows(1).count()).toBe(16);
    expect(await sensitivity.getAttribute('aria-valuetext')).toBe('15.0 %');
    // The steps of a slider that follow each other quickly are one.
    await view.page.keyboard.press('Control+z');
    await expect.poll(() => sensitivity.getAttribute('aria-valuetext')).toBe('5.0 %');
    await view.page.getByRole('button', { name: 'Redo' }).click();
    await expect.poll(() => sensitivity.getAttribute('aria-valuetext')).toBe('15.0 %');
    await view.page.keyboard.press('Control+y');
    await expect.poll(() => rows(1).count()).toBe(14);
  });

  it('keeps options, place and layout over a reload', async () => {
    await open({ comparison: manyRows(3000) });
    await ready();
    await view.page.getByRole('checkbox', { name: 'Only different' }).click();
    // Six rows, and what calls them.
    await expect.poll(() => rows(1).count()).toBe(15);
    await rows(1).nth(5).click();
    await view.page.getByRole('button', { name: 'Unlink view 2 from the others' }).click();
    await expect.poll(() => last('rows')).toMatchObject({ view: 1 });
    await view.page.getByRole('button', { name: 'Options' }).click();
    asked.length = 0;
    await view.reload();
    await ready();
    expect(
      asked.find(([name, given]) => name === 'rows' && !('view' in (given as object)))?.[1],
    ).toMatchObject({
      settings: { shows: { onlyDifferent: true } },
    });
    await expect.poll(() => names().filter((name) => name === 'rows').length).toBe(2);
    await expect.poll(() => selected(1)).toMatch(/work_1500/);
    expect(await view.page.getByRole('checkbox', { name: 'Only different' }).isVisible()).toBe(false);
    await view.page.getByRole('button', { name: 'Link view 2 to the others' }).waitFor();
  });

  it('shows progress that can be cancelled, errors with what to do, and inputs without calls', async () => {
    await open({ shown: { ...common, kind: 'making' } });
    view.tell('progress', { message: 'Reading traces.otf2', fraction: 0.5 });
    await view.page.getByText('Reading traces.otf2').waitFor();
    await view.page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(names).toEqual(['open', 'cancel']);
    view.tell('shown', { ...common, kind: 'cancelled' });
    await view.page.getByRole('button', { name: 'Compare Again' }).click();
    view.tell('shown', { ...common, kind: 'failed', message: 'line 3: an exit without enter \u202e' });
    await view.page.getByRole('alert').filter({ hasText: 'an exit without enter ⟨U+202E⟩' }).waitFor();
    await view.page.getByRole('button', { name: 'Try Again' }).click();
    await view.page.getByRole('button', { name: 'Compare Other Traces…' }).click();
    view.tell('shown', { ...common, kind: 'empty', message: 'There are no calls.' });
    await view.page.getByText('There are no calls.').waitFor();
    await expect.poll(names).toEqual(['open', 'cancel', 'choose', 'choose', 'act']);
    expect(last('choose')).toEqual({ parts: [{}, {}] });
    view.tell('shown', done(served.comparison));
    await ready();
    // While others are compared, these remain.
    view.tell('shown', { ...common, kind: 'making' });
    await view.page.getByText('Reading traces').waitFor();
    expect(await rows(1).count()).toBe(16);
  });

  it('says when nothing differs', async () => {
    await open({ comparison: { ...sweep(), characteristics: [] } });
    await ready();
    await view.page.getByText('Nothing differs by more than the sensitivity.').waitFor();
  });

  it('exports what is compared, with its options', async () => {
    await open();
    await ready();
    await view.page.getByRole('button', { name: 'Export…' }).click();
    await view.page.getByRole('menuitem', { name: 'CSV…' }).click();
    await expect
      .poll(() => last('save'))
      .toMatchObject({ id: 'first', format: 'csv', settings: { metric: 'instructions', sensitivity: 0.05 } });
    await view.page.getByRole('button', { name: 'More' }).click();
    await view.page.getByRole('menuitem', { name: 'Compare Other Traces…' }).click();
    await expect.poll(() => last('act')).toEqual({ action: 'chooseInputs' });
  });

  it('shows hostile names as text', async () => {
    const hostile = '<img src=x onerror=alert(1)>\u202e\n';
    const comparison = sweep();
    const named = comparison.rows.map((row, position) => (position === 1 ? { ...row, name: hostile } : row));
    const views = comparison.header.views.map((one) => ({ ...one, name: hostile }));
    const header = { ...comparison.header, notes: [hostile], views };
    await open({ comparison: { ...comparison, header, rows: named } });
    await ready();
    expect(await view.page.locator('img').count()).toBe(0);
    expect(await rows(1).nth(1).innerText()).toContain('<img src=x onerror=alert(1)>⟨U+202E⟩␊');
    expect(await view.page.locator('.pane-name').first().innerText()).toBe(
      '<img src=x onerror=alert(1)>⟨U+202E⟩␊',
    );
  });

  it('fetches the rows that come into view, and keeps few elements in the page', async () => {
    await open({ comparison: manyRows(100_000) });
    await ready();
    await pane(2)
      .locator('.grid')
      .evaluate((grid) => (grid.scrollTop = grid.scrollHeight));
    await expect.poll(async () => (await rows(1).allInnerTexts()).join(' ')).toContain('work_99997');
    expect(await rows(1).count()).toBeLessThan(80);
    expect(last('rows')).toMatchObject({ count: 200 });
  });

  it('can be used by keys alone', async () => {
    await open();
    await ready();
    await view.tabTo(/button Undo/);
    await view.tabTo(/grid Characteristics/);
    await view.tabTo(/Sensitivity/);
    await view.tabTo(/grid View 1/);
    await view.page.keyboard.press('ArrowDown');
    await view.tabTo(/scrollbar Overview of view 1/);
    await view.tabTo(/Unlink view 2/);
    await view.page.keyboard.press('Enter');
    await expect.poll(() => last('rows')).toMatchObject({ view: 1 });
    await view.tabTo(/grid View 2/);
  });

  it('stacks its views in a narrow panel, and nothing is cut', async () => {
    await open({ size: { width: 420, height: 900 } });
    await ready();
    await view.screenshot('comparison-narrow');
    const [first, second] = [await pane(1).boundingBox(), await pane(2).boundingBox()];
    expect(second?.y).toBeGreaterThanOrEqual((first?.y ?? 0) + (first?.height ?? 0));
    expect(first?.height).toBeGreaterThan(120);
    const cut = await view.page.evaluate(() =>
      [...document.querySelectorAll('.view *')]
        .filter(
          (one) => one.closest('.grid') === null && one.getBoundingClientRect().right > window.innerWidth + 1,
        )
        .map(({ className }) => className),
    );
    expect(cut).toEqual([]);
  });

  it.each(themeNames)(
    'M12: three iterations are side by side, each compared with the next, in %s',
    async (theme) => {
      await open({ comparison: threeIterations() });
      await ready();
      await view.setTheme(theme);
      expect(await view.lowContrast()).toEqual([]);
      await rows(1).nth(2).click();
      expect(await view.lowContrast()).toEqual([]);
      await view.screenshot(`comparison-three-${theme}`);
      const middle = await rows(2).locator('.grid-cell:first-child').allInnerTexts();
      expect(middle.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
        'hot spot: step.c [10-90]',
        '−+ deleted, added, hot spot: refine.c [5-20]',
        '−≠ deleted, changed, hot spot: exchange.c [30-44]',
        '−≠ deleted, changed: MPI_SEND to 1',
        'hot spot: norm.c [7-12]',
      ]);
      expect(await view.page.locator('.pair-facts tbody tr').count()).toBe(2);
    },
  );
});
