import { describe, expect, it } from 'vitest';
import { themeNames } from '../lib/themes';
import { TimelinePanel } from './panel';
import { common, done, hostile, solver } from './traces';

const panel = new TimelinePanel();
/** Of eight rows in the usual size: as high as rows become. */
const high = 40;

describe('the timeline', () => {
  it.each(themeNames)('can be read in %s', async (theme) => {
    await panel.ready();
    await panel.view.setTheme(theme);
    await panel.page.getByRole('textbox', { name: 'Search functions' }).fill('compute');
    await expect.poll(() => panel.page.locator('.search-count').innerText()).toBe('1 match');
    expect(await panel.view.lowContrast()).toEqual([]);
    await panel.frame();
    await panel.view.screenshot(`timeline-search-${theme}`);
    await panel.page.keyboard.press('Escape');
    await panel.press('Shift+ArrowRight', 'Shift+ArrowRight', 'm');
    await panel.page.getByRole('button', { name: 'Zoom to Range' }).waitFor();
    expect(await panel.view.lowContrast()).toEqual([]);
    await panel.settled();
    await panel.view.screenshot(`timeline-${theme}`);
  });

  it('is usable in a narrow panel', async () => {
    await panel.ready({ size: { width: 420, height: 900 } });
    await panel.view.screenshot('timeline-narrow');
    expect(await panel.page.locator('.timeline-rows canvas').isVisible()).toBe(true);
    const cut = await panel.page.evaluate(() =>
      [...document.querySelectorAll('.view *')]
        .filter(
          (one) => one.closest('.grid') === null && one.getBoundingClientRect().right > window.innerWidth,
        )
        .map(({ className }) => className),
    );
    expect(cut).toEqual([]);
  });

  it('says in words what it shows', async () => {
    await panel.ready();
    expect(await panel.page.locator('.summary').innerText()).toBe(
      '8 rows over 1.25 s, 9 functions, 48000 events, 64 messages',
    );
    await expect
      .poll(() => panel.page.locator('.timeline-words').innerText())
      .toBe('In sight: 0.00 – 1.25 s, 8 rows. Most of the time of the profile is in MPI_Allreduce: 28.2 %.');
  });

  it('draws borders around calls in high contrast, which colours alone do not divide', async () => {
    await panel.ready();
    const borders = () =>
      panel.page.evaluate(() => {
        const canvas = document.querySelector<HTMLCanvasElement>('.timeline-rows canvas');
        const { data = [], width = 0 } = canvas?.getContext('2d')?.getImageData(0, 34, canvas.width, 1) ?? {};
        let count = 0;
        for (let x = 100; x < width; x++)
          if (data[4 * x] === 255 && data[4 * x + 1] === 255 && data[4 * x + 2] === 255) count++;
        return count;
      });
    await panel.page.getByRole('checkbox', { name: 'Messages' }).click();
    await panel.frame();
    expect(await borders()).toBe(0);
    await panel.view.setTheme('hc-dark');
    await panel.frame();
    expect(await borders()).toBeGreaterThan(40);
  });

  it('gives functions of MPI and OpenMP colours of their own, and each function the same one everywhere', async () => {
    await panel.ready();
    await panel.page.getByRole('checkbox', { name: 'Messages' }).click();
    // Rank 0: read_mesh; in the first step OpenMP, and MPI_Allreduce at its end.
    const shares = [0.05, 0.14 / 1.25, 0.2 / 1.25, 0.985];
    const [mesh, loop, wait, main] = await panel.colors(0, high, shares);
    expect(new Set([mesh, loop, wait, main]).size).toBe(4);
    const [stackMain] = await panel.colors(0, 18, [0.5], '.timeline-stack');
    expect(stackMain).toBe(main);
    const swatch = await panel.page
      .locator('.profile-pane .grid-row', { hasText: 'read_mesh' })
      .locator('.swatch')
      .evaluate((one) => getComputedStyle(one).backgroundColor);
    expect(`rgb(${mesh?.split(',').slice(0, 3).join(', ') ?? ''})`).toBe(swatch);
  });

  it('is as sharp as the screen, and asks for as many pixels', async () => {
    await panel.ready();
    const size = await panel.page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('.timeline-rows canvas');
      return [canvas?.width, canvas?.clientWidth, window.devicePixelRatio];
    });
    expect(size[0]).toBe(Math.round((size[1] ?? 0) * (size[2] ?? 0)));
    expect(panel.sight?.pixels).toBe((size[0] ?? 0) - panel.gutter);
    // Another screen with twice the pixels.
    const devices = await panel.page.context().newCDPSession(panel.page);
    const metrics = { width: 1280, height: 760, deviceScaleFactor: 2, mobile: false };
    await devices.send('Emulation.setDeviceMetricsOverride', metrics);
    await panel.press('+');
    await expect
      .poll(() => panel.page.locator('.timeline-rows canvas').evaluate((one: HTMLCanvasElement) => one.width))
      .toBe(2 * (size[0] ?? 0));
    await expect.poll(() => panel.sight?.pixels).toBe(2 * ((size[0] ?? 0) - panel.gutter));
  });

  it('shows names as text, whatever they are', async () => {
    await panel.ready({ trace: hostile() });
    expect(await panel.page.locator('img, i, b').count()).toBe(0);
    const notes = await panel.page.locator('.notes li').allInnerTexts();
    expect(notes).toEqual(['<i>The trace</i> has no end.', 'Rank 3 is missing.']);
    const { x, y } = await panel.point(0.3, 0, high);
    await panel.page.mouse.move(x, y);
    await expect.poll(() => panel.tip()).toMatch(/^a⟨U\+202E⟩gnirts\n<b>rank<\/b> 0\n/);
    await panel.page.mouse.click(x, y, { button: 'right' });
    await panel.page.getByRole('menuitem', { name: 'Copy Name' }).waitFor();
    await panel.page.keyboard.press('Escape');
    expect(await panel.page.locator('img').count()).toBe(0);
  });
});

describe('100,000 rows', () => {
  it('are scrolled: only those in sight are asked for', async () => {
    await panel.ready();
    panel.asked.length = 0;
    await panel.showRows(100_000);
    expect(await panel.page.locator('.summary').innerText()).toMatch(/^100 k rows/);
    const first = panel.last('spans');
    expect(panel.count('spans')).toBe(1);
    expect(first?.firstRow).toBe(0);
    expect(first?.rowCount).toBeLessThan(200);
    const scroller = panel.page.locator('.timeline-rows');
    await scroller.evaluate((one) => (one.scrollTop = one.scrollHeight));
    await expect
      .poll(() => (panel.last('spans')?.firstRow ?? 0) + (panel.last('spans')?.rowCount ?? 0))
      .toBe(100_000);
    expect(panel.last('spans')?.firstRow).toBeGreaterThan(99_800);
    await panel.press('Control+End');
    await expect.poll(() => panel.last('stack')?.firstRow).toBe(99_999);
    expect(await panel.page.locator('.stack-pane h2').innerText()).toBe('Call stack of rank 99999');
    await panel.frame();
    await panel.view.screenshot('timeline-many');
    await panel.press('Control+Home');
    await expect.poll(() => scroller.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  });

  it('become lower and higher, down to two pixels', async () => {
    await panel.ready({ trace: solver(2000) });
    const height = (): Promise<number> =>
      panel.page
        .locator('.time-space')
        .first()
        .evaluate(({ clientHeight }) => (clientHeight - 24) / 2000);
    expect(await height()).toBe(12);
    await panel.press(...Array<string>(12).fill('['));
    await expect.poll(height).toBe(2);
    await expect.poll(() => panel.last('messages')?.rowCount).toBeGreaterThan(150);
    await panel.page.getByRole('button', { name: 'Higher Rows' }).click();
    await expect.poll(height).toBe(3);
    await expect.poll(() => panel.view.state()).toMatchObject({ rowHeight: 3 });
  });
});

describe('the states of the panel', () => {
  it('are making, cancelled, failed, empty and done', async () => {
    await panel.open({ shown: { ...common, kind: 'making' } });
    panel.view.tell('progress', { message: 'Reading rank 3', fraction: 0.4 });
    await panel.page.getByText('Reading rank 3').waitFor();
    await panel.page.getByRole('button', { name: 'Cancel' }).click();
    panel.view.tell('shown', { ...common, kind: 'cancelled' });
    await panel.page.getByRole('button', { name: 'Read the Trace Again' }).click();
    panel.view.tell('shown', { ...common, kind: 'failed', message: 'traces.def: byte 12: not a record' });
    await panel.page.getByRole('alert').filter({ hasText: 'byte 12' }).waitFor();
    await panel.page.getByRole('button', { name: 'Try Again' }).click();
    panel.view.tell('shown', { ...common, kind: 'empty', message: 'The trace has no events.' });
    await panel.page.getByText('The trace has no events.').waitFor();
    await expect.poll(() => panel.asked.map(([name]) => name)).toEqual(['cancel', 'make', 'make']);
    panel.view.tell('shown', done(panel.served.trace));
    await panel.settled();
    await panel.page.getByRole('button', { name: 'Trace', exact: true }).click();
    await panel.page.getByRole('menuitem', { name: 'Read the Trace Again' }).click();
    await expect.poll(() => panel.count('make')).toBe(3);
  });

  it('include errors of single pictures: the rest stays, and a trace that has changed can be read again', async () => {
    await panel.ready();
    panel.served.problem = { reason: 'file-unusable', message: 'rank 3 cannot be read' };
    await panel.press('+');
    const notice = panel.page.locator('.notice');
    await notice.getByText('rank 3 cannot be read').waitFor();
    expect(await notice.getByRole('button', { name: 'Read the Trace Again' }).count()).toBe(0);
    expect(await panel.colors(0, high, [0.5])).not.toEqual(['0,0,0,0']);
    panel.served.problem = { reason: 'trace-changed', message: 'The trace has changed.' };
    await panel.press('+');
    await notice.getByText('The trace has changed.').waitFor();
    await notice.getByRole('button', { name: 'Read the Trace Again' }).click();
    await expect.poll(() => panel.count('make')).toBe(1);
    delete panel.served.problem;
    const asked = panel.count('spans');
    await panel.press('-');
    await expect.poll(() => panel.count('spans')).toBeGreaterThan(asked);
  });

  it('show a trace that was read again, and nothing of the one before', async () => {
    await panel.ready();
    let release: (value: unknown) => void = () => undefined;
    panel.served.hold = new Promise((resolve) => (release = resolve));
    await panel.press('+');
    await expect.poll(() => panel.count('spans')).toBe(2);
    const again = solver(2, { id: 'second' });
    panel.served.trace = again;
    panel.view.tell('shown', done(again));
    await panel.page.getByText('2 rows over').waitFor();
    delete panel.served.hold;
    release(undefined);
    await expect.poll(() => panel.last('spans')).toMatchObject({ id: 'second', rowCount: 2 });
    await expect.poll(() => panel.last('profile')).toMatchObject({ id: 'second', rowCount: 2 });
  });

  it('survive a reload: what was in sight, selected and searched', async () => {
    await panel.ready();
    await panel.press('ArrowDown', 'ArrowDown', '+', '+');
    await panel.answered();
    await panel.press('Shift+ArrowRight', 'm');
    await panel.page.getByRole('checkbox', { name: 'Messages' }).click();
    await expect
      .poll(() => panel.view.state())
      .toMatchObject({ row: 2, messages: 'off', panel: common.panel });
    await expect.poll(async () => Object.keys((await panel.view.state()) as object)).toContain('from');
    await expect.poll(() => panel.last('profile')?.rowCount).toBe(1);
    const { sight } = panel;
    const range = panel.last('profile');
    panel.asked.length = 0;
    await panel.view.reload();
    await panel.settled();
    expect(panel.sight).toEqual(sight);
    expect(panel.last('profile')).toEqual(range);
    expect(panel.count('messages')).toBe(0);
    expect(panel.sight?.firstRow).toBe(2);
  });

  it('include a trace without rows, and one of a single moment', async () => {
    await panel.open({ trace: solver(0) });
    await panel.page.getByText('Nothing was recorded in this trace.').waitFor();
    await panel.page.getByRole('button', { name: 'Read the Trace Again' }).click();
    await expect.poll(() => panel.count('make')).toBe(1);
    expect(panel.count('spans')).toBe(0);
    const trace = solver(1, { seconds: 0 });
    panel.served.trace = trace;
    panel.view.tell('shown', done(trace));
    await panel.page.getByText('1 row over 0 s').waitFor();
    await expect.poll(() => panel.count('spans')).toBe(1);
  });
});
