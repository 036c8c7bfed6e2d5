import { describe, expect, it } from 'vitest';
import type { Locator } from 'playwright-core';
import type { SearchRecord, Truth } from '../../../src/core/diagnosis/search/searchRecord';
import type { DiagnosisHeader } from '../../../src/core/views/diagnosis/diagnosisPieces';
import {
  asked,
  choose,
  details,
  done,
  facts,
  frame,
  last,
  names,
  open,
  plain,
  ready,
  rows,
  view,
} from './panel';
import { balanced, hypotheses, large, live, solver, Written } from './searches';
import { volume } from '../../volume';

const unfolded = { isUnfolded: true };
const graphTab = () => view.page.getByRole('tab', { name: 'Graph' });
/** Of which each has 30 experiments. */
const manyProcesses = volume({ full: 1024, usual: 128 });
const visibleRows = () => rows().count();

describe('U2: details and navigation', () => {
  it('a click shows the experiment in words, its value and threshold, and what to do next', async () => {
    await open({ state: unfolded });
    await ready();
    await choose('sweep');
    const text = await details();
    expect(text).toContain(
      'CPU bound in sweep is true: computing takes 41.0 % of the time, and the threshold is 30 %.',
    );
    expect(text).toContain('Make this code cheaper');
    expect(text).toContain('< /Code/sweep.c/sweep, /Machine, /SyncObject >');
    // A search in recorded values takes no time.
    expect(text).not.toMatch(/Activity|Predicted cost|Concluded/);
  });

  it('of several runs, the smallest and the largest value are beside the mean', async () => {
    const { nodes, ...rest } = solver();
    await open({
      search: {
        ...rest,
        nodes: nodes.map((node) => (node.id === 7 ? { ...node, runs: [0.39, 0.43, 0.41] } : node)),
      },
      state: unfolded,
    });
    await ready();
    await choose('sweep');
    expect(await details()).toContain('Value 41.0 % Single runs 39.0 % … 43.0 %');
    await choose('main');
    expect(await details()).not.toContain('Single runs');
  });

  it('a live search has times, cost and activity; what hinders it is said', async () => {
    await open({ search: live(), state: unfolded });
    await ready();
    await choose('sweep');
    expect(await details()).toMatch(
      /Concluded at 23.5 s: true, 41.0 % .*Activity measured now Predicted cost 0.2 %/,
    );
    expect(await view.page.locator('.diagnosis .notes').innerText()).toMatch(
      /At 12.5 s: The search is slowed/,
    );
    expect((await names()).some((name) => name.includes('fft_inner deep starter'))).toBe(true);
    await choose('Late sender');
    expect(await details()).toMatch(/Stale The agent that measured this was lost/);
  });

  it('Enter goes to the source of a function; without a function, or a known one, it says why not', async () => {
    await open({ state: unfolded });
    await ready();
    await view.tabTo(/treegrid Experiments/);
    await view.page.keyboard.press('ArrowDown');
    await view.page.keyboard.press('Enter');
    await expect.poll(() => last('openSource')).toEqual({ id: 'search-0', node: 4 });
    await view.page.keyboard.press('ArrowUp');
    await view.page.keyboard.press('Enter');
    await expect.poll(() => view.page.locator('.notice').innerText()).toMatch(/does not name a function/);
    await open({ state: unfolded, isUnknown: true });
    await ready();
    await choose('sweep');
    await view.page.keyboard.press('Enter');
    await expect
      .poll(() => view.page.locator('.notice').innerText())
      .toMatch(/No function sweep is known here/);
  });

  it('a shadow leads to the experiment itself, and an experiment to what it refines', async () => {
    await open({ state: unfolded });
    await ready();
    await rows().filter({ hasText: 'norm' }).locator('.twistie').click();
    await rows().filter({ hasText: 'shadow' }).click({ button: 'right' });
    await view.page.getByRole('menuitem', { name: 'Go to the Experiment Itself' }).click();
    expect(plain(await view.page.locator('.grid-row.selected').innerText())).not.toContain('shadow');
    await view.page.getByRole('button', { name: 'CPU bound in norm' }).click();
    await expect.poll(details).toContain('CPU bound in norm is false');
  });
});

describe('U1: the search as it is', () => {
  it('very many experiments that are all open are a few elements of the page, and names are text', async () => {
    await open({ search: large(manyProcesses), state: unfolded });
    // What drives the browser sends each piece as text.
    await ready(120_000);
    await view.page.getByRole('button', { name: 'Open Everything' }).click();
    await expect
      .poll(() => view.page.locator('.grid[aria-label=Experiments]').getAttribute('aria-rowcount'))
      .toBe(String(2 + 30 * manyProcesses));
    expect(await view.page.locator('.grid[aria-label=Experiments] .grid-row').count()).toBeLessThan(120);
    await view.tabTo(/treegrid Experiments/);
    await view.page.keyboard.press('End');
    await expect.poll(visibleRows).toBeGreaterThan(5);
    await view.page.locator('.search-list vscode-text-field').click();
    await view.page.keyboard.type('onerror');
    await expect
      .poll(async () => (await names()).some((name) => name.includes('<img src=x onerror')))
      .toBe(true);
    expect(await view.page.locator('img').count()).toBe(0);
  }, 180_000);

  it('only what is true, and a search for names', async () => {
    await open({ state: unfolded });
    await ready();
    await view.page.locator('vscode-checkbox', { hasText: 'Only true' }).click();
    await expect.poll(async () => (await names()).some((name) => name.includes('pack'))).toBe(false);
    expect(await view.page.locator('.search-list .count').innerText()).toBe('10 of 17 experiments');
    await open({ search: balanced(), state: { onlyTrue: true } });
    await expect
      .poll(() => view.page.locator('.search-list .message-area').innerText())
      .toMatch(/No hypothesis is true/);
    await view.page.getByRole('button', { name: 'Show All' }).click();
    await expect.poll(visibleRows).toBe(2);
  });

  it('what arrives later replaces what was shown, and keeps what was looked at', async () => {
    await open({ state: unfolded });
    await ready();
    await choose('sweep');
    view.tell('shown', done(live()));
    await expect.poll(() => view.page.locator('.summary').innerText()).toMatch(/21 experiments/);
    expect(await details()).toContain('CPU bound in sweep is true');
  });

  it('a panel that was hidden shows what was looked at before', async () => {
    await open({ state: unfolded });
    await ready();
    await choose('sweep');
    await view.reload();
    await ready();
    expect(await details()).toContain('CPU bound in sweep is true');
  });
});

describe('F1: folded processes', () => {
  it('are one row with its share; a member is shown by itself', async () => {
    await open({ search: large(8) });
    await ready();
    const shown = await names();
    expect(shown.length).toBeLessThan(44);
    expect(shown.some((name) => name.includes('8 processes su3_rmd{*}'))).toBe(true);
    await rows().filter({ hasText: '8 processes' }).first().click();
    expect(await details()).toMatch(/8 of 8/);
    await view.page.getByRole('button', { name: 'process su3_rmd{4003} on node001' }).click();
    await expect.poll(details).toContain('CPU bound in process su3_rmd{4003} is true');
    const fold = view.page.locator('vscode-checkbox', { hasText: 'Fold processes' });
    expect(await fold.getAttribute('aria-checked')).toBe('false');
    await fold.click();
    await expect.poll(async () => (await names()).some((name) => name.includes('8 processes'))).toBe(true);
  });
});

describe('the graph', () => {
  it('has a box for each open row, is walked by keys, and shows the same as a table', async () => {
    await open({ state: { ...unfolded, tab: 'graph' } });
    await ready();
    await expect.poll(() => last('layout')).toMatchObject({ count: 17 });
    await view.tabTo(/application Search graph/);
    await view.page.keyboard.press('ArrowRight');
    await view.page.keyboard.press('ArrowRight');
    await expect.poll(details).toMatch(/in the whole program/);
    const before = asked.filter(([name]) => name === 'layout').length;
    await view.page.keyboard.press(' ');
    await expect.poll(() => asked.filter(([name]) => name === 'layout').length).toBe(before + 1);
    await view.page.getByRole('button', { name: 'Search graph: Show as Table' }).click();
    await expect
      .poll(async () => plain(await view.page.locator('.search-graph .grid-row:visible').first().innerText()))
      .toMatch(/CPU bound true 62.0 %/);
  });

  it('of too many boxes says what helps', async () => {
    await open({ search: large(8), state: unfolded });
    await ready();
    await view.page.getByRole('button', { name: 'Open Everything' }).click();
    await graphTab().click();
    await expect
      .poll(() => view.page.locator('.graph-refusal').innerText())
      .toMatch(/241 experiments are open/);
    await view.page.locator('.graph-refusal').getByRole('button', { name: 'Close Everything' }).click();
    await expect.poll(() => last('layout')).toMatchObject({ count: 2 });
  });

  it('can be saved', async () => {
    await open({ state: { ...unfolded, tab: 'graph' } });
    await ready();
    for (const kind of ['SVG', 'CSV'] as const) {
      await view.page.getByRole('button', { name: 'Search graph: Save…' }).click();
      await view.page.getByRole('menuitem', { name: `Save as ${kind}…` }).click();
      await expect.poll(() => last('save')).toMatchObject({ kind: kind === 'CSV' ? 'table' : 'svg' });
    }
  });
});

describe('U4: thresholds', () => {
  it('a changed threshold repeats the search, in the unit of its metric', async () => {
    await open({ state: { ...unfolded, detail: 'thresholds' } });
    await view.page.locator('.threshold-row').first().waitFor();
    const row = view.page.getByRole('group', { name: 'CPU bound', exact: true });
    await row.locator('input[type=range]').fill('45');
    const changed = { thresholds: [{ hypothesis: 'CPUBound', threshold: 0.45 }] };
    await expect.poll(() => last('setThresholds')).toEqual(changed);
    const field = row.locator('vscode-text-field');
    await field.click();
    await view.page.keyboard.press('Control+A');
    await view.page.keyboard.type('12.5');
    await expect
      .poll(() => last('setThresholds'))
      .toEqual({ thresholds: [{ hypothesis: 'CPUBound', threshold: 0.125 }] });
    await view.page.getByRole('button', { name: 'Usual Thresholds' }).click();
    await expect.poll(() => last('setThresholds')).toEqual({ thresholds: [] });
  });

  it('after a change, what has become true is shown, and what was selected is where it can be seen', async () => {
    await open({ search: ranks(0.35), state: unfolded, size: { width: 1000, height: 420 } });
    await ready();
    await view.tabTo(/treegrid Experiments/);
    await view.page.keyboard.press('End');
    const selected = view.page.locator('.grid-row.selected');
    expect(await isInView(selected)).toBe(true);
    await view.page.getByRole('tab', { name: 'Graph' }).click();
    // Those that are closed have true ones below now, and f39 stands below all others.
    view.tell('shown', { ...facts, kind: 'making', progress: { message: 'Searching' } });
    view.tell('shown', done(ranks(0.1)));
    // All functions, and the processes of those where it is true in one.
    await expect
      .poll(() => view.page.locator('.grid[aria-label=Experiments]').getAttribute('aria-rowcount'))
      .toBe(`${1 + 1 + 40 + 20}`);
    await view.page.getByRole('tab', { name: 'Tree' }).click();
    expect(plain(await selected.innerText())).toContain('f39');
    expect(await isInView(selected)).toBe(true);
  });

  it('of a search with others are shown as they are; of a saved search they cannot be changed', async () => {
    const others = hypotheses.map((one) => (one.id === 'CPUBound' ? { ...one, threshold: 0.2 } : one));
    await open({ search: solver({ hypotheses: others }), state: { detail: 'thresholds' } });
    const row = view.page.getByRole('group', { name: 'CPU bound', exact: true });
    await row.waitFor();
    expect(await row.locator('input[type=range]').inputValue()).toBe('20');
    view.tell('shown', { ...facts, kind: 'done', header: savedHeader() });
    await expect.poll(() => row.innerText()).toMatch(/holds above 20 %/);
    expect(await row.locator('input[type=range]').isVisible()).toBe(false);
  });
});

/** Forty functions; those whose value is above the threshold are refined to a process. */
function ranks(threshold: number): SearchRecord {
  const search = new Written();
  const root = search.add('CPUBound', {}, 'true', 0.9, [{ by: 'root', time: 0 }]);
  for (let number = 0; number < 40; number++) {
    const [Code, value] = [['a.c', `f${number}`], 0.5 - number / 100];
    const truth = (of: number): Truth => (of > threshold ? 'true' : 'false');
    const own = search.add(
      'CPUBound',
      { Code },
      truth(value),
      value,
      [{ node: root, by: 'where', time: 1 }],
      { threshold },
    );
    if (value > threshold)
      search.add(
        'CPUBound',
        { Code, Machine: ['c33', 'solver{7}'] },
        truth(value - 0.2),
        value - 0.2,
        [{ node: own, by: 'where', time: 1 }],
        { threshold },
      );
  }
  return search.record();
}

const isInView = (row: Locator): Promise<boolean> =>
  row.evaluate((own) => {
    const [box, list] = [own.getBoundingClientRect(), own.closest('.grid')?.getBoundingClientRect()];
    return list !== undefined && box.top >= list.top && box.bottom <= list.bottom + 1;
  });

/** Of a saved search: what would be usual is not known. */
function savedHeader(): DiagnosisHeader {
  const shown = done(solver({ hypotheses: hypotheses.map((one) => ({ ...one, threshold: 0.2 })) }));
  const { usualThresholds, ...header } = shown.header;
  expect(usualThresholds).toBeDefined();
  return header;
}

describe('states of the panel', () => {
  it('while it searches, it can be cancelled; without a result it says what to do', async () => {
    await open({ shown: { ...facts, kind: 'making', progress: { message: 'Reading profile.cubex' } } });
    await view.page.getByText('Reading profile.cubex').waitFor();
    await view.page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => last('cancel')).toEqual({});
    view.tell('shown', { ...facts, kind: 'cancelled' });
    await view.page.getByRole('button', { name: 'Search Again' }).click();
    await expect.poll(() => last('act')).toEqual({ action: 'makeAgain' });
    view.tell('shown', { ...facts, kind: 'failed', message: 'solver.cubex ends at byte 12.' });
    await view.page.getByRole('alert').filter({ hasText: 'ends at byte 12' }).waitFor();
    await view.page.getByRole('button', { name: 'Import a Saved Search…' }).click();
    await expect.poll(() => last('act')).toEqual({ action: 'import' });
    view.tell('shown', { ...facts, kind: 'empty', message: 'The search has no experiments.' });
    await view.page.getByRole('button', { name: 'Diagnose Another Measurement…' }).click();
    await expect.poll(() => last('act')).toEqual({ action: 'chooseInput' });
  });

  it('P10: the whole search is exported, and another one imported', async () => {
    await open();
    await ready();
    await view.page.getByRole('button', { name: 'Export…' }).click();
    await expect.poll(() => last('save')).toEqual({ kind: 'search', id: 'search-0' });
    await view.page.getByRole('button', { name: 'Import…' }).click();
    await expect.poll(() => last('act')).toEqual({ action: 'import' });
    await frame();
  });
});
