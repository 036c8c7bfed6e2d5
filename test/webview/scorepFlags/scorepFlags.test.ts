import { describe, expect, it } from 'vitest';
import type {
  ScorepFlagsEvents,
  ScorepFlagsRequests,
  ScorepFlagsShown,
} from '../../../src/protocol/scorepFlags';
import { themeNames } from '../lib/themes';
import { useViews } from '../lib/useViews';
import type { View } from '../lib/view';
import { answersOf, type Asked, shown as usual } from './shown';

type FlagsPage = View<ScorepFlagsRequests, ScorepFlagsEvents>;

const views = useViews();

let shown: ScorepFlagsShown;
let asked: Asked[];
let view: FlagsPage;

async function open(
  change: Partial<ScorepFlagsShown> = {},
  options: { readonly state?: unknown; readonly size?: { width: number; height: number } } = {},
): Promise<FlagsPage> {
  shown = { ...usual, ...change };
  asked = [];
  view = await views.open<ScorepFlagsRequests, ScorepFlagsEvents>({
    entry: 'webview/scorepFlags/main.ts',
    answers: answersOf(() => shown, asked),
    size: { width: 1200, height: 800 },
    ...options,
  });
  await view.page.locator('.option').first().waitFor();
  return view;
}

const row = (id: string) => view.page.locator(`[data-option="${id}"]`);
const command = (title: string) => view.page.getByRole('region', { name: title, exact: true }).innerText();

/** Chooses in a dropdown by the keyboard: the letters that its label begins with. */
async function choose(id: string, label: string): Promise<void> {
  await row(id).locator('vscode-dropdown').click();
  await row(id).locator('vscode-option', { hasText: label }).first().click();
}

describe('Score-P flags', () => {
  it('shows what kymo.json says, and keeps what no option knows', async () => {
    await open();
    expect(await view.page.locator('.installation').innerText()).toBe('Score-P 8.4, /opt/scorep/bin/scorep');
    expect(await view.page.locator('.state').innerText()).toBe(
      'As in kymo.json for nbody. Its other settings stay: --cuda SCOREP_MACHINE_NAME.',
    );
    expect(await command('Before each command')).toBe('scorep --nomemory --cuda');
    expect(await command('Environment of the run')).toBe(
      "export SCOREP_METRIC_RUSAGE=ru_maxrss\nexport SCOREP_MACHINE_NAME='<b>node</b>'",
    );
    expect(await view.page.locator('b').count()).toBe(0);
  });

  it('says when the target is measured with another back-end', async () => {
    await open();
    const note = () => view.page.locator('.other-backend');
    expect(await note().isVisible()).toBe(false);
    await open({ targets: usual.targets.slice(1) });
    expect(await note().innerText()).toContain('other is measured with Kymo’s own back-end');
  });

  it('changes command lines and environment with each choice', async () => {
    await open();
    await choose('mpp', 'MPI');
    await row('SCOREP_TOTAL_MEMORY').locator('vscode-text-field').click();
    await view.page.keyboard.type('200M');
    expect(await command('Before each command')).toBe('scorep --mpp=mpi --nomemory --cuda');
    expect(await command('CMake, configure and make')).toContain('make CC=scorep-mpicc CXX=scorep-mpicxx');
    expect(await command('Environment of the run')).toContain('export SCOREP_TOTAL_MEMORY=200M');
    expect(await row('mpp').getAttribute('class')).toContain('changed');
    expect(await view.page.locator('.state').innerText()).toContain('2 options differ from kymo.json');
  });

  it('advises, and the advice can be taken', async () => {
    await open();
    const note = row('user').locator('.note');
    expect(await note.innerText()).toContain('Without --user they vanish');
    await note.getByRole('button', { name: 'Set to On' }).click();
    await note.waitFor({ state: 'detached' });
    expect(await command('Before each command')).toBe('scorep --user --nomemory --cuda');
  });

  it('says what this Score-P lacks', async () => {
    await open();
    expect(await row('SCOREP_METRIC_PAPI').innerText()).toContain('was built without PAPI');
    expect(await row('SCOREP_METRIC_PAPI').locator('.setting').innerText()).toBe('Not available');
    await row('mpp').locator('vscode-dropdown').click();
    const shmem = row('mpp').locator('vscode-option', { hasText: 'SHMEM' });
    expect(await shmem.innerText()).toBe('SHMEM (not in this Score-P)');
    await shmem.click({ force: true });
    await view.page.keyboard.press('Escape');
    expect(await command('Before each command')).not.toContain('shmem');
  });

  it('says why a value cannot be used, and does not use it', async () => {
    await open();
    await row('SCOREP_TOTAL_MEMORY').locator('vscode-text-field').click();
    await view.page.keyboard.type('4G');
    expect(await row('SCOREP_TOTAL_MEMORY').getByRole('alert').innerText()).toContain('Less than 4 GB');
    const use = view.page.locator('vscode-button[aria-label="Use for nbody"]');
    expect(await use.getAttribute('aria-disabled')).toBe('true');
    await use.click();
    expect(asked).toEqual([]);
  });

  it('writes the choice to the target, and with it the back-end', async () => {
    await open();
    await view.page.locator('.title-row vscode-dropdown').click();
    await view.page.locator('.title-row vscode-option', { hasText: 'other' }).click();
    expect(await command('Before each command')).toBe('scorep --user');
    await choose('memory', 'Not wrapped');
    await view.page.getByRole('button', { name: 'Use for other' }).click();
    await expect
      .poll(() => asked)
      .toEqual([
        [
          'use',
          {
            target: 'other',
            values: [
              ['user', '--user'],
              ['filtering', 'run-time'],
              ['memory', '--nomemory'],
            ],
            setBackend: true,
          },
        ],
      ]);
  });

  it('follows kymo.json, but for what the user has changed', async () => {
    await open();
    const [first, second] = usual.targets;
    if (first === undefined || second === undefined) throw new Error('no targets');
    const changed = { ...first, settings: { ...first.settings, flags: ['--user'] } };
    shown = { ...shown, targets: [changed, second] };
    view.tell('changed', {});
    await expect.poll(() => command('Before each command')).toBe('scorep --user');
    await choose('io', 'POSIX');
    shown = { ...shown, targets: [first, second] };
    view.tell('changed', {});
    await expect
      .poll(() => view.page.locator('.state').innerText())
      .toContain('3 options differ from kymo.json');
    expect(await command('Before each command')).toBe('scorep --user --io=posix --cuda');
    await view.page.getByRole('button', { name: 'Revert' }).click();
    expect(await command('Before each command')).toBe('scorep --nomemory --cuda');
    await view.page.getByRole('button', { name: 'Defaults' }).click();
    expect(await command('Before each command')).toBe('scorep --cuda');
  });

  it('keeps what was changed over hiding and reloads', async () => {
    await open();
    await choose('io', 'POSIX');
    await view.page.locator('.search-box vscode-text-field').click();
    await view.page.keyboard.type('input');
    await expect.poll(() => view.page.locator('.option:visible').count()).toBeLessThan(4);
    await view.reload();
    await row('io').waitFor();
    expect(await row('mpp').isVisible()).toBe(false);
    expect(await command('Before each command')).toBe('scorep --nomemory --io=posix --cuda');
  });

  it('finds options by what is written, too', async () => {
    await open();
    await view.page.keyboard.press('Control+F');
    await view.page.keyboard.type('ru_majflt');
    // A slow machine searches for the first letters, too.
    await expect.poll(() => view.page.locator('tbody:visible').count()).toBe(1);
    expect(await row('SCOREP_METRIC_RUSAGE').isVisible()).toBe(true);
    await view.page.keyboard.type('xyz');
    await view.page.locator('.nothing-found').waitFor();
    await view.page.keyboard.press('Escape');
    await row('mpp').waitFor();
  });

  it('can be used by keys alone', async () => {
    await open();
    await view.tabTo(/Processes/, 80);
    await view.page.keyboard.press('ArrowDown');
    await view.page.keyboard.press('ArrowDown');
    await expect.poll(() => command('Before each command')).toContain('--mpp=mpi');
    await view.tabTo(/Memory per process/, 80);
    await view.page.keyboard.type('1G');
    await view.tabTo(/Copy: Environment/, 120);
    await view.page.keyboard.press('Enter');
    await view.page.locator('[aria-live]', { hasText: 'Copied: Environment of the run' }).waitFor({
      state: 'attached',
    });
  });

  it('without a Score-P, and without kymo.json, it still is a page to read and copy', async () => {
    await open({
      targets: [],
      problem: 'There is no kymo.json in /home/user/nbody.',
      installations: { scorep: { missing: true, problem: 'No Score-P was found.' } },
    });
    expect(await view.page.locator('.installation').innerText()).toBe('No Score-P was found.');
    expect(await view.page.locator('.state').innerText()).toContain('Everything can be copied.');
    const use = view.page.locator('vscode-button[aria-label="Use for Target"]');
    expect(await use.getAttribute('aria-description')).toContain('There is no kymo.json');
    await view.screenshot('scorepFlags-none');
    await view.page.getByRole('button', { name: 'Create kymo.json' }).click();
    await expect.poll(() => asked).toEqual([['openConfiguration', {}]]);
  });

  it('is a table to those who listen, also where it is narrow', async () => {
    await open({}, { size: { width: 360, height: 800 } });
    const table = view.page.getByRole('table', { name: 'Options of Score-P' });
    expect(await table.getByRole('columnheader').allTextContents()).toEqual(['Option', 'Setting', 'Cost']);
    expect(await table.getByRole('rowheader').count()).toBeGreaterThan(20);
    const cut = await view.page.evaluate(() =>
      [...document.querySelectorAll('body *')]
        .filter((one) => {
          const { right, width } = one.getBoundingClientRect();
          return width > 1 && right > window.innerWidth + 1 && one.closest('.visually-hidden') === null;
        })
        .map((one) => `${one.tagName} ${one.className}`),
    );
    expect(cut).toEqual([]);
    await view.screenshot('scorepFlags-narrow');
    await row('SCOREP_TOTAL_MEMORY').scrollIntoViewIfNeeded();
    await view.screenshot('scorepFlags-narrow-2');
    expect(await view.page.locator('.quick-text').innerText()).toBe('scorep --nomemory --cuda');
    expect(await view.lowContrast()).toEqual([]);
    await view.page.getByRole('button', { name: 'All Command Lines' }).click();
    expect(await view.focused()).toMatch(/region/);
    await view.screenshot('scorepFlags-narrow-3');
  });

  it.each(themeNames)('can be read in %s', async (theme) => {
    await open();
    await view.setTheme(theme);
    await row('mpp').scrollIntoViewIfNeeded();
    expect(await view.lowContrast()).toEqual([]);
    await view.screenshot(`scorepFlags-${theme}`);
    await row('SCOREP_TOTAL_MEMORY').locator('vscode-text-field').click();
    await view.page.keyboard.type('4G');
    await row('SCOREP_METRIC_RUSAGE').scrollIntoViewIfNeeded();
    expect(await view.lowContrast()).toEqual([]);
    await view.screenshot(`scorepFlags-2-${theme}`);
  });
});
