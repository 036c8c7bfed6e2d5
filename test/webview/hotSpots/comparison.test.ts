import { describe, expect, it } from 'vitest';
import { useHotSpotsPanel } from './hotSpotsPanel';
import { hostileName, small } from './profiles';

const panel = useHotSpotsPanel();
const { open, ready, untilAsked } = panel;

const before = () => small('before', 0.5);
const grid = () => panel.view.page.getByRole('grid', { name: 'Changes of functions and calls' });
const rowTexts = async () =>
  (await grid().locator('.grid-row').allInnerTexts()).map((text) => text.split('\n'));
const names = async () => (await rowTexts()).map(([name]) => name);
const list = () => panel.view.page.locator('vscode-dropdown[aria-label="Compare with"]');
/** By keys: nothing, the run before, another one. */
const choose = async (...keys: readonly string[]) => {
  await list().focus();
  for (const key of keys) await panel.view.page.keyboard.press(key);
};
const compare = async () => {
  await open(() => small(), { others: [before()] });
  await ready();
  await choose('ArrowDown');
  await panel.view.page.getByRole('tab', { name: 'Changes' }).waitFor();
};

async function compared(): Promise<void> {
  await compare();
  await panel.view.page.getByRole('tab', { name: 'Changes' }).click();
  await expect.poll(names).toHaveLength(4);
}

describe('changes since another measurement', () => {
  it('have a view while a run is compared, and are asked for when it is looked at', async () => {
    await open(() => small(), { others: [before()] });
    await ready();
    expect(await panel.view.page.getByRole('tab', { name: 'Changes' }).count()).toBe(0);
    await choose('ArrowDown');
    await panel.view.page.getByRole('tab', { name: 'Changes' }).waitFor();
    expect(panel.asked.some(({ name }) => name === 'changes')).toBe(false);
    await panel.view.page.getByRole('tab', { name: 'Changes' }).click();
    await untilAsked('changes');
  });

  it('show before, after and how sure a change is, the most at stake first; noise is dimmed, and calls that are gone have a row', async () => {
    await compared();
    expect(await rowTexts()).toEqual([
      ['solve', '500 ms', '650 ms', '▲ +30 %', '< 0.1 %', '150 ms', '10'],
      [`main → ${hostileName}`, '100 ms', '–', '− gone', '–', '100 ms', '3 → –'],
      ['↳ main → dot', '100 ms', '150 ms', '≠ +50 % visits', '–', '50 ms', '100 → 150'],
      ['other', '200 ms', '204 ms', '+2.0 %, within the noise', '80.0 %', '4 ms', '7'],
    ]);
    const dimmed = await grid().locator('.grid-row').last().locator('.muted').count();
    expect(dimmed).toBeGreaterThan(0);
    expect(await grid().locator('.grid-row').first().locator('.muted').count()).toBe(0);
    expect(await grid().locator('.grid-row').first().locator('.worse').count()).toBe(1);
    expect(await panel.view.page.locator('.change-notes li').allInnerTexts()).toEqual([
      'before → after: 1 s → 1.2 s in all functions of all processes: 20 % longer.',
      'Means of 5 and 5 runs, without the cost of recording.',
    ]);
    expect(await panel.view.page.title()).not.toBe('1');
  });

  it('can be sorted', async () => {
    await compared();
    await grid().getByRole('columnheader', { name: 'Function or Call' }).click();
    await expect.poll(names).toEqual([`main → ${hostileName}`, '↳ main → dot', 'other', 'solve']);
    await grid().getByRole('columnheader', { name: 'After' }).click();
    await expect.poll(async () => (await names())[0]).toBe('solve');
  });

  it('end by a button, and another measurement is chosen by the extension', async () => {
    await compared();
    await panel.view.page.getByRole('button', { name: 'Stop Comparing' }).click();
    await expect
      .poll(() => panel.asked.filter(({ name }) => name === 'compare').at(-1)?.parameters)
      .toEqual({ experiment: -1 });
    await expect.poll(() => panel.view.page.getByRole('tab', { name: 'Changes' }).count()).toBe(0);
    await choose('End');
    await untilAsked('chooseBaseline');
    // Nothing was chosen: the list shows that nothing is compared.
    await expect.poll(() => list().evaluate((own) => (own as HTMLSelectElement).value)).toBe('-1');
  });

  it('are shown when the extension asks for it', async () => {
    await open(() => small(), {
      others: [before()],
      opened: { compare: before().header, compared: 0, reveal: { what: { tab: 'changes' }, id: 'one' } },
    });
    await untilAsked('changes');
  });
});
