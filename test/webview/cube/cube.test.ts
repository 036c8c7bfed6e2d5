import { chmodSync, copyFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Profile } from '../../../src/core/profile/profile';
import { writeCube } from '../../../src/formats/cube4/write';
import type { CubeEvents, CubeRequests } from '../../../src/protocol/cube';
import { sharedData } from '../../shared';
import { themeNames } from '../lib/themes';
import { useViews } from '../lib/useViews';
import type { View } from '../lib/view';
import { answersOf, largeProfile, smallProfile, topologyProfile, type Asked } from './cubes';

const folder = mkdtempSync(path.join(tmpdir(), 'kymo-cube-'));
const file = path.join(folder, 'profile.cubex');
const scoreP = sharedData('scorep/lulesh-mpi/lulesh.p8.s5/profile.cubex');
const views = useViews();
let asked: Asked[];
let view: View<CubeRequests, CubeEvents>;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function open(
  profile: Profile | undefined = smallProfile(),
  options: { readonly state?: unknown; readonly size?: { width: number; height: number } } = {},
): Promise<void> {
  writeFileSync(file, writeCube(profile));
  await openFile(options);
  if (options.state === undefined) await openRoot();
}

/** The call tree begins closed, with the inclusive value of its root. */
async function openRoot(): Promise<void> {
  await sees('Call tree', /^main (?:108|\d.*) \S+$/);
  await row('Call tree', 'main').click();
  await view.page.keyboard.press('ArrowRight');
}

async function openFile(
  options: { readonly state?: unknown; readonly size?: { width: number; height: number } } = {},
): Promise<void> {
  asked = [];
  view = await views.open<CubeRequests, CubeEvents>({
    entry: 'webview/cube/main.ts',
    answers: answersOf(() => file, asked),
    ...options,
  });
}

const tree = (name: 'Metric tree' | 'Call tree' | 'System tree' | 'Flat profile') =>
  view.page.getByLabel(name, { exact: true });
const rowsOf = (name: Parameters<typeof tree>[0]) => tree(name).locator('.grid-row:visible');
const row = (name: Parameters<typeof tree>[0], text: string | RegExp) =>
  rowsOf(name).filter({ hasText: text }).first();
const textsOf = async (name: Parameters<typeof tree>[0]): Promise<string[]> =>
  (await rowsOf(name).allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
const pane = (name: 'Metrics' | 'Call Paths' | 'System') =>
  view.page.getByRole('region', { name, exact: true });
async function sees(name: Parameters<typeof tree>[0], text: RegExp): Promise<void> {
  await expect.poll(async () => (await textsOf(name)).join('\n')).toMatch(text);
}

describe('editor of Cube profiles', () => {
  it('shows time over the call paths, and its distribution over the system', async () => {
    await open();
    await sees('Metric tree', /Visits 992\b[^]*Time 108 s[^]*Ratioderived –/);
    await sees('Call tree', /^main 12 s\nsolve\(std::vector<…>&\) 92 s\n<img src=x/);
    await sees('System tree', /^cluster 0 s\nnode0 0 s\nMPI Rank 0 3 s\nMPI Rank 1 3 s\nnode1/);
    expect(await view.page.locator('img').count()).toBe(0);
    await view.screenshot('cube');
  });

  it('counts closed nodes with what is below them and open ones by themselves, in all three trees', async () => {
    await open();
    await sees('Call tree', /main 12 s/);
    await row('Call tree', 'main').click();
    await view.page.keyboard.press('ArrowLeft');
    await sees('Call tree', /^main 108 s$/);
    await sees('System tree', /MPI Rank 0 21 s/);
    await row('System tree', 'MPI Rank 0').click();
    await view.page.keyboard.press('ArrowRight');
    await sees('System tree', /MPI Rank 0 0 s\nthread 0 10 s\nthread 1 11 s/);
    await row('Metric tree', 'Time').click();
    await view.page.keyboard.press('ArrowRight');
    await sees('Metric tree', /Time 72 s\nMPI 36 s/);
    await sees('Call tree', /^main 72 s$/);
    await row('Metric tree', 'MPI').click();
    await sees('Call tree', /^main 36 s$/);
    await row('Metric tree', 'Visits').click();
    await sees('Call tree', /^main 992$/);
  });

  it('several call paths together, by Ctrl and by Shift', async () => {
    await open();
    await sees('Call tree', /solve/);
    await row('Call tree', 'solve').click();
    await view.page.keyboard.press('ArrowRight');
    await row('Call tree', 'kernel').click();
    await sees('System tree', /MPI Rank 0 12 s/);
    await row('Call tree', 'MPI_Allreduce').click({ modifiers: ['Control'] });
    await sees('System tree', /MPI Rank 0 15 s/);
    expect(await pane('System').getByRole('status').innerText()).toBe('Time · 2 call paths');
    await row('Call tree', '<img').click({ modifiers: ['Shift'] });
    await expect
      .poll(() => tree('Call tree').locator('.grid-row.selected:visible').count())
      .toBeGreaterThan(1);
    expect(await tree('Call tree').getAttribute('aria-multiselectable')).toBe('true');
  });

  it('values as parts of what is chosen', async () => {
    await open();
    await sees('Metric tree', /Time 108 s/);
    await sees('Call tree', /solve/);
    const choose = async (where: Parameters<typeof pane>[0], mode: string): Promise<void> => {
      await pane(where).locator('vscode-dropdown').click();
      await pane(where).getByRole('option', { name: mode, exact: true }).click();
    };
    await choose('Call Paths', 'Metric selection percent');
    await sees('Call tree', /solve\(std::vector<…>&\) 85\.2 %/);
    await choose('Call Paths', 'Peer percent');
    await sees('Call tree', /solve\(std::vector<…>&\) 100 %/);
    await choose('System', 'Call selection percent');
    await sees('System tree', /MPI Rank 0 25\.0 %/);
    await choose('System', 'Peer distribution');
    await sees('System tree', /MPI Rank 0/);
    await view.screenshot('cube-percent');
  });

  it('searches each tree, finds the hot path, and knows the keys', async () => {
    await open();
    await sees('Call tree', /solve/);
    await row('Call tree', 'main').click();
    await view.page.keyboard.press('Control+f');
    await view.page.keyboard.type('allred');
    await expect.poll(() => pane('Call Paths').locator('.search-count').innerText()).toBe('1 of 1');
    await sees('Call tree', /MPI_Allreduce 36 s/);
    await pane('System').locator('.search-box input').fill('rank [23]');
    await pane('System').getByRole('button', { name: 'Use Regular Expression (Alt+R)' }).click();
    await expect.poll(() => pane('System').locator('.search-count').innerText()).toBe('1 of 2');
    await view.page.keyboard.press('F3');
    await expect.poll(() => pane('System').locator('.search-count').innerText()).toBe('2 of 2');
    await row('Call tree', 'main').click();
    await view.page.keyboard.press('Alt+h');
    await expect
      .poll(() => tree('Call tree').locator('.grid-row.selected:visible').innerText())
      .toMatch(/^kernel/);
    expect(await row('Call tree', 'kernel').getAttribute('aria-level')).toBe('3');
    await row('Call tree', 'kernel')
      .press('Enter')
      .catch(() => undefined);
    await tree('Call tree').press('Enter');
    await expect.poll(() => asked.some(({ name }) => name === 'openSource')).toBe(true);
  });

  it('flat profile, flame graph and statistics show the same', async () => {
    await open();
    await sees('Call tree', /solve/);
    await pane('Call Paths').getByRole('tab', { name: 'Flat' }).click();
    await sees('Flat profile', /^kernel 48 s 48 s\nMPI_Allreduce 36 s 36 s/);
    await row('Flat profile', 'MPI_Allreduce').click();
    await sees('System tree', /MPI Rank 3 15 s/);
    await pane('System').getByRole('tab', { name: 'Statistics' }).click();
    await expect
      .poll(() => pane('System').locator('.statistics').innerText())
      .toMatch(
        /Sum\s+36 s\s+Mean\s+4.5 s[^]*Minimum\s+1 s · MPI Rank 0, thread 0[^]*Imbalance\s+77.8 % above the mean/,
      );
    await view.screenshot('cube-flat');
    await pane('Call Paths').getByRole('tab', { name: 'Flame Graph' }).click();
    await view.page.locator('.flame-canvas').press('ArrowDown');
    await expect.poll(() => view.page.locator('.flame-tip').innerText()).toMatch(/^solve/);
    await view.screenshot('cube-flame');
  });

  describe('topologies', () => {
    const canvas = () => pane('System').locator('.topology-canvas');
    const tip = () => pane('System').locator('.topology .flame-tip');
    const openTopology = async (options: Parameters<typeof open>[1] = {}): Promise<void> => {
      await open(topologyProfile(), options);
      await row('Call tree', 'main').click();
      await view.page.keyboard.press('ArrowLeft');
      await pane('System').getByRole('tab', { name: 'Topology' }).click();
      await canvas().waitFor();
      await expect
        .poll(() => pane('System').locator('.topology-summary').innerText())
        .toBe('From 10 s to 17 s.');
    };
    const choose = async (label: string, option: string | RegExp): Promise<void> => {
      await pane('System').getByRole('combobox', { name: label, exact: true }).click();
      await pane('System').getByRole('option', { name: option }).click();
    };

    it('show the values at the places of processes and threads, and select these in the system tree', async () => {
      await openTopology();
      await canvas().press('ArrowDown');
      await expect.poll(() => tip().innerText()).toBe('MPI Rank 0, thread 0\n10 s\nProcess = 0, Thread = 0');
      await canvas().press('ArrowDown');
      await canvas().press('ArrowRight');
      await expect.poll(() => tip().innerText()).toBe('MPI Rank 1, thread 1\n13 s\nProcess = 1, Thread = 1');
      await canvas().press('Enter');
      await view.screenshot('cube-topology');
      await pane('System').getByRole('tab', { name: 'System Tree' }).click();
      await expect
        .poll(() => tree('System tree').locator('.grid-row.selected:visible').innerText())
        .toMatch(/^thread 1\s+13 s/);
      await row('System tree', 'MPI Rank 2').click();
      await pane('System').getByRole('tab', { name: 'Topology' }).click();
      await view.screenshot('cube-topology-selected');
    });

    it('have places of processes with the values of their threads, in planes, slices, and around periodic dimensions', async () => {
      await openTopology();
      await choose('Topology', /MPI_COMM_CART/);
      await expect
        .poll(() => pane('System').locator('.topology-summary').innerText())
        .toBe('From 21 s to 33 s. 1 place outside of the dimensions is not shown.');
      await canvas().press('ArrowDown');
      await expect.poll(() => tip().innerText()).toBe('MPI Rank 0\n21 s\nx = 0, dimension 1 = 0, z = 0');
      await canvas().press('ArrowUp');
      await expect.poll(() => tip().innerText()).toBe('No location\nx = 1, dimension 1 = 0, z = 0');
      await canvas().press('PageDown');
      await expect.poll(() => tip().innerText()).toBe('MPI Rank 1\n25 s\nx = 1, dimension 1 = 0, z = 1');
      await view.screenshot('cube-topology-planes');
      await pane('System').getByRole('slider', { name: 'z (2)' }).press('ArrowRight');
      await expect.poll(() => pane('System').locator('.topology .slider-value').innerText()).toBe('0');
      await canvas().press('ArrowDown');
      await expect.poll(() => tip().innerText()).toBe('MPI Rank 0\n21 s\nx = 0, dimension 1 = 0, z = 0');
      await choose('Rows', 'z (2)');
      await pane('System').getByRole('slider', { name: 'x (2, periodic)' }).waitFor();
      await pane('System').getByRole('button', { name: 'Topology: Show as Table' }).click();
      await expect
        .poll(async () =>
          (
            await pane('System')
              .getByLabel('Places of the topology')
              .locator('.grid-row:visible')
              .allInnerTexts()
          ).map((text) => text.replace(/\s+/g, ' ').trim()),
        )
        .toEqual([
          'MPI Rank 0 21 s 0 0 0',
          'MPI Rank 1 25 s 1 0 1',
          'MPI Rank 2 29 s 0 1 0',
          'MPI Rank 3 33 s 1 1 1',
        ]);
      await view.screenshot('cube-topology-table');
      await expect
        .poll(async () => ((await view.state()) as { topology?: { table: boolean } } | null)?.topology?.table)
        .toBe(true);
      await view.reload();
      await pane('System').getByLabel('Places of the topology').waitFor();
    });

    it.skipIf(scoreP === undefined)(
      'of Score-P are one line of processes where each has one thread',
      async () => {
        copyFileSync(scoreP ?? '', file);
        chmodSync(file, 0o644);
        await openFile();
        await pane('System').getByRole('tab', { name: 'Topology' }).click();
        await pane('System').getByText('Process x Thread (8 × 1)').waitFor();
        await canvas().press('End');
        await expect
          .poll(() => tip().innerText())
          .toMatch(/^MPI Rank 7, Master thread\n.* s\nProcess = 7, Thread = 0$/);
        await view.screenshot('cube-topology-score-p');
      },
    );

    it('that cannot be shown say why', async () => {
      await openTopology();
      await choose('Topology', /^<img/);
      await pane('System').getByText('These are more than 1048576 cells.').waitFor();
      expect(await view.page.locator('img').count()).toBe(0);
      await choose('Topology', /^nothing/);
      await pane('System').getByText('The dimension “x” has size 0: there are no cells.').waitFor();
      await choose('Topology', /^Process/);
      await canvas().waitFor();
    });

    it('are readable in all four themes, and at 760 and 500 pixels', async () => {
      await openTopology();
      await choose('Topology', /MPI_COMM_CART/);
      for (const theme of themeNames) {
        await view.setTheme(theme);
        expect(await view.lowContrast(), theme).toEqual([]);
        await view.screenshot(`cube-topology-${theme}`);
      }
      for (const width of [760, 500]) {
        await view.page.setViewportSize({ width, height: 800 });
        await view.screenshot(`cube-topology-${width}`);
        expect(await view.page.evaluate(() => document.body.scrollWidth)).toBeLessThanOrEqual(width);
      }
    });

    it('of 4,096 processes are drawn where they are seen, and files without any have no such view', async () => {
      const profile = largeProfile(50, 4096);
      const places = profile.locations.map(({ rank, thread }, at) => [at, [rank, thread]] as const);
      const dimensions = [
        { name: 'Process', size: 512, periodic: false },
        { name: 'Thread', size: 8, periodic: false },
      ];
      await open({
        ...profile,
        topologies: [{ name: 'Process x Thread', dimensions, coordinates: new Map(places) }],
      });
      await pane('System').getByRole('tab', { name: 'Topology' }).click();
      await canvas().press('End');
      await expect.poll(() => tip().innerText()).toMatch(/^MPI Rank 511, thread 7\n/);
      expect((await canvas().boundingBox())?.height).toBeLessThan(1000);
      await view.screenshot('cube-topology-large');
      await open();
      expect(await pane('System').getByRole('tab', { name: 'Topology' }).count()).toBe(0);
    });
  });

  it('actions of a call path, and of the whole file', async () => {
    await open();
    await sees('Call tree', /solve/);
    await row('Call tree', 'solve').click({ button: 'right' });
    await view.page.getByRole('menuitem', { name: 'Expand All Below' }).click();
    await sees('Call tree', /kernel 48 s/);
    await row('Call tree', 'MPI_Allreduce').click({ button: 'right' });
    expect(await view.page.getByRole('menuitem', { name: 'Open Source' }).getAttribute('aria-disabled')).toBe(
      'true',
    );
    await view.page.keyboard.press('Escape');
    await view.page.getByRole('button', { name: 'Save As…' }).click();
    await view.page.getByRole('menuitem', { name: 'Flame Graph as PNG' }).click();
    await expect
      .poll(() => asked.find(({ name }) => name === 'save')?.parameters)
      .toMatchObject({ kind: 'png' });
    await view.page.getByRole('button', { name: 'Compare…' }).click();
    await expect
      .poll(() => asked.find(({ name }) => name === 'act')?.parameters)
      .toEqual({ action: 'compare' });
  });

  it('says what is wrong with a file, and shows it when it is whole', async () => {
    writeFileSync(file, writeCube(smallProfile()));
    truncateSync(file, 3000);
    await openFile();
    await view.page.getByText(/is damaged or cut off: at byte \d+/).waitFor();
    await view.page.getByRole('button', { name: 'Reopen Editor With…' }).waitFor();
    await view.screenshot('cube-damaged');
    writeFileSync(file, writeCube(smallProfile()));
    await view.page.getByRole('button', { name: 'Try Again' }).click();
    await sees('Call tree', /^main 108 s$/);
    expect(await view.page.getByRole('button', { name: 'Reopen Editor With…' }).isVisible()).toBe(false);
  });

  it('says that a file has changed or is gone, and keeps what it shows', async () => {
    await open();
    await sees('System tree', /MPI Rank 0 3 s/);
    await row('Call tree', 'solve').click();
    rmSync(file);
    view.tell('stale', { kind: 'deleted' });
    await view.page.getByText('was deleted or moved').first().waitFor();
    await row('Call tree', 'main').click();
    await pane('System').getByText('cannot be read').waitFor();
    await view.screenshot('cube-deleted');
    writeFileSync(file, writeCube(largeProfile(50, 2)));
    view.tell('stale', { kind: 'changed' });
    await view.page.getByRole('button', { name: 'Reload' }).click();
    await sees('Call tree', /^main/);
    await expect.poll(() => view.page.locator('.top-facts').innerText()).toContain('50 call paths');
  });

  it('is as it was after a reload', async () => {
    await open();
    await sees('Call tree', /solve/);
    await row('Call tree', 'solve').click();
    await view.page.keyboard.press('ArrowRight');
    await row('Call tree', 'kernel').click();
    await pane('System').getByRole('tab', { name: 'Statistics' }).click();
    await pane('Metrics').getByRole('button', { name: 'Hide Metrics' }).click();
    await expect
      .poll(async () => ((await view.state()) as { selected?: number[] } | null)?.selected)
      .toEqual([2]);
    await expect
      .poll(
        async () => ((await view.state()) as { collapsed?: { metrics: boolean } } | null)?.collapsed?.metrics,
      )
      .toBe(true);
    await view.reload();
    await sees('Call tree', /kernel 48 s/);
    expect(await tree('Call tree').locator('.grid-row.selected:visible').innerText()).toMatch(/^kernel/);
    await pane('System').locator('.statistics table').waitFor();
    await pane('Metrics').getByRole('button', { name: 'Show Metrics' }).waitFor();
    await view.screenshot('cube-folded');
  });

  it('survives a kept state that makes no sense', async () => {
    await open(smallProfile(), {
      state: {
        trees: { calls: { expanded: ['a', 1e9], sort: 3 } },
        selected: [1e9],
        shares: 'x',
        modes: 5,
        metric: 'no',
      },
    });
    await sees('Call tree', /main/);
  });

  it('is readable in all four themes, and fits 500 pixels', async () => {
    await open();
    await sees('System tree', /MPI Rank 0 3 s/);
    await row('Call tree', 'solve').click();
    for (const theme of themeNames) {
      await view.setTheme(theme);
      expect(await view.lowContrast(), theme).toEqual([]);
      await view.screenshot(`cube-${theme}`);
    }
    await view.page.setViewportSize({ width: 500, height: 800 });
    expect(await view.page.evaluate(() => document.body.scrollWidth)).toBeLessThanOrEqual(500);
    await view.screenshot('cube-narrow');
  });

  it('keeps 100,000 call paths in few elements', async () => {
    await open(largeProfile(100_000, 4));
    await sees('Call tree', /^main/);
    await pane('Call Paths').getByRole('button', { name: 'More Actions of Call Paths' }).click();
    await view.page.getByRole('menuitem', { name: 'Expand All' }).click();
    await expect.poll(() => tree('Call tree').getAttribute('aria-rowcount')).toBe('100001');
    expect(await view.page.locator('.grid-row').count()).toBeLessThan(200);
    await pane('Call Paths').locator('.search-box input').fill('method123(');
    await expect.poll(() => pane('Call Paths').locator('.search-count').innerText()).toMatch(/of \d+/);
  });

  it('spreads over 4,096 locations', async () => {
    await open(largeProfile(200, 4096));
    await sees('System tree', /MPI Rank 0/);
    await expect.poll(() => tree('System tree').getAttribute('aria-rowcount')).toBe('514');
    await pane('System').getByRole('button', { name: 'More Actions of System' }).click();
    await view.page.getByRole('menuitem', { name: 'Expand All' }).click();
    await expect.poll(() => tree('System tree').getAttribute('aria-rowcount')).toBe('4610');
  });
});
