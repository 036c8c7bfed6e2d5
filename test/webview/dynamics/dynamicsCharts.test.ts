import { describe, expect, it } from 'vitest';
import { cx, useDynamicsPanel } from './dynamicsPanel';

const panel = useDynamicsPanel();
const { open, ready, frame, untilAsked, announced } = panel;

describe('the charts of the dynamics panel', () => {
  it('timeline and map: keys move the cursor, mark, zoom and go to what was found; all is read out', async () => {
    await open();
    await ready();
    await panel.view.tabTo(/Series over the iterations\./, 80);
    await panel.view.page.keyboard.press('Home');
    await expect
      .poll(announced)
      .toMatch(/^Iteration 1: .* ms · D: rises faster and faster in 1–\d+ · trend 1–9\d$/);
    await panel.view.page.keyboard.press('ArrowRight');
    await expect.poll(announced).toMatch(/^Iteration 2: /);
    await panel.view.page.keyboard.press('End');
    await expect.poll(announced).toMatch(/^Iteration 128: /);
    await panel.view.page.keyboard.press('Escape');
    await panel.view.page.keyboard.press('Home');
    for (let step = 0; step < 10; step++) await panel.view.page.keyboard.press('Shift+ArrowRight');
    await panel.view.page.keyboard.press('Enter');
    await expect.poll(async () => (await panel.view.state()) as object).toMatchObject({ span: [0, 10] });
    await panel.view.page.keyboard.press('-');
    await expect
      .poll(async () => (await panel.view.state()) as { span?: unknown })
      .not.toMatchObject({ span: [0, 10] });
    await panel.view.page.keyboard.press('Escape');
    await expect.poll(async () => 'span' in ((await panel.view.state()) as object)).toBe(false);
    await panel.view.page.keyboard.press('PageDown');
    await expect.poll(announced).toContain('trend 1–9');
    await panel.view.tabTo(/Values of all ranks over the iterations\./, 30);
    await panel.view.page.keyboard.press('ArrowDown');
    await panel.view.page.locator('.series-title').filter({ hasText: 'rank 5' }).waitFor();
    await panel.view.page.keyboard.press('ArrowRight');
    await expect.poll(announced).toMatch(/^Rank 5, iteration \d+: /);
  });

  it('brush: what is marked in the map is what the chart shows, and the other way round', async () => {
    await open();
    await ready();
    const drag = async (canvas: string, from: number, to: number): Promise<void> => {
      const box = await panel.view.page.locator(canvas).boundingBox();
      if (box === null) throw new Error('not shown');
      const x = (share: number): number => box.x + 66 + share * (box.width - 76);
      await panel.view.page.mouse.move(x(from), box.y + box.height / 2);
      await panel.view.page.mouse.down();
      await panel.view.page.mouse.move(x((from + to) / 2), box.y + box.height / 2);
      await panel.view.page.mouse.move(x(to), box.y + box.height / 2);
      await panel.view.page.mouse.up();
    };
    await drag('.value-map canvas', 0.251, 0.499);
    await expect.poll(async () => (await panel.view.state()) as object).toMatchObject({ span: [32, 63] });
    await panel.view.page.mouse.move(0, 0);
    await expect
      .poll(() => panel.view.page.locator('.series-chart .read-out').innerText())
      .toMatch(/^Iterations 33–64 of 128/);
    await panel.view.screenshot('dynamics-zoomed');
    await drag('.series-chart canvas', 0.251, 0.499);
    await expect.poll(async () => (await panel.view.state()) as object).toMatchObject({ span: [40, 47] });
    await panel.view.page.locator('.series-chart canvas').dblclick({ position: { x: 300, y: 100 } });
    await expect.poll(async () => 'span' in ((await panel.view.state()) as object)).toBe(false);
  });

  it('tables: chart and map have their numbers as tables, too', async () => {
    await open({ state: { chartTable: true, mapTable: true } });
    await ready();
    const tables = panel.view.page.locator('.chart-table-place:visible');
    await expect.poll(() => tables.count()).toBe(2);
    const [series, ranks] = [await tables.nth(0).innerText(), await tables.nth(1).innerText()];
    for (const text of ['Iteration', 'Episode', 'trend', 'ms']) expect(series).toContain(text);
    for (const text of ['Rank', 'Most at', 'Second half']) expect(ranks).toContain(text);
    await panel.view.screenshot('dynamics-tables');
    await tables.nth(1).locator('.grid-row').nth(1).dblclick();
    await panel.view.page.locator('.series-title').filter({ hasText: 'rank 1' }).waitFor();
  });

  it('explain view: numbers of each condition, and the strongest cells of the scaleogram', async () => {
    await open({ pieces: cx, state: { tab: 'explain' } });
    await ready();
    const rules = panel.view.page.locator('.rule-checks');
    await rules.locator('.grid-row').first().waitFor();
    const text = await rules.innerText();
    expect(text).toMatch(
      /Significant variability[^]*dynamicEnergy \/ totalEnergy > [^]*0\.05\d+\s+> 0\.01\s+✓ holds/,
    );
    await panel.view.screenshot('dynamics-explain-cx');
    const scaleogram = panel.view.page.locator('.explain-chart').first();
    await scaleogram.getByRole('button', { name: /Show as Table/ }).click();
    await expect.poll(() => scaleogram.locator('.grid-row').count()).toBeGreaterThan(5);
    const rows = await scaleogram.locator('.grid-row').allInnerTexts();
    const cells = rows.map((row) => row.split(/\s*[\n\t]\s*/).filter((cell) => cell !== ''));
    const short = cells.filter(([scale]) => Number(scale) <= 32).slice(0, 2);
    expect(short.map(([scale, shift, , energy]) => [scale, shift, energy])).toEqual([
      ['16', '0', '0.346'],
      ['32', '0', '0.305'],
    ]);
    await expect.poll(() => scaleogram.locator('.read-out').innerText()).toContain('2.59 s²');
    const tree = panel.view.page.locator('.explain-chart').nth(1);
    await tree.locator('canvas').focus();
    await panel.view.page.keyboard.press('Home');
    await expect
      .poll(announced)
      .toMatch(/^Iterations \d+–\d+: (concave|convex) at σ .*, stability \d+ steps$/);
    await panel.view.page.keyboard.press('ArrowDown');
    await expect.poll(announced).toMatch(/^Iterations/);
    await tree.scrollIntoViewIfNeeded();
    await frame();
    await panel.view.screenshot('dynamics-tree');
  });

  it('reads the scaleogram by keys', async () => {
    await open({ pieces: cx, state: { tab: 'explain' } });
    await ready();
    await panel.view.page.locator('.explain-chart canvas').first().focus();
    await panel.view.page.keyboard.press('Home');
    await expect.poll(announced).toMatch(/^Scale \d+, shift 0 \(iterations 1–\d+\): \d+\.\d % of the change/);
    await panel.view.page.keyboard.press('ArrowDown');
    await panel.view.page.keyboard.press('ArrowRight');
    await expect.poll(announced).toMatch(/^Scale \d+, shift 1 /);
  });

  it('smooths the curve at the scale of the slider', async () => {
    await open({ pieces: cx });
    await ready();
    await panel.view.page.getByRole('slider', { name: 'Smooth' }).focus();
    for (let step = 0; step < 14; step++) await panel.view.page.keyboard.press('ArrowRight');
    expect(await panel.view.page.locator('.slider-value').last().innerText()).toBe('σ 4.76');
    await panel.view.page.locator('.series-chart canvas').focus();
    await panel.view.page.keyboard.press('Home');
    await expect.poll(announced).toContain('smoothed 460 ms');
    await frame();
    await panel.view.screenshot('dynamics-cx-smoothed');
  });

  it.each(['Series over the iterations', 'Values of all ranks over the iterations'])(
    'saves %s as PNG, SVG and CSV',
    async (chart) => {
      await open();
      await ready();
      const saved = async (label: string): Promise<Uint8Array> => {
        panel.asked.length = 0;
        await panel.view.page.getByRole('button', { name: `${chart}: Save…` }).click();
        await panel.view.page.getByRole('menuitem', { name: `Save as ${label}…` }).click();
        const { kind, name, content } = (await untilAsked('save')) as Readonly<
          Record<'kind' | 'name', string> & { content: Uint8Array }
        >;
        expect(kind).toBe(label.toLowerCase());
        expect(name).toContain('MPI_Wait');
        return content;
      };
      expect(new TextDecoder('latin1').decode((await saved('PNG')).subarray(1, 4))).toBe('PNG');
      const lines = new TextDecoder().decode(await saved('CSV')).split('\r\n');
      expect(lines[0]).toMatch(/^(rank,1,2,3,|first iteration,last iteration,)/);
      expect(lines.length).toBeGreaterThan(15);
      const parts = await panel.view.page.evaluate(
        (text) => {
          const made = new DOMParser().parseFromString(text, 'image/svg+xml');
          return made.querySelector('parsererror') === null
            ? made.querySelectorAll('path, rect, text').length
            : -1;
        },
        new TextDecoder().decode(await saved('SVG')),
      );
      expect(parts).toBeGreaterThan(20);
    },
  );
});
