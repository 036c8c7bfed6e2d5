// A search in a program that runs: its state, what can be done with it, and what stays where it is while it grows.
import { describe, expect, it } from 'vitest';
import type { SearchRecord } from '../../../src/core/diagnosis/search/searchRecord';
import type { DiagnosisHeader } from '../../../src/core/views/diagnosis/diagnosisPieces';
import { themeNames } from '../lib/themes';
import { choose, details, done, facts, frame, last, names, open, plain, ready, rows, view } from './panel';
import { hypotheses, large, live, Written } from './searches';
import { volume } from '../../volume';

const going = { wanted: 'search' } as const;
const began: Partial<SearchRecord> = { costLimit: 1 / 0.97, end: 12, strategy: 'partially distributed' };
const state = () => view.page.locator('.search-state');
const next = (search: SearchRecord, more: Partial<DiagnosisHeader> = going): void =>
  view.tell('shown', done(search, more));
const count = (text: string) => expect.poll(() => view.page.locator('.summary').innerText()).toContain(text);
const openLive = (search: SearchRecord, more: Parameters<typeof open>[0] = {}) =>
  open({ state: { isUnfolded: true }, ...more, search, header: going });

/** A root, then functions below it; the first ones are true. */
function growing(functions: number, trueOnes: number, more: Partial<SearchRecord> = {}): SearchRecord {
  const search = new Written();
  const isTrue = trueOnes > 0;
  const root = search.add('CPUBound', {}, isTrue ? 'true' : 'unknown', 0.9, [{ by: 'root', time: 0 }]);
  for (let number = 0; number < functions; number++)
    search.add(
      'CPUBound',
      { Code: ['a.c', `f${number}`] },
      number < trueOnes ? 'true' : 'unknown',
      0.9 - number / 1000,
      [{ node: root, by: 'where', time: 1 }],
    );
  return search.record({ ...live(), ...began, nodes: search.nodes, notices: [], ...more });
}

describe('a search that goes on', () => {
  it('says its state, its time and its cost limit, is paused, goes on, and is stopped', async () => {
    await openLive(live());
    await ready();
    next({ ...live(), ...began });
    await expect.poll(() => state().innerText()).toMatch(/^Searching, 12 s, cost limit 3 %/);
    await view.page.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(() => last('act')).toEqual({ action: 'pause' });
    next({ ...live(), ...began, state: 'paused' }, { wanted: 'pause' });
    await expect.poll(() => state().innerText()).toMatch(/^Paused, 12 s/);
    await view.page.getByRole('button', { name: 'Go On' }).click();
    await expect.poll(() => last('act')).toEqual({ action: 'search' });
    await view.page.getByRole('button', { name: 'Stop Search' }).click();
    await expect.poll(() => last('act')).toEqual({ action: 'stop' });
    next({ ...live(), ...began, state: 'stopped' }, { wanted: 'stop' });
    await expect.poll(() => state().innerText()).toMatch(/^Stopped; the program runs on/);
    for (const name of ['Stop Search', 'Pause'])
      expect(await view.page.getByRole('button', { name }).isEnabled()).toBe(false);
  });

  it('what was not searched from the begin is said once for each reason, and what came later with its time', async () => {
    const left = (id: string) => ({ time: 0, message: `${id} was not searched. It has no counters.` });
    await openLive({
      ...live(),
      notices: [left('LateSender'), left('CPUBound'), { time: 3, message: 'Slowed.' }],
    });
    await ready();
    expect(await view.page.locator('.diagnosis .notes li').allInnerTexts()).toEqual([
      'At 3 s: Slowed.',
      'Not searched: Late sender, CPU bound. It has no counters.',
    ]);
  });

  it('when the program has ended, says so and stays with what was found', async () => {
    await openLive(live());
    await ready();
    await choose('sweep');
    const { usualThresholds, ...ended } = done({ ...live(), state: 'ended' }).header;
    expect(usualThresholds).toBeDefined();
    view.tell('shown', { ...facts, kind: 'done', header: ended });
    await count('The program ended before the search did');
    expect(await state().isVisible()).toBe(false);
    expect(await details()).toContain('CPU bound in sweep is true');
    await view.page.getByRole('tab', { name: 'Thresholds' }).click();
    await view.page.getByText('They can be changed while the program runs.').waitFor();
  });

  it('until it begins, says that it will in a few seconds', async () => {
    const message = 'The search begins in a few seconds: it looks which functions are called often.';
    await open({ shown: { ...facts, kind: 'making', progress: { message } } });
    await view.page.getByText(message).waitFor();
    next(growing(2, 0));
    await ready();
    expect(await names()).toEqual(['?CPU bound']);
  });

  it('only what has changed is fetched, and shown', async () => {
    await openLive(growing(3, 1));
    await ready();
    next(growing(4, 1));
    await count('5 experiments');
    expect(last('nodes')).toEqual({ id: 'search-1', first: 0, count: 5, since: 'search-0' });
  });

  it('what becomes true is opened; what was opened, selected and scrolled stays', async () => {
    await openLive(growing(2, 0), { size: { width: 1000, height: 420 } });
    await ready();
    expect((await names()).length).toBe(1);
    next(growing(60, 1));
    await expect.poll(async () => (await names()).length).toBeGreaterThan(5);
    await choose('f5');
    const grid = view.page.locator('.grid[aria-label=Experiments]');
    const top = () => grid.evaluate((one) => one.scrollTop);
    await grid.evaluate((one) => (one.scrollTop = 600));
    await frame();
    const first = async (): Promise<string> => (await inView())[0] ?? '';
    const before = await first();
    next(growing(90, 1));
    await count('91 experiments');
    await frame();
    expect(await first()).toBe(before);
    expect(await top()).toBeGreaterThan(500);
    expect(await details()).toContain('CPU bound in f5 is undecided');
    // The root, which the user closes, stays closed.
    await grid.evaluate((one) => (one.scrollTop = 0));
    await frame();
    await rows().first().locator('.twistie').click();
    next(growing(91, 1));
    await count('92 experiments');
    expect((await names()).length).toBe(1);
  });

  it('a folded row that becomes true stays open and selected', async () => {
    const processes = (truth: 'true' | 'unknown', more = 0): SearchRecord => {
      const search = new Written();
      const root = search.add('CPUBound', {}, 'true', 0.9, [{ by: 'root', time: 0 }]);
      for (const rank of [0, 1, 2]) {
        const Machine = ['c33', `solver{${rank}}`];
        const own = search.add('CPUBound', { Machine }, truth, 0.8, [{ node: root, by: 'where', time: 1 }]);
        search.add('CPUBound', { Machine, Code: ['a.c', 'f'] }, 'unknown', 0.4 + more, [
          { node: own, by: 'where', time: 2 },
        ]);
      }
      return search.record({ ...live(), ...began, nodes: search.nodes, notices: [] });
    };
    await openLive(processes('unknown'), { state: {} });
    await ready();
    await view.page.getByRole('button', { name: 'Open Everything' }).click();
    await rows().filter({ hasText: '3 processes' }).click();
    next(processes('true'));
    await expect.poll(details).toContain('in 3 of 3 experiments');
    expect((await names()).some((name) => name.includes('f'))).toBe(true);
    expect(plain(await view.page.locator('.grid-row.selected').innerText())).toContain('3 processes');
  });

  it('changed thresholds go to it, and stay while it goes on', async () => {
    await openLive(growing(3, 1), { state: { detail: 'thresholds' } });
    await view.page.getByText('Each change goes to the search in the running program').waitFor();
    const row = view.page.getByRole('group', { name: 'CPU bound', exact: true });
    await row.locator('input[type=range]').fill('45');
    await expect
      .poll(() => last('setThresholds'))
      .toEqual({ thresholds: [{ hypothesis: 'CPUBound', threshold: 0.45 }] });
    const changed = hypotheses.map((one) => (one.id === 'CPUBound' ? { ...one, threshold: 0.45 } : one));
    next(growing(4, 1, { hypotheses: changed }));
    await count('5 experiments');
    expect(await row.locator('input[type=range]').inputValue()).toBe('45');
  });

  it('what a state was asked for too late is made up for by the next one', async () => {
    await openLive(growing(3, 1));
    await ready();
    const gone = done(growing(4, 1), going);
    view.tell('shown', { ...gone, header: { ...gone.header, id: 'gone' } });
    next(growing(5, 1));
    await count('6 experiments');
    expect(await view.page.getByRole('alert').count()).toBe(0);
  });

  it('very many experiments that are all open go on growing, and the page still answers', async () => {
    const begun = volume({ full: 1000, usual: 125 });
    await openLive({ ...large(begun), clock: 'wall', state: 'searching', ...began });
    await ready(120_000);
    await view.page.getByRole('button', { name: 'Open Everything' }).click();
    for (const processes of [begun + 1, begun + 2]) {
      next({ ...large(processes), clock: 'wall', state: 'searching', ...began });
      await expect
        .poll(() => view.page.locator('.grid[aria-label=Experiments]').getAttribute('aria-rowcount'), {
          timeout: 60_000,
        })
        // A process where it is true is open.
        .toBe(`${1 + 1 + 30 * processes}`);
      await view.page.getByRole('tab', { name: 'Thresholds' }).click();
      await view.page.getByRole('tab', { name: 'Details' }).click();
    }
    expect(await view.page.locator('.grid[aria-label=Experiments] .grid-row').count()).toBeLessThan(120);
  }, 240_000);
});

describe('a picture of a search that goes on', () => {
  it.each([...themeNames.map((theme) => [theme, 1280] as const), ['dark', 420] as const])(
    'in %s, %i pixels wide',
    async (theme, width) => {
      await openLive({ ...live(), ...began }, { size: { width, height: 800 } });
      await ready();
      await view.setTheme(theme);
      await choose('Late sender');
      expect(await view.lowContrast()).toEqual([]);
      await view.screenshot(`diagnosis-running-${theme}-${width}`);
    },
  );
});

/** Names of the rows below the head of the list. */
async function inView(): Promise<readonly string[]> {
  return view.page.locator('.grid[aria-label=Experiments]').evaluate((list) => {
    const top = list.getBoundingClientRect().top + (list.querySelector('.grid-header')?.clientHeight ?? 0);
    return [...list.querySelectorAll('.grid-row')]
      .map((row) => ({ y: row.getBoundingClientRect().top, text: row.textContent }))
      .filter(({ y }) => y >= top - 1)
      .sort((a, b) => a.y - b.y)
      .map(({ text }) => text);
  });
}
