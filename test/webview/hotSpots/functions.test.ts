import { describe, expect, it } from 'vitest';
import { automaticGroups } from '../../../src/core/functions/functionGroups';
import { themeNames } from '../lib/themes';
import { useHotSpotsPanel } from './hotSpotsPanel';
import { inGroups, large, profileOf, small, withHeader, type TestProfile } from './profiles';

const panel = useHotSpotsPanel();
const { open, rows, row, selected, flat, ready, untilAsked, search, outcome } = panel;

/** The same with groups of functions, as the engine says them. */
function grouped(profile: TestProfile): TestProfile {
  const groups = automaticGroups(
    profile.regions.map((region) => ({ ...region, paradigm: 'unknown', role: 'function' })),
  );
  return {
    ...profile,
    regions: profile.regions.map((region, at) => ({ ...region, group: groups[at] ?? '' })),
  };
}

const press = async (...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await panel.view.page.keyboard.press(key);
};
const state = async () => (await panel.view.state()) as Record<string, unknown>;
const choose = async (label: string, ...keys: readonly string[]): Promise<void> => {
  await panel.view.page.locator(`vscode-dropdown[aria-label="${label}"]`).focus();
  await press(...keys);
};
const menu = async (name: string, item: RegExp): Promise<void> => {
  await row(name).click({ button: 'right' });
  await panel.view.page.getByRole('menuitem', { name: item }).click();
};
const undo = () => panel.view.page.locator('vscode-button[aria-label="Undo"]');
const redo = () => panel.view.page.locator('vscode-button[aria-label="Redo"]');
const group = (name: string) =>
  panel.view.page.locator('.grid-row[aria-level="1"]:visible', { hasText: name });
/** Names in the rows that are shown. */
const names = (): Promise<readonly string[]> =>
  rows().evaluateAll((all) =>
    all.map(
      (one) => (one.querySelector('.grid-text span') ?? one.querySelector('.grid-text'))?.textContent ?? '',
    ),
  );

describe('functions of the hot-spot panel', () => {
  it('F7 expands a function to its callers, these to theirs, and to its callees', async () => {
    await open(() => grouped(small()));
    await ready();
    await flat();
    await row('kernel').click();
    await press('ArrowRight');
    await expect.poll(() => row('← solve(').innerText()).toMatch(/1\.2 s\s+1\.2 s\s+60\.0 %\s+\S+\s+1\.2 M/);
    expect(await row('← deep<').innerText()).toMatch(/0\.1 s\s+0\.1 s\s+5\.0 %\s+\S*\s*100/);
    expect(await row('kernel').innerText()).toMatch(/1\.3 s/);
    await press('ArrowDown', 'ArrowRight');
    await expect.poll(() => row('← main').count()).toBe(1);
    await panel.view.screenshot('hotSpots-callers');
    await choose('Expand to', 'ArrowDown');
    await expect.poll(() => row('←').count()).toBe(0);
    await row('main').click();
    await press('ArrowRight');
    await expect.poll(() => row('→ solve(').innerText()).toMatch(/1\.65 s\s+0\.3 s/);
    await panel.view.screenshot('hotSpots-callees');
    expect(await row('→ solve(').getAttribute('aria-level')).toBe('2');
  });

  it('F7 shows the callers of a call path’s function from the tree', async () => {
    await open(() => grouped(small()));
    await ready();
    await panel.view.page.getByRole('button', { name: 'Expand All' }).click();
    await menu('MPI_Allreduce', /Show Callers/);
    await expect.poll(() => selected().innerText()).toMatch(/^MPI_Allreduce/);
    expect(await row('← solve(').count()).toBe(1);
  });

  it('F8 tells calls from different lines apart', async () => {
    const profile = profileOf(
      'lines',
      [
        { name: 'main', file: '/src/main.c', line: 3 },
        { name: 'work', file: '/src/work.c', line: 9 },
      ],
      [
        [-1, 0, 0, 1],
        [0, 1, 1, 2],
        [0, 1, 2, 5],
      ],
    );
    await open(() => ({ ...profile, line: Int32Array.of(0, 12, 17) }));
    await ready();
    await flat();
    await row('work').click();
    await press('ArrowRight');
    await expect.poll(() => row('line 17').innerText()).toMatch(/2 s[\s\S]*main\.c:17/);
    expect(await row('line 12').innerText()).toMatch(/1 s[\s\S]*main\.c:12/);
  });

  it('F5 F6 F14 starts with groups by exclusive values, which a double click unfolds', async () => {
    await open(() => grouped(small()));
    await ready();
    await flat();
    await choose('Show', 'ArrowDown');
    await expect.poll(() => rows().count()).toBe(5);
    expect(await names()).toEqual(['solve.cpp', 'MPI', 'main.cpp', 'evil.cpp', 'deep']);
    expect(await group('solve.cpp').innerText()).toMatch(/1\.75 s\s+1\.6 s[\s\S]*2 functions/);
    await group('solve.cpp').dblclick();
    await expect.poll(() => rows().count()).toBe(7);
    expect(panel.asked.some(({ name }) => name === 'openSource')).toBe(false);
    await row('kernel').dblclick();
    expect(await untilAsked('openSource')).toEqual({ side: 'main', region: 2 });
    await choose('Unit', 'End');
    await expect.poll(() => group('solve.cpp').innerText()).toMatch(/80\.0 %/);
    const shares = await rows().evaluateAll((all) =>
      all
        .filter((one) => one.getAttribute('aria-level') === '1')
        .map((one) => Number.parseFloat(one.querySelectorAll('.grid-cell')[2]?.textContent ?? '')),
    );
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(100, 1);
    await panel.view.screenshot('hotSpots-function-groups');
    await panel.view.page.getByRole('button', { name: 'Collapse All' }).click();
    await expect.poll(() => rows().count()).toBe(5);
    await panel.view.page.getByRole('button', { name: 'Expand All' }).click();
    await expect.poll(() => rows().count()).toBe(11);
  });

  it('F6 F9 starts with what is called most, then by exclusive value; each start has its own order', async () => {
    await open(() =>
      grouped(
        profileOf(
          'ties',
          ['main', 'often', 'same1', 'same2'].map((name) => ({ name })),
          [
            [-1, 0, 5, 1],
            [0, 1, 1, 900],
            [0, 2, 1, 7],
            [0, 3, 2, 7],
          ],
        ),
      ),
    );
    await ready();
    await flat();
    expect(await names()).toEqual(['main', 'same2', 'often', 'same1']);
    await choose('Show', 'End');
    await expect.poll(names).toEqual(['often', 'same2', 'same1', 'main']);
    await panel.view.page.getByRole('button', { name: 'Visits' }).click();
    await expect.poll(names).toEqual(['main', 'same2', 'same1', 'often']);
    await choose('Show', 'Home');
    await expect.poll(names).toEqual(['main', 'same2', 'often', 'same1']);
    await choose('Show', 'End');
    await expect.poll(names).toEqual(['main', 'same2', 'same1', 'often']);
  });

  it('F10 finds functions in closed groups, groups by their names, and marks what was found', async () => {
    await open(() => grouped(small()));
    await ready();
    await flat();
    await choose('Show', 'ArrowDown');
    await search('kernel');
    await expect.poll(outcome).toBe('1 of 1');
    expect(await selected().innerText()).toMatch(/^kernel/);
    expect(await panel.view.page.locator('mark:visible').allInnerTexts()).toEqual(['kernel']);
    await press('Control+a');
    await panel.view.page.keyboard.type('evil');
    await expect.poll(() => selected().innerText()).toMatch(/^evil\.cpp/);
    expect(await outcome()).toBe('1 of 1');
  });

  it('F15 moves a function to another group by its menu and one choice, and back', async () => {
    await open(() => grouped(small()));
    await ready();
    await flat();
    await choose('Show', 'ArrowDown');
    await group('solve.cpp').dblclick();
    // What the move changes is saved by itself, not with what was changed before.
    await row('kernel').click();
    await expect
      .poll(async () => (await state()).functionRows)
      .toMatchObject({ names: ['function kernel', 'group solve.cpp'], expanded: [1], selected: 0 });
    panel.extension.pick('MPI');
    await menu('kernel', /Move to Group/);
    expect(await untilAsked('regroup')).toEqual({
      side: 'main',
      region: 2,
      to: 'chosen',
      among: expect.arrayContaining(['solve.cpp', 'MPI', 'main.cpp', 'deep']) as unknown,
    });
    await expect.poll(() => group('MPI').innerText()).toMatch(/1\.45 s\s+1\.45 s[\s\S]*2 functions/);
    await expect.poll(() => group('solve.cpp').innerText()).toMatch(/1\.65 s\s+0\.3 s[\s\S]*1 function/);
    await expect.poll(() => selected().innerText()).toMatch(/^kernel/);
    await expect.poll(() => row('kernel').isVisible()).toBe(true);
    // The panel saves its state a moment after a change.
    await expect
      .poll(async () => (await state()).functionRows)
      .toMatchObject({ names: ['function kernel', 'group solve.cpp', 'group MPI'], expanded: [1, 2] });
    await panel.view.reload();
    await ready();
    await expect.poll(() => group('MPI').innerText()).toMatch(/2 functions/);
    await menu('kernel', /Move Back to solve\.cpp/);
    await expect.poll(() => group('solve.cpp').innerText()).toMatch(/2 functions/);
    await row('kernel').click({ button: 'right' });
    expect(await panel.view.page.getByRole('menuitem', { name: /Move Back/ }).count()).toBe(0);
  });

  it('F15 shows groups as text, whatever the user names them', async () => {
    await open(() => grouped(small()), {
      opened: {
        moved: [
          ['kernel', '__proto__'],
          ['main', '<img src=x onerror=alert(1)>'],
          ['not in this profile', 'MPI'],
        ],
      },
    });
    await ready();
    await flat();
    await choose('Show', 'ArrowDown');
    await expect.poll(() => group('__proto__').innerText()).toMatch(/1\.3 s[\s\S]*1 function/);
    expect(await row('<img src').count()).toBe(1);
    expect(await panel.view.page.locator('img').count()).toBe(0);
  });

  it('F11 undoes more than 20 steps of all kinds to the first state, and does them again to the last', async () => {
    const profile = inGroups(
      grouped(small()),
      6,
      [
        [0, 1, 2],
        [3, 4, 5],
      ],
      (place) => 1 + place,
    );
    await open(() => profile, { size: { width: 1200, height: 800 } });
    await ready();
    const settled = async (): Promise<Record<string, unknown>> => {
      await panel.view.page.waitForTimeout(350);
      return { ...(await state()), treeTop: 0, functionsTop: 0, text: await rows().allInnerTexts() };
    };
    const first = await settled();
    const click = (name: string | RegExp) => panel.view.page.getByRole('button', { name }).first().click();
    const tab = (name: string) => panel.view.page.getByRole('tab', { name, exact: true }).click();
    const steps: readonly (() => Promise<void>)[] = [
      () => row('solve(').click(),
      () => press('ArrowRight'),
      () => click('Visits'),
      () => choose('Metric', 'ArrowUp'),
      () => choose('Unit', 'End'),
      () => click('Expand All'),
      () => click('Full C++ Names'),
      () => tab('Functions'),
      () => choose('Show', 'ArrowDown'),
      async () => group('solve.cpp').dblclick(),
      async () => {
        panel.extension.pick('Mine');
        await menu('kernel', /Move to Group/);
        await row('Mine').waitFor();
      },
      () => choose('Expand to', 'ArrowDown'),
      () => click('Inclusive'),
      () => choose('Show', 'End'),
      () => row('main').click(),
      () => press('ArrowRight'),
      async () => {
        await search('MPI');
        await expect.poll(outcome).toMatch(/1 of/);
        await press('Escape');
        await panel.view.page.waitForTimeout(1100);
      },
      () => tab('Flame Graph'),
      async () => {
        await panel.view.page.locator('.flame-canvas').press('ArrowDown');
        await panel.view.page.locator('.flame-canvas').press('Enter');
      },
      () => click('Hot Path'),
      () => click('Distribution over Threads'),
      async () => {
        await tab('Groups');
        await panel.view.page.locator('.group-list vscode-text-field').click();
        await panel.view.page.keyboard.type('2-4');
        await press('Enter');
        await panel.view.page.locator('.chosen-processes').waitFor();
      },
      () => tab('Call Tree'),
      () => click('Show All'),
      () => tab('Functions'),
    ];
    for (const step of steps) {
      await step();
      await panel.view.page.waitForTimeout(60);
    }
    const last = await settled();
    let undone = 0;
    while ((await undo().getAttribute('aria-disabled')) !== 'true' && undone < 60) {
      await undo().click();
      await panel.view.page.waitForTimeout(150);
      undone++;
    }
    expect(undone).toBeGreaterThanOrEqual(20);
    expect(await settled()).toEqual(first);
    expect(panel.extension.opened().moved).toEqual([]);
    for (let redone = 0; redone < undone; redone++) {
      await redo().click();
      await panel.view.page.waitForTimeout(150);
    }
    expect(await redo().getAttribute('aria-disabled')).toBe('true');
    expect(await settled()).toEqual(last);
    expect(panel.extension.opened().moved).toEqual([['kernel', 'Mine']]);
  });

  it('F11 undoes and redoes by keys, says what, and keeps the focus; in a field the keys are its own', async () => {
    await open(() => grouped(small()));
    await ready();
    expect(await undo().getAttribute('aria-disabled')).toBe('true');
    await flat();
    await panel.view.page.getByRole('button', { name: 'Inclusive' }).click();
    await expect.poll(() => undo().getAttribute('title')).toBe('Undo Sort Order (Ctrl+Z)');
    await rows().first().click();
    await press('Control+z', 'Control+z');
    await expect.poll(() => undo().getAttribute('title')).toBe('Undo View (Ctrl+Z)');
    expect(await redo().getAttribute('title')).toBe('Redo Sort Order (Ctrl+Y)');
    expect(await panel.view.focused()).toMatch(/^treegrid Functions/);
    await press('Control+y');
    await expect.poll(async () => (await state()).flatSort).toMatchObject({ column: 'inclusive' });
    await press('Control+z');
    await press('Control+Shift+Z');
    await expect.poll(async () => (await state()).flatSort).toMatchObject({ column: 'inclusive' });
    await undo().focus();
    await press('Enter');
    await expect.poll(async () => (await state()).flatSort).toMatchObject({ column: 'exclusive' });
    expect(await panel.view.focused()).toMatch(/^button Undo/);
    await press('Control+f');
    await panel.view.page.keyboard.type('kern');
    await expect.poll(outcome).toMatch(/of/);
    await press('Control+z');
    expect(await panel.view.page.getByRole('tab', { name: 'Functions' }).getAttribute('aria-selected')).toBe(
      'true',
    );
  });

  it('F12 shows a new profile of the program as the old one was shown', async () => {
    let profile = grouped(small('first'));
    await open(() => profile);
    await ready();
    await row('solve(').click();
    await press('ArrowDown');
    await expect.poll(() => selected().innerText()).toMatch(/^kernel/);
    await flat();
    await row('MPI_Allreduce').click();
    await press('ArrowRight');
    await row('← solve(').click();
    await expect
      .poll(async () => ((await state()).functionRows as { names: unknown[] }).names.length)
      .toBe(2);
    // The functions and call paths have other numbers in it.
    const { regions } = profile;
    const added = [{ name: 'init', group: 'Other' }, ...regions];
    profile = profileOf('second', added, [
      [-1, 1, 0.1, 1],
      [0, 0, 0.9, 1],
      [0, 2, 0.3, 10],
      [2, 3, 1, 10],
      [2, 6, 0.2, 10],
    ]);
    panel.view.tell('opened', panel.extension.opened());
    await expect.poll(() => row('init').count()).toBe(1);
    await expect.poll(() => selected().innerText()).toMatch(/^← solve\(/);
    await panel.view.page.getByRole('tab', { name: 'Call Tree' }).click();
    await expect.poll(() => selected().innerText()).toMatch(/^kernel/);
    expect(await rows().count()).toBe(5);
  });

  it('F12 remembers for the next panel of the program, but not what was searched for', async () => {
    await open(() => grouped(small()));
    await ready();
    await flat();
    await choose('Show', 'ArrowDown');
    await group('solve.cpp').dblclick();
    await row('kernel').click();
    await search('kernel');
    await expect
      .poll(() => {
        const asked = panel.asked.findLast(({ name }) => name === 'remember')?.parameters;
        const kept = JSON.parse((asked as { state?: string } | undefined)?.state ?? '{}') as {
          search?: { text?: string };
        };
        return kept.search?.text;
      })
      .toBe('kernel');
    const { state: remembered } = (await untilAsked('remember')) as { state: string };
    await open(() => grouped(small('later')), { opened: { remembered } });
    await ready();
    await expect.poll(() => selected().innerText()).toMatch(/^kernel/);
    expect(await rows().count()).toBe(7);
    expect(await outcome()).toBe('');
    for (const nonsense of ['{', 'null', '7', '{"tab":5,"functionRows":{"names":[1]},"show":"x"}']) {
      await open(() => grouped(small()), { opened: { remembered: nonsense } });
      await ready();
      expect(await rows().count()).toBe(6);
    }
  });

  it('F12 is scrolled to where it was after a reload', async () => {
    await open(() => grouped(large(3000)), { size: { width: 900, height: 400 } });
    await ready();
    await flat();
    await panel.view.page.locator('.functions .grid').evaluate((grid) => (grid.scrollTop = 2200));
    await expect.poll(async () => (await state()).functionsTop).toBe(100);
    const before = await names();
    await panel.view.reload();
    await ready();
    await expect.poll(names).toEqual(before);
  });

  it('F7 opens callers of one among thousands of functions without making those of others', async () => {
    await open(() => grouped(large(100_000)));
    await ready();
    await flat();
    await expect.poll(() => rows().count()).toBeGreaterThan(10);
    const count = async (): Promise<number> =>
      Number(await panel.view.page.locator('.functions .grid').getAttribute('aria-rowcount'));
    const before = await count();
    await rows().first().click();
    await press('ArrowRight');
    await expect.poll(count).toBeGreaterThan(before);
    expect((await count()) - before).toBeLessThan(200);
    await panel.view.screenshot('hotSpots-large-callers');
  });

  it('F20 is readable in all themes, narrow, and by keys alone', async () => {
    await open(() => grouped(small()), { size: { width: 1000, height: 420 } });
    await ready();
    await flat();
    await choose('Show', 'ArrowDown');
    await panel.view.tabTo(/^treegrid Functions/);
    await press('Home', 'Enter', 'ArrowDown', 'ArrowRight');
    await expect.poll(() => row('← solve(').count()).toBe(1);
    await search('solve');
    for (const theme of themeNames) {
      await panel.view.setTheme(theme);
      expect(await panel.view.lowContrast(), theme).toEqual([]);
      await panel.view.screenshot(`hotSpots-functions-${theme}`);
    }
    await open(() => withHeader(grouped(small()), {}), {
      size: { width: 360, height: 600 },
      state: { tab: 'functions', show: 'groups' },
    });
    await ready();
    await panel.view.screenshot('hotSpots-functions-narrow');
    expect(await panel.view.page.evaluate(() => document.body.scrollWidth)).toBeLessThanOrEqual(360);
  });
});
