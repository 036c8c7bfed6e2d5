import { describe, expect, it } from 'vitest';
import { themeNames } from '../lib/themes';
import { useHotSpotsPanel } from './hotSpotsPanel';
import { large, onRanks, small } from './profiles';

const panel = useHotSpotsPanel();
const { open, ready, untilAsked, search, selected } = panel;

const tab = (name: string) => panel.view.page.getByRole('tab', { name }).click();
const map = () => panel.view.page.getByRole('application', { name: /^Functions × ranks/ });
const strip = () => panel.view.page.getByRole('application', { name: /^Time of each rank/ });
const matrix = () => panel.view.page.getByRole('application', { name: /^Communication matrix/ });
const mapText = () => panel.view.page.locator('.rank-map .read-out').innerText();
const stripText = () => panel.view.page.locator('.rank-strip .read-out').innerText();
const matrixText = () => panel.view.page.locator('.matrix .read-out').innerText();
const asked = (name: string) =>
  panel.asked.filter((one) => one.name === name).map(({ parameters }) => parameters as { regions: number[] });

describe('ranks in the hot-spot panel', () => {
  it('are shown for runs of several processes only', async () => {
    await open();
    await ready();
    expect(await panel.view.page.getByRole('tab', { name: 'Ranks' }).count()).toBe(0);
    await open(() => onRanks(small(), 6), { state: { tab: 'communication' } });
    await ready();
    expect(await panel.view.page.getByRole('tab').allInnerTexts()).toEqual([
      'Call Tree',
      'Functions',
      'Flame Graph',
      'Groups',
      'Ranks',
    ]);
    expect(asked('rankRows')).toEqual([]);
  });

  it('says of each cell what it is, selects the function, and leads to its source', async () => {
    await open(() => onRanks(small(), 8));
    await ready();
    await tab('Ranks');
    await expect.poll(mapText).toBe('6 functions, 8 ranks. Click a function to select it.');
    await map().focus();
    await panel.view.page.keyboard.press('ArrowDown');
    await panel.view.page.keyboard.press('End');
    // 1.3 s over 8 ranks, times 0.5 … 1.5.
    await expect
      .poll(mapText)
      .toBe('kernel, rank 7 on node0: 244 ms, 12.2 % of the run, +50 % against the function’s mean');
    await panel.view.page.keyboard.press('ArrowDown');
    await panel.view.page.keyboard.press('Home');
    await expect.poll(mapText).toMatch(/^solve\(.*, rank 0 on node0: 56.2 ms, 2.8 % of the run, \+50 %/);
    await panel.view.screenshot('hotSpots-ranks');
    await panel.view.page.keyboard.press('ArrowUp');
    await panel.view.page.keyboard.press('Enter');
    await expect
      .poll(stripText)
      .toMatch(/^Rank 0 on node0: computation 500 ms \(50.0 %\), waiting for ranks 450 ms/);
    await expect.poll(() => asked('rankTimes').at(-1)).toEqual({ region: 2 });
    expect(panel.asked.some(({ name }) => name === 'openSource')).toBe(false);
    await panel.view.page.keyboard.press('Enter');
    expect(await untilAsked('openSource')).toEqual({ side: 'main', region: 2 });
    await tab('Functions');
    await expect.poll(() => selected().innerText()).toMatch(/^kernel/);
  });

  it('shows the functions that the search finds', async () => {
    await open(() => onRanks(small(), 8));
    await ready();
    await tab('Ranks');
    await search('kern');
    await expect.poll(mapText).toMatch(/^1 function, 8 ranks/);
  });

  it('has a click for a function and a second one for its source, and values and order to choose', async () => {
    await open(() => onRanks(small(), 8));
    await ready();
    await tab('Ranks');
    await map().click({ position: { x: 400, y: 40 } });
    await expect.poll(() => asked('rankTimes').at(-1)).toEqual({ region: 2 });
    await map().click({ position: { x: 400, y: 40 } });
    expect(await untilAsked('openSource')).toEqual({ side: 'main', region: 2 });
    const choose = async (label: string, key: string) => {
      await panel.view.page.locator(`vscode-dropdown[aria-label="${label}"]:visible`).focus();
      await panel.view.page.keyboard.press(key);
    };
    await choose('Times of', 'ArrowDown');
    await expect.poll(() => asked('rankTimes').at(-1)).toEqual({ region: -1 });
    await choose('Order', 'ArrowDown');
    await strip().focus();
    await panel.view.page.keyboard.press('Home');
    await expect.poll(stripText).toMatch(/^Rank 7 on node0: computation 850 ms/);
    await choose('Values', 'ArrowDown');
    await expect.poll(() => asked('rankRows').at(-1)).toMatchObject({ extent: 'inclusive' });
    await choose('Colours', 'ArrowDown');
    await expect
      .poll(() => panel.view.state())
      .toMatchObject({
        tab: 'ranks',
        extent: 'inclusive',
        rankScale: 'row',
        rankOrder: 'value',
        rankScope: 'run',
      });
    await panel.view.reload();
    await map().waitFor();
    await expect.poll(() => asked('rankRows').at(-1)).toMatchObject({ extent: 'inclusive' });
  });

  it('asks for the rows of 2,000 functions on 4,096 ranks as they come into view, and combines ranks honestly', async () => {
    await open(() => onRanks(large(4000), 4096), { size: { width: 900, height: 700 } });
    await ready();
    await tab('Ranks');
    await expect
      .poll(mapText)
      .toMatch(/^\d+ functions, 4096 ranks; a column shows the largest value of \d+ ranks/);
    expect(asked('rankRows').flatMap(({ regions }) => regions).length).toBeLessThan(64);
    await map().focus();
    await panel.view.page.keyboard.press('ArrowDown');
    await expect.poll(mapText).toMatch(/, ranks 0-7 on node0: most .* \(rank \d\), mean .* of the run/);
    const before = asked('rankRows').length;
    for (let page = 0; page < 3; page++) await panel.view.page.keyboard.press('PageDown');
    await expect.poll(() => asked('rankRows').length).toBeGreaterThan(before);
    await panel.view.screenshot('hotSpots-ranks-4096');
  });

  it('saves the map and the times as CSV, and shows both as tables', async () => {
    await open(() => onRanks(small(), 8));
    await ready();
    await tab('Ranks');
    const save = async (what: string) => {
      await panel.view.page.getByRole('button', { name: `${what}: Save…` }).click();
      await panel.view.page.getByRole('menuitem', { name: 'Save as CSV…' }).click();
      await expect
        .poll(
          () =>
            (panel.asked.findLast(({ name }) => name === 'save')!.parameters as { name?: string } | undefined)
              ?.name,
        )
        .toBe(what === 'Time of each rank' ? 'time of ranks' : 'functions by rank');
      const { content, format } = panel.asked.findLast(({ name }) => name === 'save')!.parameters as {
        content: Uint8Array;
        format: string;
      };
      expect(format).toBe('csv');
      return new TextDecoder().decode(content).split('\r\n');
    };
    const functions = await save('Functions × ranks');
    expect(functions[0]).toBe('function (sec),rank 0,rank 1,rank 2,rank 3,rank 4,rank 5,rank 6,rank 7');
    expect(functions[1]).toMatch(/^kernel,0\.08125,/);
    expect(functions).toHaveLength(1 + 6 + 1);
    const times = await save('Time of each rank');
    expect(times[0]).toBe('rank,host,Computation (sec),Waiting for ranks (sec),Rest of MPI (sec)');
    expect(times[1]).toBe('0,node0,0.5,0.44999999999999996,0.05');
    await panel.view.page.getByRole('button', { name: 'Functions × ranks: Show as Table' }).click();
    await expect
      .poll(() => panel.view.page.locator('.rank-map .grid-row').first().innerText())
      .toMatch(/^kernel\s+163 ms\s+81.3 ms\s+0\s+244 ms\s+7\s+\+50 %/);
  });

  it('shows who sends to whom, exactly, at any size', async () => {
    await open(() => onRanks(small(), 4096, true), { size: { width: 900, height: 700 } });
    await ready();
    expect(asked('communication')).toEqual([]);
    await tab('Communication');
    await expect
      .poll(matrixText)
      .toBe('4096 ranks, 23040 pairs, 1.76 GiB in all; colours are logarithmic. Double-click zooms.');
    await matrix().focus();
    await panel.view.page.keyboard.press('ArrowDown');
    await expect.poll(matrixText).toMatch(/^0-8 → 0-8: .* in 160 messages, .*, 16 pairs; all sent /);
    await panel.view.screenshot('hotSpots-communication-4096');
    for (let zoom = 0; zoom < 8; zoom++) await panel.view.page.keyboard.press('+');
    await panel.view.page.keyboard.press('ArrowRight');
    await expect
      .poll(matrixText)
      .toBe('0 → 1: 80 KiB in 10 messages, 1 µs; all sent 240 KiB, all received 320 KiB');
    await panel.view.page.keyboard.press('ArrowRight');
    await expect.poll(matrixText).toMatch(/^0 → 2: nothing; /);
    await panel.view.page.keyboard.press('Escape');
    await expect.poll(matrixText).toMatch(/^0-8 → 0-8/);
  });

  it('is readable in all four themes, and in a narrow panel', async () => {
    await open(() => onRanks(small(), 64));
    await ready();
    for (const view of ['Ranks', 'Communication'])
      for (const theme of themeNames) {
        await panel.view.setTheme(theme);
        await tab(view);
        await panel.view.page.mouse.move(5, 5);
        await panel.view.page.waitForTimeout(300);
        expect(await panel.view.lowContrast()).toEqual([]);
        await panel.view.screenshot(`hotSpots-${view.toLowerCase()}-${theme}`);
      }
    await panel.view.page.setViewportSize({ width: 400, height: 640 });
    await panel.view.page.waitForTimeout(200);
    await panel.view.screenshot('hotSpots-communication-narrow');
    await tab('Ranks');
    await panel.view.page.waitForTimeout(200);
    await panel.view.screenshot('hotSpots-ranks-narrow');
  });
});
