import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Profile } from '../../../src/core/profile/profile';
import { writeCube } from '../../../src/formats/cube4/write';
import { readCube } from '../../../src/formats/cube4/read';
import { compareProcesses, type GroupsOptions, type GroupsReport } from '../../../src/workflows/groups';
import { runOf, type Call } from '../../unit/core/problems/runs';
import { themeNames } from '../lib/themes';
import { useHotSpotsPanel } from './hotSpotsPanel';
import { measuredProfile } from './measuredProfile';
import { hostileName } from './profiles';

const panel = useHotSpotsPanel();
const { open, untilAsked } = panel;
const folder = mkdtempSync(path.join(tmpdir(), 'kymo-pictures-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const page = () => panel.view.page;
const picture = (name: RegExp | string) => page().getByRole('application', { name });
const matrix = () => picture(/^Matrix of groups/);
const graph = () => picture(/^What groups have in common/);
const readOut = () => page().locator('.group-picture .read-out:visible').innerText();
const heading = () => page().locator('.group-heading').innerText();
const note = () => page().locator('.group-note');
const details = () => page().locator('.group-details');
const press = (key: string) => page().keyboard.press(key);
const lastAsked = (name: string) => panel.asked.findLast((one) => one.name === name)?.parameters;
const choose = async (label: string, choice: string): Promise<void> => {
  await page()
    .locator('vscode-dropdown')
    .and(page().getByLabel(label, { exact: true }))
    .click();
  await page().getByRole('option', { name: choice, exact: true }).click();
};

let files = 0;

/** Master, workers of which one repairs, and a writer with a hostile name. */
const roles = (): Profile => {
  const by = (...seconds: readonly number[]): readonly number[] => seconds;
  const call = (name: string, seconds: readonly number[], calls: readonly Call[] = []): Call => ({
    region: { name },
    seconds: [...seconds],
    calls: [...calls],
  });
  return runOf(
    call('main', by(1, 1, 1, 1, 1, 1), [
      call('distribute', by(2, 0, 0, 0, 0, 0), [call('plan', by(4, 0, 0, 0, 0, 0))]),
      call('work', by(0, 3, 3, 5, 3, 0), [
        call('compute', by(0, 4, 4, 6, 8, 0)),
        call('repair', by(0, 0, 2, 0, 0, 0)),
      ]),
      call(hostileName, by(0, 0, 0, 0, 0, 3), [call('format', by(0, 0, 0, 0, 0, 1))]),
    ]),
    6,
  );
};

/** Ranks 0 and 31 call three functions more than the others, which call a hundred: 97 % similar. */
const ends = (): Profile =>
  runOf(
    {
      region: { name: 'main' },
      seconds: Array<number>(32).fill(1),
      calls: Array.from({ length: 103 }, (_, own) => ({
        region: { name: `f${own}` },
        seconds: Array.from({ length: 32 }, (_2, rank) => (own < 100 || rank % 31 === 0 ? 1 : 0)),
      })),
    },
    32,
  );

/** Ten processes of ten threads each, of which only the first one receives; the times of loops vary more than those of receiving. */
const mixed = (): Profile => {
  const at = (of: (rank: number, thread: number) => number): number[] =>
    Array.from({ length: 100 }, (_, own) => of(Math.floor(own / 10), own % 10));
  return runOf(
    {
      region: { name: 'main' },
      seconds: at(() => 1),
      calls: [
        {
          region: { name: 'MPI_Recv', paradigm: 'mpi' },
          seconds: at((_, thread) => (thread === 0 ? 1 : 0)),
        },
        { region: { name: 'loop' }, seconds: at((rank, thread) => ((rank + thread) % 2 === 0 ? 1 : 9)) },
      ],
    },
    10,
    10,
  );
};

/** So many ranks, each with a function of its own, and each pair of neighbours one in common. */
const irregular = (count: number): Profile =>
  runOf(
    {
      region: { name: 'main' },
      seconds: Array<number>(count).fill(1),
      calls: Array.from({ length: count }, (_, own) => ({
        region: { name: `f${own}` },
        seconds: Array.from({ length: count }, (_2, rank) => (rank === own || rank === own + 1 ? 1 : 0)),
      })),
    },
    count,
  );

interface Opened {
  /** As `kymo groups` has it. */
  readonly report: GroupsReport;
}

async function shown(
  profile: Profile,
  state: object = {},
  options: GroupsOptions = {},
  size = { width: 1000, height: 720 },
): Promise<Opened> {
  const file = path.join(folder, `${files++}.cubex`);
  const bytes = writeCube(profile);
  writeFileSync(file, bytes);
  const made = await measuredProfile(file);
  await open(() => made, { state: { tab: 'groups', ...state }, size });
  const measured = { profile: readCube(bytes, file) };
  return { report: compareProcesses([{ run: 'run', measured }], options) };
}

const showTable = (name: string) =>
  page()
    .getByRole('button', { name: `${name}: Show as Table` })
    .click();
const tableCells = async (): Promise<readonly (readonly string[])[]> =>
  Promise.all((await panel.rows().all()).map((row) => row.locator('.grid-cell').allInnerTexts()));
const saved = async (name: string, item: string): Promise<string> => {
  await page()
    .getByRole('button', { name: `${name}: Save…` })
    .click();
  await page().getByRole('menuitem', { name: item, exact: true }).click();
  const { content } = (await untilAsked('save')) as { content: Uint8Array };
  return new TextDecoder().decode(content);
};

describe('ways of grouping', () => {
  it('D3: a threshold of 0.95 makes one group of what is 97 % similar, and 0.98 makes two', async () => {
    await shown(ends(), { groupBy: 'similarity' });
    await expect
      .poll(heading)
      .toBe('32 processes in 1 group, at least 95.0 % similar, by 104 pairs of caller and callee.');
    await page().getByRole('slider').focus();
    for (let step = 0; step < 3; step++) await press('ArrowRight');
    await expect
      .poll(heading)
      .toBe('32 processes in 2 groups, at least 98.0 % similar, by 104 pairs of caller and callee.');
    // One question for three steps, and the choice stays.
    expect(panel.asked.filter(({ name }) => name === 'groups')).toHaveLength(2);
    await expect
      .poll(() => panel.view.state())
      .toMatchObject({ groupBy: 'similarity', groupThreshold: 0.98 });
    await panel.view.reload();
    await expect.poll(heading).toMatch(/^32 processes in 2 groups, at least 98/);
  });

  it('E2: structure mixes no threads and processes; E3: k-means of the times does, which it says', async () => {
    await shown(mixed());
    await expect.poll(heading).toBe('100 processes in 2 groups, by 3 pairs of caller and callee.');
    expect(await note().isHidden()).toBe(true);
    await choose('Group by', 'Time (k-means)');
    await expect.poll(heading).toBe('100 processes in 2 groups of similar times, by k-means.');
    expect(await note().innerText()).toBe(
      'k-means compares only the times in the ten functions with the most exclusive time, so that a group may mix processes that do different work: 2 of these 2 groups do.',
    );
    expect(lastAsked('groups')).toEqual({ grouping: { kind: 'pairs', closure: false, kMeans: 'structure' } });
    await page()
      .getByRole('textbox', { name: 'Number of groups, 1 to 64; none: as many as by structure' })
      .click();
    await page().keyboard.type('65');
    await page().keyboard.press('Backspace');
    await expect.poll(() => lastAsked('groups')).toMatchObject({ grouping: { kMeans: 6 } });
    await expect.poll(() => panel.view.state()).toMatchObject({ groupBy: 'time', groupCount: 6 });
  });

  it('C12: functions, calls of calls, and each coarser step, with what was given up', async () => {
    await shown(irregular(40), { groupBy: 'similarity', groupThreshold: 1 });
    await expect.poll(heading).toMatch(/^40 processes in 40 groups/);
    await page().getByText('Comparison', { exact: true }).click();
    await choose('Coarser', 'Irregular processes as one');
    await expect.poll(heading).toMatch(/^40 processes in 1 group,/);
    expect(await note().innerText()).toContain('are compared as one');
    await choose('Coarser', 'Equal processes only');
    await expect.poll(heading).toMatch(/^40 processes in 40 groups/);
    await choose('Picture', 'What they have in common');
    await page().getByText('Only equal processes are grouped').first().waitFor();
    await choose('Coarser', 'As needed');
    await page().getByText('Calls of calls').click();
    await choose('Compare', 'Functions');
    await expect
      .poll(() => lastAsked('groups'))
      .toEqual({ grouping: { kind: 'functions', closure: true, threshold: 1 } });
    await expect.poll(() => panel.view.state()).toMatchObject({ groupKind: 'functions', groupClosure: true });
  });
});

describe('matrices of groups', () => {
  it('G-1: similarity, with the numbers and the sentences of kymo groups', async () => {
    const { report } = await shown(roles(), { groupPicture: 'similarity' });
    await expect.poll(readOut).toBe('Click a cell to see how its groups differ.');
    await matrix().focus();
    await press('ArrowRight');
    await press('ArrowRight');
    await expect.poll(readOut).toBe('Rank 0 and ranks 1, 3–4: 20.0 % of what either calls is called by both');
    await press('Enter');
    const both = report.differences.find(({ groups }) => groups.join() === '0,1');
    await expect.poll(() => details().locator('p').innerText()).toBe(both?.sentence);
    expect(report.sentences).toContain(both?.sentence);
    expect(await details().locator('li').first().innerText()).toBe(
      'Ranks 1, 3–4, not rank 0: main → work and work → compute; 11 s inclusive, 2 of 8 pairs (25.0 %)',
    );
    await choose('Rank by', 'Share of calls');
    await expect
      .poll(() => details().locator('li').first().innerText())
      .toBe(
        'Rank 0, not ranks 1, 3–4: main → distribute and distribute → plan; 6 s inclusive, 2 of 8 pairs (25.0 %)',
      );
    await showTable('Matrix of groups');
    const rows = await tableCells();
    expect(rows.map((row) => row.slice(1))).toEqual(
      report.similarity.map((row) => row.map((value) => value.toFixed(2))),
    );
    await page().getByRole('button', { name: 'Close' }).click();
    expect(await details().isHidden()).toBe(true);
  });

  it('G-2, B7: the row does all of the column', async () => {
    const { report } = await shown(roles(), { groupPicture: 'subsumption' });
    await expect.poll(readOut).toMatch(/^Click/);
    await matrix().focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight']) await press(key);
    // Rank 2 repairs in addition.
    await expect.poll(readOut).toBe('Rank 2 does 100 % of all that ranks 1, 3–4 do');
    await press('ArrowUp');
    await press('ArrowRight');
    await expect.poll(readOut).toBe('Ranks 1, 3–4 do 66.7 % of all that rank 2 does');
    await press('ArrowLeft');
    await expect.poll(readOut).toBe('Ranks 1, 3–4: the group itself');
    await press('Enter');
    await expect
      .poll(() => details().locator('p').innerText())
      .toMatch(/^Ranks 1, 3–4 call the same, and spend their time \d+\.\d % alike on average\.$/);
    const [spread] = report.groups[1]?.spreads ?? [];
    expect(spread?.percentiles).toMatchObject({ p2: 4, p98: 8 });
    expect(await details().locator('li').first().innerText()).toBe(
      'work → compute: 4 s to 8 s exclusive, 18 s together',
    );
    await showTable('Matrix of groups');
    expect((await tableCells()).map((row) => row.slice(1))).toEqual(
      report.subsumption.map((row) => row.map((value) => value.toFixed(2))),
    );
  });

  it('G-5: are saved as CSV, SVG with the numbers, and JSON as kymo groups writes it', async () => {
    const { report } = await shown(roles(), { groupPicture: 'similarity' });
    await expect.poll(readOut).toMatch(/^Click/);
    const csv = await saved('Matrix of groups', 'Save as CSV…');
    expect(csv.split('\r\n')[1]).toBe('1: Rank 0,1,0.2,0.16666666666666666,0.2');
    expect(lastAsked('save')).toMatchObject({ kind: 'drawing', format: 'csv', name: 'similarity of groups' });
    const svg = await saved('Matrix of groups', 'Save as SVG…');
    await expect.poll(() => (lastAsked('save') as { format: string }).format).toBe('svg');
    expect(svg).toContain('>0.20</text>');
    await saved('Matrix of groups', 'Save Comparison as JSON…');
    await expect.poll(() => (lastAsked('save') as { format: string }).format).toBe('json');
    const { content } = lastAsked('save') as { content: Uint8Array };
    const written = JSON.parse(new TextDecoder().decode(content)) as GroupsReport;
    expect({ ...written, properties: [] }).toEqual(JSON.parse(JSON.stringify({ ...report, properties: [] })));
  });

  it('G-1: have no numbers above 60 groups', async () => {
    await shown(irregular(61), { groupPicture: 'similarity', groupBy: 'similarity', groupThreshold: 1 });
    await expect.poll(readOut).toMatch(/^Click/);
    const svg = await saved('Matrix of groups', 'Save as SVG…');
    expect(svg).not.toContain('>1.00</text>');
  });
});

describe('the graph of what groups have in common', () => {
  it('G-3: names, sizes, shares and examples; a box chooses its processes', async () => {
    await shown(roles(), { groupPicture: 'graph' });
    await expect.poll(readOut).toMatch(/^5 boxes: what more processes call is above\./);
    await graph().focus();
    await press('ArrowDown');
    await expect.poll(readOut).toBe('common to 6 ranks. 1 new pair (12.5 %): 1 program. main');
    // All processes are shown already.
    await press('Enter');
    await press('ArrowDown');
    const seen = new Set<string>();
    for (let step = 0; step < 3; step++) {
      seen.add(await readOut());
      await press('ArrowRight');
    }
    await press('ArrowLeft');
    await press('ArrowLeft');
    for (let step = 0; step < 3; step++) {
      seen.add(await readOut());
      await press('ArrowRight');
    }
    expect([...seen].sort()).toEqual([
      'rank 0 (1 rank). 2 new pairs (25.0 %): 2 program. main → distribute and distribute → plan',
      expect.stringMatching(/^rank 5 \(1 rank\)\. 2 new pairs \(25\.0 %\): 2 program\. main → onerror/),
      'ranks 1, 3–4 (3 ranks). 2 new pairs (25.0 %): 2 program. main → work and work → compute',
    ]);
    await page().mouse.move(0, 0);
    while (!(await readOut()).startsWith('ranks 1, 3–4')) await press('ArrowLeft');
    await press('Enter');
    expect(await untilAsked('choose')).toEqual({ processes: [1, 1, 3, 4] });
    expect(panel.asked.filter(({ name }) => name === 'choose')).toHaveLength(1);
    // The panel shows these processes now, and the picture is a new one.
    await page().locator('.chosen-processes').waitFor();
    await expect.poll(readOut).toMatch(/^5 boxes/);
    await graph().focus();
    const nextBox = async (): Promise<string> => {
      await press((await readOut()).startsWith('common') ? 'ArrowDown' : 'ArrowRight');
      return readOut();
    };
    await press('ArrowDown');
    await expect.poll(nextBox).toMatch(/^ranks 1, 3–4/);
    await press('Shift+F10');
    await page().getByRole('menuitem', { name: 'Show These and Those Below (4)' }).click();
    await expect.poll(() => lastAsked('choose')).toEqual({ processes: [1, 4] });
    expect(await page().title()).not.toBe('1');
  });

  it('G-3: by clicks, zoomed, dragged, as a table, and as the whole lattice', async () => {
    await shown(roles(), { groupPicture: 'graph' });
    await expect.poll(readOut).toMatch(/^5 boxes/);
    const { width = 0 } = (await graph().boundingBox()) ?? {};
    const box = { x: width / 2, y: 0 };
    // The first box is in the middle, below the top.
    for (box.y = 4; !(await readOut()).startsWith('common to 6'); box.y += 10)
      await graph().hover({ position: box });
    await page().mouse.wheel(0, -100);
    await expect.poll(readOut).toMatch(/^common to 6 ranks/);
    await page().mouse.down();
    await page().mouse.move(200, 600, { steps: 3 });
    await page().mouse.up();
    // What was dragged was not clicked.
    expect(panel.asked.some(({ name }) => name === 'choose')).toBe(false);
    await showTable('What groups have in common');
    expect((await tableCells()).map((row) => row.slice(0, 4))).toContainEqual([
      '4',
      '2',
      '1',
      'rank 2 (1 rank)',
    ]);
    await page().getByText('Whole lattice').click();
    await expect
      .poll(async () => (await tableCells()).map((row) => row[3]))
      .toContain('no rank has all of it');
    await expect.poll(() => panel.view.state()).toMatchObject({ groupLattice: true });
  });

  it('G-4: above 60 nodes it explains why it is not drawn, and leads to what helps', async () => {
    await shown(irregular(70), { groupPicture: 'graph', groupBy: 'similarity', groupThreshold: 1 });
    const refusal = page().locator('.group-refusal');
    await expect.poll(() => refusal.locator('p').innerText()).toMatch(/^The graph has \d+ nodes; above 60/);
    await refusal.getByRole('button', { name: 'Save as DOT…' }).click();
    const { content, format } = (await untilAsked('save')) as { content: Uint8Array; format: string };
    expect(format).toBe('dot');
    expect(new TextDecoder().decode(content)).toMatch(/^digraph groups \{/);
    await refusal.getByRole('button', { name: 'Show Similarity' }).click();
    await expect.poll(readOut).toMatch(/^Click/);
    await expect.poll(() => panel.view.state()).toMatchObject({ groupPicture: 'similarity' });
  });

  it('G-5: is saved as SVG, DOT and CSV, with names as text', async () => {
    await shown(roles(), { groupPicture: 'graph' });
    await expect.poll(readOut).toMatch(/^5 boxes/);
    const svg = await saved('What groups have in common', 'Save as SVG…');
    expect(svg.match(/<rect /g)).toHaveLength(5);
    expect(svg).not.toMatch(/<script|<img/);
    await saved('What groups have in common', 'Save as DOT…');
    await expect.poll(() => (lastAsked('save') as { format: string }).format).toBe('dot');
    await saved('What groups have in common', 'Save as CSV…');
    await expect.poll(() => (lastAsked('save') as { format: string }).format).toBe('csv');
  });
});

describe('pictures of groups', () => {
  it('are readable in all four themes, and in a narrow panel', async () => {
    await shown(roles(), { groupPicture: 'similarity' });
    for (const [choice, pictured] of [
      ['Similarity', matrix],
      ['What they have in common', graph],
    ] as const) {
      await choose('Picture', choice);
      await pictured().focus();
      await press('ArrowDown');
      await press('ArrowDown');
      if (choice === 'Similarity') await press('Enter');
      for (const theme of themeNames) {
        await panel.view.setTheme(theme);
        await page().waitForTimeout(200);
        expect(await panel.view.lowContrast()).toEqual([]);
        await panel.view.screenshot(
          `hotSpots-groups-${choice === 'Similarity' ? 'matrix' : 'graph'}-${theme}`,
        );
      }
    }
    await page().setViewportSize({ width: 400, height: 700 });
    await page().waitForTimeout(200);
    await panel.view.screenshot('hotSpots-groups-graph-narrow');
  });
});
