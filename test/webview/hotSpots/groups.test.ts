import { describe, expect, it } from 'vitest';
import { themeNames } from '../lib/themes';
import { useHotSpotsPanel } from './hotSpotsPanel';
import { hostileName, inGroups, profileOf, small, type TestProfile } from './profiles';

const panel = useHotSpotsPanel();
const { open, ready, untilAsked, search } = panel;

const tab = (name: string) => panel.view.page.getByRole('tab', { name }).click();
const picture = () => panel.view.page.getByRole('application', { name: /^Groups of processes/ });
const text = () => panel.view.page.locator('.group-picture .read-out:visible').innerText();
const mark = () => panel.view.page.locator('.chosen-processes');
const press = (key: string) => panel.view.page.keyboard.press(key);

/** Ranks 0 and 63 have neighbours on one side only; the functions of the program are seven, of which one has a hostile name. */
const ends = (): TestProfile =>
  inGroups(small(), 64, [Array.from({ length: 62 }, (_, at) => at + 1), [0, 63]], (place, process) => {
    const isEnd = process === 0 || process === 63;
    if (place === 3 && isEnd) return 0;
    return (1 + (process % 5) / 4) / (place + 1);
  });

const many = (): TestProfile =>
  profileOf(
    'many',
    Array.from({ length: 12 }, (_, at) => ({ name: `ns::part${at}::compute(int)` })),
    Array.from({ length: 12 }, (_, at) => [at - 1, at, 1 / (at + 1), 1] as const),
  );

describe('groups of processes in the hot-spot panel', () => {
  it('are there for runs of several processes or threads, and asked for when they are looked at', async () => {
    await open(ends);
    await ready();
    expect(await panel.view.page.getByRole('tab').allInnerTexts()).toEqual([
      'Call Tree',
      'Functions',
      'Flame Graph',
      'Groups',
      'Ranks',
    ]);
    expect(panel.asked.some(({ name }) => name === 'groups')).toBe(false);
    await tab('Groups');
    await expect.poll(text).toBe('2 groups of 64 processes. Click a group to show only its processes.');
  });

  it('E1, E4: say of each group and section what it is, with the total, by keys', async () => {
    await open(ends, { state: { tab: 'groups' } });
    await expect.poll(text).toMatch(/^2 groups/);
    await picture().focus();
    await press('ArrowDown');
    await expect
      .poll(text)
      .toBe('Ranks 1–62: 62 of 64 processes, each 3.88 s on average, from 2.59 s to 5.19 s');
    await press('ArrowRight');
    await expect.poll(text).toBe('main: 1.5 s on average, from 1 s to 2 s. Ranks 1–62, 62 of 64 processes');
    for (let key = 0; key < 3; key++) await press('ArrowRight');
    await expect.poll(text).toContain(`${hostileName}: 374 ms on average`);
    await press('End');
    await press('ArrowRight');
    for (let key = 0; key < 3; key++) await press('ArrowRight');
    // The ends do not call the fourth function, so that there is no section of it with a least time of 0.
    await expect.poll(text).toMatch(/^deep.*: 275 ms on average, from 200 ms to 350 ms\. Ranks 0, 63/);
    expect(await panel.view.page.title()).not.toBe('1');
  });

  it('F1: choose the processes of all numbers, with a mark that leads back, and after a reload', async () => {
    await open(ends, { state: { tab: 'groups' } });
    await expect.poll(text).toMatch(/^2 groups/);
    await picture().focus();
    await press('End');
    await press('Enter');
    expect(await untilAsked('choose')).toEqual({ processes: [0, 0, 63, 63] });
    panel.view.tell('opened', panel.extension.opened());
    await expect.poll(() => mark().innerText()).toMatch(/^Only\s+Ranks 0, 63\s+\(2 of 64\)/);
    await expect.poll(text).toMatch(/^2 groups of 64/);
    await tab('Functions');
    await expect.poll(() => panel.row('kernel').innerText()).toContain('40.625 ms');
    await expect.poll(() => panel.view.state()).toMatchObject({ tab: 'functions' });
    await panel.view.reload();
    await mark().waitFor();
    await panel.view.page.getByRole('button', { name: 'Show All' }).click();
    await expect
      .poll(() => panel.asked.findLast(({ name }) => name === 'choose')?.parameters)
      .toEqual({ processes: [] });
    panel.view.tell('opened', panel.extension.opened());
    await mark().waitFor({ state: 'detached' });
    await expect.poll(() => panel.row('kernel').innerText()).toContain('1.3 s');
  });

  it('take a click on a row, and ranks that are written', async () => {
    await open(ends, { state: { tab: 'groups' } });
    await expect.poll(text).toMatch(/^2 groups/);
    const { height } = (await picture().boundingBox()) ?? { height: 0 };
    expect(height).toBeGreaterThan(200);
    await picture().click({ position: { x: 40, y: 120 } });
    expect(await untilAsked('choose')).toEqual({ processes: [1, 62] });
    await picture().click({ position: { x: 40, y: 170 }, button: 'right' });
    await panel.view.page.getByRole('menuitem', { name: 'Show Only These Processes' }).click();
    await expect
      .poll(() => panel.asked.findLast(({ name }) => name === 'choose')?.parameters)
      .toEqual({ processes: [0, 0, 63, 63] });
    const field = panel.view.page.locator('.group-list vscode-text-field');
    await field.click();
    await panel.view.page.keyboard.type('x');
    await press('Enter');
    await expect
      .poll(() => panel.view.page.locator('.group-list-error').innerText())
      .toBe('Write ranks such as 0, 2–4.');
    await press('Backspace');
    await panel.view.page.keyboard.type('0, 2-4');
    await press('Enter');
    await expect
      .poll(() => panel.asked.findLast(({ name }) => name === 'choose')?.parameters)
      .toEqual({ processes: [0, 0, 2, 4] });
  });

  it('are sorted and searched, and shown as a table', async () => {
    await open(
      () =>
        inGroups(many(), 8, [[0, 1, 2, 3], [4, 5], [6], [7]], (place, process) =>
          place === 9 && process < 7 ? 0 : process + place,
        ),
      { state: { tab: 'groups', groupOrder: 'time' } },
    );
    await expect.poll(text).toMatch(/^4 groups of 8 processes/);
    await picture().focus();
    await press('ArrowDown');
    await expect.poll(text).toMatch(/^Rank 7: 1 of 8 processes/);
    await search('part9::');
    await expect.poll(text).toMatch(/^(1 group of|Rank 7)/);
    await panel.view.page.getByRole('button', { name: 'Groups of processes: Show as Table' }).click();
    await expect.poll(() => panel.rows().count()).toBe(1);
    await expect
      .poll(() => panel.rows().first().innerText())
      .toMatch(/^Rank 7\s+1\s+132\.00 s\s+7 s \/ 7 s \/ 7 s/);
  });

  it('say that all processes are alike, and why there are none', async () => {
    await open(() => inGroups(small(), 4, [[0, 1, 2, 3]], () => 1), { state: { tab: 'groups' } });
    await expect
      .poll(() => panel.view.page.locator('.group-note').innerText())
      .toBe('All 4 processes call the same functions.');
    await open(() => small(), { state: { tab: 'groups' } });
    await panel.view.page.getByText('It has no groups.').waitFor();
    await panel.view.page.getByRole('button', { name: 'Try Again' }).waitFor();
  });

  it('E5: are drawn of 65,536 processes without a long pause', async () => {
    const count = 65_536;
    const profile = inGroups(
      many(),
      count,
      [0, 1, 2].map((rest) =>
        Array.from({ length: Math.floor((count - rest + 2) / 3) }, (_, at) => 3 * at + rest),
      ),
      (place, process) => 1 + ((process * 7 + place) % 5),
    );
    await open(() => profile);
    await ready();
    await panel.view.page.evaluate(() => {
      const seen: number[] = [];
      (window as unknown as { tasks: number[] }).tasks = seen;
      new PerformanceObserver((list) =>
        seen.push(...list.getEntries().map(({ duration }) => duration)),
      ).observe({
        entryTypes: ['longtask'],
      });
    });
    await tab('Groups');
    await expect.poll(text).toBe('3 groups of 65536 processes. Click a group to show only its processes.');
    await picture().focus();
    for (let key = 0; key < 3; key++) await press('ArrowDown');
    await expect.poll(text).toMatch(/^Ranks 2, 5, 8, .*, … \(21845\): 21845 of 65536 processes/);
    const tasks = await panel.view.page.evaluate(() => (window as unknown as { tasks: number[] }).tasks);
    console.log(`long tasks with 65,536 processes, ms: ${tasks.map(Math.round).join(', ') || 'none'}`);
    await panel.view.screenshot('hotSpots-groups-65536');
    await press('Enter');
    expect(((await untilAsked('choose')) as { processes: number[] }).processes).toHaveLength(2 * 21_845);
  });

  it('are readable in all four themes, and in a narrow panel', async () => {
    await open(
      () =>
        inGroups(
          many(),
          64,
          [Array.from({ length: 55 }, (_, at) => at + 8), [0, 1, 2, 3], [4, 6], [5, 7], [63]],
          (place, process) =>
            place % 4 === process % 4 ? 0 : (1 + ((process * 7 + place) % 6)) / (place + 1),
        ),
      { state: { tab: 'groups' }, size: { width: 1000, height: 760 } },
    );
    await expect.poll(text).toMatch(/^5 groups/);
    await picture().focus();
    await press('ArrowDown');
    await press('Enter');
    await untilAsked('choose');
    panel.view.tell('opened', panel.extension.opened());
    await mark().waitFor();
    await expect.poll(text).toMatch(/^5 groups/);
    for (const theme of themeNames) {
      await panel.view.setTheme(theme);
      await panel.view.page.waitForTimeout(300);
      expect(await panel.view.lowContrast()).toEqual([]);
      await panel.view.screenshot(`hotSpots-groups-${theme}`);
    }
    await panel.view.page.setViewportSize({ width: 400, height: 700 });
    await panel.view.page.waitForTimeout(200);
    await panel.view.screenshot('hotSpots-groups-narrow');
  });
});
