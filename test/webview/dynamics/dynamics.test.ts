import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PropertyRow } from '../../../src/core/dynamicsViews/pieces';
import type { AnalysisPieces } from '../../../src/core/dynamicsViews/analysisPieces';
import type { DynamicsEvents, DynamicsRequests, DynamicsShown } from '../../../src/protocol/dynamics';
import { themeNames } from '../lib/themes';
import { type View, ViewBrowser } from '../lib/view';
import {
  answersOf,
  type Asked,
  cxPieces,
  done,
  flatPieces,
  manyProperties,
  type Served,
  teraTfPieces,
} from './analyses';

let browser: ViewBrowser;
let tera: AnalysisPieces;
let cx: AnalysisPieces;
beforeAll(async () => {
  tera = teraTfPieces();
  cx = cxPieces();
  browser = await ViewBrowser.start();
});
afterAll(() => browser.close());

let view: View<DynamicsRequests, DynamicsEvents>;
let served: Served;
let asked: Asked[];

async function open(
  options: {
    readonly pieces?: AnalysisPieces;
    readonly properties?: readonly PropertyRow[];
    readonly shown?: DynamicsShown;
    readonly state?: unknown;
    readonly size?: { readonly width: number; readonly height: number };
    readonly reducedMotion?: boolean;
  } = {},
): Promise<void> {
  const { pieces = tera, properties, shown, ...rest } = options;
  served = {
    pieces,
    shown: shown ?? done(pieces, properties),
    ...(properties === undefined ? {} : { properties }),
  };
  asked = [];
  view = await browser.open<DynamicsRequests, DynamicsEvents>({
    entry: 'webview/dynamics/main.ts',
    answers: answersOf(served, asked),
    size: { width: 1200, height: 800 },
    ...rest,
  });
}

async function ready(): Promise<void> {
  await view.page.locator('.series-title').filter({ hasText: 'rank' }).waitFor();
  await frame();
}

/** What is asked for is drawn in the next frames. */
async function frame(): Promise<void> {
  await view.page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

async function untilAsked(name: keyof DynamicsRequests): Promise<unknown> {
  await expect.poll(() => asked.some(([one]) => one === name)).toBe(true);
  return asked.find(([one]) => one === name)?.[1];
}

const announced = (): Promise<string> => view.page.locator('[role=status][aria-live]').innerText();

afterEach(async () => {
  expect(
    view.errors.filter((e) => !e.startsWith('Applying inline style')),
    'exceptions',
  ).toEqual([]);
  expect(view.refused, 'messages that the extension refused').toEqual([]);
  await view.close();
});

describe('the dynamics panel', () => {
  it.each(themeNames)('can be read in %s', async (theme) => {
    await open();
    await ready();
    await view.setTheme(theme);
    expect(await view.lowContrast()).toEqual([]);
    await view.screenshot(`dynamics-${theme}`);
    await view.page.getByRole('tab', { name: 'Explain' }).click();
    await view.page.locator('.rule-checks .grid-row').first().waitFor();
    await frame();
    expect(await view.lowContrast()).toEqual([]);
    await view.screenshot(`dynamics-explain-${theme}`);
    await view.page.getByRole('tab', { name: 'Report' }).click();
    expect(await view.lowContrast()).toEqual([]);
    await view.screenshot(`dynamics-report-${theme}`);
  });

  it('says what was found, worst first, and shows the worst', async () => {
    await open();
    await ready();
    expect(await view.page.locator('.summary').innerText()).toMatch(
      /^128 iterations of time step: 9 properties in/,
    );
    expect(await view.page.locator('.series-title').innerText()).toBe('MPI_Wait · communication · rank 4');
    expect(await view.page.locator('.finding').innerText()).toMatch(
      /^Degradation trend in communication time.* ranks 4,27,30$/,
    );
    expect(await view.page.locator('.sentence').innerText()).toMatch(/^rises 1-9\d/);
    expect(await view.page.locator('.findings .grid-row').first().innerText()).toContain(
      'Degradation trend (4)',
    );
  });

  it('F48 timeline and map: keys move the cursor, mark, zoom and go to what was found; all is read out', async () => {
    await open();
    await ready();
    await view.tabTo(/Series over the iterations\./, 80);
    await view.page.keyboard.press('Home');
    await expect
      .poll(announced)
      .toMatch(/^Iteration 1: .* ms · D: rises faster and faster in 1–\d+ · trend 1–9\d$/);
    await view.page.keyboard.press('ArrowRight');
    await expect.poll(announced).toMatch(/^Iteration 2: /);
    await view.page.keyboard.press('End');
    await expect.poll(announced).toMatch(/^Iteration 128: /);
    await view.page.keyboard.press('Escape');
    await view.page.keyboard.press('Home');
    for (let step = 0; step < 10; step++) await view.page.keyboard.press('Shift+ArrowRight');
    await view.page.keyboard.press('Enter');
    await expect.poll(async () => (await view.state()) as object).toMatchObject({ span: [0, 10] });
    await view.page.keyboard.press('-');
    await expect
      .poll(async () => (await view.state()) as { span?: unknown })
      .not.toMatchObject({ span: [0, 10] });
    await view.page.keyboard.press('Escape');
    await expect.poll(async () => 'span' in ((await view.state()) as object)).toBe(false);
    await view.page.keyboard.press('PageDown');
    await expect.poll(announced).toContain('trend 1–9');
    await view.tabTo(/Values of all ranks over the iterations\./, 30);
    await view.page.keyboard.press('ArrowDown');
    await view.page.locator('.series-title').filter({ hasText: 'rank 5' }).waitFor();
    await view.page.keyboard.press('ArrowRight');
    await expect.poll(announced).toMatch(/^Rank 5, iteration \d+: /);
  });

  it('F48 brush: what is marked in the map is what the chart shows, and the other way round', async () => {
    await open();
    await ready();
    const drag = async (canvas: string, from: number, to: number): Promise<void> => {
      const box = await view.page.locator(canvas).boundingBox();
      if (box === null) throw new Error('not shown');
      const x = (share: number): number => box.x + 66 + share * (box.width - 76);
      await view.page.mouse.move(x(from), box.y + box.height / 2);
      await view.page.mouse.down();
      await view.page.mouse.move(x((from + to) / 2), box.y + box.height / 2);
      await view.page.mouse.move(x(to), box.y + box.height / 2);
      await view.page.mouse.up();
    };
    await drag('.value-map canvas', 0.251, 0.499);
    await expect.poll(async () => (await view.state()) as object).toMatchObject({ span: [32, 63] });
    await view.page.mouse.move(0, 0);
    await expect
      .poll(() => view.page.locator('.series-chart .read-out').innerText())
      .toMatch(/^Iterations 33–64 of 128/);
    await view.screenshot('dynamics-zoomed');
    await drag('.series-chart canvas', 0.251, 0.499);
    await expect.poll(async () => (await view.state()) as object).toMatchObject({ span: [40, 47] });
    await view.page.locator('.series-chart canvas').dblclick({ position: { x: 300, y: 100 } });
    await expect.poll(async () => 'span' in ((await view.state()) as object)).toBe(false);
  });

  it('F48 tables: chart and map have their numbers as tables, too', async () => {
    await open({ state: { chartTable: true, mapTable: true } });
    await ready();
    const tables = view.page.locator('.chart-table-place:visible');
    await expect.poll(() => tables.count()).toBe(2);
    const [series, ranks] = [await tables.nth(0).innerText(), await tables.nth(1).innerText()];
    for (const text of ['Iteration', 'Episode', 'trend', 'ms']) expect(series).toContain(text);
    for (const text of ['Rank', 'Most at', 'Second half']) expect(ranks).toContain(text);
    await view.screenshot('dynamics-tables');
    await tables.nth(1).locator('.grid-row').nth(1).dblclick();
    await view.page.locator('.series-title').filter({ hasText: 'rank 1' }).waitFor();
  });

  it('F49 explain view: numbers of each condition, and the strongest cells of the scaleogram', async () => {
    await open({ pieces: cx, state: { tab: 'explain' } });
    await ready();
    const rules = view.page.locator('.rule-checks');
    await rules.locator('.grid-row').first().waitFor();
    const text = await rules.innerText();
    expect(text).toMatch(
      /Significant variability[^]*dynamicEnergy \/ totalEnergy > [^]*0\.05\d+\s+> 0\.01\s+✓ holds/,
    );
    await view.screenshot('dynamics-explain-cx');
    const scaleogram = view.page.locator('.explain-chart').first();
    await scaleogram.getByRole('button', { name: /Show as Table/ }).click();
    await expect.poll(() => scaleogram.locator('.grid-row').count()).toBeGreaterThan(5);
    const rows = await scaleogram.locator('.grid-row').allInnerTexts();
    const cells = rows.map((row) => row.split(/\s*[\n\t]\s*/).filter((cell) => cell !== ''));
    const short = cells.filter(([scale]) => Number(scale) <= 32).slice(0, 2);
    expect(short.map(([scale, shift, , energy]) => [scale, shift, energy])).toEqual([
      ['16', '0', '0.346'],
      ['32', '0', '0.305'],
    ]);
    await expect.poll(() => scaleogram.locator('.read-out').innerText()).toContain('2.59 s²');
    const tree = view.page.locator('.explain-chart').nth(1);
    await tree.locator('canvas').focus();
    await view.page.keyboard.press('Home');
    await expect
      .poll(announced)
      .toMatch(/^Iterations \d+–\d+: (concave|convex) at σ .*, stability \d+ steps$/);
    await view.page.keyboard.press('ArrowDown');
    await expect.poll(announced).toMatch(/^Iterations/);
    await tree.scrollIntoViewIfNeeded();
    await frame();
    await view.screenshot('dynamics-tree');
  });

  it('goes to the line of the series that is shown', async () => {
    await open({ pieces: cx });
    await ready();
    await view.page.getByRole('button', { name: 'Go to Source' }).click();
    expect(await untilAsked('openSource')).toEqual({ id: 'cx', of: 'series', row: 0 });
  });

  it('says what could not be done, until that is dismissed', async () => {
    await open({ state: { list: 'series' } });
    await ready();
    served.isBroken = true;
    await view.page.locator('.grid[aria-label="Analysed series"] .grid-row').nth(1).click();
    await view.page.getByRole('alert').filter({ hasText: 'there is no such series' }).waitFor();
    await view.page.getByRole('button', { name: 'Dismiss' }).click();
    expect(await view.page.getByRole('alert').count()).toBe(0);
  });

  it('reads the scaleogram by keys', async () => {
    await open({ pieces: cx, state: { tab: 'explain' } });
    await ready();
    await view.page.locator('.explain-chart canvas').first().focus();
    await view.page.keyboard.press('Home');
    await expect.poll(announced).toMatch(/^Scale \d+, shift 0 \(iterations 1–\d+\): \d+\.\d % of the change/);
    await view.page.keyboard.press('ArrowDown');
    await view.page.keyboard.press('ArrowRight');
    await expect.poll(announced).toMatch(/^Scale \d+, shift 1 /);
  });

  it('smooths the curve at the scale of the slider', async () => {
    await open({ pieces: cx });
    await ready();
    await view.page.getByRole('slider', { name: 'Smooth' }).focus();
    for (let step = 0; step < 14; step++) await view.page.keyboard.press('ArrowRight');
    expect(await view.page.locator('.slider-value').last().innerText()).toBe('σ 4.76');
    await view.page.locator('.series-chart canvas').focus();
    await view.page.keyboard.press('Home');
    await expect.poll(announced).toContain('smoothed 460 ms');
    await frame();
    await view.screenshot('dynamics-cx-smoothed');
  });

  it('filters 5,000 properties by threshold and search, and groups them', async () => {
    await open({ properties: manyProperties(5000) });
    await ready();
    const count = view.page.locator('.findings .count');
    expect(await count.innerText()).toBe('5000 properties');
    expect(await view.page.locator('.findings .grid-row').count()).toBeLessThan(80);
    await view.page.getByRole('slider', { name: 'At least' }).focus();
    for (let step = 0; step < 4; step++) await view.page.keyboard.press('ArrowRight');
    expect(await view.page.locator('.slider-value').first().innerText()).toBe('1.0 %');
    expect(await count.innerText()).toBe('60 of 5000 properties');
    await view.page.locator('.findings vscode-text-field').click();
    await view.page.keyboard.type('region_7()');
    await expect.poll(() => count.innerText()).toBe('1 of 5000 properties');
    await view.page.keyboard.press('Escape');
    await expect.poll(() => count.innerText()).toBe('60 of 5000 properties');
    await view.page.keyboard.type('<img');
    await expect.poll(() => count.innerText()).toBe('1 of 5000 properties');
    // Names are text, whatever they are.
    expect(await view.page.locator('img').count()).toBe(0);
    await view.page.keyboard.press('Escape');
    await expect.poll(() => count.innerText()).toBe('60 of 5000 properties');
    await view.page.keyboard.type('nothing like this');
    await view.page.getByRole('button', { name: 'Show All' }).click();
    await expect.poll(() => count.innerText()).toBe('5000 properties');
  });

  it('goes to the source by keys, and follows what is chosen elsewhere', async () => {
    await open();
    await ready();
    await view.tabTo(/treegrid What was found/);
    await view.page.keyboard.press('Enter');
    expect(await untilAsked('openSource')).toMatchObject({ id: 'tera', of: 'property' });
    const peaks = tera.properties(0, 100).findIndex(({ kind }) => kind === 'degradation-peaks');
    view.tell('choose', { id: 'another', property: 0 });
    view.tell('choose', { id: 'tera', property: peaks });
    await view.page.locator('.finding').filter({ hasText: 'Degradation peaks' }).waitFor();
    expect(await view.page.locator('.series-title').innerText()).toContain('MPI_Allreduce');
    await frame();
    await view.screenshot('dynamics-peaks');
  });

  it('shows what was chosen elsewhere before its rows were there', async () => {
    await open({ shown: { ...done(tera), kind: 'analysing' } as DynamicsShown });
    await view.page.getByText('Looking for what changes').waitFor();
    const late = tera.properties(0, 100).findIndex(({ kind }) => kind === 'late-rank');
    view.tell('choose', { id: 'tera', property: late });
    view.tell('shown', done(tera));
    await view.page.locator('.series-title').filter({ hasText: 'rank 0' }).waitFor();
    expect(await view.page.locator('.finding').innerText()).toContain('Rank 0 has none of the peaks');
  });

  it('lists all series, with their letters and words', async () => {
    await open({ state: { list: 'series' } });
    await ready();
    const list = view.page.locator('.grid[aria-label="Analysed series"]');
    await list.locator('.grid-row').first().waitFor();
    await view.page.getByRole('textbox', { name: 'Search series' }).fill('Allreduce');
    await expect.poll(() => view.page.locator('.count:visible').innerText()).toMatch(/^32 of \d+ series$/);
    await list.locator('.grid-row').nth(2).click();
    await view.page.locator('.series-title').filter({ hasText: 'MPI_Allreduce' }).waitFor();
    await view.screenshot('dynamics-series');
  });

  it('shows again what the user was looking at, and keeps nothing else', async () => {
    await open();
    await ready();
    await view.page.locator('.value-map canvas').focus();
    await view.page.keyboard.press('ArrowDown');
    await view.page.locator('.series-title').filter({ hasText: 'rank 5' }).waitFor();
    await view.page.keyboard.press('+');
    const span = ((await view.state()) as { span: unknown }).span;
    await view.page.getByRole('tab', { name: 'Explain' }).click();
    await view.reload();
    await view.page.getByRole('tab', { name: 'Explain', selected: true }).waitFor();
    await view.page.locator('.series-title').filter({ hasText: 'rank 5' }).waitFor();
    expect(await view.state()).toMatchObject({ panel: 'p1', id: 'tera', span, tab: 'explain' });
    expect(JSON.stringify(await view.state()).length).toBeLessThan(1500);
  });

  it.each(['Series over the iterations', 'Values of all ranks over the iterations'])(
    'saves %s as PNG, SVG and CSV',
    async (chart) => {
      await open();
      await ready();
      const saved = async (label: string): Promise<Uint8Array> => {
        asked.length = 0;
        await view.page.getByRole('button', { name: `${chart}: Save…` }).click();
        await view.page.getByRole('menuitem', { name: `Save as ${label}…` }).click();
        const { kind, name, content } = (await untilAsked('save')) as Readonly<
          Record<'kind' | 'name', string> & { content: Uint8Array }
        >;
        expect(kind).toBe(label.toLowerCase());
        expect(name).toContain('MPI_Wait');
        return content;
      };
      expect(new TextDecoder('latin1').decode((await saved('PNG')).subarray(1, 4))).toBe('PNG');
      const lines = new TextDecoder().decode(await saved('CSV')).split('\r\n');
      expect(lines[0]).toMatch(/^(rank,1,2,3,|first iteration,last iteration,)/);
      expect(lines.length).toBeGreaterThan(15);
      const parts = await view.page.evaluate(
        (text) => {
          const made = new DOMParser().parseFromString(text, 'image/svg+xml');
          return made.querySelector('parsererror') === null
            ? made.querySelectorAll('path, rect, text').length
            : -1;
        },
        new TextDecoder().decode(await saved('SVG')),
      );
      expect(parts).toBeGreaterThan(20);
    },
  );

  it('saves the report', async () => {
    await open({ state: { tab: 'report', findings: { threshold: 0.05 } } });
    await view.page.getByRole('grid', { name: 'Report' }).locator('.grid-row').first().waitFor();
    await view.page.getByRole('button', { name: 'Markdown…' }).click();
    expect(await untilAsked('save')).toEqual({ kind: 'report-markdown', threshold: 0.05 });
  });

  it('analyses again with other settings', async () => {
    await open();
    await ready();
    await view.page.getByRole('button', { name: 'Analysis', exact: true }).click();
    await view.page.getByRole('menuitemcheckbox', { name: 'Improvements, Too' }).click();
    expect(await untilAsked('analyse')).toEqual({ settings: { burst: 0, improvements: true } });
    view.tell('shown', {
      ...done(tera),
      kind: 'analysing',
      progress: { message: 'Series 12 of 160', fraction: 0.1 },
    });
    await view.page.getByText('Series 12 of 160').waitFor();
    // What was found stays to be read meanwhile.
    expect(await view.page.locator('.series-title').isVisible()).toBe(true);
    await view.page.getByRole('button', { name: 'Cancel' }).click();
    await untilAsked('cancel');
    view.tell('shown', done(tera));
    await expect.poll(() => view.page.getByText('Series 12 of 160').isVisible()).toBe(false);
  });

  it.each([300, 460])('fits beside the source, %s pixels wide', async (width) => {
    await open({ size: { width, height: 900 } });
    await ready();
    await view.screenshot(`dynamics-narrow-${width}`);
    // Controls stand beside each other, not over each other.
    const overlaps = await view.page.evaluate(() => {
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
    const cut = await view.page.evaluate(() =>
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
    expect(await view.page.locator('.series-title').innerText()).toBe('run · hot spot · rank 0');
    const text = await view.page.locator('body').innerText();
    expect(text).toContain('⟨U+202E⟩ evil');
    expect(text).not.toContain('\u202E');
    expect(await view.page.locator('img').count()).toBe(0);
    await view.page.getByRole('button', { name: 'Series over the iterations: Save…' }).click();
    await view.page.getByRole('menuitem', { name: 'Save as CSV…' }).click();
    await untilAsked('save');
  });
});

describe('a dynamics panel without findings', () => {
  const shown = (part: object): DynamicsShown =>
    ({ panel: 'p1', title: 'solver', settings: { burst: 0, improvements: false }, ...part }) as DynamicsShown;

  it('says that time does not matter', async () => {
    await open({ pieces: flatPieces() });
    await view.page
      .locator('.summary')
      .filter({ hasText: 'the time dimension is irrelevant here' })
      .waitFor();
    await ready();
    await view.screenshot('dynamics-flat');
  });

  it('says how to get iterations', async () => {
    await open({
      shown: shown({ kind: 'noIterations', message: 'The profile has no iterations. Choose a phase.' }),
    });
    await view.page.getByText('The profile has no iterations.').waitFor();
    await view.page.getByRole('button', { name: 'Choose a Phase…' }).click();
    expect(await untilAsked('act')).toEqual({ action: 'markPhase' });
    await view.screenshot('dynamics-no-iterations');
  });

  it('says what is being done, and can be cancelled', async () => {
    await open({ shown: shown({ kind: 'analysing' }) });
    await view.page.getByText('Looking for what changes').waitFor();
    view.tell('progress', { message: 'Burst 2 of 5', fraction: 0.4 });
    await view.page.getByText('Burst 2 of 5').waitFor();
    expect(await view.page.getByRole('progressbar', { name: 'Analysis' }).getAttribute('aria-valuenow')).toBe(
      '40',
    );
    await view.page.getByRole('button', { name: 'Cancel' }).click();
    await untilAsked('cancel');
    view.tell('shown', shown({ kind: 'cancelled' }));
    await view.page.getByRole('button', { name: 'Analyse', exact: true }).click();
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
    await view.page.getByRole('alert').filter({ hasText: 'run.csv, line 3' }).waitFor();
    await view.page.getByRole('button', { name: 'Try Again' }).click();
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
      await view.send(message);
    expect(await view.page.locator('.title').innerText()).toBe('Dynamics of 129.tera_tf');
  });
});
