import { describe, expect, it } from 'vitest';
import type { ModelsEvents, ModelsRequests, ModelsShown } from '../../../src/protocol/models';
import { themeNames } from '../lib/themes';
import { useViews } from '../lib/useViews';
import type { View } from '../lib/view';
import {
  answersOf,
  common,
  comparedModels,
  done,
  manyModels,
  oneParameter,
  twoParameters,
  type Asked,
  type Served,
  type TestModels,
} from './served';

const views = useViews();
let view: View<ModelsRequests, ModelsEvents>;
let asked: Asked[] = [];
let served: Served;

async function open(
  options: {
    readonly models?: TestModels;
    readonly shown?: ModelsShown;
    readonly state?: unknown;
    readonly size?: { readonly width: number; readonly height: number };
  } = {},
): Promise<void> {
  const { models = oneParameter(), shown, ...rest } = options;
  served = { models, shown: shown ?? done(models) };
  asked = [];
  view = await views.open<ModelsRequests, ModelsEvents>({
    entry: 'webview/models/main.ts',
    answers: answersOf(served, asked),
    size: { width: 1280, height: 760 },
    ...rest,
  });
}

const ready = async (): Promise<void> => {
  await view.page.locator('.model-facts').filter({ hasText: 'SMAPE' }).waitFor();
  await frame();
};
const frame = (): Promise<void> =>
  view.page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
const rows = () => view.page.locator('.models-list .grid-row:visible');
const texts = async (): Promise<readonly string[]> =>
  (await rows().allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
const last = (name: keyof ModelsRequests): unknown => asked.findLast(([one]) => one === name)?.[1];
const choose = async (label: string, option: string): Promise<void> => {
  await view.page.locator(`vscode-dropdown[aria-label="${label}"]`).click();
  await view.page.getByRole('option', { name: option, exact: true }).click();
};
const announced = (): Promise<string> => view.page.locator('[role=status][aria-live]').innerText();

describe('the models panel', () => {
  it.each(themeNames)('can be read in %s', async (theme) => {
    await open();
    await ready();
    await view.setTheme(theme);
    expect(await view.lowContrast()).toEqual([]);
    await frame();
    await view.screenshot(`models-${theme}`);
    await view.page.getByRole('tab', { name: 'Formulas' }).click();
    expect(await view.lowContrast()).toEqual([]);
    await view.screenshot(`models-formulas-${theme}`);
  });

  it('is usable in a narrow panel, with two parameters', async () => {
    await open({ models: twoParameters(), size: { width: 420, height: 900 } });
    await ready();
    await view.screenshot('models-narrow');
    expect(await view.page.locator('.model-chart canvas').isVisible()).toBe(true);
    const cut = await view.page.evaluate(() =>
      [...document.querySelectorAll('.view *')]
        .filter(
          (one) => one.closest('.grid') === null && one.getBoundingClientRect().right > window.innerWidth,
        )
        .map(({ className }) => className),
    );
    expect(cut).toEqual([]);
  });

  it('compares two models, by keys and by mouse', async () => {
    await open();
    await ready();
    await view.tabTo(/grid Models/);
    await view.page.keyboard.press('ArrowDown');
    await view.page.keyboard.press('Shift+ArrowDown');
    const title = view.page.locator('.model-title');
    await expect.poll(() => title.innerText()).toBe('pack, compared with solve');
    await frame();
    await view.screenshot('models-compared');
    await view.page.keyboard.press('ArrowUp');
    await expect.poll(() => title.innerText()).toBe('pack');
    await rows()
      .nth(0)
      .click({ modifiers: ['Control'] });
    await expect.poll(() => title.innerText()).toBe('pack, compared with exchange');
  });

  it('ranks by predicted share, and says how far each model can be relied on', async () => {
    await open();
    await ready();
    const shown = await texts();
    expect(shown[0]).toMatch(/main → solve → exchange .* clear/);
    const shares = shown.map((row) => Number(/(?:<)?([\d.]+) %/.exec(row)?.[1]));
    expect(shares).toEqual(shares.toSorted((a, b) => b - a));
    expect(shown.find((row) => row.includes('output'))).toMatch(/not enough data/);
    expect(shown.find((row) => row.includes('pack'))).toMatch(/two regimes/);
    expect(shown.find((row) => row.includes('operator->'))).toMatch(/main → solve → operator->/);
    const verdict = rows().filter({ hasText: 'output' }).locator('[title*="No formula"]');
    expect(await verdict.count()).toBe(1);
    expect(await view.page.locator('.summary').innerText()).toBe(
      '9 models of p (10 values). Always: threads = 4.',
    );
  });

  it('asks for predictions only when the point changes, and keeps it over a reload', async () => {
    await open();
    await ready();
    const field = view.page.getByRole('textbox', { name: 'Predict for p' });
    const before = await texts();
    expect(await field.inputValue()).toBe('640');
    await field.fill('128');
    await expect.poll(async () => (await texts())[0] === before[0]).toBe(false);
    await expect.poll(announced).toBe('Predicted for p = 128');
    expect(last('predictions')).toMatchObject({ id: 'first', point: [128] });
    asked = [];
    await field.fill('none');
    await view.page.getByText('Enter a positive number.').waitFor();
    expect(last('predictions')).toBeUndefined();
    await view.reload();
    await ready();
    expect(await view.page.getByRole('textbox', { name: 'Predict for p' }).inputValue()).toBe('128');
    await view.page.getByRole('button', { name: 'Predict Ten Times the Largest Values' }).click();
    await expect.poll(texts).toEqual(before);
  });

  it('searches, sorts, and shows another metric', async () => {
    await open();
    await ready();
    await view.page.getByRole('textbox', { name: 'Search models' }).fill('not-enough');
    const count = view.page.locator('.models-list .count');
    await expect.poll(() => count.innerText()).toBe('1 of 7 models');
    await view.page.getByRole('textbox', { name: 'Search models' }).fill('nothing like this');
    await view.page.getByRole('button', { name: 'Show All' }).click();
    await expect.poll(() => count.innerText()).toBe('7 models');
    await view.page.getByRole('columnheader', { name: 'Call path' }).click();
    await expect.poll(async () => (await texts())[0]).toMatch(/^main → init/);
    await view.page.locator('vscode-dropdown[aria-label=Metric]').click();
    await view.page.getByRole('option', { name: 'visits' }).click();
    await expect.poll(() => count.innerText()).toBe('2 models');
    await expect.poll(async () => (await texts())[1]).toMatch(/main → solve .*64000/);
  });

  it('plots along one parameter while the others are fixed', async () => {
    await open({ models: twoParameters() });
    await ready();
    expect(last('curve')).toMatchObject({ id: 'first', row: 0, parameter: 0, point: [320, 160] });
    await view.page.locator('vscode-dropdown[aria-label=Over]').click();
    await view.page.getByRole('option', { name: 'n', exact: true }).click();
    await expect
      .poll(() => last('curve'))
      .toMatchObject({ id: 'first', row: 0, parameter: 1, point: [32, 1600] });
    await view.page.locator('vscode-dropdown[aria-label="p ="]').click();
    await view.page.getByRole('option', { name: '4', exact: true }).click();
    await expect
      .poll(() => last('curve'))
      .toMatchObject({ id: 'first', row: 0, parameter: 1, point: [4, 1600] });
    await frame();
    await view.page.locator('.model-chart canvas').focus();
    await view.page.keyboard.press('End');
    await expect.poll(announced).toMatch(/^n = 1600 \(extrapolated\): not measured · model .* · 95 % range /);
    await view.page.keyboard.press('Home');
    await expect.poll(announced).toMatch(/^n = 10: measured 1.21 s · model 1.2 s/);
    await view.page.getByRole('button', { name: 'Show as Table' }).click();
    await view.page.locator('.model-chart .grid-row').first().waitFor();
    expect(await view.page.locator('.model-chart .grid-row').count()).toBe(6);
  });

  it('shows formulas to copy, and what they were chosen from', async () => {
    await open();
    await ready();
    await view.page.getByRole('tab', { name: 'Formulas' }).click();
    expect(await view.page.locator('.expressions code').nth(1).innerText()).toContain('p**');
    expect(await view.page.getByRole('button', { name: /^Copy / }).count()).toBe(4);
    expect(await view.page.locator('.compared-table tbody tr').count()).toBeGreaterThan(1);
  });

  it('exports all models, for the chosen point', async () => {
    await open({ state: { id: 'first', point: [77] } });
    await ready();
    await view.page.getByRole('button', { name: 'Export…' }).click();
    await view.page.getByRole('menuitem', { name: 'JSON…' }).click();
    await expect
      .poll(() => last('save'))
      .toEqual({ kind: 'models', id: 'first', format: 'json', point: [77] });
  });

  it('goes to the function, or says that nobody knows it', async () => {
    await open();
    await ready();
    await view.page.getByRole('button', { name: 'Go to Source' }).click();
    await expect.poll(() => last('openSource')).toEqual({ id: 'first', row: 0 });
    served.isUnknown = true;
    await view.page.getByRole('button', { name: 'Go to Source' }).click();
    await view.page.getByText('No function exchange is known here').waitFor();
  });

  it('shows 10,000 models, whatever their names', async () => {
    await open({ models: manyModels(10_000) });
    await ready();
    expect(await view.page.locator('.models-list .count').innerText()).toBe('10000 models');
    expect(await rows().count()).toBeLessThan(80);
    expect(await view.page.locator('img').count()).toBe(0);
    await view.page.getByRole('textbox', { name: 'Search models' }).fill('region_9999');
    await expect.poll(() => view.page.locator('.models-list .count').innerText()).toBe('1 of 10000 models');
  });

  it('shows progress that can be cancelled, errors with what to do, and an input without measurements', async () => {
    await open({ shown: { ...common, kind: 'making' } });
    view.tell('progress', { message: 'Reading app.p4.r1', fraction: 0.5 });
    await view.page.getByText('Reading app.p4.r1').waitFor();
    await view.page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => asked.map(([name]) => name)).toEqual(['cancel']);
    view.tell('shown', { ...common, kind: 'cancelled' });
    await view.page.getByRole('button', { name: 'Make Models' }).click();
    view.tell('shown', { ...common, kind: 'failed', message: 'line 3: a number was expected' });
    await view.page.getByRole('alert').filter({ hasText: 'line 3' }).waitFor();
    await view.page.getByRole('button', { name: 'Try Again' }).click();
    await view.page.getByRole('button', { name: 'Show Another Input…' }).click();
    view.tell('shown', { ...common, kind: 'empty', message: 'There are no measurements.' });
    await view.page.getByText('five values of a parameter').waitFor();
    await expect.poll(() => asked.map(([name]) => name)).toEqual(['cancel', 'make', 'make', 'act']);
    view.tell('shown', done(served.models));
    await ready();
  });

  it.each(themeNames)('shows a model over two parameters in %s', async (theme) => {
    await open({ models: twoParameters(), state: { id: 'first', parameter: 0, second: 1 } });
    await ready();
    await view.setTheme(theme);
    await frame();
    expect(await view.lowContrast()).toEqual([]);
    await view.page.locator('.model-chart canvas').focus();
    for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowUp', 'ArrowUp'])
      await view.page.keyboard.press(key);
    await frame();
    await view.screenshot(`models-map-${theme}`);
  });

  it('reads the map by keys and by the pointer, as a table, and with other axes', async () => {
    await open({ models: twoParameters() });
    await ready();
    await choose('and', 'n');
    await expect
      .poll(() => last('plane'))
      .toEqual({
        ...{ id: 'first', row: 0, parameters: [0, 1], point: [320, 1600] },
        logarithmic: [true, true],
      });
    const canvas = view.page.locator('.model-chart canvas');
    await canvas.focus();
    await view.page.keyboard.press('ArrowRight');
    await expect.poll(announced).toMatch(/^p = 2, n = 10 · measured 1.11 s · model 1.1 s · 95 % range /);
    await view.page.keyboard.press('End');
    await expect.poll(announced).toMatch(/^p = 320, n = 1600 \(extrapolated\) · model /);
    const box = await canvas.boundingBox();
    await view.page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2);
    await expect
      .poll(() => view.page.locator('.model-chart .read-out').innerText())
      .toMatch(/^p = [\d.]+, n = [\d.]+.* · model .* · 95 % range/);
    await view.page.getByRole('checkbox', { name: 'Logarithmic horizontal axis' }).click();
    await expect.poll(() => last('plane')).toMatchObject({ logarithmic: [false, true] });
    await view.page.locator('.model-chart').getByRole('button', { name: 'Show as Table' }).click();
    await view.page.locator('.model-chart .grid-row').first().waitFor();
    // 6 values of p and of n: 5 that were measured, and the point that is predicted.
    expect(await view.page.locator('.model-chart [role=row][aria-rowindex]').count()).toBeGreaterThan(5);
    await view.page.locator('.model-chart').getByRole('button', { name: 'Save…' }).click();
    await view.page.getByRole('menuitem', { name: 'Save as CSV…' }).click();
    await expect.poll(() => last('save')).toMatchObject({ kind: 'table', name: 'solve' });
    const { content } = last('save') as { readonly content: Uint8Array };
    const lines = new TextDecoder().decode(content).trim().split(/\r?\n/);
    expect(lines[0]).toBe('p,n,measured time [sec],model,low,high');
    expect(lines).toHaveLength(1 + 36);
    await view.reload();
    await ready();
    expect(last('plane')).toMatchObject({ logarithmic: [false, true] });
    await choose('and', 'nothing else');
    await expect.poll(() => view.page.locator('.model-chart canvas, .model-chart table').count()).toBe(1);
  });

  it.each(themeNames)('compares with other measurements in %s', async (theme) => {
    await open({ models: comparedModels() });
    await ready();
    await view.setTheme(theme);
    await frame();
    expect(await view.lowContrast()).toEqual([]);
    await view.screenshot(`models-studies-${theme}`);
  });

  it('shows both predictions and their ratio, both curves and both formulas, and what only one of both has', async () => {
    await open({ models: comparedModels() });
    await ready();
    const shown = await texts();
    expect(shown.find((row) => row.startsWith('main → solve → exchange'))).toMatch(/× 2 /);
    expect(shown.find((row) => /^main → solve \d/.test(row))).toMatch(/× 1 /);
    expect(shown.find((row) => row.startsWith('main → init'))).toMatch(/not measured/);
    const notes = await view.page.locator('.notes').innerText();
    expect(notes).toContain(
      'Compared with study-before. Only here: 2 models (main → init, main → output → exchange). Only there: 1 model (main → read).',
    );
    expect(notes).toContain('Nothing was measured of “sweep”');
    expect(await view.page.locator('.model-title').innerText()).toBe('exchange, compared with study-before');
    expect(asked.filter(([name]) => name === 'curve').map(([, given]) => given)).toEqual([
      { id: 'first', row: 0, point: [640], parameter: 0, isCompared: false },
      { id: 'first', row: 0, point: [640], parameter: 0, isCompared: true },
    ]);
    await view.page.getByText('It grows with p², and O(p) is expected (99.0 % certain).').waitFor();
    await view.page.getByRole('tab', { name: 'Formulas' }).click();
    expect(await view.page.locator('.formulas-of').allInnerTexts()).toEqual([
      'measurements.txt',
      'study-before',
    ]);
    await view.screenshot('models-studies-formulas');
    await rows().filter({ hasText: 'init' }).click();
    await expect.poll(() => view.page.locator('.model-title').innerText()).toBe('init');
  });

  it('shows functions in place of call paths, and groups of equal growth', async () => {
    await open({ models: comparedModels() });
    await ready();
    await choose('Rows', 'Functions');
    await view.page.getByRole('columnheader', { name: 'Function' }).waitFor();
    const count = view.page.locator('.models-list .count');
    await expect.poll(() => count.innerText()).toBe('3 models');
    const exchange = rows().filter({ hasText: 'exchange' });
    expect(await exchange.locator('[title="exchange: the sum of 2 call paths"]').count()).toBe(1);
    expect(last('predictions')).toMatchObject({ id: 'first-functions' });
    await choose('Group by', 'Growth');
    await expect.poll(async () => (await texts())[0]).toMatch(/^p² \(1\) /);
    await frame();
    await view.screenshot('models-groups');
    await rows().filter({ hasText: 'constant (1)' }).dblclick();
    await expect.poll(async () => (await texts()).some((row) => row.startsWith('init'))).toBe(false);
    await view.reload();
    await ready();
    expect((await texts()).some((row) => row.startsWith('init'))).toBe(false);
    await view.page.getByRole('textbox', { name: 'Search models' }).fill('log₂ p');
    await expect.poll(() => count.innerText()).toBe('1 of 3 models');
  });

  it('asks how models are made, what they are compared with, and for the next point', async () => {
    await open({ models: comparedModels() });
    await ready();
    const line = view.page.locator('.next-point');
    expect(await line.innerText()).toMatch(
      /Worth measuring next: p = 128 \(3 times, about 4 min 12 s\). The models .* differ most there./,
    );
    await line.getByRole('button', { name: 'Measure This Point' }).click();
    await expect.poll(() => last('measureNext')).toEqual({ id: 'first' });
    const method = async (item: string): Promise<void> => {
      await view.page.getByRole('button', { name: 'Method…' }).click();
      await view.page.getByRole('menuitemcheckbox', { name: item }).click();
    };
    await method('Median of the Repetitions');
    await expect
      .poll(() => last('make'))
      .toEqual({ settings: { mode: 'probable', measure: 'median', scaling: 'default' } });
    const settings = { mode: 'extra-p', measure: 'median', scaling: 'strong' } as const;
    view.tell('shown', { ...done(comparedModels()), settings, isComparing: true });
    await expect.poll(() => view.page.locator('.summary').innerText()).toMatch(/Made as Extra-P makes them/);
    await method('Locations: Mean of All');
    await expect.poll(() => last('make')).toEqual({ settings: { ...settings, scaling: 'weak' } });
    await view.page.getByRole('button', { name: 'Compare…' }).click();
    await expect.poll(() => last('act')).toEqual({ action: 'compare' });
    await view.page.getByRole('button', { name: 'Models', exact: true }).click();
    await view.page.getByRole('menuitem', { name: 'Stop Comparing' }).click();
    await expect.poll(() => last('act')).toEqual({ action: 'compareNothing' });
    view.tell('shown', {
      ...common,
      isComparing: true,
      kind: 'failed',
      message: 'The other file is damaged.',
    });
    asked = [];
    await view.page.getByRole('button', { name: 'Stop Comparing' }).click();
  });

  it('is usable in a narrow panel with a map and with other measurements', async () => {
    const size = { width: 420, height: 900 };
    await open({ models: comparedModels(), size });
    await ready();
    await view.screenshot('models-studies-narrow');
    await open({ models: twoParameters(), size, state: { id: 'first', parameter: 0, second: 1 } });
    await ready();
    await view.screenshot('models-map-narrow');
    const cut = await view.page.evaluate(() =>
      [...document.querySelectorAll('.view *')]
        .filter(
          (one) => one.closest('.grid') === null && one.getBoundingClientRect().right > window.innerWidth,
        )
        .map(({ className }) => className),
    );
    expect(cut).toEqual([]);
  });
});
