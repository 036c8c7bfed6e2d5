import { describe, expect, it } from 'vitest';
import type { DynamicsShown } from '../../../src/protocol/dynamics';
import { themeNames } from '../lib/themes';
import { cxPieces, done, flatPieces, manyProperties } from './analyses';
import { cx, tera, useDynamicsPanel } from './dynamicsPanel';

const panel = useDynamicsPanel();
const { open, ready, frame, untilAsked } = panel;

describe('the dynamics panel', () => {
  it.each(themeNames)('can be read in %s', async (theme) => {
    await open();
    await ready();
    await panel.view.setTheme(theme);
    expect(await panel.view.lowContrast()).toEqual([]);
    await panel.view.screenshot(`dynamics-${theme}`);
    await panel.view.page.getByRole('tab', { name: 'Explain' }).click();
    await panel.view.page.locator('.rule-checks .grid-row').first().waitFor();
    await frame();
    expect(await panel.view.lowContrast()).toEqual([]);
    await panel.view.screenshot(`dynamics-explain-${theme}`);
    await panel.view.page.getByRole('tab', { name: 'Report' }).click();
    expect(await panel.view.lowContrast()).toEqual([]);
    await panel.view.screenshot(`dynamics-report-${theme}`);
  });

  it('says what was found, worst first, and shows the worst', async () => {
    await open();
    await ready();
    expect(await panel.view.page.locator('.summary').innerText()).toMatch(
      /^128 iterations of time step: 9 findings in/,
    );
    expect(await panel.view.page.locator('.series-title').innerText()).toBe(
      'MPI_Wait · communication · rank 4',
    );
    expect(await panel.view.page.locator('.finding').innerText()).toMatch(
      /^Degradation trend in communication time.* ranks 4,27,30$/,
    );
    expect(await panel.view.page.locator('.sentence').innerText()).toMatch(/^rises 1-9\d/);
    expect(await panel.view.page.locator('.findings .grid-row').first().innerText()).toContain(
      'Degradation trend (4)',
    );
  });

  it('goes to the line of the series that is shown', async () => {
    await open({ pieces: cx });
    await ready();
    await panel.view.page.getByRole('button', { name: 'Go to Source' }).click();
    expect(await untilAsked('openSource')).toEqual({ id: 'cx', of: 'series', row: 0 });
  });

  it('says what could not be done, until that is dismissed', async () => {
    await open({ state: { list: 'series' } });
    await ready();
    panel.served.isBroken = true;
    await panel.view.page.locator('.grid[aria-label="Analysed series"] .grid-row').nth(1).click();
    await panel.view.page.getByRole('alert').filter({ hasText: 'there is no such series' }).waitFor();
    await panel.view.page.getByRole('button', { name: 'Dismiss' }).click();
    expect(await panel.view.page.getByRole('alert').count()).toBe(0);
  });

  it('filters 5,000 findings by threshold and search, and groups them', async () => {
    await open({ properties: manyProperties(5000) });
    await ready();
    const count = panel.view.page.locator('.findings .count');
    expect(await count.innerText()).toBe('5000 findings');
    expect(await panel.view.page.locator('.findings .grid-row').count()).toBeLessThan(80);
    await panel.view.page.getByRole('slider', { name: 'At least' }).focus();
    for (let step = 0; step < 4; step++) await panel.view.page.keyboard.press('ArrowRight');
    expect(await panel.view.page.locator('.slider-value').first().innerText()).toBe('1.0 %');
    expect(await count.innerText()).toBe('60 of 5000 findings');
    await panel.view.page.locator('.findings vscode-text-field').click();
    await panel.view.page.keyboard.type('region_7()');
    await expect.poll(() => count.innerText()).toBe('1 of 5000 findings');
    await panel.view.page.keyboard.press('Escape');
    await expect.poll(() => count.innerText()).toBe('60 of 5000 findings');
    await panel.view.page.keyboard.type('<img');
    await expect.poll(() => count.innerText()).toBe('1 of 5000 findings');
    // Names are text, whatever they are.
    expect(await panel.view.page.locator('img').count()).toBe(0);
    await panel.view.page.keyboard.press('Escape');
    await expect.poll(() => count.innerText()).toBe('60 of 5000 findings');
    await panel.view.page.keyboard.type('nothing like this');
    await panel.view.page.getByRole('button', { name: 'Show All' }).click();
    await expect.poll(() => count.innerText()).toBe('5000 findings');
  });

  it('goes to the source by keys, and follows what is chosen elsewhere', async () => {
    await open();
    await ready();
    await panel.view.tabTo(/treegrid Findings/);
    await panel.view.page.keyboard.press('Enter');
    expect(await untilAsked('openSource')).toMatchObject({ id: 'tera', of: 'property' });
    const peaks = tera.properties(0, 100).find(({ kind }) => kind === 'degradation-peaks')?.id ?? '';
    panel.view.tell('choose', { id: 'another', property: peaks });
    panel.view.tell('choose', { id: 'tera', property: peaks });
    await panel.view.page.locator('.finding').filter({ hasText: 'Degradation peaks' }).waitFor();
    expect(await panel.view.page.locator('.series-title').innerText()).toContain('MPI_Allreduce');
    await frame();
    await panel.view.screenshot('dynamics-peaks');
  });

  it('shows what was chosen elsewhere before its rows were there', async () => {
    await open({ shown: { ...done(tera), kind: 'making' } as DynamicsShown });
    await panel.view.page.getByText('Looking for what changes').waitFor();
    const late = tera.properties(0, 100).find(({ kind }) => kind === 'late-rank')?.id ?? '';
    panel.view.tell('choose', { id: 'tera', property: late });
    panel.view.tell('shown', done(tera));
    await panel.view.page.locator('.series-title').filter({ hasText: 'rank 0' }).waitFor();
    expect(await panel.view.page.locator('.finding').innerText()).toContain('Rank 0 has none of the peaks');
  });

  it('lists all series, with their letters and words', async () => {
    await open({ state: { list: 'series' } });
    await ready();
    const list = panel.view.page.locator('.grid[aria-label="Analysed series"]');
    await list.locator('.grid-row').first().waitFor();
    await panel.view.page.getByRole('textbox', { name: 'Search series' }).fill('Allreduce');
    await expect
      .poll(() => panel.view.page.locator('.count:visible').innerText())
      .toMatch(/^32 of \d+ series$/);
    await list.locator('.grid-row').nth(2).click();
    await panel.view.page.locator('.series-title').filter({ hasText: 'MPI_Allreduce' }).waitFor();
    await panel.view.screenshot('dynamics-series');
  });

  it('shows again what the user was looking at, and keeps nothing else', async () => {
    await open();
    await ready();
    await panel.view.page.locator('.value-map canvas').focus();
    await panel.view.page.keyboard.press('ArrowDown');
    await panel.view.page.locator('.series-title').filter({ hasText: 'rank 5' }).waitFor();
    await panel.view.page.keyboard.press('+');
    const span = ((await panel.view.state()) as { span: unknown }).span;
    await panel.view.page.getByRole('tab', { name: 'Explain' }).click();
    await panel.view.reload();
    await panel.view.page.getByRole('tab', { name: 'Explain', selected: true }).waitFor();
    await panel.view.page.locator('.series-title').filter({ hasText: 'rank 5' }).waitFor();
    expect(await panel.view.state()).toMatchObject({ panel: 'p1', id: 'tera', span, tab: 'explain' });
    expect(JSON.stringify(await panel.view.state()).length).toBeLessThan(1500);
  });

  it('saves the report', async () => {
    await open({ state: { tab: 'report', findings: { threshold: 0.05 } } });
    await panel.view.page.getByRole('grid', { name: 'Report' }).locator('.grid-row').first().waitFor();
    await panel.view.page.getByRole('button', { name: 'Markdown…' }).click();
    expect(await untilAsked('save')).toEqual({ kind: 'report-markdown', threshold: 0.05 });
  });

  it('analyses again with other settings', async () => {
    await open();
    await ready();
    await panel.view.page.getByRole('button', { name: 'Analysis', exact: true }).click();
    await panel.view.page.getByRole('menuitemcheckbox', { name: 'Improvements, Too' }).click();
    expect(await untilAsked('analyse')).toEqual({ settings: { burst: 0, improvements: true } });
    panel.view.tell('shown', {
      ...done(tera),
      kind: 'making',
      progress: { message: 'Series 12 of 160', fraction: 0.1 },
    });
    await panel.view.page.getByText('Series 12 of 160').waitFor();
    // What was found stays to be read meanwhile.
    expect(await panel.view.page.locator('.series-title').isVisible()).toBe(true);
    await panel.view.page.getByRole('button', { name: 'Cancel' }).click();
    await untilAsked('cancel');
    panel.view.tell('shown', done(tera));
    await expect.poll(() => panel.view.page.getByText('Series 12 of 160').isVisible()).toBe(false);
  });

  it.each([300, 460])('fits beside the source, %s pixels wide', async (width) => {
    await open({ size: { width, height: 900 } });
    await ready();
    await panel.view.screenshot(`dynamics-narrow-${width}`);
    // Controls stand beside each other, not over each other.
    const overlaps = await panel.view.page.evaluate(() => {
      const boxes = [...document.querySelectorAll('.toolbar > *')]
        .filter((one) => one.getClientRects().length > 0)
        .map((one) => [...one.querySelectorAll('*'), one].map((part) => part.getBoundingClientRect()))
        .map((parts) => ({
          left: Math.min(...parts.filter(({ width: w }) => w > 0).map(({ left }) => left)),
          right: Math.max(...parts.map(({ right }) => right)),
          top: Math.min(...parts.filter(({ width: w }) => w > 0).map(({ top }) => top)),
          bottom: Math.max(...parts.map(({ bottom }) => bottom)),
        }));
      return boxes.filter((a) =>
        boxes.some(
          (b) =>
            a !== b &&
            a.left < b.right - 1 &&
            b.left < a.right - 1 &&
            a.top < b.bottom - 1 &&
            b.top < a.bottom - 1,
        ),
      ).length;
    });
    expect(overlaps).toBe(0);
    // What scrolls by itself may be wider.
    const cut = await panel.view.page.evaluate(() =>
      [...document.querySelectorAll('body *')]
        .filter(
          (one) => one.closest('.grid') === null && one.getBoundingClientRect().right > innerWidth + 0.5,
        )
        .map((one) => `${one.tagName}.${one.className}`),
    );
    expect(cut).toEqual([]);
  });
});

describe('a dynamics panel of hostile names', () => {
  it('writes out what cannot be seen, makes no markup of them, and leaves room for the rank', async () => {
    const name = `void ns::Kernel<${'std::vector<double>, '.repeat(40)}int>::run(<img src=x onerror=alert(1)>) \u202E evil`;
    await open({ pieces: cxPieces(name) });
    await ready();
    expect(await panel.view.page.locator('.series-title').innerText()).toBe('run · hot spot · rank 0');
    const text = await panel.view.page.locator('body').innerText();
    expect(text).toContain('⟨U+202E⟩ evil');
    expect(text).not.toContain('\u202E');
    expect(await panel.view.page.locator('img').count()).toBe(0);
    await panel.view.page.getByRole('button', { name: 'Series over the iterations: Save…' }).click();
    await panel.view.page.getByRole('menuitem', { name: 'Save as CSV…' }).click();
    await untilAsked('save');
  });
});

describe('a dynamics panel without findings', () => {
  const shown = (part: object): DynamicsShown =>
    ({ panel: 'p1', title: 'solver', settings: { burst: 0, improvements: false }, ...part }) as DynamicsShown;

  it('says that time does not matter', async () => {
    await open({ pieces: flatPieces() });
    await panel.view.page
      .locator('.summary')
      .filter({ hasText: 'Nothing changes over the iterations beyond the noise.' })
      .waitFor();
    await ready();
    await panel.view.screenshot('dynamics-flat');
  });

  it('says how to get iterations', async () => {
    await open({
      shown: shown({ kind: 'empty', message: 'The profile has no iterations. Choose a phase.' }),
    });
    await panel.view.page.getByText('The profile has no iterations.').waitFor();
    await panel.view.page.getByRole('button', { name: 'Choose a Phase…' }).click();
    expect(await untilAsked('act')).toEqual({ action: 'markPhase' });
    await panel.view.screenshot('dynamics-no-iterations');
  });

  it('says what is being done, and can be cancelled', async () => {
    await open({ shown: shown({ kind: 'making' }) });
    await panel.view.page.getByText('Looking for what changes').waitFor();
    panel.view.tell('progress', { message: 'Burst 2 of 5', fraction: 0.4 });
    await panel.view.page.getByText('Burst 2 of 5').waitFor();
    expect(
      await panel.view.page.getByRole('progressbar', { name: 'Analysis' }).getAttribute('aria-valuenow'),
    ).toBe('40');
    await panel.view.page.getByRole('button', { name: 'Cancel' }).click();
    await untilAsked('cancel');
    panel.view.tell('shown', shown({ kind: 'cancelled' }));
    await panel.view.page.getByRole('button', { name: 'Analyse', exact: true }).click();
    await untilAsked('analyse');
  });

  it('says what failed, and tries again', async () => {
    await open({
      shown: shown({
        kind: 'failed',
        message: 'run.csv, line 3: expected a number, found "x".',
        detail: 'Correct the line.',
      }),
    });
    await panel.view.page.getByRole('alert').filter({ hasText: 'run.csv, line 3' }).waitFor();
    await panel.view.page.getByRole('button', { name: 'Try Again' }).click();
    await untilAsked('analyse');
  });

  it('ignores kept nonsense and messages that are none of the protocol', async () => {
    await open({
      state: {
        span: [7],
        findings: { sort: 3, closed: [1] },
        property: -1,
        series: 1e9,
        tab: {},
        id: 'tera',
        smoothing: 'x',
      },
    });
    await ready();
    for (const message of [undefined, 5, { kind: 'event' }, { kind: 'event', name: '__proto__', value: 1 }])
      await panel.view.send(message);
    expect(await panel.view.page.locator('.title').innerText()).toBe('Dynamics of 129.tera_tf');
  });
});
