import { describe, expect, it } from 'vitest';
import type { ServedModels } from '../../../src/core/views/servedModels';
import type { ModelsEvents, ModelsRequests, ModelsShown } from '../../../src/protocol/models';
import { themeNames } from '../lib/themes';
import { useViews } from '../lib/useViews';
import type { View } from '../lib/view';
import { answersOf, done, manyModels, oneParameter, twoParameters, type Asked, type Served } from './served';

const views = useViews();
let view: View<ModelsRequests, ModelsEvents>;
let asked: Asked[] = [];
let served: Served;

async function open(
  options: {
    readonly models?: ServedModels;
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
const rows = () => view.page.locator('.models-list .grid-row');
const texts = async (): Promise<readonly string[]> =>
  (await rows().allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
const last = (name: keyof ModelsRequests): unknown => asked.findLast(([one]) => one === name)?.[1];
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
});
