import { describe, expect, it } from 'vitest';
import type {
  DecisionRow,
  RefinementEvents,
  RefinementRequests,
  RefinementShown,
} from '../../../src/protocol/refinement';
import { themeNames } from '../lib/themes';
import { useViews } from '../lib/useViews';
import type { View } from '../lib/view';
import { answersOf, type Asked, complete, iteration, iterations, rows } from './study';

type RefinementPage = View<RefinementRequests, RefinementEvents>;

const views = useViews();

/** The study as the extension knows it; tests change it. */
let shown: RefinementShown;
let decisions: readonly DecisionRow[];
let asked: Asked[];
let view: RefinementPage;

async function open(
  change: Partial<RefinementShown> = {},
  options: { readonly state?: unknown; readonly size?: { width: number; height: number } } = {},
): Promise<RefinementPage> {
  shown = complete(change);
  decisions = rows.slice(0, shown.functions);
  asked = [];
  view = await views.open<RefinementRequests, RefinementEvents>({
    entry: 'webview/refinement/main.ts',
    answers: answersOf(
      () => shown,
      asked,
      () => decisions,
    ),
    ...options,
  });
  return view;
}

/** Waits for what the view asked for. */
async function untilAsked(name: keyof RefinementRequests): Promise<unknown> {
  await expect.poll(() => asked.some(([one]) => one === name)).toBe(true);
  return asked.find(([one]) => one === name)?.[1];
}

async function ready(): Promise<void> {
  await view.page.locator('.grid-row:visible').first().waitFor();
}

function tell(change: Partial<RefinementShown>): void {
  shown = { ...shown, ...change };
  view.tell('shown', shown);
}

describe('refinement panel', () => {
  it('says what the study has come to', async () => {
    await open();
    await ready();
    expect(await view.page.locator('.title').innerText()).toBe('Refinement of lulesh');
    expect(await view.page.locator('.summary').innerText()).toBe(
      '17 functions instrumented, overhead 3.9 %; stopped because the selection no longer changes.',
    );
    // Only visible rows are in the page.
    expect(await view.page.locator('.grid-row').count()).toBeLessThan(60);
    expect(await view.page.locator('.count').first().innerText()).toBe('1200 functions');
  });

  it('shows names as text, whatever they are', async () => {
    await open();
    await ready();
    await view.page.locator('.grid-row', { hasText: '<img src=x' }).waitFor();
    expect(await view.page.locator('img').count()).toBe(0);
  });

  it.each(themeNames)('can be read in %s', async (theme) => {
    await open({ accepted: 2 });
    await ready();
    await view.setTheme(theme);
    expect(await view.lowContrast()).toEqual([]);
    await view.screenshot(`refinement-${theme}`);
    await view.page.getByRole('button', { name: /Show as Table/ }).click();
    await view.page.locator('.chart-table').waitFor();
    await view.page.getByRole('tab', { name: 'Difference' }).click();
    await view.page.locator('.grid-row:visible', { hasText: 'included' }).waitFor();
    expect(await view.lowContrast()).toEqual([]);
    await view.screenshot(`refinement-table-${theme}`);
  });

  it('fits beside the source', async () => {
    await open({}, { size: { width: 360, height: 700 } });
    await ready();
    await view.screenshot('refinement-narrow');
    // What scrolls by itself may be wider.
    const cut = await view.page.evaluate(() =>
      [...document.querySelectorAll('body *')]
        .filter(
          (one) => one.closest('.grid') === null && one.getBoundingClientRect().right > innerWidth + 0.5,
        )
        .map((one) => `${one.tagName}.${one.className}`),
    );
    expect(cut).toEqual([]);
  });

  it('has a table with the numbers of the chart', async () => {
    await open({}, { state: { showsTable: true } });
    await ready();
    const table = await view.page.locator('.chart-table').innerText();
    for (const text of ['18.6 %', '11.2 %', '61', '4.1 %']) expect(table).toContain(text);
  });

  it('finds functions, filters and sorts, and says how many', async () => {
    await open();
    await ready();
    const count = view.page.locator('.count').first();
    await view.page.locator('.search-box vscode-text-field').first().click();
    await view.page.keyboard.type('step_11');
    await expect.poll(() => count.innerText()).toBe('111 of 1200 functions');
    await view.page.keyboard.press('Alt+R');
    await view.page.keyboard.press('End');
    await view.page.keyboard.type('[05]\\(');
    await expect.poll(() => count.innerText()).toBe('2 of 1200 functions');
    await view.page.keyboard.type('(');
    await expect.poll(() => view.page.locator('.search-count').first().innerText()).not.toBe('');
    await view.page.keyboard.press('Escape');
    await expect.poll(() => count.innerText()).toBe('1200 functions');
    await view.page
      .getByRole('columnheader', { name: /Visits/ })
      .getByRole('button')
      .first()
      .click();
    await expect.poll(() => view.page.locator('.grid-row').filter({ hasText: '99000' }).count()).toBe(1);
  });

  it('pins, unpins and goes to the source by keys', async () => {
    await open();
    await ready();
    await view.tabTo(/grid Decisions/);
    await view.page.keyboard.press('Home');
    await view.page.keyboard.press('Enter');
    expect(await untilAsked('openSource')).toEqual({ row: 0 });
    await view.page.keyboard.press(' ');
    expect(await untilAsked('pin')).toEqual({ row: 0, state: 'out' });
    decisions = decisions.map((row, at) => (at === 0 ? { ...row, pinned: 'out' } : row));
    tell({ revision: 2 });
    await view.page.locator('.grid-row', { hasText: 'pinned out' }).waitFor();
    asked.length = 0;
    await view.page.keyboard.press('Delete');
    expect(await untilAsked('pin')).toEqual({ row: 0, state: 'none' });
  });

  it('pins by the check box, too', async () => {
    await open();
    await ready();
    await view.page.locator('.grid-row', { hasText: 'CalcForce' }).locator('.state-box').click();
    expect(await untilAsked('pin')).toEqual({ row: 0, state: 'out' });
  });

  it('reaches every button by keys, and says why one cannot be used', async () => {
    await open();
    await ready();
    await view.tabTo(/Next Round/);
    await view.page.keyboard.press('Enter');
    await untilAsked('next');
    await view.page.keyboard.press('ArrowRight');
    expect(await view.focused()).toContain('Stop');
    await view.page.keyboard.press('Enter');
    await expect
      .poll(() => view.page.locator('[role=status][aria-live]').innerText())
      .toContain('Nothing runs.');
    expect(asked.some(([name]) => name === 'stop')).toBe(false);
    await view.page.keyboard.press('End');
    expect(await view.focused()).toContain('Export Filter');
    await view.page.keyboard.press('Enter');
    expect(await untilAsked('exportFilter')).toEqual({ iteration: 2 });
  });

  it('accepts the round that is chosen in the chart', async () => {
    await open();
    await ready();
    await view.tabTo(/Overhead and functions per round\./);
    await view.page.keyboard.press('Home');
    await view.page.keyboard.press('ArrowRight');
    await view.page.keyboard.press('Enter');
    await view.page.getByRole('button', { name: 'Accept' }).click();
    expect(await untilAsked('accept')).toEqual({ iteration: 1 });
  });

  it('follows a refinement while it runs', async () => {
    await open({
      state: 'running',
      iterations: [],
      functions: 0,
      disabled: { next: 'It runs. Wait for it, or stop it.', accept: 'No round is finished yet.' },
      progress: { message: 'Building lulesh', stopping: false },
    });
    await view.page.getByText('The decisions appear here').waitFor();
    await view.screenshot('refinement-running-empty');
    view.tell('progress', {
      message: 'Round 0, run 2 of 3',
      fraction: 0.3,
      remainingSeconds: 40,
      stopping: false,
    });
    await view.page.getByText('Round 0, run 2 of 3 · about 40 s left').waitFor();
    expect(await view.page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('30');
    decisions = rows;
    tell({ iterations: iterations.slice(0, 1), functions: rows.length, revision: 2, disabled: {} });
    await ready();
    tell({ iterations: [...iterations, iteration(3, 18, 4.4, 2.1, 4.2)], revision: 3 });
    await expect
      .poll(() => view.page.locator('[role=status][aria-live]').innerText())
      .toBe('Round 3: 18 functions instrumented, overhead 4.4 %.');
    await view.screenshot('refinement-running');
    await view.page.getByRole('button', { name: 'Stop' }).click();
    await untilAsked('stop');
  });

  it('watches a refinement of another process, and says why it cannot steer it', async () => {
    const why = 'It runs in another window or on the command line (process 4711 on node1): stop it there.';
    await open({
      state: 'elsewhere',
      runner: 'process 4711 on node1, since 10:05',
      iterations: iterations.slice(0, 1),
      disabled: { next: 'It runs elsewhere.', stop: why },
    });
    await ready();
    expect(await view.page.locator('.title-row').innerText()).toContain('Running elsewhere');
    await view.page.getByText('Refined by process 4711 on node1, since 10:05').waitFor();
    await view.screenshot('refinement-elsewhere');
    await view.tabTo(/Next Round/);
    await view.page.keyboard.press('ArrowRight');
    await view.page.keyboard.press('Enter');
    await expect.poll(() => view.page.locator('[role=status][aria-live]').innerText()).toContain(why);
    tell({ iterations: iterations.slice(0, 2), revision: 2 });
    await expect
      .poll(() => view.page.locator('[role=status][aria-live]').innerText())
      .toContain('Round 1: 24 functions');
    // What is left out is no longer so.
    view.tell('shown', complete({ iterations: iterations.slice(0, 2), revision: 3 }));
    await expect.poll(() => view.page.locator('.doing').isVisible()).toBe(false);
    expect(asked.some(([name]) => name === 'stop' || name === 'next')).toBe(false);
  });

  it('offers to go on with an interrupted study', async () => {
    await open({ state: 'interrupted', iterations: iterations.slice(0, 1) });
    await ready();
    await view.page.getByRole('button', { name: 'Resume' }).click();
    await untilAsked('next');
  });

  it('says that the study was deleted', async () => {
    await open();
    await ready();
    tell({ state: 'gone' });
    await view.page.getByText('was deleted while it was shown').waitFor();
    await view.screenshot('refinement-gone');
  });

  it('shows again what the user was looking at', async () => {
    await open();
    await ready();
    await view.page.locator('.search-box vscode-text-field').first().click();
    await view.page.keyboard.type('Calc');
    await expect.poll(() => view.page.locator('.count').first().innerText()).toBe('2 of 1200 functions');
    await view.page.getByRole('tab', { name: 'Difference' }).click();
    await view.reload();
    await view.page.getByRole('tab', { name: 'Difference', selected: true }).waitFor();
    await view.page.getByRole('tab', { name: 'Decisions' }).click();
    await expect.poll(() => view.page.locator('.count').first().innerText()).toBe('2 of 1200 functions');
    expect(await view.state()).toMatchObject({ target: 'lulesh', study: shown.study, folder: shown.folder });
  });

  it('asks for the difference of the last two rounds, and of others on demand', async () => {
    await open();
    await ready();
    await view.page.getByRole('tab', { name: 'Difference' }).click();
    expect(await untilAsked('difference')).toEqual({ from: 1, to: 2 });
    await view.page.locator('.grid-row', { hasText: 'CalcVolume' }).last().dblclick();
    expect(await untilAsked('openSource')).toEqual({ row: 1 });
    expect(await view.page.getByText('1 function included, 1 excluded').count()).toBe(1);
  });
});

describe('a refinement panel that gets nonsense', () => {
  it('ignores messages that are none of the protocol, and any kept state', async () => {
    await open(
      {},
      { state: { tab: 7, chartShare: 'x', decisions: { sort: [] }, decisionLayout: 3, from: -1 } },
    );
    await ready();
    for (const message of [undefined, 5, { kind: 'event' }, { kind: 'event', name: '__proto__', value: 1 }])
      await view.send(message);
    expect(await view.page.locator('.title').innerText()).toBe('Refinement of lulesh');
  });
});
