import { describe, expect, it } from 'vitest';
import type { HotSpotsRequests } from '../../../src/protocol/hotSpots';
import { useHotSpotsPanel } from './hotSpotsPanel';

const panel = useHotSpotsPanel();
const { open, rows, selected, ready, untilAsked, search, outcome } = panel;

describe('the hot-spot panel by keys alone', () => {
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await panel.view.page.keyboard.press(key);
  };
  const tab = (name: RegExp): Promise<void> => panel.view.tabTo(name);
  const lastAsked = (name: keyof HotSpotsRequests) =>
    panel.asked.findLast((one) => one.name === name)?.parameters as Record<string, unknown> | undefined;
  const state = async () => (await panel.view.state()) as Record<string, unknown>;
  /** From the toolbar to one of its buttons. */
  const toolbar = async (name: RegExp): Promise<void> => {
    await tab(
      /^(button|toolbar) (Undo|Hot Path|Expand|Collapse|Zoom|Show Everything|Full|Distribution|Columns|Save)/,
    );
    await press('Home');
    for (let at = 0; at < 12 && !name.test(await panel.view.focused()); at++) await press('ArrowRight');
    expect(await panel.view.focused()).toMatch(name);
  };
  /** Chooses an item of the menu that is open. */
  const choose = async (item: string): Promise<void> => {
    await expect.poll(() => panel.view.focused()).toMatch(/^menuitem/);
    for (let at = 0; at < 15 && !(await panel.view.focused()).includes(item); at++) await press('ArrowDown');
    expect(await panel.view.focused()).toContain(item);
    await press('Enter');
  };

  it('F17, F19: hot path, source, pins, the menu of a row', async () => {
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
    panel.view.tell('pins', [{ side: 'main', region: 2, pinned: 'in' }]);
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
    await press('Home', 'ArrowDown', 'ArrowLeft');
    await expect.poll(() => rows().count()).toBe(4);
    await press('ArrowRight');
    await expect.poll(() => rows().count()).toBe(6);
    await press('ArrowLeft');
    await expect.poll(() => rows().count()).toBe(4);
    await press('*');
    await expect.poll(() => rows().count()).toBe(7);
    await panel.view.page.keyboard.press('Tab');
    expect(await panel.view.focused()).toMatch(/^button Call Path/);
    for (let column = 0; column < 6; column++) await press('ArrowRight');
    await press('Enter', 'Enter');
    await expect
      .poll(async () => (await state()).treeSort)
      .toEqual({ column: 'visits', direction: 'ascending' });
    await press('Shift+ArrowRight');
    await expect.poll(async () => (await state()).treeLayout).toMatchObject({ widths: { visits: 100 } });
    await press('Shift+F10');
    await choose('Share');
    const hidden = async (): Promise<unknown> =>
      ((await state()).treeLayout as { readonly hidden?: unknown } | undefined)?.hidden;
    await expect.poll(hidden).toContain('share');
    await panel.view.reload();
    await ready();
    await toolbar(/Collapse All/);
    await press('Enter');
    await expect.poll(() => rows().count()).toBe(1);
    await press('ArrowLeft', 'Enter');
    await expect.poll(() => rows().count()).toBe(7);
    await toolbar(/Columns/);
    await press('Enter');
    await choose('Share');
    await expect.poll(hidden).not.toContain('share');
  });

  it('flame graph: walk, zoom, source, menu, and back to the toolbar and the tabs', async () => {
    await open();
    await ready();
    await tab(/^tab Call Tree/);
    await press('End');
    expect(await panel.view.focused()).toMatch(/^tab Groups/);
    await press('ArrowLeft');
    expect(await panel.view.focused()).toMatch(/^tab Flame Graph/);
    await tab(/^application Flame graph/);
    await press('ArrowDown', 'ArrowDown', '+');
    await expect.poll(async () => (await state()).zoom).toBe(1);
    await press('ArrowDown', '+');
    await expect.poll(async () => (await state()).zoom).toBe(2);
    await press('Backspace');
    await expect.poll(async () => (await state()).zoom).toBe(1);
    await press('-');
    await expect.poll(async () => (await state()).zoom).toBe(0);
    await press('Escape');
    await expect.poll(async () => (await state()).zoom).toBeUndefined();
    await press('Enter');
    expect(await untilAsked('openSource')).toEqual({ side: 'main', region: 2 });
    const tip = panel.view.page.locator('.flame-tip');
    await press('ArrowLeft', 'ArrowRight', 'ArrowLeft');
    await expect
      .poll(() => tip.innerText())
      .toMatch(/solve\.cpp:40\s+Enter opens the source\. .* \+ zooms in/);
    expect(await panel.view.page.locator('.flame-legend').innerText()).toMatch(
      /Width: inclusive[^]*exclusive share of the whole run[^]*0 %[^]*100 %/,
    );
    await panel.view.page.locator('.flame-canvas').hover({ position: { x: 200, y: 50 } });
    await panel.view.page.mouse.wheel(0, -120);
    await expect.poll(async () => (await state()).zoom).toBe(1);
    await panel.view.page.mouse.wheel(0, 120);
    await expect.poll(async () => (await state()).zoom).not.toBe(1);
    await press('Escape');
    await press('Shift+F10');
    await choose('Show in Flame Graph');
    await expect.poll(async () => (await state()).zoom).toBe(2);
    // Backwards over the tabs and the drop-downs to the toolbar, in the order of the page.
    const order: string[] = [];
    for (let at = 0; at < 12 && !/toolbar|button (Undo|Hot Path|Save)/.test(order.at(-1) ?? ''); at++) {
      await press('Shift+Tab');
      order.push(await panel.view.focused());
    }
    expect(order[0]).toMatch(/^tab Flame Graph/);
    expect(order.at(-1)).toMatch(/button (Undo|Hot Path|Save)/);
    expect(order.length).toBeLessThanOrEqual(5);
    await press('Home');
    for (let at = 0; at < 12 && !(await panel.view.focused()).includes('Zoom Out'); at++)
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
    expect(await panel.view.focused()).toMatch(/^treegrid/);
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
