import { expect } from 'vitest';
import type { ComparisonEvents, ComparisonRequests, ComparisonShown } from '../../../src/protocol/comparison';
import { useViews } from '../lib/useViews';
import type { View } from '../lib/view';
import { answersOf, done, sweep, type Asked, type Served, type TestComparison } from './served';

const views = useViews();

/** The panel in a browser, as it was opened last. */
export let view: View<ComparisonRequests, ComparisonEvents>;
export let served: Served;
/** What it asked since then. */
export const asked: Asked[] = [];

export async function open(
  options: {
    readonly comparison?: TestComparison;
    readonly engine?: Served['engine'];
    readonly shown?: ComparisonShown;
    readonly state?: unknown;
    readonly size?: { readonly width: number; readonly height: number };
  } = {},
): Promise<void> {
  const { comparison = sweep(), shown = done(comparison), engine, ...rest } = options;
  served = { comparison, shown, ...(engine !== undefined && { engine }) };
  asked.length = 0;
  view = await views.open<ComparisonRequests, ComparisonEvents>({
    entry: 'webview/comparison/main.ts',
    answers: answersOf(served, asked),
    size: { width: 1280, height: 800 },
    ...rest,
  });
}

/** Waits until there is all to see. */
export async function ready(): Promise<void> {
  await rows(1).first().waitFor();
  await view.page.locator('.pair-facts tbody tr').first().waitFor();
  await expect.poll(() => asked.some(([name]) => name === 'overview')).toBe(true);
  await frame();
  await frame();
}

export const frame = (): Promise<void> =>
  view.page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
export const pane = (number: number) => view.page.locator('.comparison-pane').nth(number - 1);
export const rows = (number: number) => pane(number).locator('.grid-row:visible');
export const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
export const texts = async (number: number): Promise<readonly string[]> =>
  (await rows(number).locator('.grid-cell:first-child').allInnerTexts()).map(plain);
export const selected = async (number: number): Promise<string> =>
  plain(await pane(number).locator('.grid-row.selected .grid-cell:first-child').innerText());
export const last = (name: keyof ComparisonRequests): unknown => asked.findLast(([one]) => one === name)?.[1];
export const choose = async (label: string, option: string): Promise<void> => {
  await view.page.locator(`vscode-dropdown[aria-label="${label}"]`).click();
  await view.page.getByRole('option', { name: option, exact: true }).click();
};
