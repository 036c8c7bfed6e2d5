import { describe, expect, it } from 'vitest';
import { KeyTable } from '../../../src/core/trace/keyTable';
import { inMemory } from '../../../src/core/trace/traceSource';
import { ComparedTraces } from '../../../src/core/trace/views/comparedTraces';
import { sweep3d } from '../../sweep3d';
import { readText } from '../../unit/core/trace/readText';
import { choose, open, ready, rows, texts, view } from './panel';

/** The worked example of the specification, read and aligned as the engine does it. */
async function openExample(): Promise<void> {
  const table = new KeyTable();
  const engine = new ComparedTraces(
    ([1, 2] as const).map((rank) => ({
      name: `sweep3d, rank ${rank}`,
      traces: [inMemory(readText(sweep3d(rank), table).trace)],
    })),
    table,
  );
  await open({ engine, size: { width: 1280, height: 860 } });
  await ready();
}

describe('the worked example in the panel', () => {
  it('M7 M13: 14 matched, 2 added, 0 deleted, 6 changed, 8 unchanged, with counts 80, 40, 40', async () => {
    await openExample();
    await choose('Show as', 'Frequency');
    await expect.poll(async () => (await texts(2)).length).toBe(16);
    const facts = (await view.page.locator('.pair-facts tbody').innerText()).replaceAll(/\s+/g, ' ');
    expect(facts).toBe('1 → 2 14 8 6 2 0');
    const [left, right] = [await texts(1), await texts(2)];
    expect(right.filter((text) => text.startsWith('+ added: '))).toEqual([
      '+ added: MPI_RECV from 4',
      '+ added: MPI_SEND to 4',
    ]);
    expect(left.filter((text) => text === 'not in this view')).toHaveLength(2);
    expect(left.filter((text) => text.startsWith('≠ changed: '))).toHaveLength(6);
    const counts = async (name: string): Promise<readonly string[]> =>
      rows(1).filter({ hasText: name }).locator('.grid-cell:nth-child(2)').allInnerTexts();
    expect(await counts('[85-102]')).toEqual(['80']);
    expect(await counts('MPI_RECV from')).toEqual(['40', '40']);
    await view.screenshot('comparison-sweep3d');
  });

  it('M8: the call chain has loops and gaps, and each characteristic leads to its call', async () => {
    await openExample();
    expect((await texts(1)).some((text) => /× \d/.test(text))).toBe(true);
    await view.screenshot('comparison-sweep3d-chain');
    const list = view.page.locator('.comparison-summary .grid-row:visible');
    expect(await list.count()).toBeGreaterThan(0);
    await list.nth(0).click();
    const selected = view.page.locator('.comparison-pane .grid-row.selected .grid-cell:first-child');
    await expect.poll(() => selected.count()).toBe(2);
    // `mpi_stuff.f [85-102] receives …`
    const [name = '', lines = ''] = (await list.nth(0).innerText()).split(/\s+/);
    expect((await selected.first().innerText()).replaceAll(/\s+/g, ' ')).toContain(`${name} ${lines}`);
  });

  it('M20: with relative partners, other rows match', async () => {
    await openExample();
    await view.page.getByRole('checkbox', { name: 'Relative partners' }).click();
    await expect
      .poll(async () => (await texts(2)).some((text) => /MPI_RECV from .*[+−-]\d/.test(text)))
      .toBe(true);
  });
});
