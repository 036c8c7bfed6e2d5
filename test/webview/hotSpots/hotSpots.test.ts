import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { KymoError } from '../../../src/core/errors';
import {
  maximumRows,
  type HotSpotsEvents,
  type HotSpotsRequests,
  type Reveal,
} from '../../../src/protocol/hotSpots';
import { themeNames } from '../lib/themes';
import { type View, ViewBrowser } from '../lib/view';
import {
  answersOf,
  hostileName,
  large,
  longName,
  profileOf,
  small,
  withHeader,
  type Asked,
  type TestProfile,
} from './profiles';

type Page = View<HotSpotsRequests, HotSpotsEvents>;

let browser: ViewBrowser;
let asked: Asked[];
let view: Page;
beforeAll(async () => {
  browser = await ViewBrowser.start();
});
afterAll(() => browser.close());

let extension: ReturnType<typeof answersOf>;
async function open(
  profile: () => TestProfile = () => small(),
  options: {
    readonly state?: unknown;
    readonly size?: { width: number; height: number };
    readonly others?: readonly TestProfile[];
    readonly reveal?: Reveal;
  } = {},
): Promise<Page> {
  asked = [];
  const { others, reveal, ...rest } = options;
  extension = answersOf(profile, asked, others, () => (reveal === undefined ? {} : { reveal }));
  view = await browser.open<HotSpotsRequests, HotSpotsEvents>({
    entry: 'webview/hotSpots/main.ts',
    answers: extension.answers,
    ...rest,
  });
  return view;
}

const rows = () => view.page.locator('.grid-row:visible');
const row = (text: string) => rows().filter({ hasText: text }).first();
const selected = () => view.page.locator('.grid-row.selected:visible');
const flat = (): Promise<void> => view.page.getByRole('tab', { name: 'Functions' }).click();
async function ready(): Promise<void> {
  await rows().first().waitFor();
}
async function untilAsked(name: keyof HotSpotsRequests): Promise<unknown> {
  await expect.poll(() => asked.some((one) => one.name === name)).toBe(true);
  return asked.findLast((one) => one.name === name)?.parameters;
}
async function search(text: string): Promise<void> {
  await view.page.keyboard.press('Control+f');
  await view.page.keyboard.type(text);
}
const outcome = () => view.page.locator('.search-count').innerText();

afterEach(async () => {
  expect(
    view.errors.filter((error) => !error.startsWith('Applying inline style')),
    'exceptions',
  ).toEqual([]);
  expect(view.refused, 'messages that the extension refused').toEqual([]);
  await view.close();
});

describe('hot-spot panel', () => {
  it('shows the call tree with the heaviest child first, and expands it', async () => {
    await open();
    await ready();
    expect(await rows().count()).toBe(4);
    await expect.poll(() => rows().nth(1).innerText()).toMatch(/^solve\(std::vector<…>&\)/);
    await row('solve(').click();
    await view.page.keyboard.press('ArrowRight');
    await expect
      .poll(() => rows().nth(2).innerText())
      .toMatch(/kernel\s+1.2 s\s+1.2 s\s+60.0 %\s+1.2 M\s+1 µs\s+24 ms/);
    await view.screenshot('hotSpots-tree');
  });

  it('shows names as text, whatever they are, and long ones short', async () => {
    await open();
    await ready();
    await expect.poll(() => row('onerror').innerText()).toContain('<img src=x');
    expect(await view.page.locator('img').count()).toBe(0);
    expect(await row('deep<…>').innerText()).toMatch(/^deep<…>::run\(\)/);
    await view.page.getByRole('button', { name: 'Full C++ Names' }).click();
    expect((await row('deep<std::pair').innerText()).length).toBeLessThan(1200);
    await flat();
    expect(await row(hostileName.slice(0, 20)).count()).toBe(1);
    expect(longName.length).toBeGreaterThan(10_000);
  });

  it('finds substrings and patterns, opens the way to them, and says where it is', async () => {
    await open();
    await ready();
    await search('kernel');
    await expect.poll(outcome).toBe('1 of 2');
    expect(await selected().innerText()).toMatch(/^kernel/);
    await view.page.keyboard.press('Enter');
    await expect.poll(outcome).toBe('2 of 2');
    await view.page.keyboard.press('Shift+Enter');
    await expect.poll(outcome).toBe('1 of 2');
    expect(await view.page.locator('mark:visible').first().innerText()).toBe('kernel');
    await view.page.keyboard.press('Alt+r');
    await view.page.keyboard.press('Control+a');
    await view.page.keyboard.type('^(MPI_|main$)');
    await expect.poll(outcome).toMatch(/of 2$/);
    await view.page.keyboard.press('Control+a');
    await view.page.keyboard.type('(');
    await expect.poll(outcome).toMatch(/not closed/);
    await view.page.keyboard.press('Control+a');
    await view.page.keyboard.type('(a+)+$');
    await expect.poll(outcome).toMatch(/No matches|of/);
    await view.page.keyboard.press('Escape');
    await expect.poll(outcome).toBe('');
  });

  it('sorts functions by any column, by its header', async () => {
    await open();
    await ready();
    await flat();
    await expect.poll(() => rows().first().innerText()).toMatch(/^kernel/);
    expect(await rows().first().innerText()).toMatch(/solve\.cpp:40/);
    await view.page.getByRole('button', { name: 'Visits' }).click();
    await view.page.getByRole('button', { name: 'Visits' }).click();
    await expect.poll(() => rows().first().innerText()).toMatch(/^main/);
    await view.screenshot('hotSpots-functions');
  });

  describe('by keys alone', () => {
    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await view.page.keyboard.press(key);
    };
    const tab = (name: RegExp): Promise<void> => view.tabTo(name);
    const lastAsked = (name: keyof HotSpotsRequests) =>
      asked.findLast((one) => one.name === name)?.parameters as Record<string, unknown> | undefined;
    const state = async () => (await view.state()) as Record<string, unknown>;
    /** From the toolbar to one of its buttons. */
    const toolbar = async (name: RegExp): Promise<void> => {
      await tab(
        /^(button|toolbar) (Hot Path|Expand|Collapse|Zoom|Show Everything|Full|Distribution|Columns|Save)/,
      );
      await press('Home');
      for (let at = 0; at < 12 && !name.test(await view.focused()); at++) await press('ArrowRight');
      expect(await view.focused()).toMatch(name);
    };
    /** Chooses an item of the menu that is open. */
    const choose = async (item: string): Promise<void> => {
      await expect.poll(() => view.focused()).toMatch(/^menuitem/);
      for (let at = 0; at < 15 && !(await view.focused()).includes(item); at++) await press('ArrowDown');
      expect(await view.focused()).toContain(item);
      await press('Enter');
    };

    it('hot path, source, pins, the menu of a row', async () => {
      await open();
      await ready();
      await toolbar(/Hot Path/);
      await press('Enter');
      await expect.poll(() => selected().innerText()).toMatch(/^kernel/);
      await press('Enter');
      expect(await untilAsked('openSource')).toEqual({ side: 'main', region: 2 });
      for (const [item, pinState] of [
        ['Exclude from', 'out'],
        ['Include in', 'in'],
      ] as const) {
        await press('Shift+F10');
        await choose(item);
        await expect.poll(() => lastAsked('pin')).toEqual({ side: 'main', region: 2, state: pinState });
      }
      view.tell('pins', [{ side: 'main', region: 2, pinned: 'in' }]);
      await expect.poll(() => selected().innerText()).toContain('pinned in');
      await press('Shift+F10');
      await choose('Unpin');
      await expect.poll(() => lastAsked('pin')?.state).toBe('none');
      await press('Home', 'Shift+F10');
      await choose('Collapse All Below');
      await expect.poll(() => rows().count()).toBe(1);
      await press('Shift+F10');
      await choose('Expand All Below');
      await expect.poll(() => rows().count()).toBe(7);
      await press('Shift+F10');
      await choose('Hot Path from Here');
      await expect.poll(() => selected().innerText()).toMatch(/^kernel/);
    });

    it('tree: open, close, siblings, all; columns: sort, width, which are shown', async () => {
      await open();
      await ready();
      await tab(/^treegrid/);
      await press('Home', 'ArrowDown', 'ArrowRight');
      await expect.poll(() => rows().count()).toBe(6);
      await press('ArrowLeft');
      await expect.poll(() => rows().count()).toBe(4);
      await press('*');
      await expect.poll(() => rows().count()).toBe(7);
      await view.page.keyboard.press('Tab');
      expect(await view.focused()).toMatch(/^button Call Path/);
      await press('ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter', 'Enter');
      await expect
        .poll(async () => (await state()).treeSort)
        .toEqual({ column: 'visits', direction: 'ascending' });
      await press('Shift+ArrowRight');
      await expect.poll(async () => (await state()).treeLayout).toMatchObject({ widths: { visits: 100 } });
      await press('Shift+F10');
      await choose('Share');
      await expect.poll(async () => (await state()).treeLayout).toMatchObject({ hidden: ['share'] });
      await view.reload();
      await ready();
      await toolbar(/Collapse All/);
      await press('Enter');
      await expect.poll(() => rows().count()).toBe(1);
      await press('ArrowLeft', 'Enter');
      await expect.poll(() => rows().count()).toBe(7);
      await toolbar(/Columns/);
      await press('Enter');
      await choose('Share');
      await expect.poll(async () => (await state()).treeLayout).toMatchObject({ hidden: [] });
    });

    it('flame graph: walk, zoom, source, menu, and back to the toolbar and the tabs', async () => {
      await open();
      await ready();
      await tab(/^tab Call Tree/);
      await press('End');
      expect(await view.focused()).toMatch(/^tab Flame Graph/);
      await tab(/^application Flame graph/);
      await press('ArrowDown', 'ArrowDown', 'Enter');
      await expect.poll(async () => (await state()).zoom).toBe(1);
      await press('ArrowDown', '+');
      await expect.poll(async () => (await state()).zoom).toBe(2);
      await press('Backspace');
      await expect.poll(async () => (await state()).zoom).toBe(1);
      await press('-');
      await expect.poll(async () => (await state()).zoom).toBe(0);
      await press('Escape');
      await expect.poll(async () => (await state()).zoom).toBeUndefined();
      await press(' ');
      expect(await untilAsked('openSource')).toEqual({ side: 'main', region: 2 });
      await press('Shift+F10');
      await choose('Show in Flame Graph');
      await expect.poll(async () => (await state()).zoom).toBe(2);
      // Backwards over the tabs and the drop-downs to the toolbar, in the order of the page.
      const order: string[] = [];
      for (let at = 0; at < 12 && !/toolbar|button (Hot Path|Save)/.test(order.at(-1) ?? ''); at++) {
        await press('Shift+Tab');
        order.push(await view.focused());
      }
      expect(order[0]).toMatch(/^tab Flame Graph/);
      expect(order.at(-1)).toMatch(/button (Hot Path|Save)/);
      expect(order.length).toBeLessThanOrEqual(5);
      await press('Home');
      for (let at = 0; at < 12 && !(await view.focused()).includes('Zoom Out'); at++)
        await press('ArrowRight');
      await press('Enter');
      await expect.poll(async () => (await state()).zoom).toBe(1);
      await press('ArrowRight', 'Enter');
      await expect.poll(async () => (await state()).zoom).toBeUndefined();
    });

    it('metric, unit, names, distribution, its height, saving', async () => {
      await open();
      await ready();
      for (const [label, key, value] of [
        ['Metric', 'metric', 'visits'],
        ['Unit', 'unit', 's'],
      ] as const) {
        await tab(new RegExp(label));
        await press(label === 'Metric' ? 'ArrowUp' : 'ArrowDown');
        await expect.poll(async () => (await state())[key]).toBe(value);
      }
      await toolbar(/Full C\+\+ Names/);
      await press('Enter');
      await expect.poll(async () => (await state()).fullNames).toBe(true);
      await press('ArrowRight', 'Enter');
      await expect.poll(async () => (await state()).showsThreads).toBe(true);
      await tab(/^separator/);
      await press('ArrowUp');
      await expect.poll(async () => (await state()).share).not.toBe(0.7);
      for (const [item, kind] of [
        ['CSV', 'csv'],
        ['JSON', 'json'],
        ['speedscope', 'speedscope'],
        ['PNG', 'png'],
      ] as const) {
        await toolbar(/Save As/);
        await press('Enter');
        await choose(item);
        await expect.poll(() => lastAsked('save')?.kind).toBe(kind);
      }
      const { content } = lastAsked('save') as { content: Uint8Array };
      expect([...content.subarray(1, 4)]).toEqual([...Buffer.from('PNG')]);
    });

    it('search from anywhere, next and previous from anywhere', async () => {
      await open();
      await ready();
      await search('kernel');
      await expect.poll(outcome).toBe('1 of 2');
      await press('Escape', 'Escape');
      expect(await view.focused()).toMatch(/^treegrid/);
      await search('kernel');
      await expect.poll(outcome).toMatch(/of 2/);
      await tab(/^treegrid/);
      const before = await outcome();
      await press('F3');
      await expect.poll(outcome).not.toBe(before);
      await press('Shift+F3');
      await expect.poll(outcome).toBe(before);
    });
  });

  it('draws the flame graph, zooms by the mouse and back', async () => {
    await open();
    await ready();
    await view.page.getByRole('tab', { name: 'Flame Graph' }).click();
    const canvas = view.page.locator('.flame-canvas');
    await canvas.dblclick({ position: { x: 60, y: 33 } });
    await expect.poll(async () => ((await view.state()) as { zoom?: number }).zoom).toBe(1);
    await canvas.hover({ position: { x: 60, y: 55 } });
    await expect.poll(() => view.page.locator('.flame-tip').innerText()).toMatch(/^kernel\s+inclusive 1.2 s/);
    await view.screenshot('hotSpots-flame');
    await canvas.press('Escape');
    await expect.poll(async () => ((await view.state()) as { zoom?: number }).zoom).toBeUndefined();
  });

  it('compares with another run: changes with sign, arrow and colour, and what is on one side only', async () => {
    await open(() => small(), { others: [small('old', 0.5, true)], size: { width: 1300, height: 700 } });
    await ready();
    await view.send({ kind: 'event', name: 'none', value: 0 });
    const box = view.page.locator('vscode-dropdown[aria-label="Compare with"]');
    await box.focus();
    await view.page.keyboard.press('ArrowDown');
    expect(await untilAsked('compare')).toEqual({ experiment: 0 });
    view.tell('opened', extension.opened());
    await row('only in the compared run').waitFor();
    expect(await row('main').innerText()).toMatch(/▲ \+200 ms/);
    await view.screenshot('hotSpots-compare');
  });

  it('shows how a call path spreads over threads', async () => {
    await open();
    await ready();
    await row('solve(').click();
    await view.page.getByRole('button', { name: 'Distribution over Threads' }).click();
    expect(await untilAsked('locations')).toEqual({ side: 'main', callPath: 1, metric: 1 });
    await expect
      .poll(() => view.page.locator('.threads-title').innerText())
      .toContain('4 threads, most is 60.0 % above the mean');
    await view.screenshot('hotSpots-threads');
  });

  it('is as it was after a reload, and says when the profile is gone', async () => {
    await open();
    await ready();
    await search('kernel');
    await expect.poll(outcome).toBe('1 of 2');
    await flat();
    await expect.poll(async () => ((await view.state()) as { tab: string }).tab).toBe('functions');
    await view.reload();
    await ready();
    await expect.poll(outcome).toMatch(/1 match|1 of 1/);
    expect(await view.page.getByRole('tab', { name: 'Functions' }).getAttribute('aria-selected')).toBe(
      'true',
    );
    expect(((await view.state()) as { panel: string }).panel).toBe('panel-1');
    view.tell('gone', { side: 'main', message: 'It was deleted.' });
    await view.page.getByText('It was deleted. What was read before is still shown.').waitFor();
    view.tell('reveal', { name: 'no such function', id: 'first' });
    await view.page.getByText('is not in this profile').waitFor();
  });

  it('selects the function that was asked for, once: also when the page is loaded again before anything was kept', async () => {
    await open(() => small(), { reveal: { name: 'kernel', id: 'wish 1' } });
    await expect.poll(() => selected().allInnerTexts()).toEqual([expect.stringContaining('kernel')]);
    await view.page.evaluate(() => {
      sessionStorage.removeItem('state');
    });
    await view.reload();
    await expect.poll(() => selected().allInnerTexts()).toEqual([expect.stringContaining('kernel')]);
    await row('main').click();
    await expect
      .poll(async () => (await view.state()) as object)
      .toMatchObject({ revealed: 'wish 1', selected: 0 });
    await view.reload();
    await expect.poll(() => selected().allInnerTexts()).toEqual([expect.stringContaining('main')]);
    view.tell('reveal', { name: 'kernel', id: 'wish 2' });
    await expect.poll(() => selected().allInnerTexts()).toEqual([expect.stringContaining('kernel')]);
  });

  it('says how two programs compare, and still matches them by their names', async () => {
    const main = withHeader(small(), { target: 'tiny' });
    const other = withHeader(small('other', 2, true), {
      target: 'heat',
      title: 'heat · iteration 1 · run 1',
    });
    await open(() => main, { others: [other], size: { width: 1300, height: 700 } });
    await ready();
    expect(await view.page.locator('.comparison').isVisible()).toBe(false);
    await view.page.locator('vscode-dropdown[aria-label="Compare with"]').focus();
    await view.page.keyboard.press('ArrowDown');
    await untilAsked('compare');
    view.tell('opened', extension.opened());
    await expect
      .poll(() => view.page.locator('.comparison').innerText())
      .toBe(
        'Compared with heat · iteration 1 · run 1. It is another program: call paths are matched by the names along them. 7 of 8 call paths are in both.',
      );
    await view.screenshot('hotSpots-other-program');
  });

  it('says what to do about a profile that cannot be read, and shows it when it can', async () => {
    let isThere = false;
    const gone = '/a/profile.cubex cannot be read: it was deleted or moved. Choose another experiment.';
    await open(() => {
      if (!isThere) throw new KymoError('profile-missing', gone);
      return small();
    });
    await view.page.getByText(gone).waitFor();
    view.tell('gone', { side: 'main', message: 'It is half-written.' });
    await view.page.getByText('It is half-written.').waitFor();
    await view.screenshot('hotSpots-unreadable');
    isThere = true;
    await view.page.getByRole('button', { name: 'Try Again' }).click();
    await ready();
    expect(await view.page.getByText('It is half-written.').isVisible()).toBe(false);
  });

  it('shows a profile without call paths, and one with a single one', async () => {
    let profile = profileOf('none', [{ name: 'main' }], []);
    await open(() => profile);
    await view.page.getByText('no instrumented function was executed').waitFor();
    profile = profileOf('one', [{ name: 'main' }], [[-1, 0, 1, 1]]);
    view.tell('opened', extension.opened());
    await ready();
    expect(await rows().count()).toBe(1);
    await view.page.getByRole('tab', { name: 'Flame Graph' }).click();
    await view.page.locator('.flame-canvas').press('ArrowDown');
    await expect.poll(() => view.page.locator('.flame-tip').innerText()).toMatch(/^main/);
    profile = profileOf('zero', [{ name: 'main' }], [[-1, 0, 0, 0]]);
    view.tell('opened', extension.opened());
    await expect.poll(async () => ((await view.state()) as { profile: string }).profile).toBe('zero ');
    await view.page.getByRole('tab', { name: 'Call Tree' }).click();
    await expect.poll(() => rows().first().innerText()).toMatch(/main\s+0 s/);
  });

  it('writes out characters of names that nobody sees', async () => {
    const bidi = 'run\u202Egpj.exe';
    await open(() =>
      profileOf(
        'odd',
        [{ name: 'a\nb\u0000c' }, { name: bidi }],
        [
          [-1, 0, 1, 1],
          [0, 1, 1, 1],
        ],
      ),
    );
    await ready();
    expect(await row('a␊b␀c').count()).toBe(1);
    expect(await row('run⟨U+202E⟩gpj.exe').count()).toBe(1);
    await view.page.getByRole('button', { name: 'Full C++ Names' }).click();
    expect(await row('run⟨U+202E⟩gpj.exe').count()).toBe(1);
  });

  it('says where the cost of a visit is assumed', async () => {
    await open(() => withHeader(small(), { pairAssumed: true }));
    await ready();
    const head = view.page.getByRole('button', { name: 'Overhead ≈' });
    expect(await head.getAttribute('title')).toContain('no calibration');
    expect(await head.getAttribute('aria-description')).toContain('assumed');
  });

  it('spreads a call path over 4,096 locations', async () => {
    const locations = Array.from({ length: 4096 }, (_, at) => ({
      name: `thread ${at % 8}`,
      rank: at >> 3,
      thread: at % 8,
    }));
    await open(() => withHeader(small(), { locations }), {
      state: { showsThreads: true, profile: 'small ', selected: 1 },
    });
    await ready();
    await expect
      .poll(() => view.page.locator('.threads-title').innerText())
      .toContain('4096 threads, most is 100 % above the mean');
    await view.screenshot('hotSpots-4096');
  });

  it('survives a kept state and events that make no sense', async () => {
    await open(() => small(), {
      state: {
        tab: 'x',
        expanded: [1e9, -1, 'a', {}],
        selected: 7e9,
        zoom: 99,
        profile: 'small ',
        search: { text: 5 },
        treeLayout: 3,
        treeSort: { column: 'no', direction: 'up' },
        share: 'a',
      },
    });
    await ready();
    expect(await rows().count()).toBeGreaterThan(0);
  });

  it('is readable in all four themes', async () => {
    await open(() => small(), { others: [small('old')] });
    await ready();
    await view.page.getByRole('button', { name: 'Expand All' }).click();
    await row('solve(').click();
    await search('kernel');
    for (const theme of themeNames) {
      await view.setTheme(theme);
      expect(await view.lowContrast(), theme).toEqual([]);
      await view.screenshot(`hotSpots-${theme}`);
    }
    await view.page.getByRole('tab', { name: 'Flame Graph' }).click();
    for (const theme of themeNames) {
      await view.setTheme(theme);
      await view.screenshot(`hotSpots-flame-${theme}`);
    }
  });

  it('fits a narrow column', async () => {
    await open(() => small(), { size: { width: 360, height: 600 } });
    await ready();
    await view.screenshot('hotSpots-narrow');
    expect(await view.page.evaluate(() => document.body.scrollWidth)).toBeLessThanOrEqual(360);
    const inclusive = await view.page.getByRole('button', { name: 'Inclusive' }).boundingBox();
    expect((inclusive?.x ?? 0) + (inclusive?.width ?? 1000)).toBeLessThanOrEqual(360);
    await view.page.getByRole('tab', { name: 'Flame Graph' }).click();
    await view.screenshot('hotSpots-narrow-flame');
  });

  it('keeps 100,000 call paths in few elements, and fetches them in bounded pieces', async () => {
    const profile = large(100_000);
    await open(() => profile);
    await ready();
    await view.page.getByRole('button', { name: 'Expand All' }).click();
    await expect.poll(() => view.page.locator('.grid').first().getAttribute('aria-rowcount')).toBe('100001');
    expect(await view.page.locator('.grid-row').count()).toBeLessThan(120);
    for (const { name, parameters } of asked)
      if (name === 'rows') expect((parameters as { count: number }).count).toBeLessThanOrEqual(maximumRows);
    await search('method123(');
    await expect.poll(outcome).toMatch(/of \d+/);
    await view.page.getByRole('tab', { name: 'Flame Graph' }).click();
    await view.screenshot('hotSpots-large-flame');
  });
});
