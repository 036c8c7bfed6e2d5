import { describe, expect, it } from 'vitest';
import { pathSets } from '../../../src/core/views/pathSets';
import { themeNames } from '../lib/themes';
import { useHotSpotsPanel } from './hotSpotsPanel';
import { large, onRanks, profileOf, small, withHeader, type TestProfile } from './profiles';

const panel = useHotSpotsPanel();
const { open, ready, row, rows, flat, untilAsked } = panel;

/** Processes by their value in `kernel`: 50 and 63 to 87 lie between the median and the upper quartile, as in the example of the thesis. */
const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);
const byValue = [...range(1, 49), 50, ...range(63, 87), ...range(51, 62), ...range(88, 99), 0];
const placeOf = new Map(byValue.map((process, place) => [process, place + 1]));

function ofRanks(profile: TestProfile, count: number): TestProfile {
  const locations = range(0, count - 1).map((rank) => ({ name: `rank ${rank}`, rank, thread: 0 }));
  return withHeader(onRanks(profile, count), { locations });
}

/** 1.3 s in the kernel: a process has 0.2574 ms times its place. */
const hundred = (id = 'hundred', scale = 1): TestProfile => ({
  ...ofRanks(small(id, scale), 100),
  weight: (path, location) =>
    path === 2 || path === 6
      ? (placeOf.get(location) ?? 0)
      : 10 + ((location * 7 + path) % 10) + (location === 99 ? 30 : 0),
});

const solve = 'solve(std';
const page = () => panel.view.page;
const plot = (text: string) => row(text).locator('.spread-plot').first();
const label = (text: string) => plot(text).getAttribute('aria-label');
const path = (text: string, layer: string, side = 'main') =>
  plot(text).locator(`.${side} .spread-${layer}`).getAttribute('d');
const tip = () => page().locator('.spread-tip');
const drawn = (text: string) => expect.poll(() => label(text)).toMatch(/median/);
const header = (name: string) => page().getByRole('columnheader', { name, exact: true });
const lastAsked = (name: string) => panel.asked.findLast((one) => one.name === name)?.parameters;
const menu = (name: string) => page().getByRole('menuitem', { name, exact: true });
const spreadMenu = async (name: string): Promise<void> => {
  await page().getByRole('button', { name: 'Spread over Processes' }).click();
  await page().getByRole('menuitemcheckbox', { name }).click();
};
const column = async (name: string): Promise<void> => {
  await page().getByRole('button', { name: 'Columns' }).click();
  await page().getByRole('menuitemcheckbox', { name, exact: true }).click();
};

/** Moves the pointer to a share of the width of a row's box plot. */
async function pointAt(text: string, share: number, height = 0.4): Promise<{ x: number; y: number }> {
  const box = (await plot(text).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const place = { x: box.x + share * box.width, y: box.y + height * box.height };
  await page().mouse.move(place.x, place.y);
  return place;
}

describe('box plots in the tables of the hot-spot panel', () => {
  it('F2 draw five percentiles on one axis from 0, and the values outside of them when asked', async () => {
    await open(() => hundred());
    await ready();
    await flat();
    await drawn('kernel');
    // The axis ends at the largest value of all functions, which is that of the last process in the kernel.
    expect(await label('kernel')).toBe(
      '2nd percentile 515 µs, lower quartile 6.44 ms, median 12.9 ms, upper quartile 19.3 ms, 98th percentile 25.2 ms',
    );
    expect(await path('kernel', 'median')).toMatch(/^M500 5V17$/);
    const right = /H([\d.]+)V/.exec((await path(solve, 'box')) ?? '')?.[1];
    expect(Number(right)).toBeGreaterThan(100);
    expect(Number(right)).toBeLessThan(250);
    expect(await path('kernel', 'outliers')).toBe('');
    await spreadMenu('Outliers');
    await expect.poll(() => path('kernel', 'outliers')).toMatch(/^(M[\d.]+ 11h0){3}$/);
    await spreadMenu('Same Scale in All Rows');
    const most = (text: string) => async () =>
      Math.max(
        ...[...((await path(text, 'outliers')) ?? '').matchAll(/M([\d.]+)/g)].map((dot) => Number(dot[1])),
      );
    await expect.poll(most(solve)).toBe(992);
    await expect.poll(() => panel.view.state()).toMatchObject({ spreadOutliers: true, spreadScale: 'row' });
    await panel.view.reload();
    await drawn('kernel');
    expect(await most(solve)()).toBe(992);
    await spreadMenu('Outliers');
    // Without them, the whiskers fill the row's own axis.
    await expect.poll(() => path(solve, 'whiskers')).toMatch(/M992 \S+$/);
  });

  it('have one axis, which is that of all rows, also of those that are not in view', async () => {
    const names = Array.from({ length: 80 }, (_, at) => `f${String(at).padStart(2, '0')}`);
    const profile = profileOf(
      'axis',
      names.map((name) => ({ name })),
      names.map((name, at) => [-1, at, name === 'f79' ? 100 : 25, 1] as const),
    );
    await open(() => ({ ...ofRanks(profile, 4), weight: () => 1 }), {
      state: { tab: 'functions', flatSort: { column: 'name', direction: 'ascending' } },
    });
    await ready();
    await drawn('f00');
    // 6.25 s of 25 s: 8 + 984 / 4.
    expect(await path('f00', 'box')).toMatch(/^M254 /);
  });

  it('F3 say where the pointer is: range of the values, number of processes and their names', async () => {
    await open(() => hundred());
    await ready();
    await flat();
    await drawn('kernel');
    await pointAt('kernel', 0.6);
    await expect
      .poll(() => tip().innerText())
      .toBe(
        [
          'Between median and upper quartile: 12.9 ms to 19.3 ms',
          '26 of 100 processes: ranks 50, 63–87',
          'P2 515 µs · P25 6.44 ms · median 12.9 ms · P75 19.3 ms · P98 25.2 ms · mean 13 ms',
          'Axis from 0 s to 25.7 ms. Right-click to show only these.',
        ].join('\n'),
      );
    await pointAt('kernel', 0.99);
    await expect
      .poll(() => tip().innerText())
      .toMatch(/^Above the 98th percentile.*\n2 of 100 processes: ranks 0, 99\n/);
    await pointAt('kernel', 0.2);
    await expect.poll(() => tip().innerText()).toMatch(/^Between 2nd percentile and lower quartile/);
    await page().mouse.move(5, 5);
    await tip().waitFor({ state: 'detached' });
    // Another profile is shown, from which no tip is.
    await pointAt('kernel', 0.2);
    await tip().waitFor();
    panel.view.tell('opened', panel.extension.opened());
    await tip().waitFor({ state: 'detached' });
  });

  it('choose the processes of a part by a menu, also those of chosen ones', async () => {
    await open(() => hundred());
    await ready();
    await flat();
    await drawn('kernel');
    const { x, y } = await pointAt('kernel', 0.6);
    await page().mouse.click(x, y, { button: 'right' });
    await tip().waitFor({ state: 'detached' });
    await menu('Show Only Processes between median and upper quartile').click();
    expect(await untilAsked('choose')).toEqual({ processes: [50, 50, 63, 87] });
    panel.view.tell('opened', panel.extension.opened());
    await expect.poll(() => page().locator('.chosen-processes').innerText()).toContain('Ranks 50, 63–87');
    await drawn('kernel');
    const again = await pointAt('kernel', 0.99);
    await expect.poll(() => tip().innerText()).toMatch(/\n7 of 26 processes: ranks 81–87\n/);
    await page().mouse.click(again.x, again.y, { button: 'right' });
    await menu('Show Only Processes between upper quartile and 98th percentile').click();
    await expect.poll(() => lastAsked('choose')).toEqual({ processes: [81, 87] });
  });

  it('F20 have the same by keys, and as text', async () => {
    await open(() => hundred());
    await ready();
    await flat();
    await drawn('kernel');
    await page().locator('.grid:visible').focus();
    await page().keyboard.press('Home');
    const choice = (name: string) => menu(name).getAttribute('aria-disabled');
    await page().keyboard.press('Shift+F10');
    expect(await choice('Show Only Processes above the 98th percentile')).toBeNull();
    await menu('Copy Processes above the median').waitFor();
    await page().keyboard.press('Escape');
    const text = await page().evaluate(() => {
      const event = new ClipboardEvent('copy', { clipboardData: new DataTransfer(), bubbles: true });
      document.activeElement?.dispatchEvent(event);
      return event.clipboardData?.getData('text/plain');
    });
    expect(text?.split('\t')[5]).toBe('515 µs / 6.44 ms / 12.9 ms / 19.3 ms / 25.2 ms');
    await page().keyboard.press('Shift+F10');
    await menu('Show Only Processes above the median').focus();
    await page().keyboard.press('Enter');
    expect(await untilAsked('choose')).toEqual({ processes: [0, 0, 51, 99] });
  });

  it('say that no process is above a percentile', async () => {
    await open(() => ({ ...ofRanks(small(), 4), weight: () => 1 }));
    await ready();
    await drawn('main');
    await row('main').click({ button: 'right', position: { x: 30, y: 8 } });
    for (const part of ['median', '98th percentile'])
      expect(await menu(`Show Only Processes above the ${part}`).getAttribute('aria-description')).toBe(
        'There are none.',
      );
  });

  it('F9 sort by what imbalance costs, with a word while that is computed', async () => {
    let release = (): void => undefined;
    const waits = new Promise<void>((resolve) => (release = resolve));
    // W16: a quarter of the time, and all of the imbalance.
    const w16 = profileOf(
      'w16',
      ['main', 'uneven', 'even'].map((name) => ({ name })),
      [
        [-1, 0, 0, 1],
        [0, 1, 100, 4],
        [0, 2, 400, 4],
      ],
    );
    await open(() => ({
      ...ofRanks(w16, 4),
      weight: (callPath, location) => (callPath === 1 ? location + 1 : 1),
      before: (request) => (request === 'pathScores' ? waits : undefined),
    }));
    await ready();
    await drawn('even');
    const order = async () => (await rows().allInnerTexts()).map((text) => text.split(/\s/)[0]);
    expect(await order()).toEqual(['main', 'even', 'uneven']);
    await header('Spread').getByRole('button').click();
    expect(await untilAsked('pathScores')).toEqual({
      ...{ side: 'main', metric: 1, extent: 'inclusive', score: 'imbalance' },
    });
    const busy = () => page().locator('.grid:visible').getAttribute('aria-busy');
    expect(await busy()).toBe('true');
    expect(await order()).toEqual(['main', 'even', 'uneven']);
    release();
    await expect.poll(order).toEqual(['main', 'uneven', 'even']);
    expect(await busy()).toBe('false');
    await flat();
    await header('Spread').getByRole('button').click();
    await expect.poll(order).toEqual(['uneven', 'main', 'even']);
    expect(lastAsked('spreadScores')).toEqual({
      ...{ side: 'main', metric: 1, extent: 'exclusive', score: 'imbalance' },
      // The functions, and their group.
      rows: pathSets([[0], [1], [2], [0, 1, 2]]),
    });
    // The same number of visits: the one with more exclusive time comes first.
    await header('Visits').getByRole('button').click();
    await expect.poll(order).toEqual(['even', 'uneven', 'main']);
  });

  it('F18 show two runs on one axis, one above the other, with differences and ratios', async () => {
    await open(() => hundred(), { others: [hundred('slow', 2)] });
    await ready();
    await page()
      .getByRole('combobox', { name: /Compare/ })
      .click();
    await page().getByRole('option', { name: /slow/ }).click();
    await untilAsked('compare');
    panel.view.tell('opened', panel.extension.opened());
    await expect.poll(() => page().locator('.comparison').innerText()).toMatch(/Compared with/);
    await flat();
    await expect.poll(() => label('kernel')).toMatch(/median 12.9 ms, .*; compared run: .* median 24.8 ms, /);
    expect(await path('kernel', 'median')).toMatch(/ 2\.5V10\.5$/);
    expect(await path('kernel', 'median', 'compare')).toMatch(/ 11\.5V19\.5$/);
    await pointAt('kernel', 0.5, 0.75);
    await expect
      .poll(() => tip().innerText())
      .toMatch(/^Between .*\nCompared run\. Axis|26 of 100[^]*Compared run\. Axis/);
    await expect.poll(() => tip().innerText()).toMatch(/of 100 processes: ranks/);
    // Processes of the compared run are those of the same ranks in this one.
    const { x, y } = await pointAt('kernel', 0.6, 0.75);
    await page().mouse.click(x, y, { button: 'right' });
    await menu('Show Only Processes between median and upper quartile').click();
    expect(lastAsked('rowValues')).toMatchObject({ side: 'compare' });
    await expect.poll(() => lastAsked('choose')).toEqual({ processes: [50, 50, 63, 87] });
    await page().getByRole('button', { name: 'Show All' }).click();
    await drawn('kernel');
    await column('Ratio Exclusive');
    await expect.poll(() => row('kernel').innerText()).toContain('0.52×');
    await expect.poll(() => row(solve).innerText()).toContain('1.00×');
    await panel.view.screenshot('hotSpots-spread-compare');
  });

  it('F4 have averages beside them: per process, and per visit', async () => {
    await open(() => hundred());
    await ready();
    await flat();
    for (const name of ['Mean Exclusive', 'Mean Inclusive', 'Exclusive per Visit']) await column(name);
    const cells = async () => (await row(solve).innerText()).split(/\n/);
    // 300 ms of 1.65 s, by 100 processes, in 10 visits.
    await expect.poll(async () => (await cells()).join('|')).toContain('16.5 ms|3 ms|10|165 ms|30 ms');
  });

  it('are not there for one process, and for the chosen one', async () => {
    await open(() => ofRanks(small(), 1));
    await ready();
    expect(await header('Spread').count()).toBe(0);
    expect(await page().getByRole('button', { name: 'Spread over Processes' }).isVisible()).toBe(false);
  });

  it('are asked for as they come into view, in few requests, and given up when they are scrolled away', async () => {
    const count = 20_000;
    let holds = true;
    let release = (): void => undefined;
    const waits = new Promise<void>((resolve) => (release = resolve));
    const profile: TestProfile = {
      ...ofRanks(large(count), 64),
      weight: (callPath, location) => 1 + ((callPath + location) % 5),
      before: (request) => (request === 'spreads' && holds ? waits : undefined),
    };
    await open(() => profile);
    await ready();
    await page().getByRole('button', { name: 'Expand All' }).click();
    const spreads = () => panel.asked.filter(({ name }) => name === 'spreads');
    await expect.poll(() => spreads().length).toBeGreaterThan(0);
    const grid = page().locator('.grid:visible');
    await grid.evaluate((element) => (element.scrollTop = 200_000));
    // Those of the first screen have no answer yet, and nobody waits for it.
    await expect.poll(() => spreads().length).toBeGreaterThan(1);
    holds = false;
    release();
    await expect
      .poll(() => rows().nth(8).locator('.spread-plot').getAttribute('aria-label'))
      .toMatch(/median/);
    const asked = spreads().map(
      ({ parameters }) => (parameters as { rows: { ends: Uint32Array } }).rows.ends.length,
    );
    expect(Math.max(...asked)).toBeLessThanOrEqual(100);
    expect(asked.length).toBeLessThanOrEqual(6);
    const before = spreads().length;
    await grid.evaluate((element) => (element.scrollTop += 22));
    await grid.evaluate((element) => (element.scrollTop -= 22));
    await page().waitForTimeout(300);
    expect(spreads().length).toBeLessThanOrEqual(before + 1);
  });

  it('say once why there are none', async () => {
    await open(() => ({ ...hundred(), before: () => Promise.reject(new Error('The profile is gone.')) }));
    await ready();
    await page().getByText('The profile is gone.').first().waitFor();
    const asked = panel.asked.filter(({ name }) => name === 'spreads').length;
    await page().waitForTimeout(400);
    expect(panel.asked.filter(({ name }) => name === 'spreads').length).toBe(asked);
    expect(await label('main')).toBe('');
  });

  it('are readable in all four themes, and in a narrow panel', async () => {
    await open(() => hundred(), {
      state: { spreadOutliers: true, tab: 'functions' },
      size: { width: 1150, height: 420 },
    });
    await ready();
    await drawn('kernel');
    await row(solve).click();
    for (const theme of themeNames) {
      await panel.view.setTheme(theme);
      await page().waitForTimeout(300);
      expect(await panel.view.lowContrast()).toEqual([]);
      await pointAt('kernel', 0.6);
      await expect.poll(() => tip().innerText()).toContain('26 of 100');
      await panel.view.screenshot(`hotSpots-spread-${theme}`);
    }
    await page().setViewportSize({ width: 620, height: 420 });
    await page().waitForTimeout(200);
    await panel.view.screenshot('hotSpots-spread-narrow');
  });
});
