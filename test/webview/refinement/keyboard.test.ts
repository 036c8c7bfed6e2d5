import { beforeEach, describe, expect, it } from 'vitest';
import type { RefinementEvents, RefinementRequests } from '../../../src/protocol/refinement';
import { useViews } from '../lib/useViews';
import type { View } from '../lib/view';
import { answersOf, type Asked, complete } from './study';

const views = useViews();
let view: View<RefinementRequests, RefinementEvents>;
let asked: Asked[];
beforeEach(async () => {
  asked = [];
  view = await views.open<RefinementRequests, RefinementEvents>({
    entry: 'webview/refinement/main.ts',
    answers: answersOf(() => complete({ disabled: {} }), asked),
  });
  await view.page.locator('.grid-row:visible').first().waitFor();
});

/** Everything that the panel can ask the extension to do, and everything that it can do itself. Reading is no action. */
type Action =
  | Exclude<keyof RefinementRequests, 'open' | 'functions'>
  | 'choose a round'
  | 'choose a round in the chart'
  | 'show the chart as a table'
  | 'change the height of the chart'
  | 'search'
  | 'search by a regular expression'
  | 'filter by state'
  | 'filter by reason'
  | 'sort'
  | 'make a column wider'
  | 'choose columns'
  | 'unpin'
  | 'pin by the menu'
  | 'save the chart';

interface Typed {
  readonly text: string;
}

interface Keys {
  /** Where Tab leads to, and what is pressed there, in this order. */
  readonly focus: RegExp;
  readonly press: readonly (string | Typed)[];
  /** What the extension is asked, or what the view shows then. */
  readonly asks?: readonly [name: keyof RefinementRequests, parameters: object];
  readonly shows?: () => Promise<unknown>;
  /** What of the view's kept state is another one then. */
  readonly changes?: 'iteration' | 'chartShare' | 'decisionLayout' | 'decisions';
}

const type = (text: string): Typed => ({ text });

const page = (): View<RefinementRequests, RefinementEvents>['page'] => view.page;
const count = (): Promise<string> => page().locator('.count').first().innerText();
const visible = (selector: string) => async (): Promise<boolean> =>
  (await page().locator(selector).count()) > 0;

/** The panel's actions and their keys. A new request without a line here does not compile. */
const byKeys: Readonly<Record<Action, Keys>> = {
  next: { focus: /Next Round/, press: ['Enter'], asks: ['next', {}] },
  stop: { focus: /Next Round/, press: ['ArrowRight', 'Enter'], asks: ['stop', {}] },
  'choose a round': {
    focus: /Round 2$|combobox Round/,
    press: ['ArrowUp', 'Tab'],
    changes: 'iteration',
  },
  accept: {
    focus: /Next Round/,
    press: ['End', 'ArrowLeft', 'Enter'],
    asks: ['accept', { iteration: 2 }],
  },
  exportFilter: {
    focus: /Next Round/,
    press: ['End', 'Space'],
    asks: ['exportFilter', { iteration: 2 }],
  },
  'choose a round in the chart': {
    focus: /Overhead and functions per round\./,
    press: ['Home', 'ArrowRight', 'Enter'],
    changes: 'iteration',
  },
  'show the chart as a table': {
    focus: /Show as Table/,
    press: ['Enter'],
    shows: visible('.chart-table td'),
  },
  'save the chart': { focus: /Save Chart as PNG/, press: ['Enter'], asks: ['save', { kind: 'png' }] },
  'change the height of the chart': {
    focus: /Height of the chart/,
    press: ['ArrowDown'],
    changes: 'chartShare',
  },
  search: {
    focus: /Decisions/,
    press: ['Control+f', type('step_111')],
    shows: async () => (await count()) === '11 of 1200 functions',
  },
  'search by a regular expression': {
    focus: /Decisions/,
    press: ['Control+f', type('step_11[05]\\('), 'Alt+R'],
    shows: async () => (await count()) === '2 of 1200 functions',
  },
  'filter by state': {
    focus: /State/,
    press: ['ArrowDown', 'Tab'],
    shows: async () => (await count()) === '17 of 1200 functions',
  },
  'filter by reason': {
    focus: /Reason/,
    press: ['ArrowDown', 'Tab'],
    shows: async () => /^\d+ of 1200 functions$/.test(await count()),
  },
  save: {
    focus: /Use Regular Expression/,
    press: ['End', 'Enter'],
    asks: ['save', { kind: 'csv' }],
  },
  sort: {
    focus: /^button Function/,
    press: ['End', 'ArrowLeft', 'ArrowLeft', 'Enter'],
    changes: 'decisions',
  },
  'make a column wider': {
    focus: /^button Function/,
    press: ['Shift+ArrowRight'],
    changes: 'decisionLayout',
  },
  'choose columns': {
    focus: /^button Function/,
    press: ['Shift+F10'],
    shows: visible('[role=menu] [role=menuitemcheckbox]'),
  },
  openSource: { focus: /grid Decisions/, press: ['Home', 'Enter'], asks: ['openSource', { row: 0 }] },
  pin: { focus: /grid Decisions/, press: ['Home', 'Space'], asks: ['pin', { row: 0, state: 'out' }] },
  unpin: { focus: /grid Decisions/, press: ['Home', 'Delete'], asks: ['pin', { row: 0, state: 'none' }] },
  'pin by the menu': {
    focus: /grid Decisions/,
    press: ['Home', 'Shift+F10', 'ArrowDown', 'Enter'],
    asks: ['pin', { row: 0, state: 'in' }],
  },
  difference: {
    focus: /tab Decisions/,
    press: ['ArrowRight'],
    asks: ['difference', { from: 1, to: 2 }],
  },
};

async function kept(part: NonNullable<Keys['changes']>): Promise<string> {
  const state = (await view.state()) as Readonly<Record<string, unknown>>;
  return JSON.stringify(state[part]);
}

describe('without a mouse', () => {
  it.each(Object.entries(byKeys))('%s', async (_, { focus, press, asks, shows, changes }) => {
    const before = changes === undefined ? undefined : await kept(changes);
    await view.tabTo(focus);
    for (const key of press)
      if (typeof key === 'string') await page().keyboard.press(key);
      else await page().keyboard.type(key.text);
    if (asks !== undefined) {
      const [name, parameters] = asks;
      await expect.poll(() => asked.filter(([one]) => one === name).at(-1)?.[1]).toMatchObject(parameters);
    }
    if (shows !== undefined) await expect.poll(shows).toBe(true);
    if (changes !== undefined) await expect.poll(() => kept(changes)).not.toBe(before);
  });

  it('leads back from a search that found nothing', async () => {
    await view.tabTo(/tab Decisions/);
    await page().keyboard.press('Control+f');
    await page().keyboard.type('none such');
    await expect.poll(count).toBe('0 of 1200 functions');
    await view.tabTo(/Show All/);
    await page().keyboard.press('Enter');
    await expect.poll(count).toBe('1200 functions');
  });
});
