import { describe, expect, it } from 'vitest';
import { KymoError } from '../../../src/core/errors';
import { maximumRows } from '../../../src/protocol/hotSpots';
import { themeNames } from '../lib/themes';
import { useHotSpotsPanel } from './hotSpotsPanel';
import { hostileName, large, longName, parallel, profileOf, small, waiting, withHeader } from './profiles';

const panel = useHotSpotsPanel();
const { open, rows, row, selected, flat, ready, untilAsked, search, outcome } = panel;

describe('hot-spot panel', () => {
  it('shows the call tree with the heaviest child first, and expands it', async () => {
    await open();
    await ready();
    await expect.poll(() => rows().nth(1).innerText()).toMatch(/^solve\(std::vector<…>&\)/);
    // The hot path is open, and what is hottest is selected.
    expect(await rows().count()).toBe(6);
    expect(await selected().innerText()).toMatch(/^kernel/);
    await expect
      .poll(() => rows().nth(2).innerText())
      .toMatch(/kernel\s+1.2 s\s+1.2 s\s+60.0 %\s+solve.cpp:40\s+1.2 M\s+0.001 ms\s+24 ms/);
    await row('solve(').click();
    await panel.view.page.keyboard.press('ArrowLeft');
    await expect.poll(() => rows().count()).toBe(4);
    await panel.view.screenshot('hotSpots-tree');
  });

  it('shows names as text, whatever they are, and long ones short', async () => {
    await open();
    await ready();
    await expect.poll(() => row('onerror').innerText()).toContain('<img src=x');
    expect(await panel.view.page.locator('img').count()).toBe(0);
    expect(await row('deep<…>').innerText()).toMatch(/^deep<…>::run\(\)/);
    await panel.view.page.getByRole('button', { name: 'Full C++ Names' }).click();
    expect((await row('deep<std::pair').innerText()).length).toBeLessThan(1200);
    await flat();
    expect(await row(hostileName.slice(0, 20)).count()).toBe(1);
    expect(longName.length).toBeGreaterThan(10_000);
  });

  it('goes to the source by one click on where a function is, and by no click on its name', async () => {
    await open();
    await ready();
    await row('kernel').locator('[role=gridcell]').first().click();
    expect(panel.asked.map(({ name }) => name)).not.toContain('openSource');
    await row('kernel').getByText('solve.cpp:40').click();
    expect(await untilAsked('openSource')).toEqual({ side: 'main', region: 2 });
  });

  it('finds substrings and patterns, opens the way to them, and says where it is', async () => {
    await open();
    await ready();
    await search('kernel');
    await expect.poll(outcome).toBe('1 of 2');
    expect(await selected().innerText()).toMatch(/^kernel/);
    await panel.view.page.keyboard.press('Enter');
    await expect.poll(outcome).toBe('2 of 2');
    await panel.view.page.keyboard.press('Shift+Enter');
    await expect.poll(outcome).toBe('1 of 2');
    expect(await panel.view.page.locator('mark:visible').first().innerText()).toBe('kernel');
    await panel.view.page.keyboard.press('Alt+r');
    await panel.view.page.keyboard.press('Control+a');
    await panel.view.page.keyboard.type('^(MPI_|main$)');
    await expect.poll(outcome).toMatch(/of 2$/);
    await panel.view.page.keyboard.press('Control+a');
    await panel.view.page.keyboard.type('(');
    await expect.poll(outcome).toMatch(/not closed/);
    await panel.view.page.keyboard.press('Control+a');
    await panel.view.page.keyboard.type('(a+)+$');
    await expect.poll(outcome).toMatch(/No matches|of/);
    await panel.view.page.keyboard.press('Escape');
    await expect.poll(outcome).toBe('');
  });

  it('says what its times and shares are of, and shows waiting beside them', async () => {
    await open(() => waiting(small()), { size: { width: 1100, height: 500 } });
    await ready();
    const base = panel.view.page.locator('.base');
    expect(await base.innerText()).toBe('Shares of 2 s computing time in run i2.r1, without 1 s of waiting.');
    await flat();
    await expect
      .poll(() => row('kernel').innerText())
      .toMatch(/kernel\s+1.3 s\s+1.3 s\s+65.0 %\s+solve.cpp:40\s+0.65 s\s+1.2 M/);
    await panel.view.screenshot('hotSpots-waiting');
    await open();
    await ready();
    expect(await panel.view.page.locator('.base').isVisible()).toBe(false);
  });

  it('shows how well processes are used, with definitions as tooltips, and for each function', async () => {
    await open(() => parallel(small()), { size: { width: 1300, height: 600 } });
    await ready();
    const table = panel.view.page.locator('.efficiency');
    const headline = table.locator('summary');
    expect(await headline.innerText()).toBe(
      'Parallel efficiency of 8 processes 45.0 %: load balance 90.0 % × communication efficiency 50.0 %',
    );
    expect(await headline.getAttribute('title')).toMatch(
      /^Computation is time outside MPI .* Definitions: POP /,
    );
    await headline.click();
    const lines = table.locator('tr');
    expect(await lines.allInnerTexts()).toEqual([
      '\tRun (2 s)\tPhase step (1 s)',
      'Parallel efficiency\t45.0 %\t40.0 %',
      'Load balance\t90.0 %\t–',
      'Communication efficiency\t50.0 %\t–',
    ]);
    expect(await lines.nth(2).getAttribute('title')).toMatch(/^Mean computation ÷ largest computation/);
    expect(await table.locator('p').allInnerTexts()).toEqual(['A note.']);
    await panel.view.screenshot('hotSpots-efficiency');
    await flat();
    await expect.poll(() => row('kernel').innerText()).toMatch(/60\.0 %\s+75\.0 %\s+80\.0 %/);
    expect(await row('main').innerText()).toMatch(/–\s+–\s+–/);
    await panel.view.page.getByRole('button', { name: 'Parallel Eff.' }).click();
    await expect.poll(() => rows().first().innerText()).toMatch(/^kernel/);
    await open();
    await ready();
    expect(await panel.view.page.locator('.efficiency').count()).toBe(0);
  });

  it('sorts functions by any column, by its header', async () => {
    await open();
    await ready();
    await flat();
    await expect.poll(() => rows().first().innerText()).toMatch(/^kernel/);
    expect(await rows().first().innerText()).toMatch(/solve\.cpp:40/);
    await panel.view.page.getByRole('button', { name: 'Visits' }).click();
    await panel.view.page.getByRole('button', { name: 'Visits' }).click();
    await expect.poll(() => rows().first().innerText()).toMatch(/^main/);
    await panel.view.screenshot('hotSpots-functions');
  });

  it('draws the flame graph, zooms by the mouse and back', async () => {
    await open();
    await ready();
    await panel.view.page.getByRole('tab', { name: 'Flame Graph' }).click();
    const canvas = panel.view.page.locator('.flame-canvas');
    await canvas.dblclick({ position: { x: 60, y: 33 } });
    await expect.poll(async () => ((await panel.view.state()) as { zoom?: number }).zoom).toBe(1);
    await canvas.hover({ position: { x: 60, y: 55 } });
    await expect
      .poll(() => panel.view.page.locator('.flame-tip').innerText())
      .toMatch(/^kernel\s+inclusive 1.2 s/);
    await panel.view.screenshot('hotSpots-flame');
    await canvas.press('Escape');
    await expect.poll(async () => ((await panel.view.state()) as { zoom?: number }).zoom).toBeUndefined();
  });

  it('compares with another run: changes with sign, arrow and colour, and what is on one side only', async () => {
    await open(() => small(), { others: [small('old', 0.5, true)], size: { width: 1300, height: 700 } });
    await ready();
    await panel.view.send({ kind: 'event', name: 'none', value: 0 });
    const box = panel.view.page.locator('vscode-dropdown[aria-label="Compare with"]');
    await box.focus();
    await panel.view.page.keyboard.press('ArrowDown');
    expect(await untilAsked('compare')).toEqual({ experiment: 0 });
    panel.view.tell('opened', panel.extension.opened());
    await row('only in the compared run').waitFor();
    expect(await row('main').innerText()).toMatch(/▲ \+0.2 s/);
    await panel.view.screenshot('hotSpots-compare');
  });

  it('shows how a call path spreads over threads', async () => {
    await open();
    await ready();
    await row('solve(').click();
    await panel.view.page.getByRole('button', { name: 'Distribution over Threads' }).click();
    expect(await untilAsked('locations')).toEqual({ side: 'main', callPath: 1, metric: 1 });
    await expect
      .poll(() => panel.view.page.locator('.threads-title').innerText())
      .toContain('4 threads, most is 60.0 % above the mean');
    await panel.view.screenshot('hotSpots-threads');
  });

  it('is as it was after a reload, and says when the profile is gone', async () => {
    await open();
    await ready();
    await search('kernel');
    await expect.poll(outcome).toBe('1 of 2');
    await flat();
    await expect.poll(async () => ((await panel.view.state()) as { tab: string }).tab).toBe('functions');
    await panel.view.reload();
    await ready();
    await expect.poll(outcome).toMatch(/1 match|1 of 1/);
    expect(await panel.view.page.getByRole('tab', { name: 'Functions' }).getAttribute('aria-selected')).toBe(
      'true',
    );
    expect(((await panel.view.state()) as { panel: string }).panel).toBe('panel-1');
    panel.view.tell('gone', { side: 'main', message: 'It was deleted.' });
    await panel.view.page
      .getByText('It was deleted. The values that were read before are still shown.')
      .waitFor();
    panel.view.tell('reveal', { what: { name: 'no such function' }, id: 'first' });
    await panel.view.page.getByText('is not in this profile').waitFor();
  });

  it('selects the function that was asked for, once: also when the page is loaded again before anything was kept', async () => {
    await open(() => small(), { reveal: { what: { name: 'kernel' }, id: 'wish 1' } });
    await expect.poll(() => selected().allInnerTexts()).toEqual([expect.stringContaining('kernel')]);
    await panel.view.page.evaluate(() => {
      sessionStorage.removeItem('state');
    });
    await panel.view.reload();
    await expect.poll(() => selected().allInnerTexts()).toEqual([expect.stringContaining('kernel')]);
    await row('main').click();
    await expect
      .poll(async () => (await panel.view.state()) as object)
      .toMatchObject({ revealed: 'wish 1', selected: 0 });
    await panel.view.reload();
    await expect.poll(() => selected().allInnerTexts()).toEqual([expect.stringContaining('main')]);
    panel.view.tell('reveal', { what: { name: 'kernel' }, id: 'wish 2' });
    await expect.poll(() => selected().allInnerTexts()).toEqual([expect.stringContaining('kernel')]);
  });

  it('says how two programs compare, and still matches them by their names', async () => {
    const main = withHeader(small(), { target: 'tiny' });
    const other = withHeader(small('other', 2, true), {
      target: 'heat',
      title: 'heat · iteration 1 · run 1',
    });
    await open(() => main, { others: [other], size: { width: 1300, height: 700 } });
    await ready();
    expect(await panel.view.page.locator('.comparison').isVisible()).toBe(false);
    await panel.view.page.locator('vscode-dropdown[aria-label="Compare with"]').focus();
    await panel.view.page.keyboard.press('ArrowDown');
    await untilAsked('compare');
    panel.view.tell('opened', panel.extension.opened());
    await expect
      .poll(() => panel.view.page.locator('.comparison').innerText())
      .toBe(
        'Compared with heat · iteration 1 · run 1. It is another program: call paths are matched by their names. 7 of 8 call paths are in both.',
      );
    await panel.view.screenshot('hotSpots-other-program');
  });

  it('says what to do about a profile that cannot be read, and shows it when it can', async () => {
    let isThere = false;
    const gone = '/a/profile.cubex cannot be read: it was deleted or moved. Choose another experiment.';
    await open(() => {
      if (!isThere) throw new KymoError('profile-missing', gone);
      return small();
    });
    await panel.view.page.getByText(gone).waitFor();
    panel.view.tell('gone', { side: 'main', message: 'It is half-written.' });
    await panel.view.page.getByText('It is half-written.').waitFor();
    await panel.view.screenshot('hotSpots-unreadable');
    isThere = true;
    await panel.view.page.getByRole('button', { name: 'Try Again' }).click();
    await ready();
    expect(await panel.view.page.getByText('It is half-written.').isVisible()).toBe(false);
  });

  it('shows a profile without call paths, and one with a single one', async () => {
    let profile = profileOf('none', [{ name: 'main' }], []);
    await open(() => profile);
    await panel.view.page.getByText('no instrumented function was executed').waitFor();
    profile = profileOf('one', [{ name: 'main' }], [[-1, 0, 1, 1]]);
    panel.view.tell('opened', panel.extension.opened());
    await ready();
    expect(await rows().count()).toBe(1);
    await panel.view.page.getByRole('tab', { name: 'Flame Graph' }).click();
    await panel.view.page.locator('.flame-canvas').press('ArrowDown');
    await expect.poll(() => panel.view.page.locator('.flame-tip').innerText()).toMatch(/^main/);
    profile = profileOf('zero', [{ name: 'main' }], [[-1, 0, 0, 0]]);
    panel.view.tell('opened', panel.extension.opened());
    await expect.poll(async () => ((await panel.view.state()) as { profile: string }).profile).toBe('zero ');
    await panel.view.page.getByRole('tab', { name: 'Call Tree' }).click();
    await expect.poll(() => rows().first().innerText()).toMatch(/main\s+0 s/);
  });

  it('writes out characters of names that nobody sees', async () => {
    const bidi = 'run\u202Egpj.exe';
    await open(() =>
      profileOf(
        'odd',
        [{ name: 'a\nb\u0000c' }, { name: bidi }],
        [
          [-1, 0, 1, 1],
          [0, 1, 1, 1],
        ],
      ),
    );
    await ready();
    expect(await row('a␊b␀c').count()).toBe(1);
    expect(await row('run⟨U+202E⟩gpj.exe').count()).toBe(1);
    await panel.view.page.getByRole('button', { name: 'Full C++ Names' }).click();
    expect(await row('run⟨U+202E⟩gpj.exe').count()).toBe(1);
  });

  it('says where the cost of a visit is assumed', async () => {
    await open(() => withHeader(small(), { pairAssumed: true }));
    await ready();
    const head = panel.view.page.getByRole('button', { name: 'Overhead ≈' });
    expect(await head.getAttribute('title')).toContain('no calibration');
    expect(await head.getAttribute('aria-description')).toContain('assumed');
  });

  it('spreads a call path over 4,096 locations', async () => {
    const locations = Array.from({ length: 4096 }, (_, at) => ({
      name: `thread ${at % 8}`,
      rank: at >> 3,
      thread: at % 8,
    }));
    await open(() => withHeader(small(), { locations }), {
      state: { showsThreads: true, profile: 'small ', selected: 1 },
    });
    await ready();
    await expect
      .poll(() => panel.view.page.locator('.threads-title').innerText())
      .toContain('4096 threads, most is 100 % above the mean');
    await panel.view.screenshot('hotSpots-4096');
  });

  it('survives a kept state and events that make no sense', async () => {
    await open(() => small(), {
      state: {
        tab: 'x',
        expanded: [1e9, -1, 'a', {}],
        selected: 7e9,
        zoom: 99,
        profile: 'small ',
        search: { text: 5 },
        treeLayout: 3,
        treeSort: { column: 'no', direction: 'up' },
        share: 'a',
      },
    });
    await ready();
    expect(await rows().count()).toBeGreaterThan(0);
  });

  it('is readable in all four themes', async () => {
    await open(() => small(), { others: [small('old')] });
    await ready();
    await panel.view.page.getByRole('button', { name: 'Expand All' }).click();
    await row('solve(').click();
    await search('kernel');
    for (const theme of themeNames) {
      await panel.view.setTheme(theme);
      expect(await panel.view.lowContrast(), theme).toEqual([]);
      await panel.view.screenshot(`hotSpots-${theme}`);
    }
    await panel.view.page.getByRole('tab', { name: 'Flame Graph' }).click();
    for (const theme of themeNames) {
      await panel.view.setTheme(theme);
      await panel.view.screenshot(`hotSpots-flame-${theme}`);
    }
  });

  it('fits a narrow column', async () => {
    await open(() => small(), { size: { width: 360, height: 600 } });
    await ready();
    await panel.view.screenshot('hotSpots-narrow');
    expect(await panel.view.page.evaluate(() => document.body.scrollWidth)).toBeLessThanOrEqual(360);
    const inclusive = await panel.view.page.getByRole('button', { name: 'Inclusive' }).boundingBox();
    expect((inclusive?.x ?? 0) + (inclusive?.width ?? 1000)).toBeLessThanOrEqual(360);
    await panel.view.page.getByRole('tab', { name: 'Flame Graph' }).click();
    await panel.view.screenshot('hotSpots-narrow-flame');
  });

  it('keeps 100,000 call paths in few elements, and fetches them in bounded pieces', async () => {
    const profile = large(100_000);
    await open(() => profile);
    await ready();
    await panel.view.page.getByRole('button', { name: 'Expand All' }).click();
    await expect
      .poll(() => panel.view.page.locator('.grid').first().getAttribute('aria-rowcount'))
      .toBe('100001');
    expect(await panel.view.page.locator('.grid-row').count()).toBeLessThan(120);
    for (const { name, parameters } of panel.asked)
      if (name === 'rows') expect((parameters as { count: number }).count).toBeLessThanOrEqual(maximumRows);
    await search('method123(');
    await expect.poll(outcome).toMatch(/of \d+/);
    await panel.view.page.getByRole('tab', { name: 'Flame Graph' }).click();
    await panel.view.screenshot('hotSpots-large-flame');
  });
});
